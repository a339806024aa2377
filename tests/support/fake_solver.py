"""A solver of one puzzle that knows a single solution, and answers when the test lets it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.errors import PlayerError
from firmware.player.solver_client import Answer, Solution, SolverClient
from firmware.rules.position import LaidPiece, Position
from tests.support.solved_puzzles import moves_of

if TYPE_CHECKING:
    from firmware.codes import PlayerFailure


class FakeSolver(SolverClient):
    """A solver for which a board is solvable if its pieces are some of one solution.

    Args:
        solved: the solution.

    Attributes:
        asked: the pieces of each board that was asked about, in the order laid.
        seeds: the seed of each question.
        ready: False while it is at work.
        finds: False if it finds nothing in its time.
        broken: reason that it cannot run; else None.
        starts: number of times that it was started.
        closed: number of times that it was closed.
    """

    def __init__(self, solved: Position) -> None:
        self.solution = moves_of(solved)
        self.asked: list[tuple[LaidPiece, ...]] = []
        self.seeds: list[int] = []
        self.ready = self.finds = True
        self.broken: PlayerFailure | None = None
        self.starts = self.closed = 0

    def __call__(self) -> "FakeSolver":
        self._check()
        self.starts += 1
        return self

    def ask(
        self,
        position: Position,
        *,
        seed: int = 0,
        seconds: float = 10.0,
        order: Sequence[LaidPiece] = (),
    ) -> int:
        assert set(order) == set(moves_of(position)), "the order is that of the board"
        self._check()
        self.asked.append(tuple(order))
        self.seeds.append(seed)
        return len(self.asked)

    def answer(self, request: int) -> Solution | None:
        self._check()
        if not self.ready:
            return None
        assert request == len(self.asked), "only the newest request is answered"
        laid = self.asked[request - 1]
        wrong = [one for one in laid if one not in self.solution]
        if not self.finds:
            return Solution(Answer.UNKNOWN)
        if wrong:
            culprit = wrong[0] if len(wrong) == 1 else None
            return Solution(Answer.IMPOSSIBLE, culprit=culprit)
        others = tuple(one for one in self.solution if one not in laid)
        return Solution(Answer.SOLVABLE, (*laid, *others))

    def close(self) -> None:
        self.closed += 1

    def _check(self) -> None:
        if self.broken is not None:
            raise PlayerError(self.broken, "it gives no answer")
