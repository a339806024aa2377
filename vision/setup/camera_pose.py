"""Estimates the place of a camera relative to a board from the grid in its picture. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.detection.markers import Marker
from vision.geometry.grid import Grid
from vision.geometry.lens import Lens
from vision.setup.lens_calibration import USUAL_FOCAL

_WIDEST_RIM: Final = 2.0
"""Largest rim that is measured, in squares."""

_STEP: Final = 0.05
"""Resolution of the rim, in squares."""

_RIM_POINTS: Final = 9
"""Points on each side of the rim that are checked."""


@dataclass(frozen=True, slots=True)
class EstimatedCameraPose:
    """Place of a board in a picture.

    Attributes:
        rim_squares: width visible around the field on each side, in squares, at most 2;
            negative if the field itself is cut off.
        off_centre: distance of the board's middle from the picture's, 0 to 1 at its edge.
        slant_deg: angle in degrees, at the board's middle, between the normal and the direction
            of the camera. Without a measured lens exact to a few degrees.
        square_px: length of the side of the smallest square in pixels.
    """

    rim_squares: float
    off_centre: float
    slant_deg: float
    square_px: float


def estimate_camera_pose(grid: Grid, lens: Lens | None = None) -> EstimatedCameraPose:
    """Estimates the pose from a grid.

    Args:
        grid: place of the board in the picture.
        lens: lens of the camera, for this size of picture; None to assume a usual one.
    """
    n = grid.size
    whole = grid.middle + 0.5
    middle = grid.project([[n / 2, n / 2]])[0]
    ticks = np.arange(n + 1.0)
    lines = grid.project(np.stack(np.meshgrid(ticks, ticks), axis=2).reshape(-1, 2))
    net = lines.reshape(n + 1, n + 1, 2)
    sides = [np.linalg.norm(np.diff(net, axis=axis), axis=2) for axis in (0, 1)]
    return EstimatedCameraPose(
        rim_squares=_rim(grid),
        off_centre=float((np.abs(middle - grid.middle) / whole).max()),
        slant_deg=_slant(grid, lens),
        square_px=float(min(side.min() for side in sides)),
    )


def _rim(grid: Grid) -> float:
    n, last = grid.size, grid.middle * 2
    along = np.linspace(0, 1, _RIM_POINTS)
    for rim in np.arange(_WIDEST_RIM, -n / 2, -_STEP):
        low, high = -rim, n + rim
        edge = low + along * (high - low)
        low_side, high_side = np.full_like(edge, low), np.full_like(edge, high)
        ring = np.concatenate(
            [
                np.stack(pair, axis=1)
                for side in (low_side, high_side)
                for pair in ((edge, side), (side, edge))
            ]
        )
        seen = grid.project(ring)
        if ((seen >= 0) & (seen <= last)).all():
            return round(float(rim), 2)
    return -n / 2


def _slant(grid: Grid, lens: Lens | None) -> float:
    """Angle from the board's pose, which its homography gives (Zhang, PAMI 2000, section 3.1)."""
    if lens is None:
        focal = USUAL_FOCAL * 2 * float(grid.middle.max() + 0.5)
        matrix = np.array([[focal, 0, grid.middle[0]], [0, focal, grid.middle[1]], [0, 0, 1.0]])
    else:
        matrix = lens.K
    columns = np.linalg.inv(matrix) @ grid.homography
    scale = (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1])) / 2
    first, second, way = (columns / scale).T
    upright = np.cross(first, second)
    middle = way + grid.size / 2 * (first + second)
    cosine = abs(upright @ middle) / (np.linalg.norm(upright) * np.linalg.norm(middle))
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


def marker_disagreement(markers: Sequence[Marker], grid: Grid) -> tuple[float, float]:
    """Measures the disagreement of one or more markers with the board and each other.

    Returns:
        The largest angle in degrees between a marker's edges and the board's lines; and the ratio
        of the sides of the largest and the smallest marker, measured in squares of the board.
    """
    turns, sides = [], []
    for marker in markers:
        places = grid.unproject(marker.corners)
        edges = np.roll(places, -1, axis=0) - places
        # Each edge of an aligned marker is a quarter turn from the one before.
        upright = edges @ np.array([1, 1j]) * np.array([1, -1j, -1, 1j])
        turns.append(abs(float(np.degrees(np.angle(upright.mean())))))
        sides.append(float(np.abs(upright).mean()))
    return max(turns), max(sides) / min(sides)
