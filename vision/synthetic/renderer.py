"""Renders frames of a table, ten per second and more, because only changes are drawn."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.backdrop import Canvas, backdrop
from vision.synthetic.objects import HandSprite, draw_cup, draw_glare, placement, sprite
from vision.synthetic.scene import (
    CameraPose,
    HandLook,
    LampLook,
    TableLook,
    Tile,
    Values,
)
from vision.synthetic.tiles import draw_shadows, draw_tiles, extent

_SHADOW_PART: Final = 2
"""Reduction of the picture in which shadows of pieces are drawn."""

_SHADOW: Final = 0.6
"""Share of the light that a piece's shadow takes away."""

_HAND_SHADOW: Final = 0.5
"""Share of the light that a hand's shadow takes away."""

_GLOW_PART: Final = 2
"""Reduction of the picture in which lit squares are drawn."""

_DULLING: Final = 0.3
"""Share of the strength of a glow that is subtracted from the grey of the board."""

_NOISE_SPARE: Final = 64
"""Pixels by which the stored noise is larger than a frame; each frame uses another section."""

_FEW_TILES: Final = 8
"""Most pieces that change at once without a redraw of the whole table."""

_SOFT_PX: Final = 16
"""Pixels beyond which the blur of a shadow has no effect."""


class Renderer:
    """Draws frames; the same tables, seed and numbers give the same pictures.

    It stores the last backdrop and the last lit table, so that frames in which only a hand moves
    take a few milliseconds.

    Args:
        seed: seed of cloth, skin and noise.
        noise: standard deviation of the sensor's noise in grey levels.
    """

    def __init__(self, seed: int = 1, noise: float = 2.0) -> None:
        self._seed = seed
        self._noise = noise
        self._backdrop: tuple[object, Canvas] | None = None
        self._laid: _Laid | None = None
        self._lit: tuple[object, Canvas] | None = None
        self._field: tuple[object, NDArray[np.float32]] | None = None
        self._grain: tuple[Canvas, Canvas] | None = None

    def render(self, look: TableLook, number: int = 0) -> Canvas:
        """Draws a frame, (height, width, 3) uint8 blue green red.

        Args:
            look: everything visible on the table.
            number: number of the frame; only the noise depends on it.
        """
        canvas = self._table(look).copy()
        if look.cup is not None:
            draw_cup(canvas, look.cup, look.camera, look.lamp)
        if look.glare is not None:
            draw_glare(canvas, look.glare, look.camera)
        if look.hand is not None:
            self._reach(canvas, look, look.hand)
        return self._exposed(canvas, number)

    def _table(self, look: TableLook) -> Canvas:
        """Draws the table with its pieces in its light, without the hand."""
        place = (look.camera, look.board, look.cloth, look.markers, look.lamp, look.opacity)
        key = (place, look.tiles)
        if self._laid is None or self._laid.place != place:
            self._laid = _Laid.bare(place, self._empty(look))
        if self._laid.tiles != look.tiles:
            self._laid.lay(look, self._brightness(look))
        if not look.glows:
            return self._laid.canvas
        if self._lit is None or self._lit[0] != (key, look.glows, look.passing):
            canvas = self._laid.canvas.copy()
            _glow(canvas, look, self._laid.free)
            self._lit = (key, look.glows, look.passing), canvas
        return self._lit[1]

    def _empty(self, look: TableLook) -> Canvas:
        """Draws the table in its light, without pieces and hand."""
        place = (look.camera, look.board, look.cloth, look.markers)
        key = (place, look.lamp.azimuth_deg, look.lamp.elevation_deg)
        if self._backdrop is None or self._backdrop[0] != key:
            soft = cv2.GaussianBlur(backdrop(look, self._seed), (0, 0), 0.5)
            self._backdrop = key, np.asarray(soft, np.uint8)
        lit = cv2.multiply(self._backdrop[1], self._brightness(look), dtype=cv2.CV_8U)
        return np.asarray(lit, np.uint8)

    def _brightness(self, look: TableLook) -> NDArray[np.float32]:
        """(height, width, 3) factor of the lamp and the lens on each pixel."""
        key = (look.camera, look.lamp)
        if self._field is None or self._field[0] != key:
            self._field = key, _field(look.camera, look.lamp)
        return self._field[1]

    def _reach(self, canvas: Canvas, look: TableLook, hand: HandLook) -> None:
        middle = look.camera.project(np.array([hand.x_mm, hand.y_mm, hand.z_mm]))
        height, width = canvas.shape[:2]
        column, row = np.clip(middle, 0, [width - 1, height - 1]).astype(int)
        gain = np.asarray(self._brightness(look)[row, column], np.float64)
        lamp = look.lamp
        where = lamp.azimuth_deg, lamp.elevation_deg
        shape = sprite(round(hand.reach_deg), hand.sleeve, where, self._seed)
        place = placement(hand, look.camera)
        throw = lamp.direction()[:2] / lamp.direction()[2] * (hand.z_mm + 26.0)
        ground = np.array([[hand.x_mm, hand.y_mm, 0.0], [hand.x_mm, hand.y_mm, 0.0]])
        ground[1, :2] -= throw
        pixels = look.camera.project(ground)
        _cast(canvas, shape, place, pixels[1] - pixels[0])
        if hand.holding is not None:
            draw_tiles(canvas, (hand.holding,), look.camera, look.lamp, self._brightness(look))
        _paste(canvas, shape, place, gain)

    def _exposed(self, canvas: Canvas, number: int) -> Canvas:
        """Adds the sensor's noise to the frame."""
        if self._noise <= 0:
            return canvas
        height, width = canvas.shape[:2]
        wide = (height + _NOISE_SPARE, width + _NOISE_SPARE, 3)
        if self._grain is None or self._grain[0].shape != wide:
            source = np.random.default_rng(self._seed)
            grain = np.round(source.normal(0, self._noise, wide))
            # Positive and negative noise are stored as bytes, which are added many times faster.
            apart = np.clip(grain, 0, 255), np.clip(-grain, 0, 255)
            self._grain = apart[0].astype(np.uint8), apart[1].astype(np.uint8)
        spot = np.random.default_rng((self._seed, number)).integers(0, _NOISE_SPARE, 2)
        brighter, darker = (
            part[spot[0] : spot[0] + height, spot[1] : spot[1] + width] for part in self._grain
        )
        cv2.add(canvas, brighter, canvas)
        cv2.subtract(canvas, darker, canvas)
        return canvas


