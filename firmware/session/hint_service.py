"""Hints from the computer player, requested and polled without waiting."""

import logging
from collections.abc import Callable
from typing import Final, Protocol

from firmware.errors import PlayerError, PlayerFailure
from firmware.player.best_move import best_move
from firmware.player.client import Analysis
from firmware.rules.board import Move
from firmware.rules.position import Position

THINKS_S: Final = 2.0
"""Seconds for which the computer player thinks about a hint."""

_log = logging.getLogger(__name__)


class HintEngine(Protocol):
    """A process that analyses positions; `firmware.player.client.EngineClient` is one."""

    def ask(self, position: str, *, seconds: float | None = None, most: int = 10) -> int:
        """Starts an analysis; returns at once with the number of the request."""
        ...

    def answer(self, request: int) -> Analysis | None:
        """Returns the result so far, without waiting; None if there is none yet."""
        ...

    def close(self) -> None:
        """Ends the process."""
        ...


class HintService:
    """Hints for the position on the table.

    Args:
        start: starts the computer player; called at the first request, and after a failure.

    Attributes:
        failure: reason that the last request gave no hint; else None.
    """

    def __init__(self, start: Callable[[], HintEngine]) -> None:
        self._start: Final = start
        self._player: HintEngine | None = None
        self._request: tuple[int, Position] | None = None
        self.failure: PlayerFailure | None = None

    @property
    def thinking(self) -> bool:
        """True while a request is open."""
        return self._request is not None

    def ask(self, position: Position) -> bool:
        """Requests a hint for a position; returns False if there is no computer player."""
        if self._request is not None and self._request[1] is position:
            return True
        self.failure = None
        try:
            if self._player is None:
                self._player = self._start()
            self._request = self._player.ask(str(position), seconds=THINKS_S, most=1), position
        except PlayerError as error:
            self._fail(error)
            return False
        return True

    def take_hint(self, position: Position) -> Move | None:
        """Returns the move of the computer player, once it has found one.

        Args:
            position: the present position; a hint for another one is discarded.
        """
        if self._request is None or self._player is None:
            return None
        request, subject = self._request
        if subject is not position:
            self._request = None
            return None
        try:
            answer = self._player.answer(request)
            if answer is None or not answer.done:
                return None
            self._request = None
            return best_move(answer, position)
        except PlayerError as error:
            self._fail(error)
            return None

    def cancel(self) -> None:
        """Discards the open request; the computer player is not waited for."""
        self._request = None

    def close(self) -> None:
        """Ends the process of the computer player; the next request starts another."""
        player, self._player = self._player, None
        self._request = None
        if player is not None:
            player.close()

    def _fail(self, error: PlayerError) -> None:
        _log.warning("no hint: %s", error)
        self.close()
        self.failure = error.code
