"""Measures the lens of a camera on the lines between the squares of a board.

The crossings of a board's lines are on a flat square grid. Their pixels give the distortion of the
lens; several pictures at different slants also give its focal length (Zhang, "A flexible new
technique for camera calibration", PAMI 2000, in OpenCV's `calibrateCamera`). A single view from
above fits any focal length, so only the distortion ("bend") is measured from it, with an assumed
focal length; the straightness of lines does not depend on it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.grid_fit import segments
from vision.errors import GeometryError
from vision.geometry.calibration import Calibration
from vision.geometry.grid import Grid, Points, apply_homography
from vision.geometry.lens import Lens

USUAL_FOCAL: Final = 0.85
"""Focal length in widths of the picture: cameras for the Pi have 0.6 (wide) to 1.1."""

_REACH: Final = 0.15
"""Squares within which a line segment is searched."""

_PLAIN: Final = 0.1
"""Least weight of a line segment."""

_CLOSE: Final = 0.12
"""Largest shift of a line segment, in squares."""

_FEWEST: Final = 0.6
"""Share of a board's crossings that must be seen: with fewer, false distortions were measured."""

_MOST_STRAY: Final = 0.045
"""Largest root mean square distance, in squares, of crossings from their projection."""

_STRAY: Final = 3.0
"""Standard deviations from which a crossing is an outlier."""

_SURE_FOCAL: Final = 0.04
"""Relative standard deviation up to which a focal length counts as measured."""

_SURE_BEND: Final = 0.35
"""Relative standard deviation up to which k2 counts as measured."""

_APART_DEG: Final = 15.0
"""Least angle in degrees between two of the views."""

_ROUNDS: Final = 3
"""Rounds of a fit without outliers."""

_BENDS: Final = (-0.5, 0.5)
"""Range in which k1 is searched."""

_HALVINGS: Final = 24
"""Steps of the golden section search."""

_GOLDEN: Final = 0.382
"""Share of an interval at which it is divided."""

_STILL: Final = (
    cv2.CALIB_USE_INTRINSIC_GUESS
    | cv2.CALIB_FIX_PRINCIPAL_POINT
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K3
)
"""Flags of OpenCV: only the focal length, k1 and k2 are fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class GridCrossings:
    """Crossings of lines that were seen in a picture.

    Attributes:
        squares: (k, 2) places on the board, in squares.
        pixels: (k, 2) places in the picture, in pixels.
    """

    squares: Points
    pixels: Points


def crossings(image: Image, grid: Grid, bare: NDArray[np.bool_] | None = None) -> GridCrossings:
    """Measures the crossings of the lines of a board, each near its place on the grid.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board, to a tenth of a square.
        bare: (n * n,) squares without a piece, all by default. Only lines between bare squares
            count, because pieces are higher than the lines, so that their edges are displaced.
    """
    n = grid.size
    _, shifts, weights, _ = segments(image, grid, _REACH)
    seen = (weights > _PLAIN) & (np.abs(shifts) < _CLOSE)
    if bare is not None:
        seen &= _between(bare.reshape(n, n))
    across, down = np.split(np.where(seen, shifts, np.nan).reshape(2 * (n + 1), n), 2)
    moves = np.stack([_beside(across), _beside(down).T], axis=2)
    lines = np.arange(n + 1.0)
    squares = np.stack(np.meshgrid(lines, lines, indexing="ij"), axis=2)
    known = np.isfinite(moves).all(axis=2)
    if not known.any():
        return GridCrossings(np.zeros((0, 2)), np.zeros((0, 2)))
    return GridCrossings(squares[known], grid.project(squares[known] + moves[known]))


def _between(bare: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of segments without a piece on either side, in the order of `segments`."""
    around = np.pad(bare, 1, constant_values=True)
    across = (around[1:-1, :-1] & around[1:-1, 1:]).T
    down = around[:-1, 1:-1] & around[1:, 1:-1]
    return np.concatenate([across.ravel(), down.ravel()])


def _beside(shifts: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n + 1, n + 1) mean shift of the two segments of a line that meet at each crossing."""
    edge = np.full((len(shifts), 1), np.nan)
    both = np.stack([np.hstack([edge, shifts]), np.hstack([shifts, edge])])
    count = np.isfinite(both).sum(axis=0)
    total = np.nansum(both, axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def measure(pictures: Iterable[tuple[Image, Grid, NDArray[np.bool_]]]) -> Calibration:
    """Measures the lens on pictures of a board.

    Best are five or more of an empty board, at different slants and in all parts of the picture;
    one gives the distortion alone.

    Args:
        pictures: pictures, each with the place of the board in it, and (n * n,) its bare squares;
            all of one camera and resolution. They are read one at a time.

    Raises:
        GeometryError: too few of the board's lines are seen, or not clearly enough, or the
            pictures differ in size.
    """
    sizes = set()
    plain = []
    for image, grid, bare in pictures:
        sizes.add((image.shape[1], image.shape[0]))
        found = crossings(image, grid, bare)
        if len(found.squares) >= _FEWEST * (grid.size + 1) ** 2:
            plain.append((found, grid))
    if len(sizes) != 1:
        raise GeometryError("a lens is measured on pictures of one resolution; give only those")
    ((width, height),) = sizes
    if not plain:
        raise GeometryError(
            "too few lines between empty squares are seen to measure the lens; "
            "clear the board, and mind focus and light"
        )
    calibration = fitted([one for one, _ in plain], (width, height))
    stray = calibration.residual_px / min(grid.square_px for _, grid in plain)
    if stray > _MOST_STRAY:
        raise GeometryError(
            f"the lines of the board are seen {stray:.2f} squares from where any lens has them; "
            "clear the board, and mind focus and light"
        )
    return calibration


def fitted(found: Sequence[GridCrossings], size: tuple[int, int]) -> Calibration:
    """Fits a lens to crossings.

    Args:
        found: crossings of each picture, most of those on the board.
        size: width and height of the pictures in pixels.
    """
    attempts = (0, cv2.CALIB_FIX_K2) if len(found) > 1 else ()
    whole = (_robust(found, partial(_whole_lens, size=size, flags=flags)) for flags in attempts)
    sure = next((fit for fit in whole if fit.is_sure), None)
    fit = sure or _robust(found, partial(_bend_alone, size=size))
    return Calibration(
        fit.lens,
        focal_known=sure is not None,
        residual_px=fit.residual_px,
        pictures=len(found),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Fitted lens, with the distances in pixels of all crossings from their projection."""

    lens: Lens
    away: list[NDArray[np.float64]]
    residual_px: float
    is_sure: bool = True


