"""The solver's process: a begun board goes in, a solution or a proof that there is none comes out.

The process is that of the player, see `firmware.player.search_process`. Every solution is replayed
by the rules before it is handed on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

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
    """The state of a search for the solution of one board.

    Attributes:
        answer: the answer; None before it is known. Impossible is a proof, and unknown the end of
            the time. It is known before the culprit.
        moves: the whole solution in a legal order, laid pieces first; empty unless solvable.
        culprit: if impossible, the laid piece whose removal makes the board solvable, the one
            that was laid last of those found; None if none was found.
        seconds: duration of the search so far.
        tried: number of steps of the search so far.
        done: True if the search has ended.
    """

    answer: Answer | None
    moves: tuple[LaidPiece, ...] = ()
    culprit: LaidPiece | None = None
    seconds: float = 0.0
    tried: int = 0
    done: bool = True


class SolverClient(SearchProcess[Solution]):
    """A process of the solver with its last answer.

    Raises:
        PlayerError: it cannot run on this machine, or cannot be started.
    """

    def __init__(self) -> None:
        super().__init__("solver", from_json)

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
        return self.request(
            {
                "puzzle": str(position),
                "seed": seed,
                "seconds": seconds,
                "order": [_words(one) for one in order],
            }
        )


def to_json(position: Position, solution: Solution) -> dict[str, Any]:
    """The JSON form of the state of a search, as the solver's process sends it."""
    return {
        "puzzle": str(position),
        "answer": solution.answer,
        "moves": list(map(_words, solution.moves)),
        "culprit": None if solution.culprit is None else _words(solution.culprit),
        "seconds": round(solution.seconds, 3),
        "tried": solution.tried,
        "done": solution.done,
    }


def from_json(row: dict[str, Any]) -> Solution:
    """Reads the form that `to_json` writes, and checks a solution by the rules.

    Raises:
        ArithmeticError, LookupError, TypeError, ValueError: it is not that form, or no solution.
    """
    position = Position.parse(row["puzzle"])
    answer = None if row["answer"] is None else Answer(row["answer"])
    moves = tuple(parse_laid(one, position) for one in row["moves"])
    if answer is Answer.SOLVABLE:
        check_solution(position, moves)
    culprit = None if row["culprit"] is None else parse_laid(row["culprit"], position)
    return Solution(
        answer, moves, culprit, float(row["seconds"]), int(row["tried"]), bool(row["done"])
    )


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


def parse_laid(words: Sequence[Any], position: Position) -> LaidPiece:
    """Reads a piece on a board from its JSON form, `[0, "a1,a2"]`."""
    colour, text = words
    return int(colour), Move.parse(text, position.board.size)


def _words(one: LaidPiece) -> tuple[int, str]:
    return one[0], str(one[1])
