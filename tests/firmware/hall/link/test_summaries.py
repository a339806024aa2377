"""Summaries and results, made from pages."""

from dataclasses import replace

import pytest

from firmware.codes import CameraFault, EndReason, Scoring
from firmware.hall.link.messages import (
    CAPS,
    AskCode,
    FaultCode,
    PlayerResult,
    Summary,
    TableResult,
    TableResults,
    encode,
)
from firmware.hall.link.summaries import aged, faults_of, summary_of, table_result, with_result
from tests.support import example_pages
from web.contract import (
    AnswerKind,
    ArbiterCall,
    ClubTable,
    GameKey,
    MachineStatus,
    MatchOffer,
    MatchPlayer,
    MatchResult,
    OfferedMatch,
    Page,
    PlayedMatch,
    PlayerClock,
    RefereeState,
    RefereeStatus,
    Side,
    SideAnswer,
)


@pytest.mark.parametrize("name", example_pages.ALL)
def test_every_page_has_a_summary_within_its_size(name: str) -> None:
    page = example_pages.ALL[name]()
    names = tuple(replace(colour, player="席" * 150) for colour in page.colours)
    clocks = tuple(PlayerClock((n,), 10**7, running=n == 0) for n in range(len(page.colours)))
    for one in (page, replace(page, colours=names, clocks=clocks[:4], name="x" * 80)):
        summary = summary_of(one, None, "r1")
        assert len(encode(summary)) <= CAPS[Summary]
        assert summary.game
        assert summary.state is page.state.code


def test_the_board_is_as_the_pieces_lie() -> None:
    page = example_pages.duo_over()
    cells = summary_of(page, None, "r1").cells
    assert [len(row) for row in cells] == [14] * 14
    for index, colour in enumerate(page.colours):
        squares = {
            square for piece in page.pieces if piece.colour == index for square in piece.squares
        }
        assert {
            (row, column)
            for row, line in enumerate(cells)
            for column, letter in enumerate(line)
            if letter == colour.letter
        } == squares


def test_without_a_table_that_is_the_fault() -> None:
    assert summary_of(None, None, "r1").faults == (FaultCode.NO_TABLE,)


def test_faults_are_those_that_somebody_has_to_mend() -> None:
    page = example_pages.empty()
    assert faults_of(page) == ()
    away = RefereeStatus(RefereeState.CAMERA_AWAY, fault=CameraFault.MISSING)
    ill = replace(
        page,
        state=away,
        saved=False,
        lights=False,
        buttons=False,
        recording=False,
        whole=False,
        machine=MachineStatus(hot=True, celsius=90, undervoltage=True),
    )
    assert faults_of(ill) == (
        FaultCode.CAMERA,
        FaultCode.JOURNAL,
        FaultCode.LIGHTS,
        FaultCode.BUTTONS,
        FaultCode.RECORDING,
        FaultCode.HEAT,
        FaultCode.VOLTAGE,
        FaultCode.MOVES_MISSING,
    )
    lost = replace(page, state=RefereeStatus(RefereeState.BOARD_LOST))
    assert faults_of(lost) == (FaultCode.BOARD,)


def test_a_call_an_offer_and_a_match_are_told() -> None:
    players = MatchPlayer("p01", "Anna"), MatchPlayer("p02", "Ben")
    offer = MatchOffer(
        OfferedMatch("3-07", 3, GameKey.DUO, players), agreed=(1,), phones=("a" * 64,)
    )
    club = ClubTable(call=ArbiterCall(0), offer=offer, match=PlayedMatch("2-07", 2, ("p01", "p02")))
    summary = summary_of(example_pages.empty(), club, "r1")
    assert (summary.ask, summary.agreed, summary.pairing) == (AskCode.ARBITER, ("p02",), "2-07")


def test_running_clocks_advance_after_their_free_time() -> None:
    clocks = (
        PlayerClock((0,), 10_000, running=True, free_ms=3_000),
        PlayerClock((1,), 10_000),
    )
    page = replace(example_pages.empty(), clocks=clocks)
    for age_ms, left_ms, free_ms in ((0, 10_000, 3_000), (2_000, 10_000, 1_000), (5_000, 8_000, 0)):
        first, second = aged(page, age_ms).clocks
        assert (first.left_ms, first.free_ms) == (left_ms, free_ms)
        assert second == clocks[1]


def finished(game: str, sides: tuple[tuple[int, ...], ...]) -> Page:
    page = example_pages.duo_over() if game == "duo" else example_pages.classic_middle()
    result = example_pages.duo_over().result
    return replace(
        page, name="g-1", result=result, sides=tuple(Side(colours, -1) for colours in sides)
    )


