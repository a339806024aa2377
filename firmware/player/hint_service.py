"""Hints from the computer player, requested and polled without waiting."""

import logging
from typing import Final

from firmware.codes import PlayerFailure, Scoring
from firmware.errors import PlayerError
from firmware.game.reasons import Reason
from firmware.player.client import SearchRequest
from firmware.player.engine_queue import EngineQueue, Ticket, Use
from firmware.player.search_result import SearchResult
from firmware.referee.referee import Phase
from firmware.rules.errors import NotationError
from firmware.rules.position import Position
from firmware.session.service import ServiceStatus, TableService
from firmware.storage.session_inputs import FoundHint
from web.contract import CancelHint, Command, Hint, RefusalReason

THINKS_S: Final = 2.0
"""Seconds for which the computer player thinks about a hint."""

_log = logging.getLogger(__name__)


class HintService(TableService):
    """Hints for the position on the table.

    Args:
        engine: the player.

    Attributes:
        failure: reason that the last request gave no hint; else None.
    """

    def __init__(self, engine: EngineQueue) -> None:
        self._engine: Final = engine
        self._request: tuple[Ticket, Position] | None = None
        self.failure: PlayerFailure | None = None

    @property
    def thinking(self) -> bool:
        """True while a request is open."""
        return self._request is not None

    def executes(self, command: Command) -> bool:
        """True for the hints of a game; those of a puzzle are the solver's."""
        return isinstance(command, Hint | CancelHint) and not self.table.session.config.game.puzzle

    def execute(self, command: Command) -> RefusalReason | None:
        """Requests a hint, or withdraws the request."""
        if isinstance(command, CancelHint):
            self.cancel()
            return None
        session = self.table.session
        can_answer = self.ask(session.state.position, session.config.scoring)
        return None if can_answer else RefusalReason.NO_PLAYER

    def poll(self) -> None:
        """Gives a requested hint, once the computer player has found a move."""
        position = self.table.session.state.position
        if position.game.puzzle or self.table.session.phase is Phase.SETTLING:
            return  # the move may have been made already
        found = self.take_hint(position)
        if found is not None:
            self.table.enter(found)

    def show(self, status: ServiceStatus) -> None:
        """Adds the state of the request."""
        if not self.table.session.config.game.puzzle:
            status.hint_thinking, status.hint_failure = self.thinking, self.failure

    def ask(self, position: Position, scoring: Scoring = Scoring.ADVANCED) -> bool:
        """Requests a hint for a position; returns False if there is no computer player.

        Args:
            position: the position.
            scoring: the scoring that decides the game.
        """
        if self._request is not None and self._request[1] is position:
            return True
        self.cancel()
        self.failure = None
        request = SearchRequest(str(position), seconds=THINKS_S, scoring=scoring, reasons=1, most=1)
        ticket = self._engine.submit(Use.HINT, request)
        if ticket.failure is not None:
            self._fail(ticket.failure)
            return False
        self._request = ticket, position
        return True

    def take_hint(self, position: Position) -> FoundHint | None:
        """Returns the move of the computer player, once it has found one.

        Args:
            position: the present position; a hint for another one is discarded.
        """
        if self._request is None:
            return None
        ticket, subject = self._request
        if subject is not position:
            self.cancel()
            return None
        try:
            answer = self._engine.answer(ticket)
            if answer is None or not answer.done:
                return None
            self._request = None
            move, reasons = answer.best_legal_move(position), _checked(answer, position)
            return FoundHint(move, None, reasons, answer.proved)
        except PlayerError as error:
            self._fail(error)
            return None

    def cancel(self) -> None:
        """Withdraws the open request; the computer player is not waited for."""
        if self._request is not None:
            self._engine.cancel(self._request[0])
        self._request = None

    def _fail(self, error: PlayerError) -> None:
        _log.warning("no hint: %s", error)
        self._request = None
        self.failure = error.code


def _checked(answer: SearchResult, position: Position) -> tuple[Reason, ...]:
    """Returns the reasons for the only choice of an answer.

    Raises:
        PlayerError: they name a square that is not on the board.
    """
    reasons = answer.choices[0].reasons
    try:
        for name in (name for one in reasons for name in one.squares):
            position.board.parse_squares(name)
    except NotationError as error:
        raise PlayerError(PlayerFailure.NO_MOVE, str(error)) from error
    return reasons
