"""Summaries, made from pages, and results that take the place of others."""

from dataclasses import replace

import pytest

from firmware.codes import CameraFault, EndReason
from firmware.hall.link.messages import (
    CAPS,
    FaultCode,
    Summary,
    TableResults,
    encode,
)
from firmware.hall.link.summaries import aged, faults_of, summary_of, with_result
from tests.support import example_pages
from web.contract import (
    AnswerKind,
    ArbiterCall,
    ClubTable,
    MachineStatus,
    MatchResult,
    PlayedMatch,
    PlayerClock,
    RefereeState,
    RefereeStatus,
    SideAnswer,
)


@pytest.mark.parametrize("name", example_pages.ALL)
def test_every_page_has_a_summary_within_its_size(name: str) -> None:
    page = example_pages.ALL[name]()
    names = tuple(replace(colour, player="席" * 150) for colour in page.colours)
    clocks = tuple(PlayerClock((n,), 10**7, running=n == 0) for n in range(len(page.colours)))
    for one in (page, replace(page, colours=names, clocks=clocks[:4], name="x" * 80)):
        summary = summary_of(one, None)
        assert len(encode(summary)) <= CAPS[Summary]
        assert summary.game
        assert summary.state is page.state.code


def test_without_a_table_that_is_the_fault() -> None:
    assert summary_of(None, None).faults == (FaultCode.NO_TABLE,)


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


def test_a_call_and_a_match_are_told() -> None:
    club = ClubTable(call=ArbiterCall(0), match=PlayedMatch("2-07", 2, ("p01", "p02")))
    summary = summary_of(example_pages.empty(), club)
    assert (summary.calls, summary.pairing) == (True, "2-07")


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


def result_of(game: str, answer: AnswerKind = AnswerKind.NONE, sentence: str = "") -> MatchResult:
    sides = SideAnswer((0,), -3, True, answer, sentence), SideAnswer((1,), -10, False)  # noqa: FBT003
    return MatchResult(PlayedMatch("1-07", 1, ("p0", "p1")), game, EndReason.SCORE, sides)


def test_a_repeated_result_takes_the_place_of_the_first() -> None:
    results = TableResults(())
    for number in range(3):
        results = with_result(results, result_of(f"g-{number}"))
    changed = result_of("g-1", AnswerKind.CONFIRMED)
    again = with_result(with_result(results, changed), changed)
    assert [one.game for one in again.results] == ["g-0", "g-1", "g-2"]
    assert again.results[1] == changed


def test_the_oldest_results_are_left_out_when_they_are_too_many() -> None:
    results = TableResults(())
    for number in range(200):
        sentence = "it was mine" * 10
        results = with_result(results, result_of(f"g-{number}", AnswerKind.DISPUTED, sentence))
    assert len(encode(results)) <= CAPS[TableResults]
    assert results.results[-1].game == "g-199"
    assert len(results.results) > 20
