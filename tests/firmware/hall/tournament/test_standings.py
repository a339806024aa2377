"""Standings against tables that were worked out by hand."""

from fractions import Fraction

import pytest

from firmware.hall.tournament.codes import TieBreak
from firmware.hall.tournament.events import DrawnGroup, PlayerEntered, RoundDrawn
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState, apply_event
from tests.support.typed_tournament import begun, played


def duo(rounds: int = 3) -> TournamentSettings:
    return TournamentSettings("By hand", "duo", rounds)


def table(state: TournamentState) -> list[tuple[int, str, float]]:
    return [(row.place, row.player, float(row.points)) for row in standings(state)]


def values(state: TournamentState, column: int) -> dict[str, float | None]:
    found = {row.player: row.tie_breaks[column] for row in standings(state)}
    return {player: None if one is None else float(one) for player, one in found.items()}


ROUND_ROBIN = (
    [("P1 P2", "-4 -10"), ("P3 P4", "-3 -5")],
    [("P1 P3", "-6 -2"), ("P4 P2", "-9 -1")],
    [("P1 P4", "-5 -7"), ("P2 P3", "-2 -12")],
)
"""P1 beats P2 and P4, P2 beats P3 and P4, P3 beats P1 and P4: three have two points each, and one
from each other. All met opponents with 2, 2 and 0 points."""


def test_a_circle_of_three_is_broken_by_the_margin() -> None:
    state = played(begun(duo(), 4), *ROUND_ROBIN)
    assert table(state) == [(1, "P2", 2), (2, "P1", 2), (3, "P3", 2), (4, "P4", 0)]
    assert values(state, 0) == {"P1": 1, "P2": 1, "P3": 1, "P4": None}
    assert values(state, 1) == {"P1": 4, "P2": 4, "P3": 4, "P4": 6}
    # P1: 6 - 4 + 2, P2: -6 + 8 + 10, P3: 2 + 4 - 10, P4: -2 - 8 - 2
    assert values(state, 2) == {"P1": 4, "P2": 12, "P3": -4, "P4": -12}


BYES = (
    [("P1 P2", "-2 -5"), ("P3 P4", "-1 -2"), ("P5", "")],
    [("P1 P3", "-3 -7"), ("P5 P2", "-9 -3"), ("P4", "")],
    [("P1 P5", "-6 -4"), ("P4 P2", "-5 -7"), ("P3", "")],
)
"""P1: 1 + 1 + 0, P2: 0 + 1 + 0, P3: 1 + 0 + bye, P4: 0 + bye + 1, P5: bye + 0 + 1."""


def test_a_bye_is_a_match_against_oneself_for_the_buchholz() -> None:
    state = played(begun(duo(), 5), *BYES)
    # Not all of the four with two points have met. P1 met 1, 2, 2; P3 met 2, 2 and its bye 2;
    # P4 met 2, its bye 2, and 1; P5 its bye 2, 1 and 2.
    assert values(state, 0) == dict.fromkeys(("P1", "P2", "P3", "P4", "P5"))
    assert values(state, 1) == {"P1": 5, "P2": 6, "P3": 6, "P4": 5, "P5": 5}
    # Margins of P1: 3 + 4 - 2, P4: -1 + 2, P5: -6 + 2
    assert [row[1] for row in table(state)] == ["P3", "P1", "P4", "P5", "P2"]


def test_an_opponent_who_goes_home_counts_as_drawing_the_rest() -> None:
    rounds = ([("P1 P2", "-5 -4"), ("P3 P4", "-1 -9")], [("P1 P3", "-2 -8"), ("P4", "")])
    state = played(begun(duo(rounds=2), 4), *rounds, withdrawn=["P2"])
    assert [row[2] for row in table(state)] == [1, 1, 1, 1]
    # P1 met P2 with 1 + 1/2 and P3 with 1; P2 met P1, and its absence is worth its own point.
    assert values(state, 1) == {"P1": 2.5, "P2": 2, "P3": 2, "P4": 2}
    assert table(state)[0][1] == "P1"


