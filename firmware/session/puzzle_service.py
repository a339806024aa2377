"""A puzzle on the table: its time, its best result, and hints from the solver."""

from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import Final

from firmware.codes import PlayerFailure
from firmware.game.events import Event
from firmware.game.solving_time import SolvingTime
from firmware.game.state import GameState
from firmware.publishing.puzzle_progress import PuzzleProgress
from firmware.puzzles.solver import Answer
from firmware.rules.position import LaidPiece
from firmware.session.background_job import BackgroundJob
from firmware.session.solvability import PuzzleSolver, Solvability, laid_in_order
from web.contract import AnswerCode

_SEEDS: Final = 1 << 31
"""Number of seeds of the solver: each game has hints of its own."""


class PuzzleService:
    """Time, best result and hints of one puzzle.

    The solver's answer is shown once a person asks for a hint, and on as long as pieces are only
    lifted, so that people see when the board can be solved again.

    Args:
        solver: starts the solver; None if there is none, or if no hints were agreed.
        best: finds the best result so far in a thread: its seconds, or None.
        events: events of a puzzle that goes on.

    Attributes:
        failure: reason that the last request gave no hint; else None.
        thinking: True while a person waits for a hint.
    """

    def __init__(
        self,
        solver: Callable[[], PuzzleSolver] | None,
        best: Callable[[], float | None],
        events: Sequence[Event] = (),
    ) -> None:
        seed = SystemRandom().randrange(_SEEDS)
        self._solvability: Final = None if solver is None else Solvability(solver, seed)
        self._best_job: Final[BackgroundJob[float | None]] = BackgroundJob("best-result")
        self._best_job.start(best)
        self._best_s: float | None = None
        self._time = SolvingTime()
        self._asked: frozenset[LaidPiece] | None = None
        self.thinking = False
        self.record(events)

    @property
    def failure(self) -> PlayerFailure | None:
        """Reason that the solver gives no answer; else None."""
        return None if self._solvability is None else self._solvability.failure

    def taken_s(self, time_s: float) -> float:
        """Returns the seconds that people took, `time_s` seconds after the puzzle began."""
        return self._time.seconds(time_s)

    def record(self, events: Sequence[Event]) -> None:
        """Notes events of the puzzle."""
        for event in events:
            self._time = self._time.after(event)

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

    def cancel(self) -> None:
        """Forgets that a person waits for a hint; the solver goes on."""
        self.thinking = False

    def progress(self, state: GameState, time_s: float) -> PuzzleProgress:
        """Returns what the page shows in addition to the board.

        Args:
            state: the state of the puzzle.
            time_s: present time in seconds since the puzzle began.
        """
        answer, taken_s = self._answer(state), self.taken_s(time_s)
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
        self._best_job.close()

    def _note_change(self, asked: frozenset[LaidPiece], pieces: frozenset[LaidPiece]) -> None:
        """Forgets a question about another board, unless pieces were only lifted from it."""
        if pieces != asked:
            self.cancel()
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
        return _CODES[answer]

    def _best(self, solved_s: float | None) -> float | None:
        """Returns the best result so far, with that of this puzzle if it is solved."""
        found = self._best_job.take()
        results = [one for one in (self._best_s, found, solved_s) if one is not None]
        self._best_s = min(results, default=None)
        return self._best_s


_CODES: Final = {
    Answer.SOLVABLE: AnswerCode.SOLVABLE,
    Answer.IMPOSSIBLE: AnswerCode.IMPOSSIBLE,
    Answer.UNKNOWN: AnswerCode.UNKNOWN,
}
"""Codes of the page for the answers of the solver."""
