"""Place of a board in a picture: of its squares, and of its lines.

The network of squares measures the offset of each. Edges alone may be off by a tenth of a square,
as ridges are lit from one side and pieces hide them, and under a lamp by a third. So squares give
the place of a board that was found or has moved, and from frame to frame its lines are tracked.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.frame_features import MARGIN, SCALE
from vision.geometry.grid import OUTLINE, Grid, Warp, is_convex, solved
from vision.squares.network import COLUMNS, UNDER, shapes_of

TRUSTED: Final = 0.25
"""Farthest that lines and squares may be from each other, in squares, if both are the board's."""

_LOOKS: Final = 6
"""Most corrections of a place. A step is about half of the one before; a place that still moves
after this many, or farther than before, is on no board."""

_FAR: Final = 0.03
"""Squares by which a correction has to move a place for one more to follow. A board whose lines
were 0.35 off was 0.26 off after the first, which moved it by 0.09, and 0.20 after three."""

_FEWEST: Final = 40
"""Fewest squares by which a grid is corrected."""

_FARTHEST: Final = 0.3
"""Largest offset of a square that is used, in squares."""

_EVEN: Final = 0.018
"""Mean offset of all squares, in squares, at which they are at their places. Of 471 boards, many
under hands, those that stay had no more; of 115 grids that stay but are half a row to two rows off
at a side or a corner, or of the other size, two had less."""

_BESIDE: Final = 0.2
"""Squares across and down by which a grid is moved to see if its squares are seen."""

_FOLLOWED: Final = 0.6
"""Least share of that by which their offsets have to change. Of 179 boards 98 % had 0.7 or more; of
24 wrong grids that stay one had 0.71, the others 0.43 at the most, as sheets without squares."""


@dataclass(frozen=True, eq=False)
class BoardPose:
    """Place of a board.

    Attributes:
        grid: place of its squares.
        lines: place of its lines.
        is_exact: True if its squares were measured at this place.
    """

    grid: Grid
    lines: Grid
    is_exact: bool

    @staticmethod
    def of(lines: Grid) -> "BoardPose":
        """Returns the place of a board whose lines have been found."""
        return BoardPose(lines, lines, is_exact=False)

    @staticmethod
    def found(squares: Grid, lines: Grid) -> "BoardPose":
        """Returns the place of a board whose squares and lines have been found.

        Lines that are farther than `TRUSTED` from its squares are those of shadows or pieces.
        Through a known lens the lines give the place to a few hundredths of a square.
        """
        if lines.lens is not None:
            return BoardPose(lines, lines, is_exact=True)
        near = squares_between(squares, lines) < TRUSTED
        return BoardPose(squares, lines if near else squares, is_exact=True)

    @cached_property
    def warp(self) -> Warp:
        """Warp to a view of its squares from above."""
        return Warp.of(self.grid, SCALE, MARGIN)

    def corrected(self, image: Image) -> "BoardPose":
        """Returns the place corrected by the squares, if that is within `TRUSTED` of the lines.

        Args:
            image: (height, width, 3) uint8.
        """
        if self.is_exact:
            return self
        grid = fit_squares(image, self.lines) if self.lines.lens is None else None
        near = grid is not None and squares_between(self.lines, grid) < TRUSTED
        return replace(self, grid=grid if grid and near else self.grid, is_exact=True)

    def at(self, lines: Grid) -> "BoardPose":
        """Moves the board with its lines; the correction by squares is carried over."""
        corners = lines.project(self.lines.unproject(self.grid.corners))
        return BoardPose(lines.with_corners(corners), lines, is_exact=False)

    def turned(self, quarters: int) -> "BoardPose":
        """Returns the place with its first corner that many corners further."""
        return replace(self, grid=self.grid.turned(quarters), lines=self.lines.turned(quarters))

    def turned_like(self, other: "BoardPose") -> "BoardPose":
        """Returns the place with its first corner nearest that of another."""
        away = np.linalg.norm(self.lines.corners - other.lines.corners[0], axis=1)
        return self.turned(int(away.argmin()))

    def away_px(self, before: "BoardPose") -> float:
        """Largest distance in pixels of its corners from those of `before`, by its lines."""
        away = self.lines.corners - before.lines.corners
        return float(np.linalg.norm(away, axis=1).max())


def fit_squares(image: Image, rough: Grid) -> Grid | None:
    """Corrects the corners and the bend of a grid by the squares that the network sees.

    Args:
        image: (height, width, 3) uint8.
        rough: place of the board, to about half a square.

    Returns:
        The place at which it stays; None if there is none, or squares are beside it in some part.
    """
    grid, step = rough, np.inf
    for _ in range(_LOOKS):
        before, shapes = grid, shapes_of(image, grid)
        seen = shapes.classes[:, :COLUMNS].argmax(axis=1) != UNDER
        if seen.sum() < _FEWEST:
            return None
        grid = _moved(before, seen, shapes.away)
        if not is_convex(grid.corners):
            return None
        last, step = step, squares_between(before, grid)
        if step < _FAR:
            return grid if _holds(image, before, shapes.away) else None
        if step > last:
            return None
    return None


def _holds(image: Image, grid: Grid, away: NDArray[np.float32]) -> bool:
    """True if squares are at their places, and are seen at all: without any, none is beside one.

    Squares under a hand tell as well: beside it a corner may be a row off.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
        away: (n * n, 2) offsets of its squares.
    """
    beside = grid.with_corners(grid.project(grid.size * OUTLINE + _BESIDE))
    followed = (away - shapes_of(image, beside).away).mean(axis=0) / _BESIDE
    return bool(np.abs(away).mean() < _EVEN and followed.min() > _FOLLOWED)


def _moved(grid: Grid, seen: NDArray[np.bool_], away: NDArray[np.float32]) -> Grid:
    """Moves a grid by the offsets, (n * n, 2), of the squares that are seen."""
    n = grid.size
    middles = np.stack(np.meshgrid(np.arange(n) + 0.5, np.arange(n) + 0.5), axis=2).reshape(-1, 2)
    shifts = np.clip(away[seen].astype(np.float64), -_FARTHEST, _FARTHEST)
    places = np.tile(middles[seen], (2, 1))
    step, _, _ = solved(grid, places, shifts.T.ravel(), np.ones(len(places)))
    return grid.with_corners(grid.corners + step[:8].reshape(4, 2), grid.bend + float(step[8]))


def squares_between(before: Grid, after: Grid) -> float:
    """Largest shift of a corner, across or down, in squares."""
    return float(np.abs(before.unproject(after.corners) - before.unproject(before.corners)).max())
