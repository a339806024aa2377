"""Where a camera stands to a board, as a grid in its picture tells. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.detection.markers import Marker
from vision.geometry.grid import Grid
from vision.geometry.lens import Lens
from vision.setup.lens_calibration import USUAL_FOCAL

_WIDEST_RIM: Final = 2.0
_STEP: Final = 0.05
_RIM_POINTS: Final = 9


@dataclass(frozen=True, slots=True)
class EstimatedCameraPose:
    """How a board lies in a picture.

    Attributes:
        rim_squares: how much is seen around the field on each side, in squares, at most 2;
            negative where the field itself is cut off.
        off_centre: how far the board's middle is from the picture's, 0 to 1 at its edge.
        slant_deg: angle between the upright on the board's middle and the way to the camera.
            Without a measured lens good to a few degrees.
        square_px: length of the side of the smallest square.
    """

    rim_squares: float
    off_centre: float
    slant_deg: float
    square_px: float


def estimate_camera_pose(grid: Grid, lens: Lens | None = None) -> EstimatedCameraPose:
    """Where the camera stands.

    Args:
        grid: where the board lies in the picture.
        lens: of the camera, for this size of picture; None to suppose a usual one.
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
    """The board's pose from its homography (Zhang, PAMI 2000, section 3.1), then the angle."""
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


@dataclass(frozen=True, slots=True)
class MarkerDisagreement:
    """How roughly the markers are stuck on, compared with the board.

    Attributes:
        turn_deg: the largest angle between a marker's edges and the board's lines.
        size_ratio: the side of the largest marker over that of the smallest, as seen from
            the board.
    """

    turn_deg: float
    size_ratio: float


def marker_disagreement(markers: Sequence[Marker], grid: Grid) -> MarkerDisagreement:
    """How far markers, at least one, disagree with the board and each other."""
    turns, sides = [], []
    for marker in markers:
        places = grid.unproject(marker.corners)
        edges = np.roll(places, -1, axis=0) - places
        # Each edge of an upright marker points a quarter turn further than the one before.
        upright = edges @ np.array([1, 1j]) * np.array([1, -1j, -1, 1j])
        turns.append(abs(float(np.degrees(np.angle(upright.mean())))))
        sides.append(float(np.abs(upright).mean()))
    return MarkerDisagreement(max(turns), max(sides) / min(sides))
