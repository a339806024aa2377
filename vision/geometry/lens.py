"""Camera model: mapping of directions to pixels, with the distortion of the lens. Pure."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError

SAME_SHAPE: Final = 0.01
"""Relative difference in aspect ratio up to which two pictures show the same section."""

_ROUNDS: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-6)
"""End of OpenCV's iterations: 40 rounds, or steps of less than 1e-6."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Pinhole model of a camera with distortion, as in OpenCV.

    Source: OpenCV, "Camera Calibration and 3D Reconstruction"; the five coefficients are
    Brown's k1, k2, p1, p2, k3.

    Attributes:
        K: (3, 3) float64, focal lengths and optical middle in pixels.
        dist: (5,) float64, k1, k2, p1, p2, k3.
        size: width and height in pixels of the pictures for which they hold.
    """

    K: NDArray[np.float64]
    dist: NDArray[np.float64]
    size: tuple[int, int]

    def for_size(self, width: int, height: int) -> "Lens":
        """Returns the same lens for pictures of another resolution.

        Raises:
            GeometryError: such pictures have another aspect ratio, so they show another section.
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
        """Removes the distortion from pixels, (k, 2)."""
        places = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        if not len(places):
            return places.reshape(-1, 2)
        still = np.eye(3)
        straight = cv2.undistortPointsIter(places, self.K, self.dist, still, self.K, _ROUNDS)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def bend(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Adds the distortion to pixels, (k, 2), of a pinhole camera; inverse of `straighten`."""
        places = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not len(places):
            return places
        rays = np.concatenate([places, np.ones((len(places), 1))], axis=1) @ np.linalg.inv(self.K).T
        still = np.zeros(3)
        bent, _ = cv2.projectPoints(rays, still, still, self.K, self.dist)
        return np.asarray(bent, np.float64).reshape(-1, 2)
