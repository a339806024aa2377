"""Refines a rough place of the field of squares by the grid lines of the board.

Raised ridges, edges of pieces and the grooves between a piece's squares all run along the lines
between squares. Markers give the axes and the approximate middle, so pitch and place are found by
matching equidistant lines on each axis separately; then the corners, and the bend of the lens, are
fitted to all line segments.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.markers import Marker, MarkerPlane, plane_of
from vision.geometry.grid import (
    OUTLINE,
    SIZES,
    Grid,
    Points,
    Warp,
    apply_homography,
    is_convex,
    solved,
)
from vision.geometry.lens import Lens

_PX_A_MARKER: Final = 40
"""Pixels per side of a marker in the view that is searched."""

_PITCHES: Final = (0.45, 1.05)
"""Pitch of the squares in sides of a marker: markers of 17 to 36 mm beside squares of 16 mm."""

SCALE: Final = 24
"""Pixels per square in the view in which lines are measured."""

_MARGIN: Final = 1
"""Squares around the field in that view."""

_REACHES: Final = (0.42, 0.3, 0.22, 0.18, 0.15)
"""Squares within which a line is searched, in each iteration."""

_FEWEST_SEGMENTS: Final = 0.2
"""Share of the line segments that has to be seen."""

_SLACK: Final = 0.06
"""Largest typical distance of segments from their line, in squares."""

_ON: Final = 0.12
"""Squares from a line within which an edge is on it."""

_BETWEEN: Final = 0.3
"""Squares from a line from which an edge is between lines."""


@dataclass(frozen=True, slots=True, eq=False)
class GridFit:
    """Grid and measures of its fit to the picture.

    Attributes:
        grid: place of the board.
        support: share of the line segments that are seen at their places, 0 to 1.
        slack: typical distance of those from their line, in squares.
        contrast: mean strength of edges on the lines over that in the middle of squares.
    """

    grid: Grid
    support: float
    slack: float
    contrast: float

    @property
    def is_sure(self) -> bool:
        """True if there is a board, and the grid is on it to about a tenth of a square."""
        return self.support > _FEWEST_SEGMENTS and self.slack < _SLACK and self.contrast > 1.15


def edges(view: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Strength of upright and of level edges, (height, width) each.

    The square root is taken so that a weak ridge counts almost as much as the edge of a piece.
    """
    channels, pair = cv2.split(cv2.GaussianBlur(view, (3, 3), 0)), []
    for dx, dy in ((1, 0), (0, 1)):
        # Purple on black hardly shows in grey, so the strongest of the three channels counts.
        each = (np.abs(cv2.Sobel(one, cv2.CV_16S, dx, dy, ksize=3)) for one in channels)
        pair.append(np.sqrt(np.asarray(reduce(cv2.max, each), np.float32)))
    return pair[0], pair[1]


def refine(image: Image, rough: Grid) -> GridFit:
    """Fits a grid to the lines that are seen.

    Args:
        image: (height, width, 3) uint8.
        rough: place of the board to within 0.4 square.
    """
    grid = rough
    fit = GridFit(rough, 0.0, 1.0, 0.0)
    for reach in _REACHES:
        places, shifts, weights, contrast = segments(image, grid, reach)
        step, support, slack = solved(grid, places, shifts, weights)
        corners = grid.corners + step[:8].reshape(4, 2)
        if not is_convex(corners):
            return fit
        grid = grid.with_corners(corners, float(np.clip(grid.bend + step[8], -0.3, 0.3)))
        fit = GridFit(grid, support, slack, contrast)
    return fit


def check(image: Image, grid: Grid) -> GridFit:
    """Measures the fit of a grid to a picture without changing the grid."""
    places, shifts, weights, contrast = segments(image, grid, _REACHES[-1])
    _, support, slack = solved(grid, places, shifts, weights)
    return GridFit(grid, support, slack, contrast)


