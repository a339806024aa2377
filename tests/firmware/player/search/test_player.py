"""The player: legal, deterministic, within its limits of time and memory, and useful."""

import random
import threading
import time

import pytest

from firmware.player.search.nodes import NODE_BYTES
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.board import Move
from firmware.rules.errors import IllegalMoveError
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES
from tests.support.wall_clock import WALL_CLOCK

pytestmark = pytest.mark.slow


def middle(game: str, plies: int, seed: int = 1) -> Position:
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    for _ in range(plies):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    SearchPlayer(memory_mb=1).think(middle("duo", 8), SearchLimits(simulations=5))


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_legal_and_the_visits_add_up(game: str) -> None:
    player = SearchPlayer(memory_mb=4)
    position = middle(game, 6)
    while not position.is_over:
        result = player.think(position, SearchLimits(simulations=12))
        assert all(one.move in position.legal_moves for one in result.choices)
        assert all(0 <= one.value <= 1 for one in result.choices)
        assert sum(one.visits for one in result.choices) >= result.simulations - 1
        position = position.play(result.choices[0].move)
    assert player.think(position, SearchLimits(simulations=12)).choices == ()


def test_the_same_seed_and_simulations_find_the_same() -> None:
    position = middle("duo", 8)
    one, two = (
        SearchPlayer(seed=7).think(position, SearchLimits(simulations=200)) for _ in range(2)
    )
    assert one.choices == two.choices
    other = SearchPlayer(seed=8).think(position, SearchLimits(simulations=200))
    assert other.choices != one.choices


def test_a_fresh_position_is_known_with_all_its_moves() -> None:
    position = middle("duo", 4)
    result = SearchPlayer().think(position, SearchLimits(simulations=1))
    assert {one.move for one in result.choices} == set(position.legal_moves)
    assert sum(one.prior for one in result.choices) == pytest.approx(1, abs=1e-3)


def test_what_was_found_of_the_next_position_is_stored() -> None:
    position = middle("duo", 8)
    player = SearchPlayer()
    best = player.think(position, SearchLimits(simulations=600)).choices[0]
    result = player.think(position.play(best.move), SearchLimits(simulations=1))
    # The first few visits of a node are before its growth.
    assert sum(one.visits for one in result.choices) >= best.visits - 4
    assert all(one.move in position.play(best.move).legal_moves for one in result.choices)


def test_a_position_that_does_not_follow_is_searched_again() -> None:
    player = SearchPlayer()
    player.think(middle("duo", 8), SearchLimits(simulations=100))
    other = middle("duo", 8, seed=2)
    fresh = SearchPlayer().think(other, SearchLimits(simulations=100))
    assert {one.move for one in player.think(other, SearchLimits(simulations=100)).choices} == {
        one.move for one in fresh.choices
    }


def test_a_full_tree_is_thinned_out_and_grows_on() -> None:
    player = SearchPlayer(memory_mb=0.3)
    position = middle("duo", 6)
    result = player.think(position, SearchLimits(simulations=1500))
    assert result.simulations == 1500
    assert result.nodes <= 0.3 * 2**20 / NODE_BYTES
    assert sum(one.visits for one in result.choices) >= 1500 - 1
    assert {one.move for one in result.choices} == set(position.legal_moves)


def test_several_threads_add_up() -> None:
    position = middle("duo", 8)
    result = SearchPlayer(threads=2).think(position, SearchLimits(simulations=50))
    assert result.simulations == 100
    assert sum(one.visits for one in result.choices) == 100


def test_a_time_limit_is_respected() -> None:
    player, position = SearchPlayer(), middle("duo", 8)
    over = []
    for _ in range(5):
        begun = time.perf_counter()
        player.think(position, SearchLimits(seconds=0.1))
        over.append(time.perf_counter() - begun - 0.1)
    # The machine may be busy for a moment, but not five times.
    assert min(over) < 0.05


@WALL_CLOCK
def test_a_search_stops_when_told() -> None:
    player, position, stopped = SearchPlayer(), middle("duo", 8), threading.Event()
    threading.Timer(0.2, stopped.set).start()
    begun = time.perf_counter()
    assert player.think(position, SearchLimits(seconds=60), stopped).choices
    assert time.perf_counter() - begun < 5


def test_a_search_that_is_stopped_before_it_begins_has_an_answer() -> None:
    stopped = threading.Event()
    stopped.set()
    result = SearchPlayer().think(middle("duo", 8), SearchLimits(seconds=60), stopped)
    assert result.choices
    assert result.seconds < 5


def test_the_move_that_ends_the_game_won_is_found() -> None:
    """Of two legal placements one wins and the other loses."""
    chance = random.Random(5)  # noqa: S311
    before = position = Position.start("duo")
    while not position.is_over:
        before = position
        position = position.play(chance.choice(list(position.legal_moves)))
    results = {move: _lead(before, move) for move in before.legal_moves}
    best = SearchPlayer().think(before, SearchLimits(simulations=300)).choices[0]
    assert results[best.move] == max(results.values())


def _lead(position: Position, move: Move) -> int:
    sides = score(position.play(move)).sides
    side = position.next_side
    assert side is not None
    return sides[side].advanced - sides[1 - side].advanced


@pytest.mark.parametrize("threads", [0, 5])
def test_threads_have_bounds(threads: int) -> None:
    with pytest.raises(ValueError, match="1 to 4 threads"):
        SearchPlayer(threads=threads)


@pytest.mark.parametrize("game", ["duo", "classic", "duo-4-3"])
def test_only_the_named_moves_are_searched_and_then_all_again(game: str) -> None:
    player = SearchPlayer(memory_mb=4)
    position = middle(game, 6)
    legal = list(position.legal_moves)
    named = frozenset({legal[0], legal[-1]})
    everything = player.think(position, SearchLimits(simulations=40))
    some = player.think(position, SearchLimits(simulations=40, only=named))
    assert {one.move for one in some.choices} == named
    assert sum(one.prior for one in some.choices) == pytest.approx(1, abs=1e-5)
    more = player.think(position, SearchLimits(simulations=40, only=named))
    assert sum(one.visits for one in more.choices) >= 79, "it goes on with the same tree"
    again = player.think(position, SearchLimits(simulations=40))
    assert again.choices == everything.choices


def test_a_move_that_is_not_legal_cannot_be_searched() -> None:
    player = SearchPlayer(memory_mb=4)
    only = frozenset({Move.parse("a1", 14)})
    with pytest.raises(IllegalMoveError, match="none of the moves"):
        player.think(Position.start("duo"), SearchLimits(simulations=5, only=only))
