"""Where a field of squares ends, by what its squares look like: a frame and a table have none.

The lines between squares tell where they lie, but not where they end: a frame has edges of its own
that may pass for a row of squares more.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import OUTLINE, Grid, Points
from vision.shape.network import belonging

_AROUND: Final = 3
"""Rows by which a field may be off."""

_MOST: Final = 5.0
"""Log odds of a square at most."""

_OWN, _BEYOND, _LEAD = -0.06, -1.2, 10.0
"""Least mean log probability of the squares being a board's, and of those around it being none;
and by how much the sum of all has to lead that of the next. Boards had -0.03, -0.9 and 43 at the
worst, 14 of the 20 squares of a larger one -2.3 around it."""

_SIDE: Final = -3.0
"""The same of the squares along the worst side: -2.4 of boards, -4 where the field goes on."""


@dataclass(frozen=True, slots=True)
class BoardExtent:
    """Where a field ends.

    Attributes:
        size: squares along a side.
        row: of its first square, counted from the grid's first.
        column: of its first square, likewise.
        own: mean log probability of its squares being a board's.
        beyond: mean log probability of the squares around it being none of a board's.
    """

    size: int
    row: int
    column: int
    own: float
    beyond: float

    @property
    def likely(self) -> float:
        """How likely it is, 0 at most."""
        return self.own + self.beyond

    def is_of(self, grid: Grid) -> bool:
        """Whether the grid ends there too."""
        return (self.size, self.row, self.column) == (grid.size, 0, 0)

    def corners(self, grid: Grid) -> Points:
        """(4, 2) its outer corners in pixels, if it was found on a grid."""
        return grid.project(np.array([self.column, self.row]) + self.size * OUTLINE)


def find_extent(image: Image, grid: Grid, sizes: tuple[int, ...]) -> BoardExtent | None:
    """Where the field on the lines of a grid ends; None if that is not sure.

    Args:
        image: (height, width, 3) uint8.
        grid: lines on which the squares lie, be it some rows off.
        sizes: squares along a side of the boards there may be.
    """
    for size in sorted(sizes, key=lambda one: one != grid.size):
        margin = max(_AROUND, size - grid.size + 1)
        odds = np.clip(belonging(image, grid, margin), -_MOST, _MOST)
        found = _best(odds, size, margin)
        if found is not None:
            return found
    return None


def _best(odds: NDArray[np.float32], size: int, margin: int) -> BoardExtent | None:
    """The likeliest field among squares of which the log odds of belonging to one are known."""
    inside, outside = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    starts = range(1, len(odds) - size)
    sums = np.full((len(odds), len(odds)), -np.inf)
    for row in starts:
        for column in starts:
            sums[row, column] = sum(_parts(inside, outside, size, row, column))
    second, first = np.sort(sums, axis=None)[-2:]
    row, column = (int(place) for place in np.unravel_index(sums.argmax(), sums.shape))
    own, beyond = _parts(inside, outside, size, row, column)
    found = BoardExtent(size, row - margin, column - margin, own / size**2, beyond / (4 * size + 4))
    sure = found.own > _OWN and found.beyond > _BEYOND and first - second > _LEAD
    return found if sure and _worst_side(outside, size, row, column) > _SIDE else None


def _worst_side(outside: NDArray[np.float32], size: int, row: int, column: int) -> float:
    """Mean log probability of the squares along a side of a field being none, the least of four."""
    rows, columns = slice(row, row + size), slice(column, column + size)
    sides = (
        outside[row - 1, columns],
        outside[row + size, columns],
        outside[rows, column - 1],
        outside[rows, column + size],
    )
    return float(min(side.mean() for side in sides))


def _parts(
    inside: NDArray[np.float32], outside: NDArray[np.float32], size: int, row: int, column: int
) -> tuple[float, float]:
    """Log probability of a field's squares being a board's, and of those around it not."""
    field = slice(row, row + size), slice(column, column + size)
    wider = slice(row - 1, row + size + 1), slice(column - 1, column + size + 1)
    return float(inside[field].sum()), float(outside[wider].sum() - outside[field].sum())