def segments(
    image: Image, grid: Grid, reach: float
) -> tuple[Points, NDArray[np.float64], NDArray[np.float64], float]:
    """Measures each line segment of a grid: its middle, its shift and its weight; and the contrast.

    The first half are the segments of vertical lines, (n + 1) lines by n rows; the second of
    horizontal ones. Middles and shifts are in squares.
    """
    n = grid.size
    line, along = np.meshgrid(np.arange(n + 1.0), np.arange(n) + 0.5, indexing="ij")
    places, shifts, weights, contrasts = [], [], [], []
    for profiles, pair in zip(_profiled(image, grid), ((line, along), (along, line)), strict=True):
        shift, weight, contrast = _peaks(profiles, reach)
        places.append(np.stack([pair[0].ravel(), pair[1].ravel()], axis=1))
        shifts.append(shift.ravel())
        weights.append(weight.ravel())
        contrasts.append(contrast)
    return (
        np.concatenate(places),
        np.concatenate(shifts),
        np.concatenate(weights),
        float(np.mean(contrasts)),
    )


def on_and_between(
    profiles: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(...) mean strength of edges on a line, and in the middle between lines.

    Args:
        profiles: (..., pixels) strength across a square, the line in the middle.
    """
    pixels = profiles.shape[-1]
    away = np.abs((np.arange(pixels) + 0.5) / pixels - 0.5)
    return profiles[..., away < _ON].mean(axis=-1), profiles[..., away > _BETWEEN].mean(axis=-1)


def _profiled(image: Image, grid: Grid) -> Iterator[NDArray[np.float64]]:
    """Yields `_profiles` of the upright lines of a grid, then of the level ones."""
    view = cv2.GaussianBlur(Warp.of(grid, SCALE, _MARGIN)(image), (3, 3), 0)
    for turned in (view, view.transpose(1, 0, 2)):
        yield _profiles(np.ascontiguousarray(turned), grid.size)


def _profiles(view: Image, size: int) -> NDArray[np.float64]:
    """(n + 1, n, scale) edge strength across each segment, a square wide, the line in the middle.

    Slopes are averaged along the segment before their sign is dropped: edges along it add up,
    noise and edges across it cancel. The strongest of the three channels counts.
    """
    n, scale = size, SCALE
    margin = _MARGIN * scale
    start = margin - scale // 2
    part = np.ascontiguousarray(view[margin : margin + n * scale, start - 1 : 1 - start])
    slopes = np.asarray(cv2.Sobel(part, cv2.CV_16S, 1, 0, ksize=3))[:, 1:-1]
    rows = slopes.reshape(n, scale, -1)[:, scale // 6 : scale - scale // 6]
    mean = np.abs(rows.mean(axis=1, dtype=np.float32)).reshape(n, (n + 1) * scale, 3)
    strength = np.sqrt(mean.max(axis=2))
    across = strength.reshape(n, n + 1, scale)
    return np.asarray(across.transpose(1, 0, 2), np.float64)


def _peaks(
    profiles: NDArray[np.float64], reach: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Finds the centre of the edges around each line, in squares, its weight, and the contrast."""
    scale = profiles.shape[2]
    offsets = (np.arange(scale) + 0.5) / scale - 0.5
    width = max(1, round(0.14 * scale))
    bell = np.asarray(np.hanning(2 * width + 1), np.float64)
    kernel = bell / bell.sum()
    padded = np.pad(profiles, ((0, 0), (0, 0), (width, width)), mode="edge")
    smooth = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1, axis=2) @ kernel
    near = np.abs(offsets) <= reach
    floor = np.quantile(smooth, 0.25, axis=2)
    middle = offsets[near][np.argmax(smooth[:, :, near], axis=2)]
    # The centre of mass around the peak: a ridge's two flanks count as one line.
    close = np.abs(offsets - middle[:, :, None]) <= 0.2
    mass = np.clip(profiles - floor[:, :, None], 0, None) * close
    total = mass.sum(axis=2)
    shift = (mass * offsets).sum(axis=2) / np.maximum(total, 1e-6)
    height = smooth[:, :, near].max(axis=2)
    weight = np.clip((height - floor) / (floor + 1.0), 0, 1)
    weight[np.abs(middle) > reach - 1.5 / scale] = 0
    on, between = on_and_between(smooth)
    return shift, weight, float(on.mean() / (between.mean() + 1e-6))


# From markers


