"""Hidden surfaces: a raster of depths and colours, its areas, and the lines in sight."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.drawings.view import Seen

_NEAR_MM: Final = 0.6
"""Depth in millimetres by which a line may lie behind what the raster has there."""

_LEAST_RUN: Final = 3
"""Samples of a line in sight below which it counts as hidden: the raster is that exact."""

_SMOOTH: Final = 1.2
"""Distance in samples by which the border of an area may leave that of the raster."""

_AROUND: Final = 2.61
"""Samples around what is drawn. No whole number: corners lie on no sample, where the last digit of
a sine would decide."""

Flat = tuple[float, float]
"""x and y in millimetres as seen."""


@dataclass(slots=True)
class Raster:
    """Depths and colours of what is seen, `fine` samples a millimetre."""

    left: float
    top: float
    fine: float
    depth: NDArray[np.float64]
    paint: NDArray[np.int32]
    _around: NDArray[np.float64] | None = None

    @staticmethod
    def of(low: Flat, high: Flat, fine: float) -> "Raster":
        """Returns an empty raster between two corners."""
        shape = (
            math.ceil((high[1] - low[1]) * fine) + 6,
            math.ceil((high[0] - low[0]) * fine) + 6,
        )
        left, top = low[0] - _AROUND / fine, low[1] - _AROUND / fine
        return Raster(left, top, fine, np.full(shape, np.inf), np.full(shape, -1, np.int32))

    def cover(self, triangle: Seen, paint: int) -> None:
        """Draws a triangle (3, 3) that faces the viewer in a colour of some number."""
        places = (triangle[:, :2] - np.array((self.left, self.top))) * self.fine
        (x0, y0), (x1, y1), (x2, y2) = places.tolist()
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if abs(area) < 1e-9:
            return
        first, last = max(math.ceil(min(x0, x1, x2)), 0), math.floor(max(x0, x1, x2))
        upper, lower = max(math.ceil(min(y0, y1, y2)), 0), math.floor(max(y0, y1, y2))
        x = np.arange(first, last + 1, dtype=np.float64)[None, :]
        y = np.arange(upper, lower + 1, dtype=np.float64)[:, None]
        one = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / area
        other = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / area
        zero, first_z, second_z = triangle[:, 2].tolist()
        deep = zero + one * (first_z - zero) + other * (second_z - zero)
        window = (slice(upper, lower + 1), slice(first, last + 1))
        inside = (one >= -1e-9) & (other >= -1e-9) & (one + other <= 1 + 1e-9)
        nearer = inside & (deep < self.depth[window] - 1e-9)
        self._around = None
        self.depth[window][nearer] = deep[nearer]
        self.paint[window][nearer] = paint

    def areas(self, paint: int) -> list[list[Flat]]:
        """Returns the borders of the areas of a colour, holes among them."""
        mask = (self.paint == paint).astype(np.uint8)
        found, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        loops = [cv2.approxPolyDP(loop, _SMOOTH, closed=True)[:, 0] for loop in found]
        return [[self._place(x, y) for x, y in loop.tolist()] for loop in loops if len(loop) > 2]

    def in_sight(self, start: Seen, end: Seen) -> Iterator[tuple[Flat, Flat]]:
        """Yields the parts of a line that nothing hides.

        Args:
            start: one end, (3,).
            end: the other end, (3,).
        """
        length = math.hypot(*(end - start)[:2].tolist())
        count = max(math.ceil(length * self.fine), 2)
        share = np.arange(count + 1) / count
        points = start + share[:, None] * (end - start)
        x = np.rint((points[:, 0] - self.left) * self.fine).astype(int)
        y = np.rint((points[:, 1] - self.top) * self.fine).astype(int)
        shown = points[:, 2] < self._farthest()[y, x] + _NEAR_MM
        for first, last in _runs(shown, min(_LEAST_RUN, count)):
            yield _flat(points[first]), _flat(points[last])

    def _farthest(self) -> NDArray[np.float64]:
        """Returns the greatest depth around each sample: a line lies beside what it borders."""
        if self._around is None:
            self._around = np.asarray(cv2.dilate(self.depth, np.ones((3, 3), np.uint8)))
        return self._around

    def _place(self, x: float, y: float) -> Flat:
        return x / self.fine + self.left, y / self.fine + self.top


def _runs(shown: NDArray[np.bool_], least: int) -> Iterator[tuple[int, int]]:
    """Yields first and last sample of each stretch in sight that is long enough."""
    steps = np.diff(np.concatenate(([0], shown.astype(np.int8), [0])))
    for first, after in zip(np.flatnonzero(steps > 0), np.flatnonzero(steps < 0), strict=True):
        if after - first > least:
            yield int(first), int(after) - 1


def _flat(point: Seen) -> Flat:
    x, y, _ = point.tolist()
    return x, y
