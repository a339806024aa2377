"""A puzzle on the table: its time, its best result, and hints from the solver."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import SystemRandom
from typing import Final

from firmware.codes import PlayerFailure
from firmware.game.events import Event
from firmware.game.solving_time import SolvingTime
from firmware.game.state import GameState
from firmware.player.engine_queue import EngineQueue
from firmware.player.solvability import Solvability, laid_in_order
from firmware.player.solver_client import SolverClient
from firmware.referee.referee import Phase
from firmware.rules.position import LaidPiece
from firmware.rules.variants import Variant
from firmware.session.background_job import BackgroundJob
from firmware.session.service import ServiceStatus, TableService
from firmware.storage.page_builder import PuzzleProgress
from firmware.storage.session_inputs import FoundHint
from web.contract import AnswerCode, CancelHint, Command, Hint, RefusalReason

_SEEDS: Final = 1 << 31
"""Number of seeds of the solver: each game has hints of its own."""


class PuzzleService(TableService):
    """Time, best result and hints of a puzzle; in a game it does nothing.

    The solver's answer is shown once a person asks for a hint, and on as long as pieces are only
    lifted, so that people see when the board can be solved again.

    Args:
        solver: starts the solver; None if there is none.
        best: finds the best result of a puzzle so far in a thread: its seconds, or None.
        engine: the player, whose memory the solver needs; None if there is none.

    Attributes:
        thinking: True while a person waits for a hint.
    """

    def __init__(
        self,
        solver: Callable[[], SolverClient] | None,
        best: Callable[[Variant], float | None] = lambda _: None,
        engine: EngineQueue | None = None,
    ) -> None:
        self._solver: Final = solver
        self._find_best: Final = best
        self._engine: Final = engine
        self._solvability: Solvability | None = None
        self._best_job: BackgroundJob[float | None] | None = None
        self._best_s: float | None = None
        self._time = SolvingTime()
        self._asked: frozenset[LaidPiece] | None = None
        self.thinking = False

    def begin(self) -> None:
        """Begins with a puzzle, or ends with the one before a game."""
        self.close()
        self._asked, self._best_s, self._time = None, None, SolvingTime()
        self.thinking = False
        config = self.table.session.config
        if config.game.puzzle is None:
            return
        if self._engine is not None:
            self._engine.close()
        if self._solver is not None and config.hints:
            self._solvability = Solvability(self._solver, SystemRandom().randrange(_SEEDS))
        self._best_job = BackgroundJob("best-result")
        self._best_job.start(partial(self._find_best, config.game))
        self.happened(self.table.past)

    def executes(self, command: Command) -> bool:
        """True for the hints of a puzzle."""
        is_puzzle = self.table.session.config.game.puzzle is not None
        return is_puzzle and isinstance(command, Hint | CancelHint)

    def execute(self, command: Command) -> RefusalReason | None:
        """Requests a hint, or forgets that a person waits for it; the solver goes on."""
        if isinstance(command, CancelHint):
            self.thinking = False
            return None
        return None if self.ask(self.table.session.state) else RefusalReason.NO_PLAYER

    def poll(self) -> None:
        """Has the solver follow the board; gives a requested hint that it has found."""
        state = self.table.session.state
        if state.position.game.puzzle is None or self.table.session.phase is Phase.SETTLING:
            return
        self.follow(state)
        piece = self.take_hint()
        if piece is not None:
            self.table.enter(FoundHint(piece[1], piece[0]))

    def happened(self, events: Sequence[Event]) -> None:
        """Counts the time."""
        for event in events:
            self._time = self._time.after(event)

    def show(self, status: ServiceStatus) -> None:
        """Adds time, best result and the answer of the solver."""
        session = self.table.session
        if session.config.game.puzzle is not None:
            status.hint_thinking, status.hint_failure = self.thinking, self.failure
            status.puzzle = self.progress(session.state, session.time_s)
            solver = self._solvability if self.thinking else None
            starting = None if solver is None else solver.starting
            status.machine = replace(status.machine, player_start=starting)

    @property
    def failure(self) -> PlayerFailure | None:
        """Reason that the solver gives no answer; else None."""
        return None if self._solvability is None else self._solvability.failure

    def follow(self, state: GameState) -> None:
        """Notes the board; takes an answer of the solver that has come, and asks the next."""
        if self._asked is not None:
            self._note_change(self._asked, frozenset(laid_in_order(state)))
        if self._solvability is not None and not state.over:
            self._solvability.follow(state)

    def ask(self, state: GameState) -> bool:
        """Requests a hint; returns False if the solver cannot answer."""
        if self._solvability is None:
            return False
        self._solvability.retry()
        self._solvability.follow(state)
        if self._solvability.failure is not None:
            return False
        self._asked, self.thinking = frozenset(laid_in_order(state)), True
        return True

    def take_hint(self) -> LaidPiece | None:
        """Returns the piece to hint at, once a person has asked and a solution is known."""
        if self._solvability is None or not self.thinking:
            return None
        if self._solvability.outlook.answer is None:
            self.thinking = self._solvability.failure is None
            return None
        self.thinking = False
        return self._solvability.next_piece()

    def progress(self, state: GameState, time_s: float) -> PuzzleProgress:
        """Returns what the page shows in addition to the board.

        Args:
            state: the state of the puzzle.
            time_s: present time in seconds since the puzzle began.
        """
        answer, taken_s = self._answer(state), self._time.seconds(time_s)
        outlook = None if self._solvability is None else self._solvability.outlook
        is_lost = outlook is not None and answer is AnswerCode.IMPOSSIBLE
        return PuzzleProgress(
            answer,
            outlook.impossible_since if outlook is not None and is_lost else None,
            outlook.culprit if outlook is not None and is_lost else None,
            taken_s,
            self._time.is_running,
            self._best(taken_s if state.over and state.ended is None else None),
        )

    def close(self) -> None:
        """Ends the solver."""
        if self._solvability is not None:
            self._solvability.close()
        if self._best_job is not None:
            self._best_job.close()
        self._solvability = self._best_job = None

    def _note_change(self, asked: frozenset[LaidPiece], pieces: frozenset[LaidPiece]) -> None:
        """Forgets a question about another board, unless pieces were only lifted from it."""
        if pieces != asked:
            self.thinking = False
            self._asked = pieces if pieces < asked else None

    def _answer(self, state: GameState) -> AnswerCode:
        if state.over:
            return AnswerCode.NOT_ASKED
        if state.hint is not None:
            return AnswerCode.SOLVABLE
        if self._asked is None or self._solvability is None:
            return AnswerCode.NOT_ASKED
        answer = self._solvability.outlook.answer
        if answer is None:
            is_failed = self._solvability.failure is not None
            return AnswerCode.NOT_ASKED if is_failed else AnswerCode.THINKING
        return AnswerCode(answer.value)

    def _best(self, solved_s: float | None) -> float | None:
        """Returns the best result so far, with that of this puzzle if it is solved."""
        found = None if self._best_job is None else self._best_job.take()
        results = [one for one in (self._best_s, found, solved_s) if one is not None]
        self._best_s = min(results, default=None)
        return self._best_s