def from_markers(
    image: Image, markers: list[Marker], size: int | None, lens: Lens | None = None
) -> GridFit | None:
    """Finds the board between markers; None if they do not determine it.

    Args:
        image: (height, width, 3) uint8.
        markers: two or more, of which two are at opposite corners.
        size: squares along a side, if known.
        lens: lens of the camera, if it was measured.
    """
    plane = plane_of(markers)
    if plane is None:
        return None
    middle = _middle(plane)
    if middle is None:
        return None
    fits = [
        fit
        for wanted in (SIZES if size is None else (size,))
        if (fit := _best_fit(image, plane, middle, wanted, lens)) is not None
    ]
    return max(fits, key=lambda fit: fit.support * fit.contrast, default=None)


def _middle(plane: MarkerPlane) -> NDArray[np.float64] | None:
    """Middle of the board on the plane: the mean of the middles of opposite markers."""
    pairs = [
        (plane.centres[a] + plane.centres[b]) / 2
        for a, b in ((0, 2), (1, 3))
        if a in plane.centres and b in plane.centres
    ]
    return np.mean(pairs, axis=0) if pairs else None


def _best_fit(
    image: Image,
    plane: MarkerPlane,
    middle: NDArray[np.float64],
    size: int,
    lens: Lens | None,
) -> GridFit | None:
    """Fits size + 1 lines in each direction, with a middle near that of the markers."""
    reach = max(float(np.abs(c - middle).max()) for c in plane.centres.values())
    half = round((reach + 1) * _PX_A_MARKER)
    shift = np.array([[1, 0, half], [0, 1, half], [0, 0, 1.0]])
    zoom = np.diag([_PX_A_MARKER, _PX_A_MARKER, 1.0])
    home = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    # Pixels of the view to the plane, then to the picture.
    to_picture = plane.homography @ np.linalg.inv(shift @ zoom @ home)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(image, to_picture, (2 * half + 1, 2 * half + 1), flags=flags)
    best = _best_lines(np.asarray(view, np.uint8), half, size, reach * _PX_A_MARKER)
    if best is None:
        return None
    pitch, x, y = best
    corners = apply_homography(to_picture, np.array([x, y]) + pitch * size * OUTLINE)
    return refine(image, Grid.of(corners, size, image.shape, lens=lens))


def _best_lines(
    view: Image, half: int, size: int, reach: float
) -> tuple[float, float, float] | None:
    """Finds pitch, left line and top line of the best equidistant lines, in pixels of the view."""
    low, high = (bound * _PX_A_MARKER for bound in _PITCHES)
    high = min(high, 2.0 * reach / size)
    if high <= low:
        return None
    vertical, horizontal = edges(view)
    inner = round(min(half, 0.35 * high * size))
    band = slice(half - inner, half + inner + 1)
    profiles = [
        _flattened(np.minimum(strength, np.quantile(strength, 0.9)).mean(axis=0))
        for strength in (vertical[band], horizontal[:, band].T)
    ]
    best, found = -np.inf, None
    for pitch in np.arange(low, high, 0.12):
        scores = [_line_score(profile, half, pitch, size) for profile in profiles]
        score = scores[0][0] + scores[1][0]
        if score > best:
            best, found = score, (float(pitch), scores[0][1], scores[1][1])
    return found


def _flattened(profile: NDArray[np.float32]) -> NDArray[np.float64]:
    """Removes slow changes from a profile and blurs it by about the width of a line."""
    line = profile.astype(np.float64).reshape(1, -1)
    soft = cv2.GaussianBlur(line, (0, 0), 1.5, borderType=cv2.BORDER_REPLICATE)
    slow = cv2.GaussianBlur(line, (0, 0), 10, borderType=cv2.BORDER_REPLICATE)
    flat = np.asarray(soft - slow).reshape(-1)
    return np.asarray(np.clip(flat / (flat.std() + 1e-9), -2, 2))


def _line_score(
    profile: NDArray[np.float64], middle: float, pitch: float, size: int
) -> tuple[float, float]:
    """Returns how much more edge is on the best lines than between them, and the first line."""
    shifts = np.arange(-0.5, 0.5, 0.05) * pitch
    start = middle - size * pitch / 2
    places = start + shifts[:, None] + np.arange(size + 1) * pitch
    grid = np.arange(len(profile))
    on = np.interp(places, grid, profile).mean(axis=1)
    off = np.interp(places[:, :-1] + pitch / 2, grid, profile).mean(axis=1)
    score = on - off - 0.8 * (shifts / pitch) ** 2
    best = int(np.argmax(score))
    return float(score[best]), float(start + shifts[best])
