"""Plain drawings of boards: tiles of any make, told by little more than their colour.

On a printed board, or with tiles of an unusual make, there may be no bevels or shadows to see.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import shade_of
from vision.squares.network import BARE, OUTSIDE, PARTIAL, SCALE

Light = NDArray[np.float32]
"""(side, side, 3) linear light, 1 for white."""

Labels = NDArray[np.intp]
Chance = np.random.Generator

_FINE: Final = 4
"""Pixels of the drawing for each pixel of the view, along a side."""

_FEW: Final = 0.4
"""Share of boards with few pieces, or none."""

_LEAST: Final = 0.25
"""Least difference between the logarithms of two colours, in the channel that differs most."""


def plain_board(
    shapes: Labels, colours: Labels, pieces: Labels, chance: Chance
) -> tuple[Light, Labels, Labels, Labels]:
    """Draws a board with given contents, or with some of its pieces.

    Args:
        shapes: (n + 2, n + 2) labels of its squares; what covers them is left out.
        colours: (n + 2, n + 2) numbers of the colours.
        pieces: (n + 2, n + 2) numbers of the pieces.
        chance: random choices.

    Returns:
        The drawing, and the labels, colours and pieces of its squares.
    """
    step, n = SCALE * _FINE, len(shapes)
    labels = np.where(shapes == OUTSIDE, OUTSIDE, BARE)
    paints = _paints(int(colours.max()) + 1, chance)
    frame = paints[0] if chance.random() < 0.3 else _colour(chance)
    is_tile = (colours > 0) & ~np.isin(shapes, (OUTSIDE, PARTIAL))
    if chance.random() < _FEW:
        # Most layouts are crowded, but a game begins with an empty board.
        kept = chance.random(int(pieces.max()) + 1) < chance.uniform(0, 0.3)
        is_tile &= kept[pieces]
    canvas = np.empty((n * step, n * step, 3), np.float32)
    canvas[:] = paints[0]
    outside = np.kron(shapes == OUTSIDE, np.ones((step, step), bool))
    canvas[outside] = frame
    _rule(canvas, outside, step, chance)
    _lay(canvas, is_tile, colours, pieces, paints, chance)
    for colour in range(1, len(paints)):
        labels[is_tile & (colours == colour)] = shade_of(paints[colour], paints[0])
    grain = chance.normal(0, chance.uniform(0, 0.06), canvas.shape[:2]).astype(np.float32)
    canvas *= np.exp(cv2.GaussianBlur(grain, (0, 0), chance.uniform(0.5, 3)))[..., None]
    small = cv2.resize(canvas, (n * SCALE, n * SCALE), interpolation=cv2.INTER_AREA)
    laid = is_tile.astype(np.intp)
    return np.asarray(small, np.float32), labels, colours * laid, pieces * laid


def _colour(chance: Chance) -> NDArray[np.float64]:
    value = np.exp(chance.uniform(np.log(0.02), np.log(0.85)))
    hue = chance.choice([0.05, 0.4]) * chance.normal(0, 1, 3)
    return np.asarray(np.clip(value * np.exp(hue - hue.mean()), 0.01, 0.9))


def _paints(count: int, chance: Chance) -> list[NDArray[np.float64]]:
    """Returns the colours of the board and of the tiles, all of which differ."""
    paints = [_colour(chance)]
    while len(paints) < count:
        other = _colour(chance)
        if all(np.abs(np.log(other / one)).max() > _LEAST for one in paints):
            paints.append(other)
    return paints


def _rule(canvas: Light, outside: NDArray[np.bool_], step: int, chance: Chance) -> None:
    """Draws the lines between squares."""
    width = int(chance.integers(1, 10))
    lines = np.zeros(canvas.shape[:2], np.float32)
    for line in range(step, len(canvas), step):
        lines[line - width // 2 : line - width // 2 + width] = 1
        lines[:, line - width // 2 : line - width // 2 + width] = 1
    lines[outside] = 0
    soft = cv2.GaussianBlur(lines, (0, 0), chance.uniform(0.5, 3))[..., None]
    canvas *= np.exp(chance.normal(0, 0.7) * soft)


def _lay(
    canvas: Light,
    is_tile: NDArray[np.bool_],
    colours: Labels,
    pieces: Labels,
    paints: list[NDArray[np.float64]],
    chance: Chance,
) -> None:
    """Draws the tiles: with gaps between pieces, bevels and shadows, or with none of these."""
    step = SCALE * _FINE
    gap, seam = (int(chance.integers(0, most)) for most in (8, 5))
    bevel = int(chance.choice([0, 3, 6, 10]))
    light, dark = np.exp(np.abs(chance.normal(0, 0.5, 2)) * [1, -1])
    stray = chance.uniform(0, 0.08)
    shadow = float(chance.choice([1.0, chance.uniform(0.3, 0.9)]))
    throw = chance.integers(-8, 9, 2)
    top = np.zeros(canvas.shape[:2], np.float32)
    squares, around = np.argwhere(is_tile).tolist(), np.pad(pieces, 1)
    for row, column in squares:
        y, x = row * step + int(throw[0]), column * step + int(throw[1])
        top[max(0, y) : y + step, max(0, x) : x + step] = 1
    canvas *= (1 - (1 - shadow) * cv2.GaussianBlur(top, (0, 0), 4))[..., None]
    for row, column in squares:
        inset = [
            seam if around[row + 1 + down, column + 1 + right] == pieces[row, column] else gap
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
        ]
        top_y, low_y = row * step + inset[0], (row + 1) * step - inset[1]
        left_x, right_x = column * step + inset[2], (column + 1) * step - inset[3]
        paint = paints[colours[row, column]] * np.exp(chance.normal(0, stray))
        tile = canvas[top_y:low_y, left_x:right_x]
        tile[:] = paint
        if bevel:
            tile[:bevel] = tile[:, :bevel] = paint * light
            tile[-bevel:] = tile[:, -bevel:] = paint * dark
