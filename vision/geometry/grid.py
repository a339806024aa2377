"""Places of squares in a picture: a homography, and the slight distortion of a lens. Pure.

The distortion ("bend") is that of the lens if it was measured, else one estimated number.

Places on the board are measured in squares, x to the right and y down from the top left outer
corner of the field, so that square (row, column) has its middle at (column + 0.5, row + 0.5).
The centre of the first pixel is (0, 0).
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera import Image
from vision.errors import GeometryError
from vision.geometry.lens import Lens

Points = NDArray[np.float64]
"""(k, 2) float64, one place per row: x, y."""

WITHIN: Final = 255
"""Value of a mask at the parts of a view within the picture."""

SIZES: Final = (14, 20)
"""Squares along a side of the existing boards."""

_BAND: Final = 64
"""Rows of a view that are mapped at once: all of them took 30 MB for one of Classic."""

_BEND_STEPS: Final = 8
"""Iterations that invert the bend."""

_SMALLEST_SQUARE_PX: Final = 4.0
"""Shortest mean side of a square along any side of the board, in pixels."""

_LONGEST_SIDE: Final = 6.0
"""Longest side of a board, in half diagonals of the picture: of a longer one no square is seen."""

OUTLINE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""Corners of a single square in their order, in squares; times n those of a field of n."""


def corners_of(values: ArrayLike) -> Points:
    """Converts four corners to (4, 2) float64 and checks them.

    Raises:
        GeometryError: they are not four finite corners of a convex shape in order, clockwise in
            the picture or, in a mirrored picture, anticlockwise.
    """
    corners = np.asarray(values, np.float64)
    if corners.size != 8 or not np.isfinite(corners).all():
        raise GeometryError("a board has four corners: eight numbers x,y,x,y,x,y,x,y")
    corners = corners.reshape(4, 2)
    if not is_convex(corners):
        raise GeometryError(
            "the four corners do not go around a board; give them in order: "
            "top left, top right, bottom right, bottom left"
        )
    return corners


def is_convex(corners: Points) -> bool:
    """True if (4, 2) corners in their order form a convex shape, clockwise or anticlockwise."""
    return bool(cv2.isContourConvex(np.asarray(corners, np.float32).reshape(-1, 1, 2)))


def homography_between(start: Points, end: Points) -> NDArray[np.float64]:
    """(3, 3) homography from (4, 2) places to (4, 2) others."""
    pair = np.asarray(start, np.float32), np.asarray(end, np.float32)
    return np.asarray(cv2.getPerspectiveTransform(*pair), np.float64)


def from_top_left(corners: Points) -> Points:
    """Rotates the order of corners to begin with the one nearest to the picture's top left."""
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)


def sides_of(corners: Points) -> NDArray[np.float64]:
    """(4,) lengths of the sides between (4, 2) corners."""
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1))


def rescaled(places: Points, zoom: float | NDArray[np.float64]) -> Points:
    """Converts places to a picture whose sides are `zoom` times as long.

    Args:
        places: (k, 2) in pixels.
        zoom: one number, or one for each axis.
    """
    return np.asarray((places + 0.5) * zoom - 0.5)


