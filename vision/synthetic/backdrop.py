"""Drawing of the static parts: the cloth, the markers on it, the empty board. Slow, done once."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.scene import (
    NEUTRAL_KELVIN,
    BoardLook,
    CameraPose,
    ClothLook,
    LampLook,
    MarkerLook,
    TableLook,
    Values,
)

Canvas = NDArray[np.uint8]

_CLOTH_FINENESS: Final = 1.4
"""Pixels of the cloth's texture per pixel of the picture, along each side."""

_BOARD_FINENESS: Final = 2.0
"""Pixels of the board's textures per pixel of the picture, along each side."""

_ROUND_MM: Final = 9.0
"""Radius of the board's corners."""

_PAPER_MM: Final = 5.0
"""Width of the white paper around a marker."""

_PRINTED: Final = 0.6
"""Side of a square that is printed on the frame, in squares of the board. A board whose frame goes
on with squares of full size is taken for a larger one, and not found."""

_RIDGE_MM: Final = 1.0
"""Width of a ridge between squares."""

_THREAD_MM: Final = 1.1
"""Half the width of a thin stripe of the cloth."""

_SPARE_MM: Final = 20.0
"""Width of the cloth beyond the picture."""

_STEP_MM: Final = 40.0
"""Step to which the edges of the cloth are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class _Texture:
    """Flat picture that lies in a plane.

    Attributes:
        image: (height, width, 3) uint8.
        x_mm, y_mm: its top left corner.
        px_a_mm: its resolution in pixels per millimetre.
    """

    image: Canvas
    x_mm: float
    y_mm: float
    px_a_mm: float


def backdrop(look: TableLook, seed: int) -> Canvas:
    """Draws the table without pieces, hand and light, (height, width, 3) uint8 blue green red."""
    camera, board, lamp = look.camera, look.board, look.lamp
    low = -board.thickness_mm
    px_a_mm = camera.focal_px / camera.z_mm
    bare = _cloth(_seen_mm(camera, low), look.cloth, _CLOTH_FINENESS * px_a_mm, seed)
    cloth = replace(bare, image=bare.image.copy())
    for marker in look.markers:
        _stick(cloth, marker)
    canvas = _laid(np.zeros((camera.height, camera.width, 3), np.uint8), cloth, camera, low)
    outer = board.field_mm / 2 + board.rim_mm
    _shade(canvas, camera, outer, look)
    _sides(canvas, look, outer)
    from_where = lamp.azimuth_deg, lamp.elevation_deg
    rim = _rim(board, from_where, _BOARD_FINENESS * px_a_mm, seed)
    canvas = _laid(canvas, rim, camera, board.rim_height_mm, radius_mm=_ROUND_MM)
    floor = _floor(board, from_where, _BOARD_FINENESS * px_a_mm, seed)
    return _laid(canvas, floor, camera, 0.0, radius_mm=1.0)


def _bgr(colour: tuple[int, int, int], shade: float = 1.0) -> tuple[float, float, float]:
    red, green, blue = (min(255.0, part * shade) for part in colour)
    return blue, green, red


def _laid(
    canvas: Canvas, texture: _Texture, camera: CameraPose, z_mm: float, radius_mm: float = 0.0
) -> Canvas:
    """Draws a texture on the canvas at a height, with rounded corners."""
    fine = texture.px_a_mm
    # The centre of the texture's first pixel is half a pixel inside its corner.
    left, top = texture.x_mm + 0.5 / fine, texture.y_mm - 0.5 / fine
    to_mm = np.array([[1 / fine, 0, left], [0, -1 / fine, top], [0, 0, 1]])
    warp = camera.plane(z_mm) @ to_mm
    shape = np.zeros(texture.image.shape[:2], np.uint8)
    r = round(radius_mm * fine)
    h, w = texture.image.shape[0], texture.image.shape[1]
    inner = ((r, 0, w - r, h), (0, r, w, h - r))
    for left, top, right, bottom in inner:
        shape[top:bottom, left:right] = 255
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(shape, (x, y), r, 255, -1, cv2.LINE_AA)
    x0, y0, x1, y1 = _window(warp, (w, h), camera)
    size = (x1 - x0, y1 - y0)
    if min(size) <= 0:
        return canvas  # out of the picture
    # Drawn at twice the size and reduced: a plain warp would make fine lines flicker.
    shift = np.array([[1, 0, 0.25 - x0], [0, 1, 0.25 - y0], [0, 0, 1]])
    double = np.diag([2.0, 2.0, 1.0]) @ shift @ warp
    seen = cv2.warpPerspective(texture.image, double, (size[0] * 2, size[1] * 2))
    mask = cv2.warpPerspective(shape, double, (size[0] * 2, size[1] * 2))
    seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None]
    under = canvas[y0:y1, x0:x1]
    mixed = under + (seen.astype(np.float32) - under) * (alpha / 255)
    under[:] = mixed.round().astype(np.uint8)
    return canvas


def _window(warp: Values, size: tuple[int, int], camera: CameraPose) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of the picture under a warped texture, and 2 more."""
    corners = np.array([[0, 0, 1], [size[0], 0, 1], [*size, 1], [0, size[1], 1.0]]) @ warp.T
    places = corners[:, :2] / corners[:, 2:]
    limit = [camera.width, camera.height]
    low = np.clip(np.floor(places.min(axis=0)) - 2, 0, limit)
    high = np.clip(np.ceil(places.max(axis=0)) + 2, 0, limit)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _grain(shape: tuple[int, int], noise: np.random.Generator, width: float) -> Values:
    """Smooth random values with mean 0 and standard deviation about 1."""
    rough = noise.standard_normal((int(shape[0] / width) + 2, int(shape[1] / width) + 2))
    return np.asarray(
        cv2.resize(rough, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float64
    )


def _seen_mm(camera: CameraPose, z_mm: float) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the camera's view at a height, with a margin.

    They are in coarse steps, so that a camera that was bumped sees a part of the same cloth.
    """
    frame = np.array(
        [[0, 0, 1], [camera.width, 0, 1], [camera.width, camera.height, 1], [0, camera.height, 1.0]]
    )
    seen = frame @ np.linalg.inv(camera.plane(z_mm)).T
    places = seen[:, :2] / seen[:, 2:]
    low = np.floor((places.min(axis=0) - _SPARE_MM) / _STEP_MM) * _STEP_MM
    high = np.ceil((places.max(axis=0) + _SPARE_MM) / _STEP_MM) * _STEP_MM
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


@lru_cache(maxsize=2)
def _cloth(
    seen_mm: tuple[float, float, float, float], look: ClothLook, px_a_mm: float, seed: int
) -> _Texture:
    """Draws the part of the cloth that the camera sees."""
    noise = np.random.default_rng(seed)
    left, bottom, right, top = seen_mm
    width, height = int((right - left) * px_a_mm), int((top - bottom) * px_a_mm)
    x = (left + (np.arange(width) + 0.5) / px_a_mm)[None, :]
    y = (top - (np.arange(height) + 0.5) / px_a_mm)[:, None]
    threads = 1.6 * noise.standard_normal((height, 1)) + 1.6 * noise.standard_normal((1, width))
    weave = threads + 3.0 * noise.standard_normal((height, width), np.float32)
    folds = 4.0 * _grain((height, width), noise, 60 * px_a_mm)
    along, across = _stripe(x, look.check_mm), _stripe(y, look.check_mm)
    stripes = 0.5 * (along + across)
    uneven, base, stripe = weave + folds, _bgr(look.colour), _bgr(look.stripe)
    parts = [
        cv2.convertScaleAbs(np.clip(low + stripes * (high - low) + uneven, 0, 255))
        for low, high in zip(base, stripe, strict=True)
    ]
    return _Texture(np.asarray(cv2.merge(parts), np.uint8), left, top, px_a_mm)


def _stripe(places: NDArray[np.floating], check_mm: float) -> Values:
    """Share of the stripe's colour at each place: a broad pale band beside a thin line."""
    phase = places % check_mm
    thin = np.abs(phase - check_mm * 0.68) < _THREAD_MM
    return np.asarray(0.55 * (phase < check_mm * 0.36) + 0.9 * thin, np.float64)


def _stick(cloth: _Texture, marker: MarkerLook) -> None:
    """Draws a printed marker on the cloth."""
    modules, margin = 6, 20
    side = modules * margin
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    paper = round(side * _PAPER_MM / marker.size_mm)
    printed = np.full((side + 2 * paper, side + 2 * paper, 3), 236, np.uint8)
    pattern = cv2.aruco.generateImageMarker(dictionary, marker.name, side)
    inner = slice(paper, paper + side)
    printed[inner, inner] = np.clip(pattern, 26, 236)[..., None]
    scale = marker.size_mm * cloth.px_a_mm / side
    middle = (len(printed) - 1) / 2
    turn = cv2.getRotationMatrix2D((middle, middle), marker.angle_deg, scale)
    shift_x = (marker.x_mm - cloth.x_mm) * cloth.px_a_mm - 0.5 - middle
    shift_y = (cloth.y_mm - marker.y_mm) * cloth.px_a_mm - 0.5 - middle
    turn[:, 2] += np.array([shift_x, shift_y])
    size = (cloth.image.shape[1], cloth.image.shape[0])
    cv2.warpAffine(printed, turn, size, cloth.image, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)


def _square(half: float, z_mm: float) -> Values:
    flat = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    return np.column_stack([flat, np.full(4, z_mm)])


def _shade(canvas: Canvas, camera: CameraPose, outer: float, look: TableLook) -> None:
    """Draws the board's shadow on the cloth."""
    low = -look.board.thickness_mm
    shadow = np.zeros(canvas.shape[:2], np.float32)
    away = look.lamp.direction()
    throw = -away[:2] / away[2] * (look.board.thickness_mm + look.board.rim_height_mm)
    for part in (0.0, 0.5, 1.0):
        ground = _square(outer, low) + np.append(throw * part, 0)
        cv2.fillConvexPoly(shadow, np.round(camera.project(ground)).astype(np.int32), 1.0)
    soft = np.asarray(cv2.GaussianBlur(shadow, (0, 0), 8))
    canvas[:] = (canvas * (1 - 0.62 * soft[..., None])).astype(np.uint8)


def _sides(canvas: Canvas, look: TableLook, outer: float) -> None:
    """Draws the outer walls of the board: its outline from the table up to the frame."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    around = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    outline = np.sign(around) * (outer - _ROUND_MM) + around * _ROUND_MM
    for z_mm in np.linspace(-look.board.thickness_mm, look.board.rim_height_mm, 8):
        ring = np.column_stack([outline, np.full(len(outline), z_mm)])
        shape = np.round(look.camera.project(ring) * 16).astype(np.int32)
        shade = 0.42 + 0.2 * (z_mm > 0)
        cv2.fillConvexPoly(canvas, shape, _bgr(look.board.rim, shade), cv2.LINE_AA, 4)


@lru_cache(maxsize=4)
def _rim(board: BoardLook, from_where: tuple[float, float], px_a_mm: float, seed: int) -> _Texture:
    """Draws the frame around the squares, its edges shaded by the light."""
    noise = np.random.default_rng((seed, 1))
    outer = board.field_mm / 2 + board.rim_mm
    side = round(2 * outer * px_a_mm)
    px_a_mm = side / (2 * outer)
    tone = np.ones((side, side))
    edge = round(1.6 * px_a_mm)
    light = LampLook(1.0, NEUTRAL_KELVIN, *from_where).direction()
    ramp = np.linspace(1, 0, edge)
    for strength, cut in (
        (-light[0], np.s_[:, :edge]),
        (light[0], np.s_[:, side - edge :]),
    ):
        tone[cut] += 0.34 * strength * (ramp if cut[1].start is None else ramp[::-1])[None, :]
    tone[:edge] += 0.34 * light[1] * ramp[:, None]
    tone[side - edge :] -= 0.34 * light[1] * ramp[::-1, None]
    tone += 0.012 * noise.standard_normal((side, side), np.float32) + 0.02 * _grain(
        (side, side), noise, 300
    )
    if board.rim_height_mm > 0:
        _step_down(tone, round(board.rim_mm * px_a_mm), round(1.4 * px_a_mm), light)
    colour = np.full((side, side, 3), _bgr(board.rim))
    _print_squares(colour, board, px_a_mm)
    image = np.clip(tone[..., None] * colour, 0, 255).astype(np.uint8)
    return _Texture(image, -outer, outer, px_a_mm)


def _print_squares(colour: Values, board: BoardLook, px_a_mm: float) -> None:
    """Draws a row of squares along the middle of each side of the frame."""
    if not board.rim_squares:
        return
    inks = [_bgr(ink) for ink in board.rim_squares]
    side_mm = board.field_mm + 2 * board.rim_mm
    half_mm, middle_mm = _PRINTED * board.cell_mm / 2, board.rim_mm / 2
    places = np.arange(middle_mm, side_mm, board.cell_mm)

    def reach(place_mm: float) -> slice:
        return slice(*(round(max(place_mm + k * half_mm, 0) * px_a_mm) for k in (-1, 1)))

    for number, place_mm in enumerate(places.tolist()):
        for across_mm in (middle_mm, side_mm - middle_mm):
            colour[reach(place_mm), reach(across_mm)] = inks[number % len(inks)]
            colour[reach(across_mm), reach(place_mm)] = inks[number % len(inks)]


def _step_down(tone: Values, rim_px: int, deep: int, light: Values) -> None:
    """Draws the inner wall of the frame: bright on sides that face the lamp, dark on others."""
    side = len(tone)
    low, high = rim_px - deep, side - rim_px + deep
    tone[low:high, low : low + deep] *= 1 + 0.5 * light[0]
    tone[low:high, high - deep : high] *= 1 - 0.5 * light[0]
    tone[low : low + deep, low:high] *= 1 - 0.5 * light[1]
    tone[high - deep : high, low:high] *= 1 + 0.5 * light[1]


@lru_cache(maxsize=4)
def _floor(
    board: BoardLook, from_where: tuple[float, float], px_a_mm: float, seed: int
) -> _Texture:
    """Draws the field of squares, with ridges between them and the starting points."""
    noise = np.random.default_rng((seed, 2))
    side = round(board.field_mm * px_a_mm)
    px_a_mm = side / board.field_mm
    cell = board.cell_mm * px_a_mm
    tone = np.ones((side, side))
    tone += 0.014 * noise.standard_normal((side, side), np.float32)
    tone += 0.02 * _grain((side, side), noise, 27.5 * px_a_mm)
    light = LampLook(1.0, NEUTRAL_KELVIN, *from_where).direction()
    ridge = _RIDGE_MM * px_a_mm / 2
    lines = np.arange(board.size + 1) * cell
    places = np.arange(side) + 0.5
    offset = places[:, None] - lines[None, :]
    nearest = offset[np.arange(side), np.abs(offset).argmin(axis=1)]
    across, down = _ridge(nearest, ridge, light[0]), _ridge(nearest, ridge, -light[1])
    strong = np.where(
        np.abs(across[None, :]) > np.abs(down[:, None]), across[None, :], down[:, None]
    )
    tone += strong
    _marks(tone, board, px_a_mm, light)
    half = board.field_mm / 2
    colour = np.array(_bgr(board.floor))
    image = np.clip(tone[..., None] * colour, 0, 255).astype(np.uint8)
    return _Texture(image, -half, half, px_a_mm)


def _ridge(offset: Values, half_px: float, light: float) -> Values:
    """Tone of ridges: bright on top, one flank lit and one dark, a little shade behind.

    Args:
        offset: distance from the middle of the nearest ridge in pixels.
        half_px: half the width of a ridge in pixels.
        light: component of the lamp's direction towards positive offsets, -1 to 1.
    """
    distance = np.abs(offset)
    flank = 0.34 * light * np.sign(offset)
    shade = np.where(light * offset < 0, -0.10, 0.0)
    bands = [distance < half_px * 0.7, distance < half_px * 1.6, distance < half_px * 3.5]
    return np.asarray(np.select(bands, [0.32, flank, shade], 0.0), np.float64)


def _marks(tone: Values, board: BoardLook, px_a_mm: float, light: Values) -> None:
    """Draws the starting points: a ring and a dot, printed in white."""
    half = board.field_mm / 2
    layer = np.zeros(tone.shape, np.float32)
    for x, y in board.marks_mm:
        place = (round((x + half) * px_a_mm), round((half - y) * px_a_mm))
        radius = board.cell_mm * px_a_mm
        cv2.circle(layer, place, round(radius * 0.27), 1.0, round(radius * 0.05), cv2.LINE_AA)
        cv2.circle(layer, place, round(radius * 0.09), 1.0, -1, cv2.LINE_AA)
    tone += (1.25 + 0.1 * light[2]) * layer
