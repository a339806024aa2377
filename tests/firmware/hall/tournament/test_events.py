"""The JSON form of a tournament's events."""

import json
from typing import Any

import pytest

from firmware.hall.tournament.codes import PublicForm, TieBreak
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    EVENTS,
    DrawnGroup,
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    MatchResultDisputed,
    PlayerChanged,
    PlayerEntered,
    PlayerRemoved,
    PlayerReturned,
    PlayersSwapped,
    PlayerWithdrew,
    ResultCorrected,
    ResultReported,
    RoundClockSet,
    RoundDiscarded,
    RoundDrawn,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
    from_json,
    to_json,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings

SETTINGS = TournamentSettings("Abend", "duo", 3, tie_breaks=(TieBreak.DIRECT, TieBreak.MARGIN))
OUTCOME = MatchOutcome.by_scores((-3, 20))
SAMPLES: tuple[TournamentEvent, ...] = (
    SettingsChosen(SETTINGS, "as agreed", by="organiser", at="2026-11-23T20:00:00+01:00"),
    PlayerEntered("P1", PublicForm.ID),
    PlayerEntered("P2", is_minor=True),
    PlayerChanged("P1", PublicForm.FULL),
    PlayerRemoved("P1"),
    PlayerWithdrew("P1", "ill"),
    PlayerReturned("P1"),
    RoundDrawn(1, (DrawnGroup(("P1", "P2"), 4), DrawnGroup(("P3",)))),
    RoundDiscarded(1),
    PlayersSwapped(1, "P1", "P3", "brothers"),
    MatchMoved("1-01", 9),
    RoundPublished(1),
    RoundLocked(1),
    ResultReported("1-01", OUTCOME, "2026-11-23-duo", 7, by="table 7"),
    MatchResultConfirmed("1-01", "1", "P2"),
    MatchResultDisputed("1-01", "1", "P1", "a piece was missing"),
    ResultCorrected("1-01", OUTCOME, "typed wrong"),
    MatchForfeited("1-01", ("P1",)),
    RoundClockSet(1, -2000, is_running=True),
)


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_survives_json(event: TournamentEvent) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_there_is_a_sample_of_every_event() -> None:
    assert {type(event) for event in SAMPLES} == set(EVENTS)


def test_a_field_that_an_earlier_release_did_not_write_has_its_default() -> None:
    assert from_json({"event": "entered", "player": "P1"}) == PlayerEntered("P1")


def test_settings_of_an_earlier_release_are_read_without_what_is_gone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    chosen = to_json(SAMPLES[0])
    breaks = ["final-table", "direct", "median-buchholz", "margin"]
    earlier = {**chosen["settings"], "preset": "four-players", "tie_breaks": breaks}
    assert from_json({**chosen, "settings": earlier}) == SAMPLES[0]
    assert "the preset four-players of an earlier release" in caplog.text


def test_a_form_that_nobody_had_chosen_in_an_earlier_release_is_short() -> None:
    line = {"event": "entered", "player": "P1", "form": None, "is_minor": True}
    assert from_json(line) == PlayerEntered("P1", PublicForm.SHORT, is_minor=True)


def test_byes_that_players_of_an_earlier_release_asked_for_are_drawn_ones(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert from_json({"event": "bye-asked", "player": "P1", "round": 2}) is None
    assert "asked for counts as a drawn one" in caplog.text
    group = {"players": ["P1"], "table": 0, "is_asked": True}
    line = {"event": "drawn", "round": 2, "groups": [group], "by": "organiser", "at": ""}
    assert from_json(line) == RoundDrawn(2, (DrawnGroup(("P1",)),), by="organiser")


def test_who_reported_a_result_is_the_table_alone() -> None:
    event = ResultReported("1-01", OUTCOME, "game", 7)
    assert from_json({**to_json(event), "source": "camera"}) == event


@pytest.mark.parametrize(
    "line",
    [
        None,
        [],
        {},
        {"event": "explosion"},
        {"event": ["drawn"]},
        {"event": "published"},
        {"event": "published", "round": "1"},
        {"event": "published", "round": 1, "further": 2},
        {"event": "settings", "settings": {"name": "x"}},
        {**to_json(SAMPLES[0]), "settings": {**to_json(SAMPLES[0])["settings"], "game": "chess"}},
    ],
)
def test_what_is_no_event_is_refused(line: Any) -> None:
    with pytest.raises(TournamentError):
        from_json(line)
