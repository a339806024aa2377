"""How a camera maps directions to pixels, and how its lens bends straight lines. Pure."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError

SAME_SHAPE: Final = 0.01
"""Relative difference in shape up to which two pictures show the same section."""

_ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-6)


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """How a camera maps directions to pixels, as OpenCV's pinhole model has it.

    Source: OpenCV, "Camera Calibration and 3D Reconstruction"; the five coefficients are
    Brown's k1, k2, p1, p2, k3.

    Attributes:
        K: (3, 3) float64, focal lengths and optical middle in pixels.
        dist: (5,) float64, k1, k2, p1, p2, k3.
        size: width and height in pixels of the pictures that they are true of.
    """

    K: NDArray[np.float64]
    dist: NDArray[np.float64]
    size: tuple[int, int]

    def for_size(self, width: int, height: int) -> "Lens":
        """The same lens for pictures of another resolution.

        Raises:
            GeometryError: such pictures show another section, so nothing is known of them.
        """
        across, down = width / self.size[0], height / self.size[1]
        if abs(across / down - 1) > SAME_SHAPE:
            raise GeometryError(
                f"the lens was measured on pictures of {self.size[0]}x{self.size[1]}, and "
                f"{width}x{height} has another shape; calibrate with pictures of that shape"
            )
        # The middle of the first pixel is 0, 0 at every scale.
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        matrix = np.linalg.inv(half) @ np.diag([across, down, 1.0]) @ half @ self.K
        return Lens(matrix, self.dist, (width, height))

    def straighten(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where a pinhole with the same K would see what is seen at some pixels, (k, 2)."""
        places = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        if not len(places):
            return places.reshape(-1, 2)
        still = np.eye(3)
        straight = cv2.undistortPointsIter(places, self.K, self.dist, still, self.K, _ROUNDS)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def bend(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """The inverse of `straighten`: where this lens puts a pinhole's pixels, (k, 2)."""
        places = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not len(places):
            return places
        rays = np.concatenate([places, np.ones((len(places), 1))], axis=1) @ np.linalg.inv(self.K).T
        still = np.zeros(3)
        bent, _ = cv2.projectPoints(rays, still, still, self.K, self.dist)
        return np.asarray(bent, np.float64).reshape(-1, 2)
