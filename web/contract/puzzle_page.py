"""The part of the page for a puzzle: its field, its time, and whether it can still be solved."""

from dataclasses import dataclass, field

from web.contract.codes import AnswerCode, Square
from web.contract.schema import require


@dataclass(frozen=True, slots=True)
class PuzzleEntry:
    """A puzzle. Pieces and squares that are left are those of the page's colours.

    Attributes:
        columns: width of the field in squares, from column a.
        rows: height of the field in squares, from row 1, the lowest.
        answer: the answer to the question whether it can still be solved.
        impossible_since: if it cannot, number of the placement since which, from 1; 0 if that is
            not known.
        culprit: if it cannot, squares of the piece whose removal makes it solvable; none if no
            single piece does.
        taken_ms: milliseconds taken so far, at the time of publication.
        running: True while the time counts up.
        best_s: seconds of the best result so far on this table; None if there is none.
    """

    columns: int
    rows: int
    answer: AnswerCode = AnswerCode.NOT_ASKED
    impossible_since: int = 0
    culprit: tuple[Square, ...] = ()
    # Two pages are equal if only time has passed: phones count on by themselves.
    taken_ms: int = field(default=0, compare=False)
    running: bool = False
    best_s: float | None = None

    def __post_init__(self) -> None:
        require(min(self.columns, self.rows) > 0, "a field has columns and rows")
        impossible = self.answer is AnswerCode.IMPOSSIBLE
        named = bool(self.impossible_since or self.culprit)
        require(impossible or not named, "only an impossible puzzle has a culprit")
        require(self.impossible_since >= 0, "placements count from 1")
        require(self.taken_ms >= 0, "time counts from 0")
        require(self.best_s is None or self.best_s >= 0, "a best result has seconds")

    def is_inside(self, square: Square, size: int) -> bool:
        """True if a square of a board of `size` squares a side is one of the field."""
        row, column = square
        return row >= size - self.rows and column < self.columns
