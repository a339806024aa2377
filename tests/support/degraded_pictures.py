"""Pictures degraded step by step, each by a fault that occurs at real tables."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import Grid, Points, rescaled, sides_of

_GAMMA: Final = 2.2
_READ_NOISE: Final = 2.0
_QUALITY: Final = 90
_LAMPS: Final = 3


@dataclass(frozen=True, slots=True)
class Worsening:
    """A kind of degradation.

    Attributes:
        name: its name.
        unit: unit of its steps, for people.
        steps: increasing steps; the first is the unchanged picture.
        apply: function that degrades a picture, with its corners, by a step.
        first: label of the first step in the unit.
    """

    name: str
    unit: str
    steps: tuple[float, ...]
    apply: Callable[[Image, Points, float, np.random.Generator], tuple[Image, Points]]
    first: str = "0"


def packed(image: NDArray[np.float64]) -> Image:
    """Returns a picture as a camera sends it: integer grey levels, JPEG."""
    whole = np.clip(np.round(image), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _dark(
    image: Image, corners: Points, stops: float, chance: np.random.Generator
) -> tuple[Image, Points]:
    linear = (image / 255.0) ** _GAMMA * 2.0**-stops
    noise = chance.normal(0, _READ_NOISE, image.shape)
    return packed(linear ** (1 / _GAMMA) * 255 + noise), corners


def _blur(
    image: Image, corners: Points, squares: float, chance: np.random.Generator
) -> tuple[Image, Points]:
    sigma = squares * _square_px(corners)
    return packed(np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float64)), corners


def _noise(
    image: Image, corners: Points, sigma: float, chance: np.random.Generator
) -> tuple[Image, Points]:
    return packed(image + chance.normal(0, sigma, image.shape)), corners


def _small(
    image: Image, corners: Points, square_px: float, chance: np.random.Generator
) -> tuple[Image, Points]:
    scale = square_px / _square_px(corners)
    height, width = (round(side * scale) for side in image.shape[:2])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    zoom = np.array([width / image.shape[1], height / image.shape[0]])
    return packed(np.asarray(small, np.float64)), rescaled(corners, zoom)


def _glare(
    image: Image, corners: Points, strength: float, chance: np.random.Generator
) -> tuple[Image, Points]:
    """Adds reflections of lamps on the board, each about three squares wide, in linear light."""
    n = 14
    grid = Grid.of(corners, n, image.shape)
    middles = grid.project(chance.uniform(0, n, (_LAMPS, 2)))
    return packed(with_lamps(image, middles, 1.2 * grid.square_px, strength)), corners


def with_lamps(image: Image, middles: Points, reach: float, strength: float) -> NDArray[np.float64]:
    """Returns a picture with reflections of lamps, added in linear light; 0 to 255.

    Args:
        image: (height, width, 3) uint8.
        middles: (k, 2) middles of the reflections, in pixels.
        reach: standard deviation of their light, in pixels.
        strength: strength of each in its middle, 1 for white.
    """
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    lamp = sum(np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * reach**2)) for u, v in middles)
    linear = (image / 255.0) ** _GAMMA + strength * np.asarray(lamp)[..., None]
    return np.asarray(np.clip(linear, 0, 1) ** (1 / _GAMMA) * 255, np.float64)


def _square_px(corners: Points) -> float:
    return float(sides_of(corners).mean() / 14)


WORSENINGS: Final = (
    Worsening("dark", "stops less light", (0, 1, 2, 3, 4, 5), _dark),
    Worsening(
        "blur", "squares of blur (standard deviation)", (0, 0.05, 0.1, 0.15, 0.2, 0.3), _blur
    ),
    Worsening("noise", "grey levels of noise", (0, 10, 20, 30, 45, 60), _noise),
    Worsening("small", "pixels a square", (0, 24, 18, 13, 10, 7), _small, "full"),
    Worsening("glare", "brightness of mirrored lamps", (0, 0.2, 0.4, 0.7, 1, 2), _glare),
)
"""Degradations of Duo boards; step 0 is always the unchanged picture."""
