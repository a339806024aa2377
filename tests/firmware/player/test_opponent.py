"""The opponent: strong once it is prepared, simple until then, and never silent for long."""

import logging
import time
from collections.abc import Callable, Iterator

import pytest

from firmware.errors import PlayerError, PlayerFailure
from firmware.player.client import Analysis, EngineClient, SuggestedMove
from firmware.player.opponent import EngineOpponent, Readiness
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES

START = Position.start("duo")
MISSING, PREPARING, READY = Readiness.MISSING, Readiness.PREPARING, Readiness.READY
LONGEST_S = 2.0
AGAIN_S = 16.0


def strongly(position: Position) -> Move:
    """Returns the move that the fake engine names."""
    return max(position.legal_moves, key=lambda move: (move.piece.size, move.squares))


def simply(position: Position) -> Move:
    """Returns the move of the simple player."""
    return min(position.legal_moves, key=lambda move: (move.piece.size, move.squares))


class Engine:
    """An engine that answers after some seconds; `broken` makes a call fail."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.asked: list[tuple[str, float, int | None]] = []
        self.closed = False

    def ask(self, position: str, *, level: int | None = None, most: int = 10) -> int:
        assert most == 1
        self.world.fail_in("ask")
        self.asked.append((position, self.world.now_s, level))
        return len(self.asked)

    def answer(self, request: int) -> Analysis | None:
        assert not self.closed
        self.world.fail_in("answer")
        text, asked_s, _ = self.asked[request - 1]
        thought_s = self.world.now_s - asked_s
        if request != len(self.asked) or thought_s < min(0.25, self.world.thinks_s):
            return None
        position = Position.parse(text)
        cells = tuple(map(position.board.format_square, strongly(position).squares))
        choices = (SuggestedMove(cells, "?", 0.5, 0.0, 1),) if self.world.names_moves else ()
        return Analysis(request, choices, 1, thought_s, thought_s >= self.world.thinks_s)

    def close(self) -> None:
        self.closed = True


class World:
    """Time, engines, and an opponent who has a position to play."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.thinks_s = 0.3
        self.broken = ""
        self.code = PlayerFailure.ENDED
        self.names_moves = True
        self.engines: list[Engine] = []
        self.opponent = EngineOpponent(self.start, simply, lambda: self.now_s)

    def start(self) -> Engine:
        self.fail_in("start")
        self.engines.append(Engine(self))
        return self.engines[-1]

    def fail_in(self, call: str) -> None:
        if self.broken == call:
            raise PlayerError(self.code, f"it fails in {call}")

    def move(self, position: Position, longest_s: float = LONGEST_S) -> Move:
        """Returns the move of the opponent, asked as simulated people ask."""
        began_s = self.now_s
        while (move := self.opponent(position)) is None:
            self.now_s += 0.1
            assert self.now_s - began_s < longest_s + 0.25, "it thinks for too long"
        assert move in position.legal_moves
        return move

    def prepare(self) -> None:
        """Waits until the strong player is ready."""
        for _ in range(20):
            self.opponent.prepare(START)
            self.now_s += 0.1
        assert self.opponent.readiness is READY


@pytest.fixture
def world() -> World:
    return World()


def test_the_simple_player_moves_at_once_until_the_strong_one_is_prepared(world: World) -> None:
    assert world.opponent.readiness is MISSING
    assert world.opponent(START) == simply(START)
    assert world.opponent.readiness is PREPARING
    world.now_s += 0.2
    assert world.opponent(START) == simply(START)
    world.now_s += 0.2
    assert world.move(START) == strongly(START)
    assert world.opponent.readiness is READY
    assert len(world.engines) == 1


def test_it_is_prepared_in_the_background(world: World) -> None:
    world.opponent.prepare(START)
    assert world.opponent.readiness is PREPARING
    world.prepare()
    asked = len(world.engines[0].asked)
    world.opponent.prepare(START)
    assert len(world.engines[0].asked) == asked, "and thinks of nothing then"


def test_it_plays_a_whole_game_at_a_low_level(world: World) -> None:
    world.prepare()
    position = START
    while not position.is_over:
        move = world.move(position)
        assert move == strongly(position)
        position = position.play(move)
    (engine,) = world.engines
    assert {level for _, _, level in engine.asked} == {6}


def test_a_player_that_thinks_for_too_long_is_taken_at_its_word(world: World) -> None:
    world.prepare()
    world.thinks_s = 1e9
    assert world.move(START) == strongly(START), "the best so far"
    after = START.play(strongly(START))
    assert world.move(after) == strongly(after)
    assert world.opponent.readiness is READY


