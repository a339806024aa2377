"""Boards of the simulated table, as training data of the network of shapes."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.simulator.appearance import FROSTED
from firmware.simulator.table import square_mm
from tests.evaluation.confidence import outline_px, random_look, taken
from tests.training.shapes.boards import ANY_SHADE, ShapeSample, connected, hidden_by
from vision.camera import Image
from vision.geometry.grid import OUTLINE, Grid, Warp
from vision.shape.network import BARE, LIT
from vision.synthetic import CupLook, HandLook, Renderer, SquareLight, TableLook

FIRST_SEED: Final = 1_200_001
"""Seed of the first board; trials use lower ones."""

_SIDE: Final = 14
"""Squares along a side of a lesson; a larger board is cropped."""

_HANDS, _CUPS, _LIT, _FROSTED = 0.4, 0.15, 0.4, 0.15
"""Shares of boards with a hand, a cup, lit squares and translucent pieces."""

_SCALE: Final = 12
"""Pixels per square in which hidden parts are measured."""

_DIFFERS, _SHADOW = 8.0, 0.12
"""Grey levels by which a pixel differs under an object, and largest difference between the factors
of the three channels in its shadow."""


def simulated(seed: int) -> ShapeSample:
    """Returns a board that the renderer of the simulated table draws.

    On some there is a hand or a cup, some squares are lit from below, and some pieces are
    translucent.
    """
    look, cells, chance = random_look(seed)
    size = len(cells)
    letters = sorted(set(cells.ravel()) - {"."})
    colours = np.array([[[".", *letters].index(one) for one in line] for line in cells], np.intp)
    shapes = np.where(colours > 0, ANY_SHADE, BARE)
    if chance.random() < _FROSTED:
        look = replace(look, opacity=float(chance.uniform(0.6, 1)), passing=FROSTED.passing)
    if chance.random() < _LIT:
        look, lit = _with_lights(look, chance)
        shapes = np.where(lit & (colours == 0), LIT, shapes)
    renderer = Renderer(seed, noise=0.0)
    full = _with_objects(look, chance)
    image = renderer.render(full)
    whole = Grid.of(outline_px(look), size, image.shape)
    if full is not look:
        shapes = hidden_by(shapes, _hidden(image, renderer.render(look), whole))
    row, column = chance.integers(0, size - _SIDE + 1, 2).tolist()
    grid = Grid.of(whole.project(OUTLINE * _SIDE + np.array([column, row])), _SIDE, image.shape)
    part = np.s_[row : row + _SIDE, column : column + _SIDE]
    colours, pieces = colours[part], connected(colours)[part]
    picture = taken(image, chance)
    return ShapeSample(
        f"simulated {seed}", picture, grid, shapes[part], colours, pieces, size == _SIDE
    )


def _with_objects(look: TableLook, chance: np.random.Generator) -> TableLook:
    """Returns the table with a hand or a cup on some."""
    half = look.board.field_mm / 2
    x_mm, y_mm = chance.uniform(-half, half, 2).tolist()
    if chance.random() < _HANDS:
        sleeve = tuple(chance.integers(20, 200, 3).tolist())
        reach = float(chance.choice([0, 90, 180, 270]) + chance.normal(9, 15))
        return replace(look, hand=HandLook(x_mm, y_mm, reach_deg=reach, sleeve=sleeve))
    if chance.random() < _CUPS:
        return replace(look, cup=CupLook(x_mm, y_mm))
    return look


def _with_lights(
    look: TableLook, chance: np.random.Generator
) -> tuple[TableLook, NDArray[np.bool_]]:
    """Returns the table with some lit squares, and (n, n) which are lit."""
    n = look.board.size
    lit = np.zeros((n, n), np.bool_)
    lit.ravel()[chance.permutation(n * n)[: chance.integers(1, 12)]] = True
    glows = []
    for square in np.flatnonzero(lit).tolist():
        hue = tuple(chance.choice([0, 120, 255], 3).tolist())
        glows.append(SquareLight(*square_mm(n, square), hue if any(hue) else (255, 255, 255)))
    return replace(look, glows=tuple(glows)), lit


def _hidden(image: Image, without: Image, grid: Grid) -> NDArray[np.float64]:
    """Returns (n, n) shares of the squares that an object hides, without its shadow."""
    warp = Warp.of(grid, _SCALE, 0)
    now, before = (warp(one).astype(np.float64) + 4 for one in (image, without))
    factor = now / before
    is_shadow = (np.ptp(factor, axis=2) < _SHADOW) & (factor.mean(axis=2) < 1)
    is_hidden = (np.abs(now - before).max(axis=2) > _DIFFERS) & ~is_shadow
    n = grid.size
    return np.asarray(is_hidden.reshape(n, _SCALE, n, _SCALE).mean(axis=(1, 3)))
