"""Finds views in which the sides of a board may be upright and level, by straight edges alone.

Lines on a table meet in two points at infinity, one for each side of the board. A tilted plane
is rectified by a rotation of the camera (Hartley and Zisserman, Multiple View Geometry, 2nd ed.,
section 8.6): the right rotation makes the most segments run along two directions at right angles.
Stripes of a cloth or planks may do so as well, so the best few views are returned; squares decide
which has a board.

In a cropped picture the optical centre is unknown, and no rotation is exact. So each view is
straightened by the segments along its axes, for each axis separately.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import OUTLINE, WITHIN, Points, apply_homography

FOCAL: Final = 0.9
"""Focal length in long sides of the picture: phones have 0.7 to 0.8, cropped pictures more."""

_BINS: Final = 360
"""Bins of directions over a quarter turn."""

_SHORTEST_PX: Final = 8.0
"""Length in pixels below which a segment is left out."""

_LONGEST_PX: Final = 60.0
"""Length in pixels from which the weight of a segment is constant."""

_MOST: Final = 2500
"""Most segments that are used, the longest first."""

_STEEPEST: Final = 48.0
"""Largest tilt in degrees."""

_TILTS: Final = ((0.0, 1), (10.0, 8), (20.0, 12), (30.0, 12), (40.0, 12))
"""Tilts in degrees that are tried first, and the number of directions of each."""

_STEPS: Final = (6.0, 3.0, 1.5)
"""Steps in degrees by which a tilt is refined."""

_PEAKS: Final = 3
"""Directions of the sides that are tried for each tilt."""

_APART: Final = 7.0
"""Least angle in degrees between the sides of two views before refinement."""

_SAME: Final = 3.0
"""Angle in degrees up to which two refined views are the same."""

_SOFT: Final = np.hanning(13) / np.hanning(13).sum()
"""Smoothing of the bins of directions."""

_STRAYS: Final = (0.06, 0.03, 0.015, 0.015)
"""Slopes relative to a side of the board up to which a segment counts, in each round."""

_FEWEST: Final = 8
"""Fewest segments by which a view is straightened."""

_MOST_SLANT: Final = 0.3
"""Largest change of scale by straightening, over the whole view."""

_BESIDE: Final = 0.04
"""Margin around the picture in a view, in its sides: a board may fill the picture, and the lines
around a field are compared with those of half a square beyond."""

_FITS: Final = 5
"""Iterations of a fit."""

_STIFF: Final = 0.001
"""Weight of the prior that a view needs no straightening."""

_BUSY: Final = (0.02, 0.98)
"""Quantiles of the places of segments along the axes between which the busy part is."""

_AROUND: Final = 0.3
"""Margin around the busy part in the enlarged view, in its longer side."""

_LARGER: Final = 1.6
"""Largest enlargement of a view."""


@dataclass(frozen=True, slots=True, eq=False)
class RectifiedView:
    """View of a picture.

    Attributes:
        homography: (3, 3) from pixels of the picture to pixels of the view.
        size: (width, height) of the view.
        tilt: tilt of the table in degrees.
        busy: (2, 2) first and last corner of the part with most segments along the axes.
    """

    homography: NDArray[np.float64]
    size: tuple[int, int]
    tilt: float
    busy: Points

    def seen_in(self, image: Image) -> tuple[Image, NDArray[np.uint8]]:
        """Warps a picture to the view.

        Args:
            image: (height, width, 3) uint8.

        Returns:
            The view, (height, width, 3) uint8, filled with the edge of the picture outside it;
            and a mask, (height, width) uint8, `WITHIN` inside the picture and 0 outside.
        """
        everywhere = np.full(image.shape[:2], WITHIN, np.uint8)
        within = cv2.warpPerspective(everywhere, self.homography, self.size)
        seen = cv2.warpPerspective(
            image, self.homography, self.size, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, np.uint8), np.asarray(within, np.uint8)

    def stretched(self, factor: float) -> "RectifiedView":
        """Returns the view with its width multiplied by `factor`."""
        wider = np.diag([factor, 1.0, 1.0]) @ self.homography
        busy = self.busy * [factor, 1.0]
        return RectifiedView(wider, (round(self.size[0] * factor), self.size[1]), self.tilt, busy)

    def nearer(self, longest_px: int) -> "RectifiedView":
        """Returns an enlarged view of the busy part, with sides of at most `longest_px`."""
        first, last = self.busy
        around = _AROUND * float((last - first).max())
        first = np.maximum(first - around, 0)
        last = np.minimum(last + around, self.size)
        extent = np.maximum(last - first, 1)
        zoom = min(_LARGER, longest_px / float(extent.max()))
        enlarge = np.array([[zoom, 0, -zoom * first[0]], [0, zoom, -zoom * first[1]], [0, 0, 1.0]])
        size = (int(zoom * extent[0]) + 1, int(zoom * extent[1]) + 1)
        busy = (self.busy - first) * zoom
        return RectifiedView(enlarge @ self.homography, size, self.tilt, busy)


@dataclass(frozen=True, slots=True)
class _Lean:
    """Tilt of a table in degrees across and down, and direction of the board's side in degrees."""

    score: float
    across: float
    down: float
    side: float


