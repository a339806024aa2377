"""Draws of rounds: who plays whom, where, and what is unusual in it."""

from collections import Counter
from random import Random

import pytest

from firmware.hall.tournament.codes import UnusualCode
from firmware.hall.tournament.draw import (
    draw_round,
    game_of,
    unusual,
)
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    DrawnGroup,
    PlayersSwapped,
    PlayerWithdrew,
    RoundDrawn,
    RoundPublished,
)
from firmware.hall.tournament.matches import RoundWarning
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event
from tests.evaluation.tournaments import pair_tournaments
from tests.support.random_tournaments import rounds_of
from tests.support.typed_tournament import begun, fold, played
from tests.support.wall_clock import WALL_CLOCK

DUO = TournamentSettings("Draw", "duo", 5, seed=3)
CLASSIC = TournamentSettings("Draw", "classic", 4, seed=3)
FIRST = [("P1 P2", "-1 -2"), ("P3 P4", "-1 -2")]


def groups(state: TournamentState, number: int = 1) -> list[tuple[str, ...]]:
    return [one.players for one in draw_round(state, number).groups]


def pairs_of(state: TournamentState, number: int) -> set[frozenset[str]]:
    return {frozenset(one) for one in groups(state, number)}


def test_winners_meet_winners() -> None:
    state = played(begun(DUO, 4), FIRST)
    assert pairs_of(state, 2) == {frozenset({"P1", "P3"}), frozenset({"P2", "P4"})}


def test_a_rematch_is_drawn_only_if_there_is_no_other_way() -> None:
    state = played(
        begun(DUO, 4),
        FIRST,
        [("P3 P1", "-1 -2"), ("P2 P4", "-1 -2")],
    )
    assert pairs_of(state, 3) == {frozenset({"P1", "P4"}), frozenset({"P2", "P3"})}
    state = played(state, [("P1 P4", "-1 -2"), ("P2 P3", "-1 -2")])
    assert len(groups(state, 4)) == 2


def test_the_bye_goes_to_the_end_of_the_standings_and_to_everybody_once() -> None:
    state = begun(DUO, 5)
    given: list[str] = []
    for number in range(1, 6):
        *matches, bye = groups(state, number)
        rows = [(" ".join(match), "-1 -2") for match in matches]
        state = played(state, [*rows, (bye[0], "")])
        given += bye
    assert sorted(given) == ["P1", "P2", "P3", "P4", "P5"]


def test_nobody_is_first_much_more_often() -> None:
    random = Random(5)  # noqa: S311
    *_, last = rounds_of(random, TournamentSettings("x", "duo", 9, seed=5), 12, lively=False)
    first = Counter(match.players[0] for one in last.after.rounds for match in one.matches)
    assert all(3 <= first[player] <= 6 for player in last.after.players)


def test_the_same_seed_draws_the_same_and_another_one_does_not() -> None:
    state = begun(DUO, 20)
    assert draw_round(state, 1) == draw_round(state, 1)
    other = begun(TournamentSettings("Draw", "duo", 5, seed=4), 20)
    assert draw_round(state, 1) != draw_round(other, 1)


def test_a_round_drawn_again_is_the_same() -> None:
    state = begun(DUO, 9)
    drawn = draw_round(state, 1)
    assert draw_round(apply_event(state, drawn), 1) == drawn


def test_withdrawn_players_are_not_drawn() -> None:
    state = apply_event(begun(DUO, 6), PlayerWithdrew("P1"))
    drawn = draw_round(state, 1)
    assert not any("P1" in one.players for one in drawn.groups)
    assert len(drawn.groups[-1].players) == 1
    assert all(len(one.players) == 2 for one in drawn.groups[:-1])


def test_tables_that_can_be_used_are_given_in_their_order() -> None:
    drawn = draw_round(begun(DUO, 7), 1, tables=(2, 5))
    assert [one.table for one in drawn.groups] == [2, 5, 0, 0]
    state = apply_event(begun(DUO, 7), drawn)
    assert [match.id for match in state.round(1).matches[:3]] == ["1-02", "1-05", "1-06"]
    assert [one.code for one in unusual(state, 1)] == [UnusualCode.MISSING_TABLE]


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, [2]),
        (3, [3]),
        (4, [4]),
        (5, [4, 1]),
        (6, [3, 3]),
        (7, [4, 3]),
        (8, [4, 4]),
        (9, [3, 3, 3]),
        (10, [4, 3, 3]),
        (11, [4, 4, 3]),
        (17, [4, 4, 3, 3, 3]),
    ],
)
def test_tables_of_three_come_before_byes(players: int, sizes: list[int]) -> None:
    assert [len(one) for one in groups(begun(CLASSIC, players))] == sizes


