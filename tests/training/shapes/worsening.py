"""Augmentation of known boards with light, colours, hands and LEDs, which leaves only the shapes.

Light is added and removed in linear light. Each square keeps its relief, but board and tiles get
any colour and brightness, together or separately.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, NOT_KNOWN, ShapeSample, hidden_by, shade_of
from tests.training.shapes.plain_boards import plain_board
from vision.camera import Image
from vision.geometry.grid import OUTLINE
from vision.squares.network import BARE, DARK, LIGHT, LIT, OUTSIDE, PARTIAL, SCALE, UNDER, view_of

Light = NDArray[np.float32]
"""(side, side, 3) linear light, 1 for white."""

Shapes = NDArray[np.intp]
Places = NDArray[np.float32]
Chance = np.random.Generator

GAMMA: Final = 2.2
"""Exponent from values of a picture to linear light."""

_SHIFT, _LEAN = 0.03, 0.045
"""Standard deviation of the error of the whole grid, and of each of its corners, in squares."""

_ASTRAY, _FARTHEST = 0.3, 2
"""Share of grids shifted by whole squares, and largest shift in squares."""

_AS_IT_WAS, _EXPOSED = 0.35, 0.2
"""Share of views without augmentation, and standard deviation of the log of their exposure."""

_PLAIN: Final = 0.15
"""Share of views that are drawn plainly instead."""

_SHUFFLED: Final = 0.15
"""Share of views whose squares change places with others of the same content, so that neither
shadows nor edges continue from one to the next."""

_TILES: Final = (DARK, LIGHT, ANY_SHADE)

SKIN: Final = np.array([0.25, 0.35, 0.6])


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One view with its labels, also of the squares around the board.

    Attributes:
        view: (side, side, 3) uint8.
        shapes: (n + 2, n + 2) labels of its squares; see `ShapeSample.shapes`.
        colours: (n + 2, n + 2) 0 without a tile, then the number of the colour.
        pieces: (n + 2, n + 2) 0 without a tile, then the number of the piece; `NOT_KNOWN` if the
            squares come from several.
        away: (n + 2, n + 2, 2) offset of the squares from the view's grid, right and down, in
            squares.
    """

    view: Image
    shapes: Shapes
    colours: Shapes
    pieces: Shapes
    away: Places


def worsened(board: ShapeSample, chance: Chance) -> Lesson:
    """Returns an augmented view of a board."""
    steps = chance.integers(-_FARTHEST, _FARTHEST + 1, 2) if chance.random() < _ASTRAY else (0, 0)
    shapes, colours, pieces = _around(board, int(steps[0]), int(steps[1]))
    light, away = _view(board, np.array(steps)[::-1], chance)
    if chance.random() < _PLAIN:
        light, shapes, colours, pieces = plain_board(shapes, colours, pieces, chance)
        away = np.zeros_like(away)
    elif chance.random() < _SHUFFLED:
        light, pieces = _shuffled(light, shapes, colours, chance), np.full_like(pieces, NOT_KNOWN)
    if chance.random() < _AS_IT_WAS:
        view = developed(light * np.exp(chance.normal(0, _EXPOSED)))
        return Lesson(view, shapes, colours, pieces, away)
    if chance.random() < 0.3 and not (shapes == PARTIAL).any():
        light = _recoloured(light, colours, shapes, chance)
    light = _in_colour(light, chance)
    light *= _slope(len(light), chance)
    if chance.random() < 0.4:
        light *= _shadow(len(light), chance)
    if chance.random() < 0.2:
        light += _lamp(len(light), chance)
    if chance.random() < 0.2:
        _mirror(light, shapes, chance)
    if chance.random() < 0.2:
        _glow(light, shapes, chance)
    if chance.random() < 0.2:
        light, shapes = _covered(light, shapes, chance)
    view = _taken(light * np.exp(chance.normal(0, 0.5)), chance)
    return Lesson(view, shapes, colours, pieces, away)


