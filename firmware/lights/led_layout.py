"""The square above each LED of a chain, from a few parameters of its wiring.

The parameters (serpentine or not, first corner, along rows or columns) include every turned and
flipped panel. A panel larger than the board extends beyond it by whole columns and rows. Several
panels are wired alike, and the chain takes them row by row, each row from left to right.
"""

from dataclasses import dataclass

from firmware.codes import ChainCorner, ChainDirection

Layout = tuple[int | None, ...]
"""The square above each LED in the order of the chain; None for an LED outside the board.

Squares are those of the markers' frame: the LEDs are fixed to the board, whatever its orientation
in a game."""


@dataclass(frozen=True, slots=True)
class LedLayout:
    """Wiring of a chain of LEDs.

    Attributes:
        columns: LEDs from left to right, at least those of the board.
        rows: LEDs from top to bottom.
        first: the corner of the first LED of a panel.
        along: first direction of the chain.
        serpentine: True if every second line runs backwards; False if all run the same way.
        left: columns of LEDs left of the board.
        top: rows of LEDs above it.
        panels_across: panels from left to right.
        panels_down: panels from top to bottom.
    """

    columns: int
    rows: int
    first: ChainCorner = ChainCorner.TOP_LEFT
    along: ChainDirection = ChainDirection.ROWS
    serpentine: bool = True
    left: int = 0
    top: int = 0
    panels_across: int = 1
    panels_down: int = 1

    @property
    def length(self) -> int:
        """Number of LEDs."""
        return self.columns * self.rows

    def layout(self, size: int) -> Layout:
        """The square above each LED.

        Args:
            size: squares along a side of the board.

        Raises:
            ValueError: the board extends beyond these LEDs, or they are not whole panels.
        """
        if self.columns % self.panels_across or self.rows % self.panels_down:
            raise ValueError(
                f"{self.columns}x{self.rows} LEDs are not {self.panels_across} panels across and "
                f"{self.panels_down} down of equal size"
            )
        if not (0 <= self.left <= self.columns - size and 0 <= self.top <= self.rows - size):
            raise ValueError(
                f"a board of {size}x{size} does not lie over {self.columns}x{self.rows} LEDs "
                f"with {self.left} columns left of it and {self.top} rows above"
            )
        return tuple(self._square(led, size) for led in range(self.length))

    def around(self, size: int) -> list[int]:
        """The LEDs next to a board of `size` squares along a side, corners included."""
        near, outside = range(-1, size + 1), {-1, size}
        places = (self.place(led) for led in range(self.length))
        from_board = [(row - self.top, column - self.left) for row, column in places]
        return [
            led
            for led, (down, across) in enumerate(from_board)
            if down in near and across in near and outside & {down, across}
        ]

    def place(self, led: int) -> tuple[int, int]:
        """The row and the column of one LED, seen from above."""
        columns, rows = self.columns // self.panels_across, self.rows // self.panels_down
        panel, led = divmod(led, columns * rows)
        down, across = divmod(panel, self.panels_across)
        row, column = self._in_panel(led, columns, rows)
        return down * rows + row, across * columns + column

    def _square(self, led: int, size: int) -> int | None:
        """The square above one LED."""
        row, column = self.place(led)
        row, column = row - self.top, column - self.left
        inside = 0 <= row < size and 0 <= column < size
        return row * size + column if inside else None

    def _in_panel(self, led: int, columns: int, rows: int) -> tuple[int, int]:
        """Row and column of an LED in its panel, by its number there."""
        by_rows = self.along is ChainDirection.ROWS
        line, step = divmod(led, columns if by_rows else rows)
        if self.serpentine and line % 2:
            step = (columns if by_rows else rows) - 1 - step
        row, column = (line, step) if by_rows else (step, line)
        if self.first in (ChainCorner.BOTTOM_LEFT, ChainCorner.BOTTOM_RIGHT):
            row = rows - 1 - row
        if self.first in (ChainCorner.TOP_RIGHT, ChainCorner.BOTTOM_RIGHT):
            column = columns - 1 - column
        return row, column