@dataclass(slots=True, eq=False)
class _Laid:
    """The table with its pieces, LEDs dark; redrawn only where pieces come and go.

    Attributes:
        place: everything that it depends on, except the pieces.
        empty: the table in its light without pieces.
        tiles: the pieces.
        canvas: the table with them.
        free: (height, width) uint8, 255 where light from below is visible.
    """

    place: object
    empty: Canvas
    tiles: tuple[Tile, ...]
    canvas: Canvas
    free: NDArray[np.uint8]

    @staticmethod
    def bare(place: object, empty: Canvas) -> "_Laid":
        """Makes the table without a piece."""
        return _Laid(place, empty, (), empty.copy(), np.full(empty.shape[:2], 255, np.uint8))

    def lay(self, look: TableLook, brightness: NDArray[np.float32]) -> None:
        """Draws the changed pieces."""
        before, after = set(self.tiles), set(look.tiles)
        changed = before ^ after
        self.tiles = look.tiles
        if len(changed) > _FEW_TILES:
            self._draw(look, brightness, (0, 0, look.camera.width, look.camera.height))
            return
        for tile in changed:
            self._draw(look, brightness, extent(tile, look.camera, look.lamp))

    def _draw(
        self, look: TableLook, brightness: NDArray[np.float32], window: tuple[int, int, int, int]
    ) -> None:
        """Draws a window, with enough around it that nothing in it is cut off."""
        camera = look.camera
        square = camera.focal_px / camera.z_mm * look.board.cell_mm
        inner = _inside(window, _SOFT_PX, camera)
        outer = _inside(inner, int(2 * square) + 2 * _SOFT_PX, camera)
        left, top, right, bottom = outer
        near = tuple(tile for tile in look.tiles if _meet(extent(tile, camera, look.lamp), outer))
        canvas = self.empty[top:bottom, left:right].copy()
        shape = ((bottom - top) // _SHADOW_PART, (right - left) // _SHADOW_PART)
        shadow, mask = np.zeros(shape, np.uint8), np.zeros(canvas.shape[:2], np.uint8)
        draw_shadows(shadow, near, camera, look.lamp, _SHADOW_PART, (left, top))
        _darken(canvas, shadow, _SHADOW, 1.6)
        under = canvas.copy() if look.opacity < 1 else canvas
        draw_tiles(canvas, near, camera, look.lamp, brightness, mask, (left, top))
        if look.opacity < 1:
            cv2.addWeighted(canvas, look.opacity, under, 1 - look.opacity, 0, canvas)
        x0, y0, x1, y1 = inner
        cut = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
        self.canvas[y0:y1, x0:x1] = canvas[cut]
        self.free[y0:y1, x0:x1] = cv2.bitwise_not(mask)[cut]


def _inside(
    window: tuple[int, int, int, int], more: int, camera: CameraPose
) -> tuple[int, int, int, int]:
    """Enlarges a window on each side; its edges are even numbers within the picture."""
    left, top, right, bottom = window
    width, height = camera.width, camera.height
    return (
        min(max(left - more, 0), width) // 2 * 2,
        min(max(top - more, 0), height) // 2 * 2,
        (min(max(right + more, 0), width) + 1) // 2 * 2,
        (min(max(bottom + more, 0), height) + 1) // 2 * 2,
    )


def _meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _field(camera: CameraPose, lamp: LampLook) -> NDArray[np.float32]:
    x = (np.arange(camera.width) / camera.width - 0.5)[None, :]
    y = (0.5 - np.arange(camera.height) / camera.height)[:, None]
    light = lamp.direction()
    slope = 1.0 + 0.34 * (x * light[0] + y * light[1])
    corner = 1.03 - 0.42 * (x * x + y * y)
    return np.asarray((slope * corner)[..., None] * lamp.gain(), np.float32)


def _darken(canvas: Canvas, shadow: NDArray[np.uint8], depth: float, blur: float) -> None:
    soft = cv2.GaussianBlur(shadow, (0, 0), blur)
    height, width = canvas.shape[:2]
    keep = 255 - cv2.resize(soft, (width, height)) * depth
    lit = cv2.merge([keep.astype(np.uint8)] * 3)
    cv2.multiply(canvas, lit, canvas, 1 / 255)


def _glow(canvas: Canvas, look: TableLook, free: NDArray[np.uint8]) -> None:
    """Draws light from below: each lit square and a halo; pieces dim or block it."""
    height, width = canvas.shape[:2]
    layer = np.zeros((height // _GLOW_PART, width // _GLOW_PART, 3), np.uint8)
    for glow in look.glows:
        half = glow.size_mm * 0.40
        square = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0.0]]) * half
        corners = look.camera.project(square + np.array([glow.x_mm, glow.y_mm, 0]))
        shape = np.round(corners / _GLOW_PART * 16).astype(np.int32)
        cv2.fillConvexPoly(layer, shape, glow.colour[::-1], cv2.LINE_AA, 4)
    reach = look.camera.focal_px / look.camera.z_mm * look.board.cell_mm / _GLOW_PART
    core = cv2.GaussianBlur(layer, (0, 0), reach * 0.09)
    halo = cv2.GaussianBlur(layer, (0, 0), reach * 0.42)
    both = cv2.resize(cv2.addWeighted(core, 0.8, halo, 0.65, 0), (width, height))
    # The grey of the board is reduced, because it would wash out the colour of the light.
    blue, green, red = cv2.split(both)
    strength = cv2.merge([cv2.max(cv2.max(blue, green), red)] * 3)
    through = cv2.multiply(canvas, both, scale=look.passing / 255)
    cv2.subtract(canvas, cv2.convertScaleAbs(strength, alpha=_DULLING), canvas, mask=free)
    cv2.add(canvas, both, canvas, mask=free)
    if look.passing:
        cv2.add(canvas, through, canvas, mask=cv2.bitwise_not(free))