def outside_px(corners: Points, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Returns (4,) the pixels by which a corner is beyond each side of a picture, else negative.

    Args:
        corners: (4, 2) in pixels.
        shape: shape of the picture (height, width, ...); the order is left, above, right, below.
    """
    return np.asarray(np.concatenate([-corners, corners - shape[1::-1]], axis=1).max(axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Place of the field of squares in a picture.

    Attributes:
        size: squares along a side.
        corners: (4, 2) its outer corners in pixels: top left, top right, bottom right,
            bottom left of the board's frame.
        middle: (2,) optical middle of the picture in pixels.
        radius: half the picture's diagonal in pixels.
        bend: radial distortion at `radius`, as a share of the distance from the middle; negative
            for the barrel distortion of a wide lens. 0 if a lens is known.
        lens: lens of the camera, for pictures of this size; None if it was not measured.
    """

    size: int
    corners: Points
    middle: NDArray[np.float64]
    radius: float
    bend: float = 0.0
    lens: Lens | None = None

    @staticmethod
    def of(
        corners: ArrayLike,
        size: int,
        image_shape: tuple[int, ...],
        bend: float = 0.0,
        lens: Lens | None = None,
    ) -> "Grid":
        """Makes a grid from its corners in a picture of a given shape (height, width, ...).

        Raises:
            GeometryError: the corners form no convex shape or lie far outside, the squares are too
                small, or the lens was measured on pictures of another shape.
        """
        places = corners_of(corners)
        height, width = image_shape[:2]
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        radius = float(np.hypot(width, height) / 2)
        if sides_of(places).min() < size * _SMALLEST_SQUARE_PX:
            raise GeometryError("the board is too small in the picture; move the camera closer")
        if sides_of(places).max() > _LONGEST_SIDE * radius:
            raise GeometryError("the corners lie far outside the picture; give them in its pixels")
        if lens is not None:
            return Grid(size, places, middle, radius, lens=lens.for_size(width, height))
        return Grid(size, places, middle, radius, bend)

    @property
    def homography(self) -> NDArray[np.float64]:
        """(3, 3) homography from squares to pixels, before the distortion of the lens."""
        return homography_between(self.size * OUTLINE, self._straightened(self.corners))

    @property
    def square_px(self) -> float:
        """Mean length of a square's side in pixels."""
        return float(sides_of(self.corners).mean() / self.size)

    def with_corners(self, corners: Points, bend: float | None = None) -> "Grid":
        """Returns the grid of the same board at another place in the picture."""
        used = self.bend if bend is None or self.lens is not None else bend
        return Grid(self.size, corners, self.middle, self.radius, used, self.lens)

    def turned(self, quarters: int) -> "Grid":
        """Returns the grid with its first corner that many corners further."""
        return self.with_corners(np.roll(self.corners, -quarters, axis=0))

    def shrunk(self, zoom: float, image_shape: tuple[int, ...]) -> "Grid":
        """Returns the grid of the same board in the same picture shrunk.

        Args:
            zoom: length of the shrunk picture's sides, as a share.
            image_shape: shape of the shrunk picture: height, width, ...

        Raises:
            GeometryError: its squares are too small.
        """
        return Grid.of(rescaled(self.corners, zoom), self.size, image_shape, self.bend, self.lens)

    @property
    def crossings(self) -> NDArray[np.float64]:
        """(n + 1, n + 1, 2) pixels at which the lines around the squares cross."""
        lines = np.arange(self.size + 1.0)
        places = np.stack(np.meshgrid(lines, lines), axis=2)
        return self.project(places.reshape(-1, 2)).reshape(places.shape)

    def project(self, squares: ArrayLike) -> Points:
        """Converts places on the board, (k, 2) in squares, to pixels, (k, 2)."""
        straight = apply_homography(self.homography, squares)
        if self.lens is not None:
            return self.lens.bend(straight)
        straight -= self.middle
        reach = _squared(straight) / self.radius**2
        return np.asarray(self.middle + straight * (1 + self.bend * reach))

    def unproject(self, pixels: ArrayLike) -> Points:
        """Converts pixels, (k, 2), to places on the board, (k, 2) in squares."""
        straight = self._straightened(np.asarray(pixels, np.float64).reshape(-1, 2))
        return apply_homography(np.linalg.inv(self.homography), straight)

    def _straightened(self, pixels: Points) -> Points:
        if self.lens is not None:
            return self.lens.straighten(pixels)
        bent = pixels - self.middle
        straight = bent
        for _ in range(_BEND_STEPS):
            reach = _squared(straight) / self.radius**2
            straight = bent / (1 + self.bend * reach)
        return self.middle + straight


def _squared(points: Points) -> Points:
    """(k, 1) squared lengths; `sum` along an axis of length two is many times slower."""
    return np.asarray(points[:, :1] ** 2 + points[:, 1:] ** 2)


def apply_homography(homography: ArrayLike, points: ArrayLike) -> Points:
    """Maps (k, 2) places by a (3, 3) homography."""
    places = np.asarray(points, np.float64).reshape(-1, 1, 2)
    mapped = cv2.perspectiveTransform(places, np.asarray(homography, np.float64))
    return np.asarray(mapped, np.float64).reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Warp:
    """Mapping to a view of a board from above, computed once and used for many pictures.

    Attributes:
        grid: place of the board.
        scale: pixels per square in the view.
        margin: squares around the field on each side of the view.
        maps: the two maps of `cv2.remap` in its fast form.
        inside: uint8, shape of the view, `WITHIN` inside the picture, 0 outside.
        crossings: (n + 1, n + 1, 2) from `Grid.crossings`.
    """

    grid: Grid
    scale: int
    margin: int
    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    inside: NDArray[np.uint8]
    crossings: NDArray[np.float64]

    @staticmethod
    def of(grid: Grid, scale: int, margin: int) -> "Warp":
        """Computes the view at `scale` pixels per square, with `margin` squares around it."""
        side = (grid.size + 2 * margin) * scale
        steps = (np.arange(side) + 0.5) / scale - margin
        x, y = np.empty((2, side, side), np.float32)
        for first in range(0, side, _BAND):
            across, down = np.meshgrid(steps, steps[first : first + _BAND])
            squares = np.stack([across.ravel(), down.ravel()], axis=1)
            pixels = grid.project(squares).T.reshape(2, *across.shape)
            x[first : first + _BAND], y[first : first + _BAND] = pixels
        maps = cv2.convertMaps(x, y, cv2.CV_16SC2)
        last = grid.middle * 2
        within = (x >= 0) & (y >= 0) & (x <= last[0]) & (y <= last[1])
        inside = np.where(within, WITHIN, 0).astype(np.uint8)
        fixed = (np.asarray(maps[0], np.int16), np.asarray(maps[1], np.uint16))
        return Warp(grid, scale, margin, fixed, inside, grid.crossings)

    def __call__(self, image: Image) -> Image:
        """Returns the view, ((n + 2 margin) scale,) * 2 + (3,) uint8; black outside the picture."""
        view = cv2.remap(image, self.maps[0], self.maps[1], cv2.INTER_LINEAR)
        return np.asarray(view, np.uint8)


_STRAIGHT: Final = 0.01
"""Weight of the prior that lenses have little distortion, per place."""


def solved(
    grid: Grid, places: Points, shifts: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float, float]:
    """Solves for the step of eight corner coordinates and the bend that fits the measured shifts.

    Args:
        grid: assumed place of the board.
        places: (2 m, 2) places on it, in squares.
        shifts: (2 m,) measured shift of each, in squares: to the right for the first half of the
            places, down for the second.
        weights: (2 m,) reliability of each, 0 to 1.

    Returns:
        The step, the share of segments that support it, and their typical distance in squares.
    """
    across = np.repeat([0, 1], len(places) // 2)
    index = np.arange(len(places))
    pixels = grid.project(places)
    slope = np.empty((len(places), 9))
    for k in range(9):
        step = np.zeros(8)
        bend = grid.bend
        if k < 8:
            step[k] = size = grid.square_px * 0.05
        else:
            size = 0.01
            bend += size
        moved = grid.with_corners(grid.corners + step.reshape(4, 2), bend)
        slope[:, k] = (moved.unproject(pixels) - places)[index, across] / size
    # A prior on the bend: a picture with few visible lines does not determine it.
    prior = np.zeros(9)
    prior[8] = _STRAIGHT * len(places)
    solution: NDArray[np.float64] = np.zeros(9)
    spread = 0.25
    residual = shifts
    for _ in range(8):
        robust = weights / (1 + (residual / spread) ** 2) ** 2
        normal = (slope * robust[:, None]).T @ slope + np.diag(prior) + 1e-9 * np.eye(9)
        right = -(slope * robust[:, None]).T @ shifts
        right[8] -= prior[8] * grid.bend
        solution = np.asarray(np.linalg.solve(normal, right), np.float64)
        residual = shifts + slope @ solution
        spread = max(0.04, 0.7 * spread)
    good = (np.abs(residual) < 0.12) & (weights > 0.1)
    support = float(good.mean())
    slack = float(np.median(np.abs(residual[good]))) if good.any() else 1.0
    return solution, support, slack
