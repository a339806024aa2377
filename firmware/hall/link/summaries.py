"""The messages of a table to its hall, from the page of its game and the people at it."""

from dataclasses import replace
from typing import Final

from firmware.codes import EndReason, Scoring
from firmware.hall.link.messages import (
    AskCode,
    ColourSummary,
    FaultCode,
    PlayerResult,
    Summary,
    TableResult,
    TableResults,
    TooLargeError,
    encode,
)
from firmware.rules.variants import VARIANTS
from web.contract import (
    AnswerKind,
    ClubTable,
    MatchResult,
    Page,
    PlayerClock,
    RefereeState,
    SideAnswer,
)
from web.contract.commands import LONGEST_NAME

_KEYS: Final = {variant.title: key for key, variant in VARIANTS.items()}
"""Key of each game and puzzle by its title, which is all that a page tells of it."""


def summary_of(page: Page | None, club: ClubTable | None, run: str, age_ms: int = 0) -> Summary:
    """Returns the summary of a game.

    Args:
        page: the page of the game; None while the table's program does not run.
        club: the people at the table, if it has told.
        run: id of the table's process.
        age_ms: milliseconds since the page was received, by which running clocks have advanced.
    """
    if page is None:
        return Summary(run, 0, "", faults=(FaultCode.NO_TABLE,))
    summary = Summary(
        run=run,
        revision=page.revision,
        game=_KEYS.get(page.title, ""),
        name=page.name,
        pairing=club.match.id if club and club.match else "",
        state=page.state.code,
        turn=page.turn,
        ply=page.ply,
        colours=tuple(
            ColourSummary(
                colour.name,
                colour.letter,
                colour.ink,
                colour.player[:LONGEST_NAME],
                colour.score,
                colour.placed,
                len(colour.left),
                colour.out,
            )
            for colour in page.colours
        ),
        clocks=aged_clocks(page, age_ms),
        ask=AskCode.ARBITER if club and club.call else None,
        faults=faults_of(page),
        result=page.result,
        cells=_cells(page),
        agreed=_agreed(club),
    )
    return _fitting(summary)


def aged(page: Page, age_ms: int) -> Page:
    """Returns a page whose running clocks have advanced."""
    return replace(page, clocks=aged_clocks(page, age_ms)) if page.clocks else page


def aged_clocks(page: Page, age_ms: int) -> tuple[PlayerClock, ...]:
    """Returns the clocks of a page some milliseconds after it was published."""
    return tuple(
        replace(
            clock,
            left_ms=clock.left_ms - max(age_ms - clock.free_ms, 0),
            free_ms=max(clock.free_ms - age_ms, 0),
        )
        if clock.running
        else clock
        for clock in page.clocks
    )


def faults_of(page: Page) -> tuple[FaultCode, ...]:
    """Returns what somebody has to mend at a table."""
    machine = page.machine
    found = {
        FaultCode.CAMERA: page.state.code is RefereeState.CAMERA_AWAY,
        FaultCode.BOARD: page.state.code is RefereeState.BOARD_LOST,
        FaultCode.JOURNAL: not page.saved,
        FaultCode.LIGHTS: not page.lights,
        FaultCode.BUTTONS: not page.buttons,
        FaultCode.RECORDING: not page.recording,
        FaultCode.HEAT: machine.hot is True,
        FaultCode.VOLTAGE: machine.undervoltage is True,
        FaultCode.MOVES_MISSING: not page.whole,
    }
    return tuple(fault for fault, holds in found.items() if holds)


def table_result(page: Page, result: MatchResult) -> TableResult | None:
    """Returns the result of a match as the hall stores it.

    Args:
        page: the page of the finished game.
        result: the result of its match.

    Returns:
        The result; None if the page is that of another game, or the game has no files.
    """
    if not result.game or page.name != result.game or page.result is None:
        return None
    players: dict[int, PlayerResult] = {}
    for number, side in enumerate(result.sides):
        colours = page.sides[number].colours if number < len(page.sides) else ()
        placed = sum(page.colours[colour].placed for colour in colours)
        rank = _rank(result, side, page.scoring)
        for place, person in enumerate(side.people):
            # A team has a colour for each of its people, a single person has all of them.
            own = colours if len(side.people) == 1 else colours[place : place + 1]
            names = tuple(page.colours[colour].name for colour in own)
            id_ = result.match.players[person]
            players[person] = PlayerResult(id_, names, side.score, placed, rank)
    return TableResult(
        result.match.id,
        result.game,
        _KEYS.get(page.title, ""),
        result.how,
        page.scoring,
        tuple(players[person] for person in sorted(players)),
        _who(result, AnswerKind.CONFIRMED),
        _who(result, AnswerKind.DISPUTED),
        _sentences(result),
    )


def with_answers(results: TableResults, result: MatchResult) -> TableResults:
    """Returns results with the answers to one of them that came after its game was replaced."""
    key = result.match.id, result.game
    answered = [
        replace(
            one,
            confirmed=_who(result, AnswerKind.CONFIRMED),
            disputed=_who(result, AnswerKind.DISPUTED),
            sentences=_sentences(result),
        )
        if one.key == key
        else one
        for one in results.results
    ]
    return replace(results, results=tuple(answered))


def with_result(results: TableResults, new: TableResult) -> TableResults:
    """Returns results with a new one; it replaces an earlier one of the same game.

    The oldest ones are left out once all together are too large for a message.
    """
    others = [one for one in results.results if one.key != new.key]
    known = [one.key for one in results.results]
    place = known.index(new.key) if new.key in known else len(others)
    together = replace(results, results=(*others[:place], new, *others[place:]))
    while len(together.results) > 1:
        try:
            encode(together)
        except TooLargeError:
            together = replace(together, results=together.results[1:])
        else:
            break
    return together


def _rank(result: MatchResult, side: SideAnswer, scoring: Scoring) -> int:
    """Returns the place of a side from 1; 0 in a game that nobody won."""
    if result.how is EndReason.ABANDONED or not any(one.won for one in result.sides):
        return 0
    sign = -1 if scoring is Scoring.BASIC else 1
    better = [one for one in result.sides if _worth(one, sign) > _worth(side, sign)]
    return 1 + len(better)


def _worth(side: SideAnswer, sign: int) -> tuple[bool, int]:
    # Whoever won comes first whatever the scores are, as after a resignation.
    return side.won, 0 if side.won else sign * side.score


def _sentences(result: MatchResult) -> tuple[str, ...]:
    return tuple(side.sentence for side in result.sides if side.sentence)


def _who(result: MatchResult, answer: AnswerKind) -> tuple[str, ...]:
    return tuple(
        result.match.players[person]
        for side in result.sides
        if side.answer is answer
        for person in side.people
    )


def _agreed(club: ClubTable | None) -> tuple[str, ...]:
    if club is None or club.offer is None:
        return ()
    return tuple(club.offer.match.players[person].id for person in club.offer.agreed)


def _cells(page: Page) -> tuple[str, ...]:
    rows = [["."] * page.size for _ in range(page.size)]
    for piece in page.pieces:
        for row, column in piece.squares:
            rows[row][column] = page.colours[piece.colour].letter
    return tuple("".join(row) for row in rows)


def _fitting(summary: Summary) -> Summary:
    """Returns the summary, without its board if it were too large for a message."""
    try:
        encode(summary)
    except TooLargeError:
        return replace(summary, cells=())
    return summary