def test_direct_encounter_counts_if_all_met() -> None:
    # P4 has two points, P1 and P2 have one; P2 beat P1, whose margin is better.
    rounds = (
        [("P1 P2", "-9 -8"), ("P3 P4", "-4 -3")],
        [("P1 P3", "-1 -20"), ("P2 P4", "-9 -2")],
    )
    state = played(begun(duo(rounds=2), 4), *rounds)
    assert table(state)[1:3] == [(2, "P2", 1), (3, "P1", 1)]
    assert values(state, 0)["P2"] == 1
    assert values(state, 0)["P1"] == 0


def test_the_number_of_wins_can_be_chosen() -> None:
    settings = TournamentSettings("By hand", "duo", 2, tie_breaks=(TieBreak.WINS,))
    rounds = ([("P1 P2", "-1 -1"), ("P3 P4", "-1 -2")], [("P1 P3", "-1 -1"), ("P4 P2", "-2 -2")])
    state = played(begun(settings, 4), *rounds)
    assert table(state) == [(1, "P3", 1.5), (2, "P1", 1), (2, "P2", 1), (4, "P4", 0.5)]
    assert values(state, 0) == {"P1": 0, "P2": 0, "P3": 1, "P4": 0}


def test_a_draw_is_half_a_point_and_a_bye_a_whole_one() -> None:
    state = played(begun(duo(), 3), [("P1 P2", "-4 -4"), ("P3", "")])
    assert table(state) == [(1, "P3", 1), (2, "P1", 0.5), (2, "P2", 0.5)]


def test_who_forfeits_has_nothing_and_both_may() -> None:
    state = played(begun(duo(), 4), [("P1 P2", "P1 absent"), ("P3 P4", "P3 P4 absent")])
    assert [(row[1], row[2]) for row in table(state)] == [
        ("P2", 1),
        ("P1", 0),
        ("P3", 0),
        ("P4", 0),
    ]
    assert all(row.played == 0 for row in standings(state))


def test_a_late_entry_has_nothing_for_the_rounds_before() -> None:
    state = played(begun(duo(), 2), ROUND_ROBIN[0][:1])
    state = apply_event(state, PlayerEntered("P3"))
    # P2 met P1, who has a point; P3 met nobody.
    assert table(state) == [(1, "P1", 1), (2, "P2", 0), (3, "P3", 0)]


def test_a_round_that_is_not_published_does_not_count() -> None:
    state = played(begun(duo(), 3), [("P1 P2", "-4 -5"), ("P3", "")])
    before = standings(state)
    groups = (DrawnGroup(("P1", "P3"), 1), DrawnGroup(("P2",)))
    assert standings(apply_event(state, RoundDrawn(2, groups))) == before


def four(rounds: int = 2) -> TournamentSettings:
    return TournamentSettings("By hand", "classic", rounds)


def test_a_place_at_a_table_of_four_is_worth_the_opponents_behind() -> None:
    state = played(begun(four(), 7), [("P1 P2 P3 P4", "-9 -3 -9 -20"), ("P5 P6 P7", "-1 -2 -2")])
    # P1 and P3 share the second place: 2 and 1, so 1 1/2. At a table of three: 3, then 3/4 each.
    points = {player: points for _, player, points in table(state)}
    assert points == {"P2": 3, "P5": 3, "P1": 1.5, "P3": 1.5, "P6": 0.75, "P7": 0.75, "P4": 0}


@pytest.mark.parametrize("game", ["duo", "classic"])
def test_nothing_played_is_one_shared_place(game: str) -> None:
    state = begun(TournamentSettings("By hand", game, 3), 5)
    assert {row.place for row in standings(state)} == {1}
    assert {row.points for row in standings(state)} == {Fraction(0)}