def _around(board: ShapeSample, down: int, right: int) -> tuple[Shapes, Shapes, Shapes]:
    """Returns (n + 2, n + 2) shapes, colours and pieces for a grid shifted by whole squares."""
    edge = _FARTHEST + 1
    beyond = OUTSIDE if board.whole else NOT_KNOWN
    shapes = np.pad(board.shapes, edge, constant_values=beyond)
    rows = slice(_FARTHEST + down, len(shapes) - _FARTHEST + down)
    columns = slice(_FARTHEST + right, len(shapes) - _FARTHEST + right)
    colours, pieces = (np.pad(one, edge)[rows, columns] for one in (board.colours, board.pieces))
    return shapes[rows, columns].copy(), colours, pieces


def _view(board: ShapeSample, steps: NDArray[np.intp], chance: Chance) -> tuple[Light, Places]:
    """Returns a view with an error of the grid, and the offset of each square.

    Args:
        board: the board.
        steps: (2,) shift of the grid in whole squares, right and down.
        chance: random choices of the further error.
    """
    n = board.grid.size
    far = chance.choice([0.5, 1.0, 3.0])
    off = far * (chance.normal(0, _LEAN, (4, 2)) + chance.normal(0, _SHIFT, 2))
    corners = board.grid.project(OUTLINE * n + steps)
    grid = board.grid.with_corners(corners + off * board.grid.square_px)
    view = view_of(board.image, grid)
    middles = np.stack(np.meshgrid(np.arange(-1, n + 1), np.arange(-1, n + 1)), axis=2) + 0.5
    shifted = grid.unproject(board.grid.project(middles.reshape(-1, 2) + steps))
    light = np.asarray((view.astype(np.float32) / 255) ** GAMMA, np.float32)
    return light, np.asarray(shifted.reshape(middles.shape) - middles, np.float32)


def _recoloured(light: Light, colours: Shapes, shapes: Shapes, chance: Chance) -> Light:
    """Scales board and each colour of plastic to a random brightness that fits its label."""
    usual = np.median(_squares(light), axis=2)
    gains = np.ones((*shapes.shape, 3), np.float32)
    known = ~np.isin(shapes, (UNDER, OUTSIDE))
    bare = np.full(3, 0.2)
    for colour in range(int(colours.max()) + 1):
        members = (colours == colour) & known
        if not members.any():
            continue
        stray = 0.35 if colour else 0.15
        wanted = np.exp(chance.uniform(np.log(0.015), np.log(0.8)))
        wanted = wanted * np.clip(chance.normal(1, stray, 3), 0.2, 2)
        middle = np.median(usual[members], axis=0)
        gain = np.clip(wanted / (middle + 0.004), 0.05, 25)
        gains[members] = gain
        now = middle * gain
        if colour == 0:
            bare = now
            frame = 1.0 if chance.random() < 0.5 else np.exp(chance.normal(0, 0.7))
            gains[shapes == OUTSIDE] = np.clip(gain * frame, 0.05, 25)
        else:
            shapes[members & np.isin(shapes, _TILES)] = shade_of(now, bare)
    wide = cv2.GaussianBlur(gains.repeat(SCALE, 0).repeat(SCALE, 1), (0, 0), 0.7)
    return np.asarray(np.clip(light * wide, 0, 1.2), np.float32)


def _shuffled(light: Light, shapes: Shapes, colours: Shapes, chance: Chance) -> Light:
    """Returns the view with squares of the same label and colour in each other's places."""
    n = len(shapes)
    blocks = light.reshape(n, SCALE, n, SCALE, 3).transpose(0, 2, 1, 3, 4).copy()
    for shape, colour in set(zip(shapes.ravel().tolist(), colours.ravel().tolist(), strict=True)):
        places = np.argwhere((shapes == shape) & (colours == colour))
        if shape not in (OUTSIDE, UNDER):
            rows, columns = chance.permutation(places).T
            blocks[tuple(places.T)] = blocks[rows, columns]
    return np.ascontiguousarray(blocks.transpose(0, 2, 1, 3, 4).reshape(light.shape))


