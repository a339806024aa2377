"""The messages of a table to its hall, from the page of its game and the people at it."""

from dataclasses import replace
from typing import Final

from firmware.hall.link.messages import (
    ColourSummary,
    FaultCode,
    Summary,
    TableResults,
    TooLargeError,
    encode,
)
from firmware.rules.variants import VARIANTS
from web.contract import (
    ClubTable,
    MatchResult,
    Page,
    PlayerClock,
    RefereeState,
)
from web.contract.person_names import LONGEST_NAME

_KEYS: Final = {variant.title: key for key, variant in VARIANTS.items()}
"""Key of each game and puzzle by its title, which is all that a page tells of it."""


def summary_of(page: Page | None, club: ClubTable | None, age_ms: int = 0) -> Summary:
    """Returns the summary of a game.

    Args:
        page: the page of the game; None while the table's program does not run.
        club: the people at the table, if it has told.
        age_ms: milliseconds since the page was received, by which running clocks have advanced.
    """
    if page is None:
        return Summary(0, "", faults=(FaultCode.NO_TABLE,))
    return Summary(
        revision=page.revision,
        game=_KEYS.get(page.title, ""),
        pairing=club.match.id if club and club.match else "",
        state=page.state.code,
        turn=page.turn,
        ply=page.ply,
        colours=tuple(
            ColourSummary(colour.name, colour.player[:LONGEST_NAME], colour.score)
            for colour in page.colours
        ),
        clocks=aged_clocks(page, age_ms),
        calls=bool(club and club.call),
        faults=faults_of(page),
        result=page.result,
    )


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


def with_result(results: TableResults, new: MatchResult) -> TableResults:
    """Returns results with a new one; it replaces an earlier one of the same game.

    The oldest ones are left out once all together are too large for a message.
    """
    others = [one for one in results.results if one.key != new.key]
    known = [one.key for one in results.results]
    place = known.index(new.key) if new.key in known else len(others)
    together = TableResults((*others[:place], new, *others[place:]))
    while len(together.results) > 1:
        try:
            encode(together)
        except TooLargeError:
            together = TableResults(together.results[1:])
        else:
            break
    return together