_Method = Callable[[Sequence[GridCrossings], Sequence[NDArray[np.bool_]]], _Fit]


def _robust(found: Sequence[GridCrossings], method: _Method) -> _Fit:
    """Fits repeatedly, without the outliers."""
    fit = method(found, [np.ones(len(one.squares), bool) for one in found])
    for _ in range(_ROUNDS):
        typical = 1.4826 * float(np.median(np.concatenate(fit.away)))
        fit = method(found, [distance <= max(_STRAY * typical, 0.05) for distance in fit.away])
    return fit


def _bend_alone(
    found: Sequence[GridCrossings], used: Sequence[NDArray[np.bool_]], size: tuple[int, int]
) -> _Fit:
    """Finds the k1 that makes lines straightest, with a free homography for each picture."""

    def away(k1: float) -> list[NDArray[np.float64]]:
        lens = Lens(_supposed(size), np.array([k1, 0, 0, 0, 0]), size)
        return [_crooked(one, use, lens) for one, use in zip(found, used, strict=True)]

    def misfit(k1: float) -> float:
        return float(sum((a[use] ** 2).sum() for a, use in zip(away(k1), used, strict=True)))

    low, high = _BENDS
    for _ in range(_HALVINGS):
        third = (high - low) * _GOLDEN
        if misfit(low + third) < misfit(high - third):
            high -= third
        else:
            low += third
    k1 = (low + high) / 2
    count = sum(int(use.sum()) for use in used)
    lens = Lens(_supposed(size), np.array([k1, 0, 0, 0, 0]), size)
    return _Fit(lens, away(k1), float(np.sqrt(misfit(k1) / count)))


def _crooked(one: GridCrossings, use: NDArray[np.bool_], lens: Lens) -> NDArray[np.float64]:
    """Distances in pixels of undistorted crossings from a square grid in perspective."""
    straight = lens.straighten(one.pixels)
    matrix, _ = cv2.findHomography(one.squares[use], straight[use])
    return np.asarray(
        np.linalg.norm(apply_homography(matrix, one.squares) - straight, axis=1), np.float64
    )


def _supposed(size: tuple[int, int]) -> NDArray[np.float64]:
    width, height = size
    focal = USUAL_FOCAL * max(size)
    return np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])


def _whole_lens(
    found: Sequence[GridCrossings],
    used: Sequence[NDArray[np.bool_]],
    size: tuple[int, int],
    flags: int,
) -> _Fit:
    """Fits focal length and distortion by Zhang's method; sure only if the slants differ enough."""
    solid = [np.insert(one.squares, 2, 0.0, axis=1).astype(np.float32) for one in found]
    seen = [one.pixels.astype(np.float32) for one in found]
    residual, matrix, dist, turns, ways, strays, _, _ = cv2.calibrateCameraExtended(
        [places[use] for places, use in zip(solid, used, strict=True)],
        [places[use] for places, use in zip(seen, used, strict=True)],
        size,
        _supposed(size),
        np.zeros(5),
        flags=_STILL | flags,
    )
    lens = Lens(np.asarray(matrix, np.float64), np.asarray(dist, np.float64).ravel()[:5], size)
    away, upright = [], []
    for one, turn, way in zip(found, turns, ways, strict=True):
        places = np.insert(one.squares, 2, 0.0, axis=1)
        drawn, _ = cv2.projectPoints(places, turn, way, matrix, dist)
        away.append(np.linalg.norm(np.asarray(drawn).reshape(-1, 2) - one.pixels, axis=1))
        upright.append(np.asarray(cv2.Rodrigues(turn)[0], np.float64)[:, 2])
    stray = np.asarray(strays, np.float64).ravel()
    bend_sure = bool(flags & cv2.CALIB_FIX_K2) or stray[5] < _SURE_BEND * abs(lens.dist[1])
    sure = bend_sure and bool(stray[0] < _SURE_FOCAL * lens.K[0, 0]) and _differ(upright)
    return _Fit(lens, away, float(residual), sure)


def _differ(upright: Sequence[NDArray[np.float64]]) -> bool:
    """True if two of the boards' normals, (3,) each, are more than `_APART_DEG` apart."""
    between = np.clip(np.stack(upright) @ np.stack(upright).T, -1, 1)
    return float(np.degrees(np.arccos(between)).max()) > _APART_DEG
