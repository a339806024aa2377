"""A camera that sees all of a drawing, from a direction. Pure."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.drawings.solids import Point

SIZE: Final = (1280, 800)
"""Width and height of a picture in pixels."""

_MARGIN: Final = 0.94
"""Share of the picture that things may take."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A camera, by millimetres.

    Attributes:
        place: its place.
        target: the point in the middle of the picture.
        across_deg: angle that the width of the picture spans.
    """

    place: Point
    target: Point
    across_deg: float


def framed(
    points: NDArray[np.float64], turn_deg: float, tilt_deg: float, across_deg: float = 30.0
) -> Viewpoint:
    """Returns the nearest camera that sees all points.

    Args:
        points: (n, 3) the points, z up.
        turn_deg: angle by which it stands to the right of the front.
        tilt_deg: angle by which it looks down.
        across_deg: angle that the width of its picture spans.
    """
    turn, tilt = math.radians(turn_deg), math.radians(tilt_deg)
    right = np.array((math.cos(turn), math.sin(turn), 0.0))
    away = np.array((-math.sin(turn), math.cos(turn), 0.0)) * math.cos(tilt)
    away[2] = -math.sin(tilt)
    axes = np.stack([right, np.cross(right, away), away])
    seen = points @ axes.T
    slope = np.tan(math.radians(across_deg / 2)) * _MARGIN * np.array((1.0, SIZE[1] / SIZE[0]))
    # A point is in view if its distance from the middle is at most the slope times its depth.
    low, high = (seen[:, :2] - slope * seen[:, 2:]), (seen[:, :2] + slope * seen[:, 2:])
    far = (low.max(axis=0) - high.min(axis=0)) / (2 * slope)
    middle = (low.max(axis=0) + high.min(axis=0)) / 2
    place = np.array((*middle, -far.max())) @ axes
    target = place + axes[2] * far.max()
    return Viewpoint(_point(place), _point(target), across_deg)


def _point(values: NDArray[np.float64]) -> Point:
    x, y, z = values.tolist()
    return (x, y, z)
