"""The computer's moves: asked for and polled without waiting.

The computer is the player's process at a level. A simulated table has a simple player beside it,
which moves while that process is missing or is prepared.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from firmware.codes import PlayerFailure, Scoring
from firmware.errors import PlayerError
from firmware.game.config import HUMAN
from firmware.game.events import ComputerPreparing, ComputerReady, SeatsAssigned
from firmware.game.levels import MOST_LEVEL
from firmware.game.seating import person_of
from firmware.player.client import SearchRequest
from firmware.player.engine_queue import EngineQueue, Ticket, Use
from firmware.player.measured_level import MeasuredLevel
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.session.service import ServiceStatus, TableService
from firmware.storage.session_inputs import ChosenMove
from web.contract import OpponentState

SHORTEST_S: Final = 2.0
"""Least seconds for which the computer thinks, so that people can follow."""

LONGEST_S: Final = 6.0
"""Seconds after which the best move so far is shown."""

_LITTLE_S: Final = 60.0
"""Seconds on its clock below which the computer hurries."""

_SHARE: Final = 1 / 20
"""Share of its remaining time that the computer then takes at most."""

_SEARCH_SHARE: Final = 0.8
"""Share of the longest time that is searched; the rest is for the answer and the next frame."""

_AGAIN_S: Final = 1.0
"""Seconds until the player is started once more after a failure."""

_LATE_S: Final = 300.0
"""Seconds without any answer after which the player has failed. The first search after an
installation is compiled, which took up to 140 s on a Raspberry Pi 4."""

_PREPARED_S: Final = 0.5
"""Seconds of the first search, which has the player compiled and loaded, and its speed measured."""

_MISSING_S: Final = 15.0
"""Seconds until a player is tried again that was missing; it may be installed meanwhile."""

_MOST_ATTEMPTS: Final = 2
"""Times that the player is asked in one position."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the computer.

    Attributes:
        position: the position.
        level: level of the computer.
        seed: seed of its choices.
        scoring: scoring that decides the game.
        left_s: seconds left on its clock; None without a clock.
    """

    position: Position
    level: int
    seed: int
    scoring: Scoring = Scoring.ADVANCED
    left_s: float | None = None

    @property
    def longest_s(self) -> float:
        """Seconds after which the best move so far is shown."""
        if self.left_s is None or self.left_s >= _LITTLE_S:
            return LONGEST_S
        return max(0.0, self.left_s) * _SHARE

    @property
    def shortest_s(self) -> float:
        """Least seconds for which the computer thinks."""
        return min(SHORTEST_S, self.longest_s)


@dataclass(slots=True)
class _Thought:
    """The search for the move of a turn.

    Attributes:
        turn: the turn, with the time left at its beginning.
        since_s: time of its beginning.
        ready_s: time since which the player was ready for it.
        ticket: the open request; None if the player is asked again at `again_s`.
        again_s: time of the next request.
        attempts: number of requests so far.
    """

    turn: Turn
    since_s: float
    ready_s: float
    ticket: Ticket | None = None
    again_s: float = float("-inf")
    attempts: int = 0


class ComputerService(TableService):
    """Chooses the moves of the computer's seats.

    Args:
        engine: the player.
        stand_in: chooses a move at once while the player cannot; None if nobody stands in.
        measured: the highest level of this machine, which is measured at each start of the
            player; None to keep it until the program ends.

    Attributes:
        opponent: the player that can choose now: the player's process is missing (`SIMPLE`),
            being prepared, or ready (`STRONG`).
    """

    def __init__(
        self,
        engine: EngineQueue,
        stand_in: Callable[[Position], Move | None] | None = None,
        measured: MeasuredLevel | None = None,
    ) -> None:
        self._engine: Final = engine
        self._stand_in: Final = stand_in
        self._measured: Final = measured or MeasuredLevel()
        self._thought: _Thought | None = None
        self._first: Ticket | None = None
        self._tried_s = float("-inf")
        self.opponent = OpponentState.SIMPLE

    def poll(self) -> None:
        """Has the computer think about its move, and enters its choice."""
        session = self.table.session
        state, now_s = session.state, session.time_s
        if not any(state.computer) or state.over:
            return
        self.prepare(state.position, now_s)
        if not state.level:
            self.cancel()
        self._enter_preparing()
        if not session.awaits_computer:
            return
        config = session.config
        turn = Turn(state.position, state.level, config.seed, config.scoring, session.left_s)
        try:
            move = self.choose(turn, now_s)
        except PlayerError as error:
            self._give_seat_up(error)
            return
        if move is not None:
            self.table.enter(ChosenMove(move))

    def show(self, status: ServiceStatus) -> None:
        """Adds the levels that this machine can play, and the state of the player."""
        status.opponent = self.opponent
        status.machine = replace(status.machine, highest_level=self.highest_level)

    def close(self) -> None:
        """Ends the player's process."""
        self._engine.close()

    def _enter_preparing(self) -> None:
        """Stops the computer's clock until its player is ready.

        The event is an input of a recording, because a repeated game has no player.
        """
        state = self.table.session.state
        is_preparing = self.is_preparing and bool(state.level) and state.chosen is None
        if is_preparing != state.preparing:
            event = ComputerPreparing(0, 0.0) if is_preparing else ComputerReady(0, 0.0)
            self.table.enter(event)

    def _give_seat_up(self, error: PlayerError) -> None:
        """Lets a person play the seat of the computer that has to move."""
        state = self.table.session.state
        assert state.position.to_move is not None, "the computer has to move"
        levels = list(state.computer)
        levels[person_of(state.position, state.position.to_move)] = HUMAN
        self.table.enter(SeatsAssigned(0, 0.0, tuple(levels), error.code.value))

    @property
    def highest_level(self) -> int:
        """Highest level that this machine plays within 6 s a move, as far as known."""
        return self._measured.level or MOST_LEVEL

    def prepare(self, position: Position, now_s: float) -> None:
        """Starts the player before it has to move, with a short search; returns at once.

        Args:
            position: any position of the game.
            now_s: time in seconds, which never decreases in a game.
        """
        if self.opponent is OpponentState.STRONG and not self._engine.is_running:
            # Somebody else's failed request or a puzzle has ended it.
            self.opponent, self._tried_s = OpponentState.SIMPLE, float("-inf")
        if self._first is not None:
            self._look_at_first(now_s)
        elif self.opponent is OpponentState.SIMPLE and abs(now_s - self._tried_s) >= _MISSING_S:
            self._tried_s = now_s
            self.opponent = OpponentState.PREPARING
            request = SearchRequest(str(position), seconds=_PREPARED_S, most=1)
            self._first = self._engine.submit(Use.OPPONENT, request)
            self._look_at_first(now_s)

    @property
    def is_preparing(self) -> bool:
        """True while the computer cannot choose, because its player is not ready."""
        return self._stand_in is None and self.opponent is not OpponentState.STRONG

    def choose(self, turn: Turn, now_s: float) -> Move | None:
        """Returns the move of the computer; None while it thinks. Call it again until it does.

        Args:
            turn: the turn; one in another position ends the search.
            now_s: time in seconds, as in `prepare`.

        Raises:
            PlayerError: the player has failed, also when it was started once more.
        """
        thought = self._thought
        if thought is None or not _is_same(thought.turn, turn):
            self.cancel()
            thought = self._thought = _Thought(turn, now_s, now_s)
        try:
            move = self._found(thought, now_s)
        except PlayerError as error:
            self._fail(thought, error, now_s)
            return None
        if move is not None:
            self.cancel()
        return move

    def cancel(self) -> None:
        """Ends the search for a move; the player is not waited for."""
        thought, self._thought = self._thought, None
        if thought is not None and thought.ticket is not None:
            self._engine.cancel(thought.ticket)

    def _found(self, thought: _Thought, now_s: float) -> Move | None:
        """Returns the move, once it is time for it."""
        turn, stand_in = thought.turn, self._stand_in
        passed_s = now_s - thought.since_s
        if stand_in is not None and self.opponent is not OpponentState.STRONG:
            return stand_in(turn.position) if passed_s >= turn.shortest_s else None
        if thought.ticket is None:
            if now_s < thought.again_s:
                return None
            thought.attempts += 1
            request = SearchRequest(
                str(turn.position),
                level=turn.level,
                seed=turn.seed,
                seconds=_SEARCH_SHARE * turn.longest_s,
                scoring=turn.scoring,
                most=1,
            )
            thought.ticket = self._engine.submit(Use.OPPONENT, request)
        answer = self._engine.answer(thought.ticket)
        if answer is not None:
            self._become_ready(now_s)
        if passed_s < turn.shortest_s:
            return None
        is_due = now_s - thought.ready_s >= turn.longest_s
        if answer is not None and (answer.choices or answer.done) and (answer.done or is_due):
            return answer.best_legal_move(turn.position)
        if passed_s >= turn.longest_s and stand_in is not None:
            return stand_in(turn.position)
        if passed_s >= _LATE_S:
            raise PlayerError(PlayerFailure.LATE, "the player has not answered")
        return None

    def _become_ready(self, now_s: float) -> None:
        """Notes that the player is ready; a search that waited for it has its whole time."""
        if self.opponent is not OpponentState.STRONG and self._thought is not None:
            self._thought.ready_s = now_s
        self.opponent = OpponentState.STRONG

    def _fail(self, thought: _Thought, error: PlayerError, now_s: float) -> None:
        """Has the player asked once more, or somebody stand in.

        Raises:
            PlayerError: it was asked again before.
        """
        _log.warning("the computer has no move: %s", error)
        if thought.ticket is not None:
            self._engine.cancel(thought.ticket)
        thought.ticket = None
        self.opponent = OpponentState.SIMPLE
        self._tried_s = now_s
        if self._stand_in is not None:
            return
        if thought.attempts >= _MOST_ATTEMPTS:
            self._thought = None
            raise error
        thought.again_s = now_s + _AGAIN_S

    def _look_at_first(self, now_s: float) -> None:
        assert self._first is not None, "a first search runs"
        try:
            answer = self._engine.answer(self._first)
        except PlayerError as error:
            if error.code not in (PlayerFailure.NOT_INSTALLED, PlayerFailure.INSTALLING):
                _log.warning("the computer cannot play yet: %s", error)
            self._first, self.opponent = None, OpponentState.SIMPLE
            return
        if answer is not None and answer.done:
            self._first = None
            self._become_ready(now_s)
            if answer.highest_level is not None:
                self._measured.keep(answer.highest_level)


def _is_same(turn: Turn, other: Turn) -> bool:
    return turn.position is other.position and turn.level == other.level