def _window(place: Values, shape: HandSprite, canvas: Canvas) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of the canvas that a sprite covers."""
    height, width = shape.alpha.shape
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1.0]]) @ place.T
    low = np.clip(np.floor(corners.min(axis=0)), 0, [canvas.shape[1], canvas.shape[0]])
    high = np.clip(np.ceil(corners.max(axis=0)), 0, [canvas.shape[1], canvas.shape[0]])
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _paste(canvas: Canvas, shape: HandSprite, place: Values, gain: Values) -> None:
    left, top, right, bottom = _window(place, shape, canvas)
    if right <= left or bottom <= top:
        return
    local = place - np.array([[0, 0, left], [0, 0, top]])
    size = (right - left, bottom - top)
    skin = cv2.transform(cv2.warpAffine(shape.image, local, size), np.diag(gain))
    alpha = cv2.merge([cv2.warpAffine(shape.alpha, local, size)] * 3)
    under = canvas[top:bottom, left:right]
    cover = cv2.multiply(skin, alpha, scale=1 / 255)
    rest = cv2.multiply(under, 255 - np.asarray(alpha), scale=1 / 255)
    canvas[top:bottom, left:right] = cv2.add(cover, rest)


def _cast(canvas: Canvas, shape: HandSprite, place: Values, throw: Values) -> None:
    """Draws the soft shadow of a hand."""
    part, blur = 4, 4.0
    thrown = place + np.array([[0, 0, throw[0]], [0, 0, throw[1]]])
    left, top, right, bottom = _window(thrown, shape, canvas)
    spare = int(part * blur * 4)
    height, width = canvas.shape[:2]
    left, top = max(left - spare, 0) // part * part, max(top - spare, 0) // part * part
    right, bottom = min(right + spare, width), min(bottom + spare, height)
    if right <= left or bottom <= top:
        return
    small = (thrown - np.array([[0, 0, left], [0, 0, top]])) / part
    size = ((right - left) // part, (bottom - top) // part)
    alpha = cv2.warpAffine(shape.alpha, small, size)
    under = canvas[top:bottom, left:right]
    _darken(under, np.asarray(alpha, np.uint8), _HAND_SHADOW, blur)