def test_the_simple_player_moves_for_one_that_says_nothing(world: World) -> None:
    world.prepare()
    world.thinks_s, world.names_moves = 1e9, False
    assert world.move(START) == simply(START)
    world.thinks_s, world.names_moves = 0.3, True
    assert world.move(START) == strongly(START), "and the strong one is asked the next time"


def test_a_position_that_has_changed_is_asked_anew(world: World) -> None:
    world.prepare()
    assert world.opponent(START) is None
    after = START.play(strongly(START))
    world.now_s += 0.2
    assert world.opponent(after) is None
    world.now_s += 0.2
    assert world.opponent(after) is None, "the answer to the former one is not taken"
    assert world.move(after) == strongly(after)


@pytest.mark.parametrize("call", ["start", "ask", "answer"])
@pytest.mark.parametrize("is_prepared", [False, True])
def test_the_simple_player_moves_after_a_failure_and_the_strong_one_returns(
    world: World, call: str, *, is_prepared: bool
) -> None:
    if is_prepared:
        world.prepare()
    world.broken = call
    began = len(world.engines)
    for _ in range(20):
        assert world.move(START) in (simply(START), strongly(START))
        world.now_s += 0.1
    assert len(world.engines) - began <= 1, "it is not started again and again"
    if not is_prepared or call != "start":
        assert world.move(START) == simply(START)
        assert world.opponent.readiness is MISSING
    assert all(one.closed for one in world.engines) or (is_prepared and call == "start")
    world.broken = ""
    world.now_s += AGAIN_S
    world.prepare()
    assert world.move(START) == strongly(START)
    assert sum(not one.closed for one in world.engines) == 1


def test_a_player_that_names_no_legal_move_is_started_again(world: World) -> None:
    world.prepare()
    world.names_moves = False
    assert world.move(START) == simply(START)
    assert world.engines[0].closed
    world.names_moves = True
    world.now_s += AGAIN_S
    world.prepare()
    assert world.move(START) == strongly(START)


def test_only_an_unexpected_failure_is_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.broken, world.code = "start", PlayerFailure.NOT_INSTALLED
    with caplog.at_level(logging.WARNING):
        world.move(START)
        assert caplog.records == []
        world.code = PlayerFailure.NO_MEMORY
        for _ in range(3):
            world.now_s += AGAIN_S
            world.move(START)
    assert len(caplog.records) == 1, "once, and not each time that it is tried again"
    assert "simple player moves" in caplog.text


def test_it_is_closed_in_any_state(world: World) -> None:
    world.opponent.close()
    world.opponent.prepare(START)
    world.opponent.close()
    world.opponent.close()
    assert [one.closed for one in world.engines] == [True]
    assert world.opponent.readiness is MISSING
    assert world.opponent(START) == simply(START)
    assert len(world.engines) == 1, "not started again at once"


@pytest.fixture
def real() -> Iterator[tuple[EngineOpponent, list[EngineClient]]]:
    pytest.importorskip("numba")
    started: list[EngineClient] = []

    def start() -> EngineClient:
        started.append(EngineClient(memory_mb=16))
        return started[-1]

    opponent = EngineOpponent(start, simply)
    yield opponent, started
    opponent.close()
    assert all(one._process.wait(0) is not None for one in started), "a process is left"


def timed(call: Callable[[], Move | None]) -> Move:
    """Returns the move of an opponent that is asked ten times a second."""
    began_s = time.monotonic()
    while (move := call()) is None:
        assert time.monotonic() - began_s < LONGEST_S + 0.5
        time.sleep(0.1)
    return move


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_the_real_player_is_prepared_and_answers_in_time(
    real: tuple[EngineOpponent, list[EngineClient]], key: str
) -> None:
    opponent, started = real
    position = Position.start(key)
    began_s = time.monotonic()
    opponent.prepare(position)
    assert time.monotonic() - began_s < 1.0, "it is not waited for"
    while opponent.readiness is not READY:
        assert time.monotonic() - began_s < 300
        opponent.prepare(position)
        time.sleep(0.1)
    for _ in range(5):
        move = timed(lambda: opponent(position))  # noqa: B023
        position = position.play(move)
    started[0]._process.kill()
    started[0]._process.wait()
    timed(lambda: opponent(position))
    assert len(started) == 1
