"""Hints from the computer player, requested and polled without waiting.

The first step is shown after a part of the search. Its end brings the best move that agrees with
all that was revealed meanwhile, and the reasons for it.
"""

import logging
from dataclasses import replace
from typing import Final

from firmware.codes import PlayerFailure, Scoring
from firmware.errors import PlayerError
from firmware.game.hints import agrees
from firmware.game.state import GameState
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

FIRST_S: Final = 0.5
"""Seconds of that time after which the area of the best move so far is shown. In 60 positions of
Duo the best move at the end lay in another area in 13, and the best one in the shown area cost
0.004 of the chance to win on average; after 0.75 s in 9, at 0.000."""

_CHOICES: Final = 10
"""Choices of which one has to agree with what was shown; in those positions the fourth at most."""

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
        state = self.table.session.state
        if state.position.game.puzzle or self.table.session.phase is Phase.SETTLING:
            return  # the move may have been made already
        found = self.take_hint(state)
        if found is not None:
            self.table.enter(found)

    def show(self, status: ServiceStatus) -> None:
        """Adds the state of the request."""
        if not self.table.session.config.game.puzzle:
            status.hint_thinking, status.hint_failure = self.thinking, self.failure
            status.machine = replace(status.machine, player_start=self._engine.starting)

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
        request = SearchRequest(
            str(position), THINKS_S, scoring=scoring, reasons=_CHOICES, most=_CHOICES
        )
        ticket = self._engine.submit(Use.HINT, request)
        if ticket.failure is not None:
            self._fail(ticket.failure)
            return False
        self._request = ticket, position
        return True

    def take_hint(self, state: GameState) -> FoundHint | None:
        """Returns a move of the computer player for the next step, or a better one at its end.

        Args:
            state: the present state; a hint for another position is discarded.
        """
        if self._request is None:
            return None
        ticket, subject = self._request
        if subject is not state.position:
            self.cancel()
            return None
        answer = None
        try:
            answer = self._engine.answer(ticket)
            is_first = state.hint is None and answer is not None and answer.seconds >= FIRST_S
            if answer is None or not (answer.done or is_first):
                return None
            if answer.done:
                self._request = None
            return _found(answer, state)
        except PlayerError as error:
            # What was shown stays without what would follow; a search that goes on may find more.
            if answer is None or (answer.done and state.hint is None):
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


def _found(answer: SearchResult, state: GameState) -> FoundHint:
    """Returns the first choice that agrees with what was revealed; with its reasons at the end.

    Raises:
        PlayerError: there is none, or its reasons name a square that is not on the board.
    """
    position = state.position
    agreeing = tuple(one for one in answer.choices if agrees(state, one.move))
    move = replace(answer, choices=agreeing).best_legal_move(position)
    if not answer.done:
        return FoundHint(move)
    choice = next(one for one in agreeing if one.move == move)
    try:
        for name in (name for one in choice.reasons for name in one.squares):
            position.board.parse_squares(name)
    except NotationError as error:
        raise PlayerError(PlayerFailure.NO_MOVE, str(error)) from error
    # What is proved for the position holds for its best moves alone.
    proved = answer.proved if choice.proved == answer.proved else None
    return FoundHint(move, None, choice.reasons, proved)
