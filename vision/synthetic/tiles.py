"""Drawing of pieces: walls, a bevel around each square, and the lamp's gloss on shiny plastic."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.scene import CameraPose, LampLook, Tile, Values

_SHIFT: Final = 4
"""Fractional bits of drawn coordinates."""

_BEVEL_MM: Final = 2.1
"""Width of a bevel."""

_BEVEL_DROP_MM: Final = 1.1
"""Height of a bevel."""

_GAP_MM: Final = 0.4
"""Gap between neighbouring squares."""

_AMBIENT: Final = 0.58
"""Share of light from all sides."""

_UNIT: Final = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) / 2
"""Corners of a square of side 1 about its middle."""

_OUTWARD: Final = np.array([[0, 1], [1, 0], [0, -1], [-1, 0.0]])
"""Normals of the four sides of a square, in the order of its corners."""

_WALL: Final = 0.62
"""Factor on the light of walls."""

_LEAN: Final = 0.02
"""Largest slope of the top of a piece."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """All squares of some pieces, those far from the camera first; in pixels times 2 ** _SHIFT.

    Attributes:
        foot, rim: (n, 4, 2) int32, corners on the ground and at the lower edge of the bevel.
        faces: (n, 9, 4, 2) int32, four walls, four bevels and the flat middle.
        colour: (n, 9, 3) blue green red of each.
        seen: (n, 9) True if it faces the camera and is in the picture.
    """

    foot: NDArray[np.int32]
    rim: NDArray[np.int32]
    faces: NDArray[np.int32]
    colour: Values
    seen: NDArray[np.bool_]


def draw_tiles(
    canvas: NDArray[np.uint8],
    tiles: Sequence[Tile],
    camera: CameraPose,
    lamp: LampLook,
    brightness: NDArray[np.float32],
    mask: NDArray[np.uint8] | None = None,
    origin: tuple[int, int] = (0, 0),
) -> None:
    """Draws pieces.

    Args:
        canvas: (height, width, 3) uint8, drawn into.
        tiles: pieces to draw.
        camera: camera that takes the picture.
        lamp: light, for shade and gloss.
        brightness: (height, width, 3) factor of the light on the colours of each pixel.
        mask: (height, width) uint8, set to 255 where there is a piece.
        origin: pixel of the frame, x and y, at the top left of the canvas.
    """
    if not tiles:
        return
    cells = _cells(tiles, camera, lamp, brightness)
    colours = np.clip(cells.colour, 0, 255).tolist()
    begin = np.array(origin, np.int32) * 2**_SHIFT
    shapes = cells.faces - begin
    for faces, colour, seen in zip(shapes, colours, cells.seen.tolist(), strict=True):
        for face, tone, visible in zip(faces, colour, seen, strict=True):
            if visible:
                cv2.fillConvexPoly(canvas, face, tone, cv2.LINE_AA, _SHIFT)
    if mask is not None:
        for outline in np.concatenate([cells.foot, cells.rim]) - begin:
            cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_8, _SHIFT)


@lru_cache(maxsize=1024)
def extent(tile: Tile, camera: CameraPose, lamp: LampLook) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a piece and its shadow in a frame, in pixels."""
    plan = _plan((tile,))
    flat = plan.corners(plan.side)
    throw = -lamp.direction()[:2] / lamp.direction()[2] * tile.height_mm
    levels = (
        _raised(flat, plan.low),
        _raised(flat, plan.low + plan.height),
        _raised(flat + throw, plan.low),
    )
    pixels = np.concatenate([camera.project(level).reshape(-1, 2) for level in levels])
    low, high = np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0))
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def draw_shadows(
    shadow: NDArray[np.uint8],
    tiles: Sequence[Tile],
    camera: CameraPose,
    lamp: LampLook,
    part: int,
    origin: tuple[int, int] = (0, 0),
) -> None:
    """Draws the shadows of pieces.

    Args:
        shadow: (height / part, width / part) uint8, set to 255 in shade.
        tiles: pieces that cast shadows.
        camera: camera that takes the picture.
        lamp: light.
        part: pixels of the frame per pixel of the shadow, along each side.
        origin: pixel of the frame at the top left of the shadow; multiples of `part`.
    """
    if not tiles:
        return
    begin = np.array(origin, np.int32) // part * 2**_SHIFT
    direction = lamp.direction()
    plan = _plan(tiles)
    throw = -direction[:2] / direction[2] * plan.height[:, None, None]
    ground = plan.corners(plan.side - 2 * _GAP_MM)
    for far in (0.5, 1.0):
        flat = ground + throw * far
        # The cloth is lower than the board: a shadow starts at the foot of its piece.
        pixels = camera.project(_raised(flat, plan.low))
        for square in np.round(pixels / part * 2**_SHIFT).astype(np.int32) - begin:
            cv2.fillConvexPoly(shadow, square, 255, cv2.LINE_8, _SHIFT)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """All squares of some pieces as lists, n long.

    Attributes:
        middle: (n, 2) in millimetres.
        turn: (n, 2, 2) rotation of the piece.
        side, low, height: side of a square, height of the underside, and thickness, in millimetres.
        plastic: (n, 3) colour, blue green red.
        lean: (n, 3) deviation of the normal of its top from the vertical.
    """

    middle: Values
    turn: Values
    side: Values
    low: Values
    height: Values
    plastic: Values
    lean: Values

    def corners(self, side: Values) -> Values:
        """(n, 4, 2) corners of squares of these sides about the middles."""
        local = _UNIT * side[:, None, None]
        return np.asarray(self.middle[:, None] + local @ self.turn.transpose(0, 2, 1))