@pytest.mark.parametrize(
    ("game", "sizes"), [("classic-3", [3, 3, 3, 1]), ("classic-teams", [4, 4, 1, 1])]
)
def test_games_that_cannot_be_smaller_have_byes(game: str, sizes: list[int]) -> None:
    state = begun(TournamentSettings("Draw", game, 4), 10)
    assert [len(one) for one in groups(state)] == sizes


def test_a_smaller_table_plays_the_form_of_the_game_for_it() -> None:
    state = begun(CLASSIC, 10)
    assert [game_of(state, players) for players in (4, 3, 2)] == [
        "classic",
        "classic-3",
        "classic-2",
    ]
    assert game_of(begun(DUO, 2), 2) == "duo"


def test_sixteen_players_meet_twelve_different_ones_in_four_rounds() -> None:
    settings = TournamentSettings("x", "classic", 4, seed=2)
    random = Random(2)  # noqa: S311
    *_, last = rounds_of(random, settings, 16, lively=False)
    seats = Counter(
        (player, seat)
        for one in last.after.rounds
        for match in one.matches
        for seat, player in enumerate(match.players)
    )
    met = Counter(
        frozenset((one, other))
        for drawn in last.after.rounds
        for match in drawn.matches
        for one in match.players
        for other in match.players
        if one < other
    )
    assert max(met.values()) <= 2
    assert sum(count > 1 for count in met.values()) <= 6
    assert max(seats.values()) <= 2


def test_a_swap_that_makes_a_rematch_or_a_second_bye_is_warned_of() -> None:
    state = played(begun(DUO, 5), [*FIRST, ("P5", "")])
    drawn = RoundDrawn(2, (DrawnGroup(("P1", "P3"), 1), DrawnGroup(("P5", "P2"), 2)))
    state = apply_event(state, RoundDrawn(2, (*drawn.groups, DrawnGroup(("P4",)))))
    assert unusual(state, 2) == ()
    assert unusual(apply_event(state, PlayersSwapped(2, "P2", "P3")), 2) == (
        RoundWarning(UnusualCode.REMATCH, ("P1", "P2")),
    )
    assert unusual(apply_event(state, PlayersSwapped(2, "P5", "P4")), 2) == (
        RoundWarning(UnusualCode.SECOND_BYE, ("P5",)),
    )
    assert unusual(apply_event(state, PlayersSwapped(2, "P2", "P4")), 2) == ()


def test_a_player_who_would_be_first_three_times_oftener_is_warned_of() -> None:
    state = played(begun(DUO, 4), FIRST, [("P1 P3", "-1 -2"), ("P2 P4", "-1 -2")])
    groups_ = (DrawnGroup(("P1", "P4"), 1), DrawnGroup(("P2", "P3"), 2))
    state = apply_event(state, RoundDrawn(3, groups_))
    assert [one.players for one in unusual(state, 3)] == [("P1",), ("P4",)]


@pytest.mark.parametrize("number", [0, 2, 9])
def test_only_the_next_round_is_drawn(number: int) -> None:
    with pytest.raises(TournamentError):
        draw_round(begun(DUO, 4), number)


def test_no_round_is_drawn_while_one_is_open() -> None:
    state = begun(DUO, 4)
    state = fold((draw_round(state, 1), RoundPublished(1)), state)
    with pytest.raises(TournamentError, match="lock"):
        draw_round(state, 2)


@pytest.mark.parametrize("players", [0, 1])
def test_nobody_plays_alone(players: int) -> None:
    with pytest.raises(TournamentError, match="two players"):
        draw_round(begun(DUO, players), 1)


@WALL_CLOCK
@pytest.mark.slow
def test_tournaments_at_random_have_no_fault() -> None:
    total = pair_tournaments(range(900, 908))
    assert {*total} == {"tournaments", "rounds", "longest ms"}
