"""Drawing of a hand with a sleeve, a cup, and a lamp that is mirrored in the board.

The hand is a relief of rounded limbs, shaded once and then moved; the mirrored lamp is a white spot
with soft edges.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.backdrop import Canvas
from vision.synthetic.scene import (
    NEUTRAL_KELVIN,
    CameraPose,
    CupLook,
    GlareLook,
    HandLook,
    LampLook,
    Rgb,
    Values,
)

_PX_A_MM: Final = 2.5
"""Pixels of the sprite per millimetre."""

_LEFT_MM: Final = 75.0
"""Extent of the sprite to the left of the pinch point."""

_AHEAD_MM: Final = 40.0
"""Extent of the sprite ahead of the pinch point."""

_WIDTH_MM: Final = 170.0
"""Width of the sprite, across the hand."""

_LENGTH_MM: Final = 520.0
"""Length of the sprite, along the arm."""

_SKIN: Final = (214, 164, 138)
"""Colour of skin, red green blue."""

_NAIL: Final = (232, 186, 170)
"""Colour of nails, red green blue."""

_AMBIENT: Final = 0.5
"""Share of light from all sides."""

_LIMBS: Final = (
    (5, 3, 0, 6.5, 13, 32, 14, 7.5, False),
    (13, 32, 14, 7.5, 17, 72, 8, 9.5, False),
    (20, 1, 0, 6.8, 30, 32, 15, 7.8, False),
    (30, 32, 15, 7.8, 33, 72, 9, 10, False),
    (35, 12, -1, 6.3, 45, 40, 13, 7.2, False),
    (45, 40, 13, 7.2, 47, 76, 7, 9.5, False),
    (49, 28, -3, 5.5, 58, 52, 9, 6.2, False),
    (58, 52, 9, 6.2, 58, 82, 5, 8.5, False),
    (-5, 6, -1, 7.2, -17, 32, 4, 8, False),
    (-17, 32, 4, 8, -12, 72, 2, 11, False),
    (-12, 72, 2, 11, 14, 112, -2, 17, False),
    (17, 72, 6, 10, 24, 126, 0, 19, False),
    (32, 74, 7, 10, 34, 126, 0, 18, False),
    (46, 78, 5, 10, 42, 126, -2, 16, False),
    (57, 84, 3, 9, 46, 128, -3, 15, False),
    (30, 128, -2, 24, 32, 200, 0, 27, False),
    (32, 178, 10, 33, 33, 186, 10, 34, True),
    (33, 190, 7, 33, 36, 540, 7, 48, True),
)
"""Rounded limbs in millimetres: x, y, z and radius at one end, the same at the other; True for the
sleeve. The hand reaches towards -y from its pinch point, 0, 0. No measurement of
a hand is recorded."""


@dataclass(frozen=True, slots=True, eq=False)
class HandSprite:
    """Hand from above, with the point between finger and thumb at a known pixel.

    Attributes:
        image: (height, width, 3) uint8 blue green red.
        alpha: (height, width) uint8.
    """

    image: NDArray[np.uint8]
    alpha: NDArray[np.uint8]


@lru_cache(maxsize=24)
def sprite(reach_deg: int, sleeve: Rgb, lamp: tuple[float, float], seed: int) -> HandSprite:
    """Draws a hand, shaded for the direction in which it reaches.

    Args:
        reach_deg: that direction in degrees, anticlockwise from the x axis.
        sleeve: colour of the sleeve.
        lamp: azimuth and elevation of the light in degrees.
        seed: seed of the texture of skin and cloth.
    """
    height, cloth, covered = _relief()
    noise = np.random.default_rng(seed)
    height = height + np.where(cloth, _wrinkles(height.shape, noise), 0.0)
    # Skin is tight over joints: blurring the relief rounds off the joins of limbs.
    tight = np.where(covered, height, -6.0)
    tight = np.asarray(cv2.GaussianBlur(tight, (0, 0), 1.4 * _PX_A_MM), np.float64)
    tight = 0.5 * tight + 0.5 * np.asarray(cv2.GaussianBlur(height, (0, 0), 2.0), np.float64)
    tight += np.where(cloth, 0.0, _pores(height.shape, noise))
    down, right = np.gradient(tight, 1 / _PX_A_MM)
    normals = np.stack([-right, down, np.ones_like(down)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    turn = np.radians(90.0 - reach_deg)
    light = LampLook(1.0, NEUTRAL_KELVIN, *lamp).direction()
    light = np.array(
        [
            np.cos(turn) * light[0] - np.sin(turn) * light[1],
            np.sin(turn) * light[0] + np.cos(turn) * light[1],
            light[2],
        ]
    )
    matt = _AMBIENT + (1 - _AMBIENT) / light[2] * np.clip(normals @ light, 0, None)
    # Creases between fingers get little light.
    hollow = np.asarray(cv2.GaussianBlur(height, (0, 0), 9)) - height
    matt *= np.clip(1.0 - 0.035 * np.clip(hollow, 0, None), 0.6, 1.0)
    skin, woven = np.array(_SKIN[::-1], np.float64), np.array(sleeve[::-1], np.float64)
    flush = 6.0 * np.asarray(cv2.GaussianBlur(noise.standard_normal(height.shape), (0, 0), 14)) * 8
    skin_tone = skin - flush[..., None] * np.array([1.0, 1.0, 0.2])
    thread = noise.normal(0, 3.5, height.shape)
    tone = np.where(cloth[..., None], woven + thread[..., None], skin_tone)
    _nails(tone)
    half = light + np.array([0, 0, 1.0])
    facing = np.clip(normals @ (half / np.linalg.norm(half)), 0, 1)
    shine = np.where(cloth, 0.0, 14.0 * facing**24)
    image = np.clip(tone * np.minimum(matt, 1.25)[..., None] + shine[..., None], 0, 255)
    alpha = np.asarray(cv2.GaussianBlur(covered.astype(np.uint8) * 255, (0, 0), 1.0), np.uint8)
    return HandSprite(image.astype(np.uint8), alpha)


def placement(look: HandLook, camera: CameraPose) -> Values:
    """(2, 3) affine map from pixels of the sprite to pixels of the frame."""
    base = np.array([look.x_mm, look.y_mm, look.z_mm])
    turn = np.radians(look.reach_deg)
    ahead = np.array([np.cos(turn), np.sin(turn), 0.0])
    right = np.array([np.sin(turn), -np.cos(turn), 0.0])
    origin, along, across = camera.project(np.stack([base, base + ahead, base + right]))
    columns = np.stack([across - origin, -(along - origin)], axis=1) / _PX_A_MM
    pinch = np.array([_LEFT_MM, _AHEAD_MM]) * _PX_A_MM
    return np.column_stack([columns, origin - columns @ pinch])


@cache
def _relief() -> tuple[Values, NDArray[np.bool_], NDArray[np.bool_]]:
    """Height of the hand in millimetres, mask of the sleeve, and mask of the whole hand."""
    width, length = round(_WIDTH_MM * _PX_A_MM), round(_LENGTH_MM * _PX_A_MM)
    x = (np.arange(width) / _PX_A_MM - _LEFT_MM)[None, :]
    y = (np.arange(length) / _PX_A_MM - _AHEAD_MM)[:, None]
    height = np.full((length, width), -30.0)
    cloth = np.zeros((length, width), np.bool_)
    for x0, y0, z0, r0, x1, y1, z1, r1, is_sleeve in _LIMBS:
        run = np.array([x1 - x0, y1 - y0], np.float64)
        part = np.clip(((x - x0) * run[0] + (y - y0) * run[1]) / (run @ run), 0, 1)
        gap = (x - x0 - part * run[0]) ** 2 + (y - y0 - part * run[1]) ** 2
        radius = r0 + part * (r1 - r0)
        inside = gap < radius**2
        rise = z0 + part * (z1 - z0) + np.sqrt(np.clip(radius**2 - gap, 0, None))
        higher = inside & (rise > height)
        height = np.where(higher, rise, height)
        cloth = np.where(higher, is_sleeve, cloth)
    return height, cloth, height > -30.0


def _pores(shape: tuple[int, ...], noise: np.random.Generator) -> Values:
    """Unevenness of skin in millimetres."""
    rough = noise.standard_normal(shape)
    fine, coarse = (np.asarray(cv2.GaussianBlur(rough, (0, 0), size)) for size in (1.2, 6.0))
    return np.asarray(0.10 * fine + 1.6 * coarse, np.float64)


def _wrinkles(shape: tuple[int, ...], noise: np.random.Generator) -> Values:
    rough = noise.standard_normal((shape[0] // 34 + 2, shape[1] // 70 + 2))
    return 2.2 * np.asarray(
        cv2.resize(rough, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float64
    )


def _nails(tone: Values) -> None:
    """Draws finger nails, a little paler than skin."""
    layer = np.zeros(tone.shape[:2], np.float32)
    for x, y, angle in ((6, 4, 15), (21.5, 2, 15), (37, 14, 15), (50.5, 29.5, 15), (-8, 9, -28)):
        place = (round((x + _LEFT_MM) * _PX_A_MM), round((y + _AHEAD_MM) * _PX_A_MM))
        axes = (round(3.3 * _PX_A_MM), round(4.6 * _PX_A_MM))
        cv2.ellipse(layer, place, axes, angle, 0, 360, 1.0, -1, cv2.LINE_AA)
    tone += 0.55 * layer[..., None] * (np.array(_NAIL[::-1]) - tone)


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


_STRENGTH: Final = 330.0
"""Grey levels that the middle of the spot adds; more than 255, so that it saturates."""

_REACH: Final = 1.9
"""Radii from the middle beyond which the spot adds less than half a grey level."""


def draw_glare(canvas: Canvas, glare: GlareLook, camera: CameraPose) -> None:
    """Draws a mirrored lamp over the board and the pieces on it.

    Args:
        canvas: (height, width, 3) picture, changed in place.
        glare: the spot.
        camera: camera that takes the picture.
    """
    points = np.array(
        [[glare.x_mm, glare.y_mm, 0.0], [glare.x_mm + glare.radius_mm, glare.y_mm, 0]]
    )
    middle, edge = camera.project(points)
    radius = float(np.hypot(*(edge - middle)))
    height, width = canvas.shape[:2]
    left, top = np.clip(middle - _REACH * radius, 0, [width, height]).astype(int)
    right, bottom = np.clip(middle + _REACH * radius + 1, 0, [width, height]).astype(int)
    if left >= right or top >= bottom:
        return
    rows, columns = np.ogrid[top:bottom, left:right]
    far = ((columns - middle[0]) ** 2 + (1.5 * (rows - middle[1])) ** 2) / radius**2
    light = np.asarray(_STRENGTH * np.exp(-2.0 * far), np.float32)
    part = canvas[top:bottom, left:right]
    part[:] = cv2.add(part, cv2.merge([light] * 3), dtype=cv2.CV_8U)
