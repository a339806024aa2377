"""Files with results: players are ids, or names for organisers."""

import csv
import io

import pytest

from firmware.hall.documents import number_text, results_csv, standings_csv
from firmware.hall.tournament.draw import draw_round
from firmware.hall.tournament.events import (
    PlayerEntered,
    PlayerWithdrew,
    ResultCorrected,
    RoundPublished,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event
from tests.support.typed_tournament import begun, fold, played

SETTINGS = TournamentSettings("Evening", "duo", 4)


@pytest.fixture
def state() -> TournamentState:
    """Five players, three rounds: byes, an absence, a forfeit, a draw, a late entry."""
    state = played(
        begun(SETTINGS, 4),
        [("P1 P2", "-4 -9"), ("P3 P4", "-5 -5")],
        withdrawn=["P4"],
    )
    state = apply_event(state, PlayerEntered("P5"))
    state = played(state, [("P3 P1", "-1 -8"), ("P2 P5", "P5 absent")])
    return played(state, [("P1 P5", "-1 -2"), ("P2", ""), ("P3", "")])


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_standings_have_a_line_for_each_player(state: TournamentState) -> None:
    found = rows(standings_csv(state))
    assert [(row["place"], row["player"], row["points"]) for row in found] == [
        ("1", "P3", "2.5"),
        ("2", "P1", "2"),
        ("3", "P2", "2"),
        ("4", "P4", "0.5"),
        ("5", "P5", "0"),
    ]
    assert found[0]["margin"] == "7"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝"])
def test_a_name_is_no_formula_of_a_spreadsheet(state: TournamentState, start: str) -> None:
    for made in (standings_csv, results_csv):
        found = rows(made(state, lambda player: f"{start}1+2" if player == "P1" else player))
        assert f"'{start}1+2" in {row["player"] for row in found}


@pytest.mark.parametrize("name", ["An;=1+2", "An; @SUM(1)", "An;=cmd|' /C calc'!A0;"])
def test_no_part_of_a_name_is_a_formula(state: TournamentState, name: str) -> None:
    """Excel in German takes a semicolon for the end of a cell."""
    made = results_csv(state, lambda player: name if player == "P1" else player)
    cells = {cell for row in csv.reader(io.StringIO(made), delimiter=";") for cell in row}
    assert not [cell for cell in cells if cell.lstrip().startswith(("=", "@"))]
    assert name.replace(";", ";'", 1) in {row["player"] for row in rows(made)}


def test_a_number_below_zero_stays_one(state: TournamentState) -> None:
    assert [row["margin"] for row in rows(standings_csv(state))] == ["7", "-1", "-5", "0", "-1"]


def test_a_reason_is_no_formula_of_a_spreadsheet(state: TournamentState) -> None:
    reason = "=cmd|' /C calc'!A0"
    corrected = ResultCorrected("1-01", MatchOutcome.by_scores((-9, -4)), reason)
    found = rows(results_csv(apply_event(state, corrected)))
    assert found[0]["reason"] == f"'{reason}"


def test_results_tell_how_each_match_went(state: TournamentState) -> None:
    corrected = ResultCorrected("1-01", MatchOutcome.by_scores((-9, -4)), "exchanged")
    found = rows(results_csv(apply_event(state, corrected)))
    assert len(found) == 4 + 4 + 4
    first = found[0]
    assert (first["match"], first["player"], first["score"], first["place"]) == (
        "1-01",
        "P1",
        "-9",
        "2",
    )
    assert first["reason"] == "exchanged"
    assert [row["player"] for row in found if row["forfeited"]] == ["P5"]
    assert [row["player"] for row in found if row["state"] == "bye"] == ["P2", "P3"]


def test_a_round_that_is_not_published_is_in_no_file(state: TournamentState) -> None:
    drawn = apply_event(state, draw_round(state, 4))
    assert "4-01" not in results_csv(drawn)
    assert "4-01" in results_csv(apply_event(drawn, RoundPublished(4)))


def test_numbers_are_short() -> None:
    state = fold((PlayerWithdrew("P1"),), begun(SETTINGS, 1))
    assert number_text(None) == ""
    assert standings_csv(state).splitlines()[1].startswith("1,P1,0,")
