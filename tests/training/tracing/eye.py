"""Projection of a pinhole camera. Pure."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tests.training.tracing.mesh import Values, about_z


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A camera that takes square pictures.

    Attributes:
        place: (3,) its place, in mm.
        axes: (3, 3) its directions: right and down in the picture, and forward.
        side: side of the picture in pixels.
        focal: focal length in pixels.
    """

    place: Values
    axes: Values
    side: int
    focal: float

    @staticmethod
    def looking(place: ArrayLike, at: ArrayLike, roll: float, side: int) -> "Eye":
        """Returns a camera above a place, with a focal length of one side of the picture.

        Args:
            place: place of the camera.
            at: place in the middle of its picture.
            roll: turn of the board's rows in the picture, in degrees.
            side: side of the picture in pixels.
        """
        stand = np.asarray(place, np.float64)
        forward = np.asarray(at, np.float64) - stand
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, about_z(roll) @ [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        return Eye(stand, np.stack([right, down, forward]), side, float(side))

    def around(self, places: ArrayLike) -> "Eye":
        """Returns the camera with a focal length at which the places just fill the picture."""
        x, y, depth = ((np.asarray(places) - self.place) @ self.axes.T).T
        reach = float(np.maximum(np.abs(x / depth), np.abs(y / depth)).max())
        return Eye(self.place, self.axes, self.side, self.side / 2 / reach)

    def project(self, places: ArrayLike) -> Values:
        """Returns (k, 2) pixels of (k, 3) places; the centre of the first pixel is 0, 0."""
        x, y, depth = ((np.asarray(places, np.float64) - self.place) @ self.axes.T).T
        middle = self.side / 2 - 0.5
        return np.stack([middle + self.focal * x / depth, middle + self.focal * y / depth], axis=1)

    def sees(self, places: ArrayLike) -> bool:
        """True if the hull of some places may be in front of the camera and in its picture."""
        depth = (np.asarray(places, np.float64) - self.place) @ self.axes[2]
        if (depth < 1).any():
            return bool((depth >= 1).any())
        hull = cv2.convexHull(self.project(places).astype(np.float32))
        low, high = -0.1 * self.side, 1.1 * self.side
        frame = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
        return bool(cv2.intersectConvexConvex(hull, frame)[0] > 0)


def upwards(tilt: float, angle: float) -> Values:
    """Returns (3,) the direction tilted from the vertical towards an angle, in radians."""
    return np.array([np.sin(tilt) * np.cos(angle), np.sin(tilt) * np.sin(angle), np.cos(tilt)])
