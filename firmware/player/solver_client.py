"""The solver's process: a begun board goes in, a solution or a proof that there is none comes out.

The process is that of the player, see `firmware.player.search_process`. Every solution is replayed
by the rules before it is handed on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from firmware.player.search_process import SearchProcess
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import is_solved


class Answer(StrEnum):
    """Answers to the question if a begun puzzle can be finished; the words stay."""

    SOLVABLE = "solvable"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    """The final answer of the solver about one board.

    Attributes:
        answer: the answer. Impossible is a proof, and unknown the end of the time.
        moves: the whole solution in a legal order, laid pieces first; empty unless solvable.
        culprit: if impossible, the laid piece whose removal makes the board solvable, the one
            that was laid last of those found; None if none was found.
        seconds: duration of the search.
    """

    answer: Answer
    moves: tuple[LaidPiece, ...]
    culprit: LaidPiece | None
    seconds: float


@dataclass(frozen=True, slots=True)
class _Report:
    """A message of the process; its attributes are those of `Solution`.

    Attributes:
        request: the number that `ask` returned.
        verdict: the answer, None before it is known.
        tried: number of steps of the search so far.
        done: True if the search has ended.
    """

    request: int
    verdict: Answer | None
    moves: tuple[LaidPiece, ...]
    culprit: LaidPiece | None
    seconds: float
    tried: int
    done: bool


class SolverClient:
    """A process of the solver with its last answer.

    Raises:
        PlayerError: it cannot run on this machine, or cannot be started.
    """

    def __init__(self) -> None:
        self._asked: Position | None = None
        self._process: Final = SearchProcess("solver", self._report)

    def ask(
        self,
        position: Position,
        *,
        seed: int = 0,
        seconds: float = 10.0,
        order: Sequence[LaidPiece] = (),
    ) -> int:
        """Starts a search and ends a running one; returns at once.

        Args:
            position: board of a puzzle. A solution keeps all its pieces.
            seed: seed of the random choices: from one board, one seed gives one solution.
            seconds: limit of time.
            order: the pieces of the board in the order laid, if it is known, for the culprit;
                otherwise the colours are taken to have been laid in turn.

        Returns:
            The number of the request.

        Raises:
            PlayerError: the process has died.
        """
        self._asked = position
        return self._process.request(
            {
                "puzzle": str(position),
                "seed": seed,
                "seconds": seconds,
                "order": [[colour, str(move)] for colour, move in order],
            }
        )

    def answer(self, request: int) -> Solution | None:
        """The final answer to a request, or None while the search runs; does not wait.

        Raises:
            PlayerError: the process has died.
        """
        return _solution(self._process.answer(request))

    def verdict(self, request: int) -> Answer | None:
        """The answer alone, which is known before the culprit; None before; does not wait.

        Raises:
            PlayerError: the process has died.
        """
        report = self._process.answer(request)
        return None if report is None else report.verdict

    def tried(self, request: int) -> int:
        """Number of steps of the search so far; 0 before it has begun.

        Raises:
            PlayerError: the process has died.
        """
        report = self._process.answer(request)
        return 0 if report is None else report.tried

    def wait(self, request: int, timeout_s: float) -> Solution | None:
        """The final answer to a request, None after a timeout.

        Raises:
            PlayerError: the process has died.
        """
        return _solution(self._process.wait(request, timeout_s))

    def stop(self) -> None:
        """Ends the running search; it sends its answer so far.

        Raises:
            PlayerError: the process has died.
        """
        self._process.stop()

    def close(self) -> None:
        """Kills the process, which has no data to save."""
        self._process.close()

    def _report(self, row: dict[str, Any]) -> _Report:
        """A message from its JSON; anything else raises one of `search_process.NO_ANSWER`."""
        request, position = int(row["request"]), self._asked
        if position is None or row["puzzle"] != str(position):
            # A message about an earlier board, for which nobody waits.
            return _Report(request, None, (), None, 0.0, 0, done=False)
        size = position.board.size
        verdict = None if row["answer"] is None else Answer(row["answer"])
        moves = tuple(_laid(one, size) for one in row["moves"])
        if verdict is Answer.SOLVABLE:
            check_solution(position, moves)
        culprit = None if row["culprit"] is None else _laid(row["culprit"], size)
        seconds, tried = float(row["seconds"]), int(row["tried"])
        return _Report(request, verdict, moves, culprit, seconds, tried, bool(row["done"]))


def check_solution(position: Position, moves: Sequence[LaidPiece]) -> None:
    """Replays a solution of a begun board from the empty one, and checks the final board.

    Raises:
        ValueError: a move is not legal in this order, a laid piece is missing, or the board is
            not solved.
    """
    replayed = Position.start(position.game, position.starts)
    for colour, move in moves:
        replayed = replayed.play(move, colour)
    pairs = zip(position.laid, replayed.laid, strict=True)
    if not all(set(before) <= set(after) for before, after in pairs) or not is_solved(replayed):
        raise ValueError("the solution is none")


def _solution(report: _Report | None) -> Solution | None:
    if report is None or not report.done or report.verdict is None:
        return None
    return Solution(report.verdict, report.moves, report.culprit, report.seconds)


def _laid(words: Sequence[Any], size: int) -> LaidPiece:
    colour, text = words
    return int(colour), Move.parse(text, size)
