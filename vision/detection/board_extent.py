"""Finds the border of a field of squares by their shapes, which a frame and a table do not have.

The lines between squares give the grid, but not its border: a frame has edges of its own that may
look like another row of squares.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.grid_fit import SCALE, on_and_between
from vision.geometry.grid import OUTLINE, Grid, Points, Warp
from vision.squares.network import OUTSIDE, UNDER, Shapes, belonging

_AROUND: Final = 3
"""Rows by which a field may be off."""

_MOST: Final = 5.0
"""Bound of the log odds of a square."""

_OWN: Final = -0.06
"""Least mean log probability that the squares belong to a board: boards had -0.03 at the worst."""

_BEYOND: Final = -1.2
"""Least mean log probability that the squares around do not belong to a board: boards had -0.9 at
the worst, 14 of the 20 squares of a larger board -2.3."""

_LEAD: Final = 10.0
"""Least lead of the sum of all log probabilities over the next best: boards had 43 at the worst."""

_SIDE: Final = -3.0
"""Least mean log probability, along the worst side, that the squares outside do not belong to a
board: boards had -2.4, fields that continue beyond the side -4."""

_SEEN: Final = 0.5
"""Share of the squares outside a side that has to be in the picture for the side to be seen."""

_ROOM: Final = 1.25
"""Squares beyond each side with which no strip of a picture is too narrow for the network: one, and
what the place may be off."""

_WIDE: Final = 0.9
"""Share of a row of pixels beyond a side that has to be in the picture for the row to be used."""

_FEWEST_PX: Final = 2
"""Fewest of these rows in a strip that is seen."""

_THIN_PX: Final = 4
"""Most of these rows in a strip on which the edges of pieces at the border may be seen alone."""

_FAINT: Final = 1.0
"""Strength added to both, so that no ratio of next to nothing counts."""

_GO_ON: Final = 1.6
"""Ratio from which lines go on in a strip. In 98 % of 866 strips beyond the sides of boards it was
at most 1.4; in those within larger boards at least 1.7."""

_NEAR: Final = 4
"""Rows and columns from the border in which a field may lie beyond the board."""

_HIDDEN: Final = 0.5
"""Probability from which a square is covered or outside."""

_UNSEEN: Final = 0.9
"""Share of a row or column that is covered or outside from which the board may end before it. Of
139 pictures three were read at another place and had 1; in others, under hands, it is up to 0.86,
but for one of 124 frames of two games."""


@dataclass(frozen=True, slots=True)
class BoardExtent:
    """Extent of a field.

    Attributes:
        size: squares along a side.
        row: row of its first square, counted from the grid's first.
        column: column of its first square, likewise.
    """

    size: int
    row: int
    column: int

    def is_of(self, grid: Grid) -> bool:
        """True if the grid has the same extent."""
        return (self.size, self.row, self.column) == (grid.size, 0, 0)

    def corners(self, grid: Grid) -> Points:
        """(4, 2) outer corners in pixels of an extent found on a grid."""
        return grid.project(np.array([self.column, self.row]) + self.size * OUTLINE)


def find_extent(image: Image, grid: Grid, sizes: tuple[int, ...]) -> BoardExtent | None:
    """Finds the extent of the field on the lines of a grid; None if that is not sure.

    Args:
        image: (height, width, 3) uint8.
        grid: grid on the lines of the squares, possibly off by some rows.
        sizes: squares along a side of the possible boards.
    """
    for size in sorted(sizes, key=lambda one: one != grid.size):
        margin = max(_AROUND, size - grid.size + 1)
        odds = _odds(image, grid, margin)
        found = _best(odds, size, margin)
        if found is not None and _is_bounded(image, grid, odds, found):
            return found
    return None


def is_inner(image: Image, grid: Grid) -> bool:
    """True if squares of the board are seen beyond every side of a field, which is a part of it.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the field.
    """
    outside = -np.logaddexp(0, _odds(image, grid, 1))
    return bool(max(side.mean() for side in _sides(outside, grid.size, 1, 1)) < _SIDE)


def is_cut(shapes: Shapes, size: int) -> bool:
    """True if nothing is seen of a row or column near the border of a field.

    Of a board that is partly out of the picture, a field may have rows on the table instead, whose
    cloth looks to the network as if it covered them.

    Args:
        shapes: output of the network on the squares of the field.
        size: squares along a side.
    """
    unseen = np.exp(shapes.classes[:, [UNDER, OUTSIDE]]).sum(axis=1).reshape(size, size) > _HIDDEN
    near = [*range(_NEAR), *range(-_NEAR, 0)]
    return bool(max(*unseen[near].mean(axis=1), *unseen[:, near].mean(axis=0)) >= _UNSEEN)


def _odds(image: Image, grid: Grid, margin: int) -> NDArray[np.float32]:
    """Returns the log odds of `belonging`, bounded so that no single square decides."""
    return np.clip(belonging(image, grid, margin), -_MOST, _MOST)


def _best(odds: NDArray[np.float32], size: int, margin: int) -> BoardExtent | None:
    """Finds the likeliest field of a size from the log odds that each square belongs to one."""
    inside, outside = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    starts = range(1, len(odds) - size)
    sums = np.full((len(odds), len(odds)), -np.inf)
    for row in starts:
        for column in starts:
            sums[row, column] = sum(_parts(inside, outside, size, row, column))
    second, first = np.sort(sums, axis=None)[-2:]
    row, column = (int(place) for place in np.unravel_index(sums.argmax(), sums.shape))
    # What is outside the picture tells nothing.
    seen = (odds != 0).astype(np.float32)
    own, beyond = _parts(inside, outside * seen, size, row, column)
    beyond /= max(1.0, _parts(inside, seen, size, row, column)[1])
    is_sure = own / size**2 > _OWN and beyond > _BEYOND and first - second > _LEAD
    worst = min(side.mean() for side in _sides(outside, size, row, column))
    return BoardExtent(size, row - margin, column - margin) if is_sure and worst > _SIDE else None


def _is_bounded(image: Image, grid: Grid, odds: NDArray[np.float32], found: BoardExtent) -> bool:
    """True if a field is no part of a larger one, of a cloth for example.

    One of the upper and lower sides is seen, and one of the left and right; and where the picture
    has but a strip beyond a side, the lines of the field do not go on in it.
    """
    margin = (len(odds) - grid.size) // 2
    sides = _sides(odds, found.size, found.row + margin, found.column + margin)
    place = Grid.of(found.corners(grid), found.size, image.shape, grid.bend, grid.lens)
    room = place.project((found.size + 2 * _ROOM) * OUTLINE - _ROOM)
    if (room >= 0).all() and (room < image.shape[1::-1]).all():
        return True
    warp = Warp.of(place, SCALE, 1)
    view = cv2.GaussianBlur(warp(image), (3, 3), 0)
    by_squares = [bool((side != 0).mean() >= _SEEN) for side in sides]
    seen = []
    for is_seen, quarters in zip(by_squares, (0, 2, 3, 1), strict=True):
        # The row of pixels beside the border has a part of the border itself.
        strip, inside = (np.rot90(one, quarters)[: SCALE - 1] for one in (view, warp.inside))
        rows = (inside[:, SCALE:-SCALE] > 0).mean(axis=1) > _WIDE
        is_strip = _FEWEST_PX <= rows.sum() < len(rows)
        # Pieces at the border hide what is next to it, as they are seen from aside.
        outer = strip[rows][: max(_FEWEST_PX, int(rows.sum()) // 2)]
        # Two opposite sides tell the size, and a third the place: then a thin strip tells nothing.
        is_needed = rows.sum() > _THIN_PX or sum(by_squares) < len(by_squares) - 1
        if is_strip and is_needed and _lines_in(outer) > _GO_ON:
            return False
        seen.append(is_strip or is_seen)
    return bool((seen[0] or seen[1]) and (seen[2] or seen[3]))


def _lines_in(strip: NDArray[np.uint8]) -> float:
    """Ratio of edges where upright lines would be in a strip of a view to edges between them.

    Args:
        strip: (height, (n + 2) * `SCALE`, 3), a part of the view above or below the field.
    """
    part = np.ascontiguousarray(strip[:, SCALE // 2 - 1 : 1 - SCALE // 2])
    slopes = np.asarray(cv2.Sobel(part, cv2.CV_16S, 1, 0, ksize=3)).mean(axis=0)[1:-1]
    edges = np.sqrt(np.abs(slopes).max(axis=1)).reshape(-1, SCALE)[1:-1].mean(axis=0)
    on, between = on_and_between(edges)
    return float((on + _FAINT) / (between + _FAINT))


def _sides(
    values: NDArray[np.float32], size: int, row: int, column: int
) -> tuple[NDArray[np.float32], ...]:
    """Values of the squares outside the upper, lower, left and right side of a field."""
    rows, columns = slice(row, row + size), slice(column, column + size)
    return (
        values[row - 1, columns],
        values[row + size, columns],
        values[rows, column - 1],
        values[rows, column + size],
    )


def _parts(
    inside: NDArray[np.float32], outside: NDArray[np.float32], size: int, row: int, column: int
) -> tuple[float, float]:
    """Log probabilities that a field's squares belong to a board, and that those around do not."""
    field = slice(row, row + size), slice(column, column + size)
    wider = slice(row - 1, row + size + 1), slice(column - 1, column + size + 1)
    return float(inside[field].sum()), float(outside[wider].sum() - outside[field].sum())
