"""The computer's moves: time for people to follow, failures, and a simple player beside it."""

import pytest

from firmware.codes import PlayerFailure, Scoring
from firmware.errors import PlayerError
from firmware.game.levels import MOST_LEVEL
from firmware.player.computer_service import (
    LONGEST_S,
    SHORTEST_S,
    ComputerService,
    Turn,
)
from firmware.player.engine_queue import EngineQueue
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.scripted_engine import ScriptedEngine, largest
from tests.support.wall_clock import WALL_CLOCK
from web.contract import OpponentState

POSITION = Position.start("duo")
TURN = Turn(POSITION, 7, 11, Scoring.BASIC)


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def service(engine: ScriptedEngine) -> ComputerService:
    return ComputerService(EngineQueue(engine))


def simply(position: Position) -> Move:
    return min(position.legal_moves, key=lambda move: move.index)


def test_it_asks_for_its_level_and_seed_and_lets_people_follow(
    engine: ScriptedEngine, service: ComputerService
) -> None:
    assert service.choose(TURN, 100.0) is None
    assert service.choose(TURN, 100.0 + SHORTEST_S - 0.1) is None
    assert service.choose(TURN, 100.0 + SHORTEST_S) == largest(POSITION)
    [asked] = engine.asked
    assert asked.position == str(POSITION)
    assert asked.level == 7
    assert asked.seed == 11
    assert asked.scoring is Scoring.BASIC
    seconds = asked.seconds
    assert seconds is not None
    assert SHORTEST_S < seconds < LONGEST_S


@WALL_CLOCK
@pytest.mark.parametrize(("left_s", "most_s"), [(600.0, 6.0), (60.0, 6.0), (40.0, 2.0), (2.0, 0.1)])
def test_with_little_time_it_takes_a_twentieth_of_it(
    engine: ScriptedEngine, service: ComputerService, left_s: float, most_s: float
) -> None:
    turn = Turn(POSITION, 7, 1, left_s=left_s)
    assert turn.longest_s == pytest.approx(most_s)
    assert service.choose(turn, 0.0) is None
    assert service.choose(turn, min(SHORTEST_S, most_s)) is not None
    seconds = engine.asked[0].seconds
    assert seconds is not None
    assert seconds < most_s


def test_a_slow_search_is_waited_for_without_a_second_request(
    engine: ScriptedEngine, service: ComputerService
) -> None:
    engine.thinks = True
    assert not any(service.choose(TURN, float(now)) for now in range(120))
    engine.thinks = False
    assert service.choose(TURN, 120.0) == largest(POSITION)
    assert len(engine.asked) == 1


def test_a_player_that_was_ended_is_prepared_anew(engine: ScriptedEngine) -> None:
    queue = EngineQueue(engine)
    service = ComputerService(queue)
    service.prepare(POSITION, 0.0)
    assert not service.is_preparing
    queue.close()
    engine.thinks = True
    service.prepare(POSITION, 1.0)
    assert service.is_preparing
    assert engine.started == 2


def test_a_search_that_waited_for_the_player_has_its_whole_time(
    engine: ScriptedEngine, service: ComputerService
) -> None:
    engine.thinks = True
    service.prepare(POSITION, 0.0)
    assert service.choose(TURN, 0.0) is None
    service.prepare(POSITION, 100.0)
    assert service.is_preparing
    engine.thinks, engine.searches = False, True
    service.prepare(POSITION, 101.0)
    assert service.choose(TURN, 101.0) is None
    assert not service.is_preparing
    assert service.choose(TURN, 101.0 + LONGEST_S - 0.1) is None, "its search goes on"
    assert service.choose(TURN, 101.0 + LONGEST_S) == largest(POSITION)


def test_a_player_that_never_answers_has_failed(
    engine: ScriptedEngine, service: ComputerService
) -> None:
    engine.thinks = True
    assert not any(service.choose(TURN, float(now)) for now in range(300))
    service.choose(TURN, 300.0)
    with pytest.raises(PlayerError) as failure:
        service.choose(TURN, 305.0)
    assert failure.value.code is PlayerFailure.LATE


def test_a_player_that_dies_is_started_once_more(
    engine: ScriptedEngine, service: ComputerService
) -> None:
    engine.thinks = True
    assert service.choose(TURN, 0.0) is None
    engine.broken = PlayerFailure.ENDED
    assert service.choose(TURN, 1.0) is None
    engine.broken, engine.thinks = None, False
    assert service.choose(TURN, 3.0) == largest(POSITION)
    assert engine.started == 2


@pytest.mark.parametrize("reason", [PlayerFailure.ENDED, PlayerFailure.NO_MEMORY])
def test_a_player_that_fails_twice_gives_up(
    engine: ScriptedEngine, service: ComputerService, reason: PlayerFailure
) -> None:
    engine.broken = reason
    assert service.choose(TURN, 0.0) is None
    assert service.choose(TURN, 0.5) is None
    with pytest.raises(PlayerError) as failure:
        service.choose(TURN, 5.0)
    assert failure.value.code is reason
    engine.broken = None
    service.choose(TURN, 6.0)
    assert service.choose(TURN, 8.0) == largest(POSITION)


def test_another_position_ends_the_search(engine: ScriptedEngine, service: ComputerService) -> None:
    engine.thinks = True
    service.choose(TURN, 0.0)
    after = POSITION.play(largest(POSITION))
    engine.thinks = False
    other = Turn(after, 7, 11)
    assert service.choose(other, 3.0) is None
    assert service.choose(other, 3.0 + SHORTEST_S) == largest(after)


def test_a_simple_player_moves_until_the_strong_one_is_ready(engine: ScriptedEngine) -> None:
    service = ComputerService(EngineQueue(engine), simply)
    engine.broken = PlayerFailure.NOT_INSTALLED
    service.prepare(POSITION, 0.0)
    assert service.opponent is OpponentState.SIMPLE
    assert service.choose(TURN, 0.0) is None
    assert service.choose(TURN, SHORTEST_S) == simply(POSITION)
    engine.broken, engine.thinks = None, True
    service.prepare(POSITION, 20.0)
    assert service.opponent.value == "preparing"
    assert service.choose(TURN, 20.0) is None
    assert service.choose(TURN, 22.0) == simply(POSITION)
    engine.thinks = False
    service.prepare(POSITION, 23.0)
    assert service.opponent.value == "strong"
    assert service.choose(TURN, 30.0) is None
    assert service.choose(TURN, 32.0) == largest(POSITION)


def test_its_first_search_measures_the_levels_of_the_machine(
    engine: ScriptedEngine, service: ComputerService
) -> None:
    service.prepare(POSITION, 0.0)
    service.prepare(POSITION, 0.1)
    assert service.highest_level == MOST_LEVEL, "nothing was measured"
    assert engine.asked[0].level is None, "a level would make too few simulations to tell"
    engine.highest_level = 9
    slow = ComputerService(EngineQueue(engine))
    slow.prepare(POSITION, 0.0)
    slow.prepare(POSITION, 0.1)
    assert slow.highest_level == 9


def test_a_strong_player_that_dies_leaves_the_move_to_the_simple_one(
    engine: ScriptedEngine,
) -> None:
    service = ComputerService(EngineQueue(engine), simply)
    service.prepare(POSITION, 0.0)
    service.prepare(POSITION, 0.1)
    engine.broken = PlayerFailure.ENDED
    assert service.choose(TURN, 1.0) is None
    assert service.choose(TURN, 1.0 + SHORTEST_S) == simply(POSITION)
