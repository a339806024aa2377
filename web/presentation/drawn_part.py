"""The part of the board that is drawn: all of it, or the field of a puzzle with a margin."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from web.contract import Page, Square
from web.presentation.svg import CELL, outline

_MARGIN: Final = 1
"""Squares that are shown beyond the field of a puzzle."""


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A part of the board at its lower left corner; lengths in units of the drawing.

    Attributes:
        columns: columns from the left edge of the board.
        rows: rows from its top edge.
        outside: squares beyond the field of a puzzle as an SVG path; empty in a game.
        border: border of that field as an SVG path.
    """

    columns: range
    rows: range
    outside: str
    border: str

    @property
    def width(self) -> int:
        """Its width."""
        return len(self.columns) * CELL

    @property
    def height(self) -> int:
        """Its height."""
        return len(self.rows) * CELL

    @property
    def top(self) -> int:
        """Distance of its upper edge from that of the board."""
        return self.rows.start * CELL

    @property
    def grid(self) -> str:
        """The lines between its squares as an SVG path."""
        across = "".join(f"M0 {row * CELL}h{self.width}" for row in self.rows[1:])
        down = f"{self.top}v{self.height}"
        return across + "".join(f"M{column * CELL} {down}" for column in self.columns[1:])


def part_of(page: Page) -> DrawnPart:
    """Returns the part of a page's board that is drawn."""
    every = range(page.size)
    puzzle = page.puzzle
    if puzzle is None or min(puzzle.columns, puzzle.rows) == page.size:
        return DrawnPart(every, every, "", "")
    drawn = list(_drawn(page))
    right = max(puzzle.columns, *(column + 1 for _, column in drawn), 0) + _MARGIN
    top = min(page.size - puzzle.rows, *(row for row, _ in drawn), page.size) - _MARGIN
    columns, rows = range(min(right, page.size)), range(max(top, 0), page.size)
    squares = {(row, column) for row in rows for column in columns}
    field = {square for square in squares if puzzle.is_inside(square, page.size)}
    outside = outline(squares - field) if squares - field else ""
    return DrawnPart(columns, rows, outside, outline(field))


def _drawn(page: Page) -> Iterator[Square]:
    """Yields the squares of all that lies on the board, also beyond the field."""
    for piece in page.pieces:
        yield from piece.squares
    for candidate in page.candidates:
        yield from candidate.squares
    state = page.state
    yield from (*page.covered, *state.squares, *state.current_squares, *state.target_squares)