def judged(
    people: tuple[tuple[int, ...], ...],
    scores: tuple[int, ...],
    won: tuple[bool, ...],
    how: EndReason = EndReason.SCORE,
) -> MatchResult:
    ids = tuple(f"p{person}" for person in range(sum(map(len, people))))
    sides = tuple(
        SideAnswer(one, score, first) for one, score, first in zip(people, scores, won, strict=True)
    )
    return MatchResult(PlayedMatch("1-01", 1, ids), "g-1", how, sides)


def test_the_result_of_two_players() -> None:
    page = finished("duo", ((0,), (1,)))
    result = judged(((0,), (1,)), (-3, -10), (True, False))
    made = table_result(page, result)
    assert made is not None
    assert (made.pairing, made.name, made.game) == ("1-01", "g-1", "duo")
    placed = [colour.placed for colour in page.colours]
    assert made.players == (
        PlayerResult("p0", ("purple",), -3, placed[0], 1),
        PlayerResult("p1", ("orange",), -10, placed[1], 2),
    )


@pytest.mark.parametrize(
    ("scores", "won", "ranks"),
    [
        ((5, 3, 3, 1), (True, False, False, False), [1, 2, 2, 4]),
        ((1, 7, 7, 2), (False, True, True, False), [4, 1, 1, 3]),
        ((0, 9, 1, 2), (True, False, False, False), [1, 2, 4, 3]),
    ],
)
def test_ranks_of_four_players(
    scores: tuple[int, ...], won: tuple[bool, ...], ranks: list[int]
) -> None:
    page = finished("classic", ((0,), (1,), (2,), (3,)))
    made = table_result(page, judged(((0,), (1,), (2,), (3,)), scores, won))
    assert made is not None
    assert [player.rank for player in made.players] == ranks


def test_the_fewest_squares_win_under_the_basic_scoring() -> None:
    page = replace(finished("classic", ((0,), (1,), (2,), (3,))), scoring=Scoring.BASIC)
    won = (False, False, True, False)
    made = table_result(page, judged(((0,), (1,), (2,), (3,)), (9, 12, 2, 5), won))
    assert made is not None
    assert [player.rank for player in made.players] == [3, 4, 1, 2]


def test_a_team_shares_its_result_and_each_has_a_colour() -> None:
    page = finished("classic", ((0, 2), (1, 3)))
    made = table_result(page, judged(((0, 2), (1, 3)), (4, 8), (False, True)))
    assert made is not None
    names = [colour.name for colour in page.colours]
    assert [player.colours for player in made.players] == [(name,) for name in names]
    assert [player.rank for player in made.players] == [2, 1, 2, 1]
    assert made.players[0].placed == page.colours[0].placed + page.colours[2].placed


def test_two_people_with_two_colours_each() -> None:
    page = finished("classic", ((0, 2), (1, 3)))
    made = table_result(page, judged(((0,), (1,)), (4, 8), (False, True)))
    assert made is not None
    names = [colour.name for colour in page.colours]
    assert [player.colours for player in made.players] == [tuple(names[0::2]), tuple(names[1::2])]


def test_an_abandoned_game_has_no_ranks_and_another_game_no_result() -> None:
    page = finished("duo", ((0,), (1,)))
    nobody = judged(((0,), (1,)), (-3, -10), (False, False), EndReason.ABANDONED)
    made = table_result(page, nobody)
    assert made is not None
    assert [player.rank for player in made.players] == [0, 0]
    assert table_result(replace(page, name="g-2"), nobody) is None
    assert table_result(page, replace(nobody, game="")) is None


def test_answers_name_the_players_of_their_side() -> None:
    page = finished("classic", ((0, 2), (1, 3)))
    result = judged(((0, 2), (1, 3)), (4, 8), (False, True))
    first, second = result.sides
    answered = replace(
        result,
        sides=(
            replace(first, answer=AnswerKind.DISPUTED, sentence="no"),
            replace(second, answer=AnswerKind.CONFIRMED),
        ),
    )
    made = table_result(page, answered)
    assert made is not None
    assert (made.disputed, made.confirmed, made.sentences) == (("p0", "p2"), ("p1", "p3"), ("no",))


def test_a_repeated_result_takes_the_place_of_the_first() -> None:
    results = TableResults("r1")
    for number in range(3):
        results = with_result(results, TableResult("1-07", f"g-{number}", "duo"))
    changed = TableResult("1-07", "g-1", "duo", confirmed=("p01",))
    again = with_result(with_result(results, changed), changed)
    assert [one.name for one in again.results] == ["g-0", "g-1", "g-2"]
    assert again.results[1] == changed


def test_the_oldest_results_are_left_out_when_they_are_too_many() -> None:
    results = TableResults("r1")
    for number in range(200):
        sentences = ("it was mine" * 10,)
        results = with_result(
            results, TableResult("1-07", f"g-{number}", "duo", sentences=sentences)
        )
    assert len(encode(results)) <= CAPS[TableResults]
    assert results.results[-1].name == "g-199"
    assert len(results.results) > 20