_Spectrum = Callable[[float, float], NDArray[np.float64]]


def uprights(image: Image, longest_px: int, most: int) -> list[RectifiedView]:
    """Finds the likeliest views, best first.

    Args:
        image: (height, width, 3) uint8.
        longest_px: largest length of a view's longer side in pixels.
        most: largest number of views.
    """
    segments = _segments(image)
    if not len(segments):
        return []
    leans = _leans(segments, image.shape, most)
    return [_view(lean, segments, image.shape, longest_px) for lean in leans]


def _segments(image: Image) -> NDArray[np.float64]:
    """(k, 4) straight edges x, y, x, y, of lightness and of saturation."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    colourful = np.ascontiguousarray(cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[:, :, 1])
    found = []
    for channel in (grey, colourful):
        lines = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(channel)[0]
        if lines is not None:
            found.append(np.asarray(lines, np.float64).reshape(-1, 4))
    segments = np.concatenate([np.empty((0, 4)), *found])
    long = _lengths(segments)
    order = np.argsort(-long)[:_MOST]
    return np.asarray(segments[order[long[order] > _SHORTEST_PX]])


def _lengths(segments: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(segments[:, 2:] - segments[:, :2]).T))


def _leans(segments: NDArray[np.float64], shape: tuple[int, ...], most: int) -> list[_Lean]:
    weights = np.minimum(_lengths(segments), _LONGEST_PX)

    def spectrum(across: float, down: float) -> NDArray[np.float64]:
        return _spectrum(_turned(across, down, shape), segments, weights)

    rough = sorted(_rough(spectrum), key=lambda lean: -lean.score)
    chosen: list[_Lean] = []
    for lean in rough:
        if all(_between(lean.side, other.side) > _APART for other in chosen):
            chosen.append(lean)
        if len(chosen) == most:
            break
    leans: list[_Lean] = []
    for lean in sorted((_climb(lean, spectrum) for lean in chosen), key=lambda lean: -lean.score):
        if all(_between(lean.side, other.side) > _SAME for other in leans):
            leans.append(lean)
    return leans


def _rough(spectrum: _Spectrum) -> Iterator[_Lean]:
    for tilt, directions in _TILTS:
        for k in range(directions):
            angle = 2 * np.pi * k / directions
            across, down = tilt * np.cos(angle), tilt * np.sin(angle)
            remaining = spectrum(across, down)
            for _ in range(_PEAKS):
                peak = int(remaining.argmax())
                yield _Lean(float(remaining[peak]), across, down, peak * 90 / _BINS)
                remaining[np.arange(peak - 16, peak + 17) % _BINS] = 0


def _climb(lean: _Lean, spectrum: _Spectrum) -> _Lean:
    best = lean
    for step in _STEPS:
        improved = True
        while improved:
            improved = False
            for across, down in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)):
                tried = _near(best, best.across + across, best.down + down, spectrum)
                if tried is not None and tried.score > 1.002 * best.score:
                    best, improved = tried, True
    return best


def _near(lean: _Lean, across: float, down: float, spectrum: _Spectrum) -> _Lean | None:
    """Finds the same side of a board under another tilt; None if that is too steep."""
    if np.hypot(across, down) > _STEEPEST:
        return None
    scores = spectrum(across, down)
    middle = round(lean.side * _BINS / 90)
    around = np.arange(middle - 24, middle + 25) % _BINS
    peak = int(around[scores[around].argmax()])
    return _Lean(float(scores[peak]), across, down, peak * 90 / _BINS)


def _between(one: float, other: float) -> float:
    """Angle in degrees between two directions, modulo a quarter turn."""
    return abs((one - other + 45) % 90 - 45)


def _turned(across: float, down: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Homography of a rotation of the camera, in degrees about the picture's axes."""
    height, width = shape[:2]
    focal = FOCAL * max(height, width)
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    turn = cv2.Rodrigues(np.radians(np.array([across, down, 0.0])))[0]
    return np.asarray(lens @ turn @ np.linalg.inv(lens), np.float64)