def _squares(light: Light) -> Light:
    """Returns (n + 2, n + 2, pixels, 3) the pixels of each square."""
    side = len(light) // SCALE
    apart = light.reshape(side, SCALE, side, SCALE, 3).transpose(0, 2, 1, 3, 4)
    return apart.reshape(side, side, -1, 3)


def _in_colour(light: Light, chance: Chance) -> Light:
    """Returns the view in grey or with mixed channels, under a random white balance."""
    if chance.random() < 0.25:
        grey = light @ chance.dirichlet([1, 1, 1]).astype(np.float32)
        light = np.repeat(grey[..., None], 3, axis=2)
    elif chance.random() < 0.6:
        mix = 0.6 * np.eye(3) + 0.4 * chance.dirichlet([1, 1, 1], 3)
        light = light @ mix.astype(np.float32)
    return np.asarray(light * chance.uniform(0.6, 1.3, 3), np.float32)


def _places(side: int) -> tuple[Light, Light]:
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    return x, y


def _slope(side: int, chance: Chance) -> Light:
    """Returns a gradient of light from one side of the board to the other."""
    x, y = _places(side)
    angle = chance.uniform(0, 2 * np.pi)
    across = ((x - side / 2) * np.cos(angle) + (y - side / 2) * np.sin(angle)) / side
    return np.asarray(np.exp(chance.normal(0, 0.5) * across)[..., None], np.float32)


def _shadow(side: int, chance: Chance) -> Light:
    mask = np.zeros((side, side), np.float32)
    if chance.random() < 0.5:
        _blot(mask, chance, (20, 100))
    else:
        outline = cv2.convexHull(chance.uniform(-40, side + 40, (4, 2)).astype(np.int32))
        cv2.fillConvexPoly(mask, outline, 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), chance.uniform(1, 25))
    return np.asarray(1 - chance.uniform(0.3, 0.85) * soft[..., None], np.float32)


def _blot(mask: Light, chance: Chance, radii: tuple[int, int]) -> None:
    middle, axes = chance.integers(0, len(mask), 2).tolist(), chance.integers(*radii, 2).tolist()
    cv2.ellipse(mask, middle, axes, chance.uniform(0, 180), 0, 360, 1.0, -1)


def _lamp(side: int, chance: Chance) -> Light:
    """Returns the soft reflection of a lamp."""
    x, y = _places(side)
    (u, v), reach = chance.uniform(0, side, 2), chance.uniform(6, 50)
    spot = np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * reach**2))
    return np.asarray(chance.uniform(0.05, 0.9) * spot[..., None], np.float32)


def _mirror(light: Light, shapes: Shapes, chance: Chance) -> None:
    """Adds a lamp reflected by the flat tops of tiles, not by their bevels."""
    middle, reach = chance.integers(0, len(shapes), 2), chance.uniform(1, 4)
    bright, bevel = chance.uniform(0.2, 1.2), chance.integers(2, 5)
    for row, column in np.argwhere(np.isin(shapes, _TILES)):
        away = (row - middle[0]) ** 2 + (column - middle[1]) ** 2
        gain = bright * np.exp(-away / (2 * reach**2))
        y, x = row * SCALE, column * SCALE
        top = light[y + bevel : y + SCALE - bevel, x + bevel : x + SCALE - bevel]
        top += gain * chance.uniform(0.7, 1.3)