def _plan(tiles: Sequence[Tile]) -> _Plan:
    count = np.array([len(tile.cells) for tile in tiles])

    def each(values: Sequence[Sequence[float]] | Sequence[float]) -> Values:
        return np.repeat(np.array(values, np.float64), count, axis=0)

    angle = np.radians(each([tile.angle_deg for tile in tiles]))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn.transpose(2, 0, 1)
    side = each([tile.cell_mm for tile in tiles])
    cells = np.array([cell for tile in tiles for cell in tile.cells]) * side[:, None]
    place = each([(tile.x_mm, tile.y_mm) for tile in tiles])
    # No plastic is quite flat: each piece reflects the lamp a little differently.
    wave = np.stack([place[:, 0] * 1.7 + place[:, 1], place[:, 1] * 2.3 - place[:, 0]], axis=1)
    return _Plan(
        place + np.einsum("nij,nj->ni", turn, cells),
        turn,
        side,
        each([tile.z_mm for tile in tiles]),
        each([tile.height_mm for tile in tiles]),
        each([tile.colour[::-1] for tile in tiles]),
        np.column_stack([_LEAN * np.sin(wave), np.zeros(len(wave))]),
    )


def _cells(
    tiles: Sequence[Tile], camera: CameraPose, lamp: LampLook, brightness: NDArray[np.float32]
) -> _Cells:
    far_first = sorted(
        tiles, key=lambda t: (t.z_mm, -np.hypot(t.x_mm - camera.x_mm, t.y_mm - camera.y_mm))
    )
    plan = _plan(far_first)
    high = plan.low + plan.height
    full = plan.side - _GAP_MM
    levels = (
        _raised(plan.corners(full), plan.low),
        _raised(plan.corners(full), high - _BEVEL_DROP_MM),
        _raised(plan.corners(full - 2 * _BEVEL_MM), high),
    )
    foot, rim, top = (
        np.round(camera.project(level) * 2**_SHIFT).astype(np.int32) for level in levels
    )
    faces = np.stack([*_between(foot, rim), *_between(rim, top), top], axis=1)
    limit = [camera.width - 1, camera.height - 1]
    places = np.clip(camera.project(levels[2].mean(axis=1)), 0, limit).astype(int)
    gain = brightness[places[:, 1], places[:, 0]][:, None]
    eye = np.array([camera.x_mm, camera.y_mm, camera.z_mm])
    seen = _facing(faces) & _inside(rim, camera)[:, None]
    return _Cells(foot, rim, faces, _shaded(plan, eye, lamp) * gain, seen)


def _facing(faces: NDArray[np.int32]) -> NDArray[np.bool_]:
    """(n, k) True for faces, (n, k, 4, 2), seen from outside: their corners run clockwise."""
    one, two = (faces[:, :, i + 2] - faces[:, :, i] for i in range(2))
    return np.asarray(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0] > 0, np.bool_)


def _inside(corners: NDArray[np.int32], camera: CameraPose) -> NDArray[np.bool_]:
    """(n,) True for squares, (n, 4, 2), that are at least partly in the picture."""
    size = np.array([camera.width, camera.height]) * 2**_SHIFT
    within = (corners.max(axis=1) >= 0) & (corners.min(axis=1) < size)
    return np.asarray(within.all(axis=1), np.bool_)


def _between(lower: NDArray[np.int32], upper: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """Returns the four faces that join two squares, each (n, 4, 2)."""
    lower_next, upper_next = np.roll(lower, -1, axis=1), np.roll(upper, -1, axis=1)
    return [
        np.stack([lower[:, i], lower_next[:, i], upper_next[:, i], upper[:, i]], axis=1)
        for i in range(4)
    ]


def _raised(flat: Values, z_mm: Values) -> Values:
    """(n, 4, 3) corners in space from corners, (n, 4, 2), and the height of each square."""
    height = np.broadcast_to(z_mm[:, None, None], (*flat.shape[:2], 1))
    return np.concatenate([flat, height], axis=2)


def _shaded(plan: _Plan, eye: Values, lamp: LampLook) -> Values:
    """(n, 9, 3) blue green red of four walls, four bevels and the flat middle."""
    count = len(plan.side)
    light = lamp.direction()
    outward = np.zeros((count, 4, 3))
    outward[:, :, :2] = _OUTWARD @ plan.turn.transpose(0, 2, 1)
    slope = np.arctan2(_BEVEL_DROP_MM, _BEVEL_MM)
    bevels = outward * np.sin(slope) + np.array([0, 0, np.cos(slope)])
    level = (plan.lean + np.array([0, 0, 1.0]))[:, None]
    normals = np.concatenate([outward, bevels, level], axis=1)
    matt = _AMBIENT + (1 - _AMBIENT) / light[2] * np.clip(normals @ light, 0, None)
    # Walls get little light.
    matt[:, :4] *= _WALL
    towards = eye - np.column_stack([plan.middle, plan.low])
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    half = towards + light
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    facing = np.clip(np.einsum("nfi,ni->nf", normals, half), 0, 1)
    gloss = 0.62 * facing**140 + 0.10 * facing**12
    plastic = plan.plastic[:, None]
    return np.asarray(matt[..., None] * plastic + gloss[..., None] * (255 - 0.4 * plastic))