def _spectrum(
    homography: NDArray[np.float64], segments: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(bins,) geometric mean of the weights of segments along and across each direction."""
    begin = apply_homography(homography, segments[:, :2])
    along = apply_homography(homography, segments[:, 2:]) - begin
    bins = (np.arctan2(along[:, 1], along[:, 0]) % np.pi * (2 * _BINS / np.pi)).astype(np.intp)
    plain = np.bincount(bins % (2 * _BINS), weights, 2 * _BINS)
    half = len(_SOFT) // 2
    soft = np.convolve(np.concatenate([plain[-half:], plain, plain[:half]]), _SOFT, "valid")
    return np.asarray(np.sqrt(soft[:_BINS] * soft[_BINS:]))


def _view(
    lean: _Lean, segments: NDArray[np.float64], shape: tuple[int, ...], longest_px: int
) -> RectifiedView:
    height, width = shape[:2]
    angle = np.radians(lean.side)
    turn = np.array(
        [[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]]
    )
    upright = turn @ _turned(lean.across, lean.down, shape)
    picture = OUTLINE * [width, height]
    upright = _straightened(upright, segments, picture)
    outline = apply_homography(upright, picture)
    beside = _BESIDE * np.ptp(outline, axis=0)
    first = outline.min(axis=0) - beside
    extent = outline.max(axis=0) + beside - first
    zoom = min(1.0, longest_px / extent.max())
    fit = np.array([[zoom, 0, -zoom * first[0]], [0, zoom, -zoom * first[1]], [0, 0, 1.0]])
    size = (int(zoom * extent[0]) + 1, int(zoom * extent[1]) + 1)
    tilt = float(np.hypot(lean.across, lean.down))
    return RectifiedView(fit @ upright, size, tilt, _busy(fit @ upright, segments, size))


def _straightened(
    upright: NDArray[np.float64], segments: NDArray[np.float64], picture: Points
) -> NDArray[np.float64]:
    """Makes segments that run nearly along the axes of a view parallel to them.

    The slope of lines that meet in a far point is proportional to their place across it.
    """
    outline = apply_homography(upright, picture)
    middle, unit = outline.mean(axis=0), float(np.ptp(outline, axis=0).max())
    small = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, unit]]) / unit
    straight = small @ upright
    for stray in _STRAYS:
        (far, slant), (high, lean) = (_sloping(straight, segments, axis, stray) for axis in (0, 1))
        right = np.array([[1, -slant, 0], [-lean, 1, 0], [high, far, 1.0]])
        seen = apply_homography(straight, picture)
        if (seen @ right[2, :2]).min() < -_MOST_SLANT:
            break
        straight = right @ straight
    return np.asarray(np.linalg.inv(small) @ straight)


def _sloping(
    upright: NDArray[np.float64], segments: NDArray[np.float64], axis: int, stray: float
) -> tuple[float, float]:
    """Fits the slope of segments along one axis as a line over their place: gradient, offset."""
    begin = apply_homography(upright, segments[:, :2])
    along = apply_homography(upright, segments[:, 2:]) - begin
    place, length = (begin + along / 2)[:, axis], np.hypot(*along.T)
    near = np.abs(along[:, axis]) < 3 * stray * np.abs(along[:, 1 - axis])
    if near.sum() < _FEWEST:
        return 0.0, 0.0
    slope = along[near, axis] / along[near, 1 - axis]
    sides = np.column_stack([place[near], np.ones(len(slope))])
    line = np.zeros(2)
    for _ in range(_FITS):
        weight = length[near] / (1 + ((slope - sides @ line) / stray) ** 2) ** 2
        normal = (sides.T * weight) @ sides + _STIFF * weight.sum() * np.eye(2)
        line = np.linalg.solve(normal, (sides.T * weight) @ slope)
    return float(line[0]), float(line[1])


def _busy(
    view: NDArray[np.float64], segments: NDArray[np.float64], size: tuple[int, int]
) -> Points:
    """(2, 2) first and last corner of the part of a view with most segments along its axes."""
    begin = apply_homography(view, segments[:, :2])
    end = apply_homography(view, segments[:, 2:])
    along = np.abs(end - begin)
    places = np.concatenate([begin, end])[
        np.tile(along.min(axis=1) < _STRAYS[0] * along.max(axis=1), 2)
    ]
    if not len(places):
        return np.array([[0.0, 0.0], size])
    return np.asarray(np.clip(np.quantile(places, _BUSY, axis=0), 0, size), np.float64)
