"""An opponent at a simulated table: the player at a low level, or a simple one meanwhile."""

import logging
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, Protocol

from firmware.errors import PlayerError, PlayerFailure
from firmware.player.best_move import best_move
from firmware.player.client import Analysis
from firmware.rules.board import Move
from firmware.rules.position import Position

_LEVEL: Final = 6
"""Level of the player: it has played a move within 0.3 s on a PC."""

_LONGEST_S: Final = 2.0
"""Seconds after which the best move so far is played, or that of the simple player."""

_AGAIN_S: Final = 15.0
"""Seconds until the player is started again, which may be installed meanwhile."""

_log = logging.getLogger(__name__)


class LevelEngine(Protocol):
    """A process that plays at a level; `firmware.player.client.EngineClient` is one."""

    def ask(self, position: str, *, level: int | None = None, most: int = 10) -> int:
        """Starts a search; returns at once with the number of the request."""
        ...

    def answer(self, request: int) -> Analysis | None:
        """Returns the result so far, without waiting; None if there is none yet."""
        ...

    def close(self) -> None:
        """Ends the process."""
        ...


class Readiness(Enum):
    """States of the strong player."""

    MISSING = auto()
    PREPARING = auto()
    READY = auto()


class EngineOpponent:
    """Chooses moves without waiting: call it again until it returns a move.

    Args:
        start: starts the player.
        simple: chooses a move at once, while the player cannot.
        clock: returns seconds.
    """

    def __init__(
        self,
        start: Callable[[], LevelEngine],
        simple: Callable[[Position], Move | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._start: Final = start
        self._simple: Final = simple
        self._clock: Final = clock
        self._engine: LevelEngine | None = None
        self._started_s = float("-inf")
        self._request: tuple[int, Position, float] | None = None
        self._failure: PlayerFailure | None = None
        self.readiness = Readiness.MISSING

    def __call__(self, position: Position) -> Move | None:
        """Returns a legal move; None while the player thinks."""
        self.prepare(position)
        if self.readiness is not Readiness.READY:
            return self._simple(position)
        try:
            return self._chosen(position)
        except PlayerError as error:
            self._fail(error)
            return self._simple(position)

    def prepare(self, position: Position) -> None:
        """Starts the player with a first search, which may have to be compiled; returns at once."""
        try:
            if self._engine is None and self._clock() - self._started_s > _AGAIN_S:
                self._started_s = self._clock()
                self._engine = self._start()
                self._ask(position)
                self.readiness = Readiness.PREPARING
            elif self.readiness is Readiness.PREPARING and self._is_answered():
                self._request, self.readiness = None, Readiness.READY
                self._failure = None
        except PlayerError as error:
            self._fail(error)

    def close(self) -> None:
        """Ends the player."""
        engine, self._engine, self._request = self._engine, None, None
        self.readiness = Readiness.MISSING
        if engine is not None:
            engine.close()

    def _ask(self, position: Position) -> None:
        assert self._engine is not None, "a running player is asked"
        request = self._engine.ask(str(position), level=_LEVEL, most=1)
        self._request = request, position, self._clock()

    def _is_answered(self) -> bool:
        assert self._engine is not None, "a running player answers"
        assert self._request is not None, "it was asked"
        answer = self._engine.answer(self._request[0])
        return answer is not None and answer.done

    def _chosen(self, position: Position) -> Move | None:
        assert self._engine is not None, "a player that is ready runs"
        if self._request is None or self._request[1] != position:
            self._ask(position)
            return None
        request, _, asked_s = self._request
        answer = self._engine.answer(request)
        is_late = self._clock() - asked_s > _LONGEST_S
        if not is_late and (answer is None or not answer.done):
            return None
        self._request = None
        if answer is None or (is_late and not answer.choices):
            return self._simple(position)
        return best_move(answer, position)

    def _fail(self, error: PlayerError) -> None:
        if error.code not in (PlayerFailure.NOT_INSTALLED, self._failure):
            _log.warning("the simple player moves: %s", error)
        self._failure = error.code
        self.close()
