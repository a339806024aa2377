"""Levels: legal and repeatable moves that vary by the seed, and none that is silly."""

import random
from itertools import pairwise

import pytest

from firmware.player.search.levels import (
    LEVELS,
    MOST_LOSS,
    NEARLY_EQUAL,
    REACHED_S,
    choose,
    highest_level,
)
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.level_moves import think_at_level

pytestmark = pytest.mark.slow

QUICK = (1, 4, 6, 8)
"""Levels that take some milliseconds a move; two of them draw the prior."""


@pytest.fixture(scope="module")
def player() -> SearchPlayer:
    return SearchPlayer(memory_mb=8)


def middle(game: str, plies: int, seed: int = 1) -> Position:
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    for _ in range(plies):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


def result(position: Position, *rows: tuple[float, int]) -> SearchResult:
    """A result whose moves have these values and visits."""
    moves = list(position.legal_moves)
    choices = (
        SearchedMove(move, value, 0.0, visits, prior=0.1)
        for move, (value, visits) in zip(moves, rows, strict=False)
    )
    return SearchResult(tuple(choices), 100, 0.1)


def chosen(player: SearchPlayer, position: Position, found: SearchResult, level: int) -> set[Move]:
    """The moves that a level plays with many seeds."""
    results = (choose(player, position, found, level, seed) for seed in range(300))
    return {one.choices[0].move for one in results}


def test_a_higher_level_thinks_at_least_as_much_and_draws_less_widely() -> None:
    for low, high in pairwise(LEVELS):
        more = high.simulations / low.simulations
        assert more == 1 or more > 2.2
        assert high.temperature < low.temperature or more > 1
    assert LEVELS[-1].simulations <= 12_000


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", QUICK)
def test_every_game_can_be_played_to_its_end(game: str, level: int, player: SearchPlayer) -> None:
    position = middle(game, 8)
    while not position.is_over:
        result = think_at_level(player, position, level, 3)
        assert len({one.move for one in result.choices}) == len(position.legal_moves)
        position = position.play(result.choices[0].move)


@pytest.mark.parametrize("level", QUICK)
def test_a_seed_plays_the_same_move_whatever_was_searched_before(level: int) -> None:
    position = middle("duo", 5)
    fresh = think_at_level(SearchPlayer(memory_mb=8), position, level, 7).choices
    used = SearchPlayer(memory_mb=8)
    used.think(middle("duo", 4), SearchLimits(simulations=60))
    assert think_at_level(used, position, level, 7).choices == fresh
    assert think_at_level(used, position, level, 7).choices == fresh


@pytest.mark.parametrize("level", [1, 6, 9])
def test_games_of_different_seeds_differ_by_the_sixth_ply(level: int, player: SearchPlayer) -> None:
    played = set()
    for seed in range(8):
        position = Position.start("duo")
        for _ in range(6):
            position = position.play(think_at_level(player, position, level, seed).choices[0].move)
        played.add(position)
    assert len(played) >= 7


def test_a_move_that_loses_much_is_never_drawn(player: SearchPlayer) -> None:
    position = middle("duo", 8)
    found = result(position, (0.8, 10), (0.8 - MOST_LOSS + 0.01, 9), (0.8 - MOST_LOSS - 0.01, 9))
    first, second, third = (one.move for one in found.choices)
    drawn = chosen(player, position, found, 6)
    assert drawn == {first, second}
    assert third not in drawn


@pytest.mark.parametrize("game", ["duo", "classic"])
def test_a_move_drawn_from_the_prior_loses_little_against_the_likeliest(
    game: str, player: SearchPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The values of the comparison are recorded as it is made."""
    compared: list[tuple[SearchedMove, ...]] = []
    compare = player.compare

    def recorded(*arguments: object) -> tuple[SearchedMove, ...]:
        compared.append(compare(*arguments))  # type: ignore[arg-type]
        return compared[-1]

    monkeypatch.setattr(player, "compare", recorded)
    refused = 0
    for seed in range(40):
        position = middle(game, 6 + seed % 12, seed)
        if position.is_over:
            continue
        move = think_at_level(player, position, 1, seed).choices[0]
        values = [one.value for one in compared[-1]]
        assert move.value >= max(values) - MOST_LOSS
        refused += min(values) < max(values) - MOST_LOSS
    assert refused, "there were silly moves to refuse"


def test_a_comparison_searches_only_its_moves(player: SearchPlayer) -> None:
    position = middle("duo", 8)
    moves = list(position.legal_moves)[:3]
    found = player.compare(position, moves, 30)
    assert {one.move for one in found} == set(moves)
    assert sum(one.visits for one in found) == 30
    assert all(one.visits for one in found)


def test_the_highest_level_plays_the_most_visited_move_after_the_opening(
    player: SearchPlayer,
) -> None:
    position = middle("duo", 8)
    found = result(position, (0.6, 10), (0.6, 9))
    assert chosen(player, position, found, 12) == {found.choices[0].move}


def test_in_the_opening_it_draws_among_moves_of_nearly_equal_value(player: SearchPlayer) -> None:
    position = middle("duo", 3)
    near = 0.6 - NEARLY_EQUAL + 0.001
    found = result(position, (0.6, 50), (near, 20), (near - 0.01, 20), (0.6, 2))
    drawn = chosen(player, position, found, 12)
    assert drawn == {one.move for one in found.choices[:2]}, "few visits tell no value"


def test_a_machine_offers_the_levels_that_it_plays_in_time() -> None:
    for level, one in enumerate(LEVELS, 1):
        assert (highest_level(one.simulations, REACHED_S) or 0) >= level
    assert highest_level(LEVELS[-1].simulations - 1, REACHED_S) == 11
    assert highest_level(1, 60.0) == 1, "the lowest is always offered"
    assert highest_level(1, 0.001) is None, "too short to tell"
