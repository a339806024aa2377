"""Augmentation of known boards with light, colours, hands and LEDs, which leaves only the shapes.

Light is added and removed in linear light. Each square keeps its relief, but board and tiles get
any colour and brightness, together or separately.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, NOT_KNOWN, ShapeSample, hidden_by, shade_of
from vision.camera import Image
from vision.geometry.grid import OUTLINE
from vision.shape.network import BARE, DARK, LIGHT, LIT, OUTSIDE, SCALE, UNDER, view_of

Light = NDArray[np.float32]
"""(side, side, 3) linear light, 1 for white."""

Shapes = NDArray[np.intp]
Places = NDArray[np.float32]
Chance = np.random.Generator

_GAMMA: Final = 2.2
_SHIFT, _LEAN = 0.03, 0.045
"""Standard deviation of the error of the whole grid, and of each of its corners, in squares."""

_ASTRAY, _FARTHEST = 0.3, 2
"""Share of grids shifted by whole squares, and largest shift in squares."""

_AS_IT_WAS, _EXPOSED = 0.35, 0.2
"""Share of views without augmentation, and standard deviation of the log of their exposure."""

_TILES: Final = (DARK, LIGHT, ANY_SHADE)

_SKIN: Final = np.array([0.25, 0.35, 0.6])


def worsened(board: ShapeSample, chance: Chance) -> tuple[Image, Shapes, Places]:
    """Returns an augmented view of a board.

    Returns:
        The view; the labels of its squares and of those around them, (n + 2, n + 2); and the offset
        of each of them from the view's grid, right and down, in squares, (..., 2).
    """
    steps = chance.integers(-_FARTHEST, _FARTHEST + 1, 2) if chance.random() < _ASTRAY else (0, 0)
    shapes, colours = _around(board, int(steps[0]), int(steps[1]))
    light, away = _view(board, np.array(steps)[::-1], chance)
    if chance.random() < _AS_IT_WAS:
        return _developed(light * np.exp(chance.normal(0, _EXPOSED))), shapes, away
    if chance.random() < 0.3:
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
    return _taken(light * np.exp(chance.normal(0, 0.5)), chance), shapes, away


def _around(board: ShapeSample, down: int, right: int) -> tuple[Shapes, Shapes]:
    """Returns (n + 2, n + 2) shapes and colours for a grid shifted by whole squares."""
    edge = _FARTHEST + 1
    beyond = OUTSIDE if board.whole else NOT_KNOWN
    shapes = np.pad(board.shapes, edge, constant_values=beyond)
    colours = np.pad(board.colours, edge)
    rows = slice(_FARTHEST + down, len(shapes) - _FARTHEST + down)
    columns = slice(_FARTHEST + right, len(shapes) - _FARTHEST + right)
    return shapes[rows, columns].copy(), colours[rows, columns]


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
    light = np.asarray((view.astype(np.float32) / 255) ** _GAMMA, np.float32)
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
    colour = _SKIN * chance.uniform(0.08, 1.2) * chance.uniform(0.7, 1.3, 3)
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


def _developed(light: Light) -> Image:
    """Returns the picture of the view with another exposure."""
    return np.asarray(np.clip(light, 0, 1) ** np.float32(1 / _GAMMA) * 255 + 0.5, np.uint8)


def _taken(light: Light, chance: Chance) -> Image:
    """Returns the picture of a random camera."""
    side = len(light)
    gamma = np.float32(np.exp(chance.normal(0, 0.2)) / _GAMMA)
    image = np.asarray(np.clip(light, 0, 1) ** gamma, np.float32)
    if chance.random() < 0.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), chance.uniform(0.3, 1.6)), np.float32)
    if chance.random() < 0.25:
        zoom = chance.uniform(0.4, 0.9)
        small = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        again = cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR)
        image = np.asarray(again, np.float32)
    noise = chance.standard_normal(image.shape, np.float32) * chance.choice([0.5, 2, 4, 8])
    whole = np.clip(image * 255 + noise, 0, 255).astype(np.uint8)
    if chance.random() < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(30, 92))]
        whole = cv2.imdecode(cv2.imencode(".jpg", whole, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(whole, np.uint8)
