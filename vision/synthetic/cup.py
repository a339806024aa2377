"""Drawing of a cup on the table or the board."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.scene import CameraPose, CupLook, LampLook, Values

_SHIFT: Final = 4
"""Fractional bits of drawn coordinates."""

_SHADOW: Final = 0.5
"""Share of the light that a shadow takes away."""

_COFFEE: Final = (46, 28, 18)
"""Colour of coffee, red green blue."""

_INNER: Final = 0.88
"""Inner radius, in outer radii."""

_FULL: Final = 0.75
"""Height of the coffee, in heights of the cup."""

_CORNERS: Final = 48
"""Corners of a drawn circle."""


def draw_cup(canvas: NDArray[np.uint8], cup: CupLook, camera: CameraPose, lamp: LampLook) -> None:
    """Draws a cup with its shadow into a frame, (height, width, 3) uint8."""
    light = lamp.direction()
    throw = -light[:2] / light[2] * cup.height_mm
    foot, rim = _ring(cup, cup.radius_mm, 0.0), _ring(cup, cup.radius_mm, cup.height_mm)
    shadow = foot.copy()
    shadow[:, :2] += throw
    _shade(canvas, camera.project(np.concatenate([foot, shadow])))
    gain = lamp.gain()
    wall = np.concatenate([foot, rim])
    _fill(canvas, camera.project(wall), 0.72 * np.array(cup.colour[::-1]) * gain)
    _fill(canvas, camera.project(rim), np.array(cup.colour[::-1]) * gain)
    inside = _ring(cup, cup.radius_mm * _INNER, cup.height_mm)
    _fill(canvas, camera.project(inside), 0.6 * np.array(cup.colour[::-1]) * gain)
    coffee = _ring(cup, cup.radius_mm * _INNER, cup.height_mm * _FULL)
    _fill(canvas, camera.project(coffee), np.array(_COFFEE[::-1]) * gain)


def _ring(cup: CupLook, radius_mm: float, z_mm: float) -> Values:
    """(k, 3) places on a circle about the middle of a cup."""
    turn = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
    x_mm, y_mm = cup.x_mm + radius_mm * np.cos(turn), cup.y_mm + radius_mm * np.sin(turn)
    return np.column_stack([x_mm, y_mm, np.full(_CORNERS, z_mm)])


def _hull(pixels: Values) -> NDArray[np.int32]:
    hull = cv2.convexHull(pixels.astype(np.float32))
    return np.round(np.asarray(hull) * 2**_SHIFT).astype(np.int32)


def _fill(canvas: NDArray[np.uint8], pixels: Values, colour: Values) -> None:
    tone = np.clip(colour, 0, 255).tolist()
    cv2.fillConvexPoly(canvas, _hull(pixels), tone, cv2.LINE_AA, _SHIFT)


def _shade(canvas: NDArray[np.uint8], pixels: Values) -> None:
    shade = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillConvexPoly(shade, _hull(pixels), 255, cv2.LINE_AA, _SHIFT)
    soft = np.asarray(cv2.GaussianBlur(shade, (0, 0), 4.0), np.float32)[..., None]
    canvas[:] = np.asarray(canvas * (1 - _SHADOW * soft / 255), np.uint8)
