"""Content of a puzzle's page in addition to its state."""

from dataclasses import dataclass

from firmware.rules.position import LaidPiece
from web.contract import AnswerCode


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """The solver's answer about a puzzle, and its clock.

    Attributes:
        answer: the answer to the question whether the present board can still be solved.
        impossible_since: if it cannot, number of the placement since which, from 1; None if that
            is not known.
        culprit: if it cannot, the laid piece whose removal makes it solvable; None if no single
            piece does.
        taken_s: seconds taken so far, without pauses; does not count up once it is solved.
        running: True while the time counts up; phones then count on by themselves.
        best_s: seconds of the best result so far on this table; None if there is none.
    """

    answer: AnswerCode = AnswerCode.NOT_ASKED
    impossible_since: int | None = None
    culprit: LaidPiece | None = None
    taken_s: float = 0.0
    running: bool = False
    best_s: float | None = None
