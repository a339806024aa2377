"""Projection of a camera with a lens. Pure."""

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tests.training.tracing.mesh import Values, about_z

_STEPS: Final = 12
"""Iterations that invert the distortion of a lens."""


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A camera that takes square pictures.

    Attributes:
        place: (3,) its place, in mm.
        axes: (3, 3) its directions: right and down in the picture, and forward.
        side: side of the picture in pixels.
        focal: focal length in pixels.
        bend: distortion of the lens (Brown 1971, first term): a place at the tangent r from the
            middle is seen at r (1 + bend r^2).
    """

    place: Values
    axes: Values
    side: int
    focal: float
    bend: float = 0.0

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
        reach = float(np.abs(self._seen(places)).max())
        return replace(self, focal=self.side / 2 / reach)

    @property
    def edge(self) -> float:
        """Distance of a corner of its picture from the middle, in focal lengths."""
        return float(np.hypot(1, 1) * self.side / 2 / self.focal)

    def straight(self) -> "Eye":
        """Returns the camera without distortion that sees at least as much."""
        return replace(self, focal=self.focal * self.edge / self._unbent(self.edge), bend=0.0)

    def bent(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """Returns its picture, made from that of `straight`; each (side, side, 3)."""
        if not self.bend:
            return picture
        middle = self.side / 2 - 0.5
        across = (np.arange(self.side) - middle) / self.focal
        x, y = np.meshgrid(across, across)
        far = np.hypot(x, y) + 1e-12
        share = self._unbent(far) / far * self.straight().focal
        right, down = ((middle + part * share).astype(np.float32) for part in (x, y))
        return np.asarray(cv2.remap(picture, right, down, cv2.INTER_LINEAR), np.float32)

    def _unbent(self, far: Any) -> Any:
        """Returns the tangents of places that are seen at some distances from the middle."""
        tangent = far
        for _ in range(_STEPS):
            tangent = far / (1 + self.bend * tangent**2)
        return tangent

    def _seen(self, places: ArrayLike) -> Values:
        """Returns (k, 2) distances from the middle in focal lengths."""
        x, y, depth = ((np.asarray(places, np.float64) - self.place) @ self.axes.T).T
        flat = np.stack([x, y], axis=1) / depth[:, None]
        return np.asarray(flat * (1 + self.bend * (flat**2).sum(axis=1, keepdims=True)))

    def project(self, places: ArrayLike) -> Values:
        """Returns (k, 2) pixels of (k, 3) places; the centre of the first pixel is 0, 0."""
        return np.asarray(self.side / 2 - 0.5 + self.focal * self._seen(places))

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
