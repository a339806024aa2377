"""Files with results: players are ids in all of them."""

import csv
import io
import json
import zipfile

import pytest

from firmware.hall.exports import (
    number_text,
    records_zip,
    results_csv,
    standings_csv,
    tournament_json,
    tournament_trf,
)
from firmware.hall.link.messages import GameRecord
from firmware.hall.tournament.codes import Preset
from firmware.hall.tournament.draw import draw_round
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    PlayerEntered,
    PlayerWithdrew,
    ResultCorrected,
    RoundPublished,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event, fold
from firmware.records.record import Record
from firmware.rules.variants import GAMES
from tests.support.typed_tournament import begun, played

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
    return played(state, [("P1 P5", "-1 -2"), ("P2", "asked"), ("P3", "")])


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_standings_have_a_line_for_each_player(state: TournamentState) -> None:
    found = rows(standings_csv(state))
    assert [(row["place"], row["player"], row["points"]) for row in found] == [
        ("1", "P3", "2.5"),
        ("2", "P1", "2"),
        ("3", "P2", "1.5"),
        ("4", "P4", "0.5"),
        ("5", "P5", "0"),
    ]
    assert found[0]["margin"] == "7"


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
    assert "4-01" not in results_csv(drawn) + tournament_json(drawn)
    assert "4-01" in results_csv(apply_event(drawn, RoundPublished(4)))
    assert tournament_trf(drawn) == tournament_trf(state)


def test_json_has_everything_that_is_public(state: TournamentState) -> None:
    table = json.loads(tournament_json(state))
    assert table["settings"]["game"] == "duo"
    assert [one["id"] for one in table["players"]] == ["P1", "P2", "P3", "P4", "P5"]
    assert "name" not in table["players"][0]
    assert table["standings"][0]["player"] == "P3"
    assert len(table["rounds"]) == 3


def test_trf_has_its_fields_in_their_columns(state: TournamentState) -> None:
    lines = tournament_trf(state).splitlines()
    assert lines[0] == "012 Evening"
    assert "XXR 4" in lines
    players = [line for line in lines if line.startswith("001")]
    assert [line[4:8] for line in players] == ["   1", "   2", "   3", "   4", "   5"]
    assert players[0][14:47].rstrip() == "P1"
    assert players[0][80:84] == " 2.0"
    assert players[0][85:89] == "   2"
    results = {
        line[14:16]: [line[at : at + 8].rstrip() for at in (91, 101, 111)] for line in players
    }
    assert results == {
        "P1": ["   2 w 1", "   3 b 0", "   5 w 1"],
        "P2": ["   1 b 0", "   5 w +", "0000 - H"],
        "P3": ["   4 w =", "   1 w 1", "0000 - U"],
        "P4": ["   3 b =", "0000 - Z", "0000 - Z"],
        "P5": ["0000 - Z", "   2 b -", "   1 b 0"],
    }


@pytest.mark.parametrize(
    ("game", "preset"), [("classic", Preset.FOUR_PLAYERS), ("duo", Preset.SUM_OF_SCORES)]
)
def test_trf_is_for_wins_of_two_players(game: str, preset: Preset) -> None:
    state = begun(TournamentSettings("x", game, 3, preset), 4)
    with pytest.raises(TournamentError, match="two players"):
        tournament_trf(state)


@pytest.mark.parametrize("game", GAMES)
def test_records_in_the_zip_have_ids_in_place_of_names(game: str) -> None:
    people = GAMES[game].people
    names = [f"Name {number}" for number in range(people)]
    ids = tuple(f"P{number}" for number in range(1, people + 1))
    text = Record.new(GAMES[game], names=names).write().decode()
    assert "Name 0" in text
    content = records_zip([GameRecord("2026/../x", "1-01", text)], {"1-01": ids})
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        (name,) = file.namelist()
        assert name == "1-01-2026____x.blksgf"
        found = file.read(name)
    assert b"Name" not in found
    assert Record.read(found).names == ids


def test_a_record_that_cannot_be_read_is_left_out_and_named() -> None:
    good = Record.new(GAMES["duo"], names=["A", "B"]).write().decode()
    records = [
        GameRecord("bad", "1-02", "(;PB[Anna Kern]"),
        GameRecord("good", "1-01", good),
    ]
    players = dict.fromkeys(("1-01", "1-02"), ("P1", "P2"))
    content = records_zip(records, players)
    assert content == records_zip(reversed(records), players)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert file.namelist() == ["1-01-good.blksgf", "left-out.txt"]
        assert "Kern" not in file.read("left-out.txt").decode()


def test_numbers_are_short() -> None:
    state = fold((PlayerWithdrew("P1"),), begun(SETTINGS, 1))
    assert number_text(None) == ""
    assert standings_csv(state).splitlines()[1].startswith("1,P1,0,")
