"""The player's advice for a table: asked for, looked for in each frame, never waited for."""

import logging
from collections.abc import Callable
from typing import Final, Protocol

from firmware.errors import PlayerError, PlayerFailure
from firmware.player.client import Analysis
from firmware.rules.board import Move
from firmware.rules.errors import RulesError
from firmware.rules.position import Position

THINKS_S: Final = 2.0

_log = logging.getLogger(__name__)


class HintEngine(Protocol):
    """A process that thinks; `firmware.player.client.EngineClient` is one."""

    def ask(self, position: str, *, seconds: float | None = None, most: int = 10) -> int:
        """Begins to think about a position; returns at once with the number of the request."""
        ...

    def answer(self, request: int) -> Analysis | None:
        """What has come of it so far, at once."""
        ...

    def close(self) -> None:
        """Ends the process."""
        ...


class HintService:
    """What a player says of the position on the table.

    Args:
        start: starts a player; called when somebody first asks, and again after it has died.

    Attributes:
        failure: reason that the last request gave no hint; else None.
    """

    def __init__(self, start: Callable[[], HintEngine]) -> None:
        self._start: Final = start
        self._player: HintEngine | None = None
        self._asked: tuple[int, Position] | None = None
        self.failure: PlayerFailure | None = None

    @property
    def thinking(self) -> bool:
        """Whether an answer is to come."""
        return self._asked is not None

    def ask(self, position: Position) -> bool:
        """Has the player think about a position; whether there is one that does."""
        if self._asked is not None and self._asked[1] is position:
            return True
        self.failure = None
        try:
            if self._player is None:
                self._player = self._start()
            self._asked = self._player.ask(str(position), seconds=THINKS_S, most=1), position
        except PlayerError as error:
            self._gone(error)
            return False
        return True

    def take_hint(self, position: Position) -> Move | None:
        """The move that the player would make, once it has said one.

        Args:
            position: on the table now; advice for another is of no use any more.
        """
        if self._asked is None or self._player is None:
            return None
        request, about = self._asked
        if about is not position:
            self._asked = None
            return None
        try:
            answer = self._player.answer(request)
            if answer is None or not answer.done:
                return None
            self._asked = None
            return _best(answer, position)
        except PlayerError as error:
            self._gone(error)
            return None

    def close(self) -> None:
        """Ends the player's process; the next question starts another."""
        player, self._player = self._player, None
        self._asked = None
        if player is not None:
            player.close()

    def _gone(self, error: PlayerError) -> None:
        _log.warning("no hint: %s", error)
        self.close()
        self.failure = error.code


def _best(answer: Analysis, position: Position) -> Move:
    """The player's move, taken only if the rules allow it.

    Raises:
        PlayerError: it named none that they do.
    """
    for choice in answer.choices:
        try:
            move = Move.parse(",".join(choice.cells), position.game.size)
        except RulesError:
            continue
        if move in position.legal_moves:
            return move
    raise PlayerError(PlayerFailure.NO_MOVE, "the player named no move that the rules allow")