def _glow(light: Light, shapes: Shapes, chance: Chance) -> None:
    """Adds LEDs under some bare squares."""
    bare = np.argwhere(shapes == BARE)
    step = np.arange(SCALE) - (SCALE - 1) / 2
    for row, column in bare[chance.permutation(len(bare))[: chance.integers(1, 9)]]:
        hue = np.ones(3)
        if chance.random() < 0.8:
            hue = chance.choice([0.0, 0.0, 1.0], 3)
            hue[chance.integers(3)] = 1.0
        hue = np.clip(hue + chance.uniform(0, 0.25, 3), 0, 1)
        spread = 2 * chance.uniform(3, 9) ** 2
        spot = np.exp(-(step[:, None] ** 2 + step**2) / spread)
        spot[[0, -1]] *= 0.3
        spot[:, [0, -1]] *= 0.3
        y, x = row * SCALE, column * SCALE
        light[y : y + SCALE, x : x + SCALE] += chance.uniform(0.3, 1.2) * spot[..., None] * hue
        shapes[row, column] = LIT


def _covered(light: Light, shapes: Shapes, chance: Chance) -> tuple[Light, Shapes]:
    """Covers a part with a shape like a hand, or a disc."""
    side, n = len(light), len(shapes)
    mask = np.zeros((side, side), np.float32)
    if chance.random() < 0.6:
        wrist = [int(chance.choice([-30, side + 30])), int(chance.integers(0, side))]
        palm = chance.uniform(40, side - 40, 2)
        for _ in range(chance.integers(1, 5)):
            tip = (palm + chance.normal(0, 30, 2)).astype(int).tolist()
            cv2.line(mask, wrist, tip, 1.0, int(chance.integers(12, 40)))
    else:
        _blot(mask, chance, (14, 60))
    colour = SKIN * chance.uniform(0.08, 1.2) * chance.uniform(0.7, 1.3, 3)
    if chance.random() < 0.4:
        colour = chance.uniform(0.01, 0.8, 3)
    folds = chance.normal(0, 1, (side, side)).astype(np.float32)
    folds = np.asarray(cv2.GaussianBlur(folds, (0, 0), chance.uniform(2, 12)), np.float32)
    shade = np.exp(chance.uniform(0.05, 0.5) * folds / (folds.std() + 1e-6))
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), chance.uniform(0.6, 2)), np.float32)
    over = soft[..., None]
    covered = np.asarray(light * (1 - over) + colour * shade[..., None] * over, np.float32)
    share = soft.reshape(n, SCALE, n, SCALE).mean(axis=(1, 3))
    hidden = hidden_by(shapes, share)
    return covered, np.where((hidden == UNDER) & (shapes == OUTSIDE), NOT_KNOWN, hidden)


def developed(light: Light) -> Image:
    """Returns the picture of the view with another exposure."""
    return np.asarray(np.clip(light, 0, 1) ** np.float32(1 / GAMMA) * 255 + 0.5, np.uint8)


def _taken(light: Light, chance: Chance) -> Image:
    """Returns the picture of a random camera."""
    side = len(light)
    gamma = np.float32(np.exp(chance.normal(0, 0.2)) / GAMMA)
    image = np.asarray(np.clip(light, 0, 1) ** gamma, np.float32)
    if chance.random() < 0.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), chance.uniform(0.3, 1.6)), np.float32)
    if chance.random() < 0.25:
        zoom = chance.uniform(0.4, 0.9)
        small = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        again = cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR)
        image = np.asarray(again, np.float32)
    return sensed(image, float(chance.choice([0.5, 2, 4, 8])), 0.4, chance)


def sensed(image: Light, grain: float, packed: float, chance: Chance) -> Image:
    """Returns the picture of a sensor, a share of them packed to JPEG of any quality.

    Args:
        image: (side, side, 3) values of 0 to 1.
        grain: standard deviation of the noise in grey levels of 255.
        packed: share of pictures that are packed.
        chance: random choices.
    """
    noise = chance.standard_normal(image.shape, np.float32) * np.float32(grain)
    whole = np.clip(image * 255 + noise, 0, 255).astype(np.uint8)
    if chance.random() < packed:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(30, 92))]
        coded = cv2.imencode(".jpg", whole, quality)[1]
        whole = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return whole
