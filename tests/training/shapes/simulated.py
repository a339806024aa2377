"""Boards of the simulated table, as training data of the network of shapes."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.simulator.appearance import FROSTED
from firmware.simulator.table import square_mm
from tests.evaluation.confidence import outline_px, random_look, taken
from tests.training.shapes.boards import ANY_SHADE, ShapeSample, hidden_by
from tests.training.tracing.layout import MOSTLY, TracedPiece, contents_of, misplaced
from vision.camera import Image
from vision.geometry.grid import OUTLINE, Grid, Warp
from vision.squares.network import BARE, LIT, PARTIAL
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import CupLook, HandLook, SquareLight, TableLook, Tile

FIRST_SEED: Final = 1_200_001
"""Seed of the first board; trials use lower ones."""

_SIDE: Final = 14
"""Squares along a side of a lesson; a larger board is cropped."""

_HANDS, _CUPS, _LIT, _FROSTED, _MISPLACED = 0.4, 0.15, 0.4, 0.15, 0.4
"""Shares of boards with a hand, a cup, lit squares, translucent pieces, and misplaced ones."""

_FEW, _SINGLES = 0.5, 12
"""Share of boards with few pieces and some single tiles, and most of these."""

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
    pieces = _pieces_of(look, cells)
    if chance.random() < _FEW:
        look, pieces = _with_few(look, pieces, size, chance)
    if chance.random() < _MISPLACED:
        pieces = misplaced(pieces, size, chance)
        beside = look.tiles[len(pieces) :]
        look = replace(look, tiles=(*map(_moved, look.tiles, pieces), *beside))
    colours, numbers, shares = contents_of(pieces, size)
    shapes = np.where(colours > 0, np.where(shares < MOSTLY, PARTIAL, ANY_SHADE), BARE)
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
    picture, whole_board = taken(image, chance), size == _SIDE
    return ShapeSample(
        f"simulated {seed}",
        picture,
        grid,
        shapes[part],
        colours[part],
        numbers[part],
        whole_board,
    )


def _pieces_of(look: TableLook, cells: NDArray[np.str_]) -> list[TracedPiece]:
    """Returns the pieces on the board, which are the first tiles of the table."""
    n, letters, pieces = len(cells), sorted(set(cells.ravel()) - {"."}), []
    for tile in look.tiles:
        right = np.array(tile.cells) + np.array([tile.x_mm, tile.y_mm]) / tile.cell_mm
        squares = np.floor(n / 2 + right[:, ::-1] * [-1, 1]).astype(int)
        if (squares < 0).any() or (squares >= n).any():
            break
        colour = letters.index(cells[tuple(squares[0])]) + 1
        pieces.append(TracedPiece(colour, tuple(map(tuple, squares.tolist()))))
    return pieces


def _with_few(
    look: TableLook, pieces: list[TracedPiece], size: int, chance: np.random.Generator
) -> tuple[TableLook, list[TracedPiece]]:
    """Returns the table with few of its pieces and with single tiles, and the pieces on the board.

    A single tile looks like a lit square, and in most games there is one of each colour at most.
    """
    share, laid = chance.uniform(0, 0.5), list(zip(look.tiles, pieces, strict=False))
    kept = [pair for pair in laid if chance.random() < share]
    covered = {square for _, piece in kept for square in piece.squares}
    paints = sorted({(piece.colour, tile.colour) for tile, piece in laid})
    for square in chance.permutation(size**2)[: chance.integers(_SINGLES)].tolist():
        if paints and divmod(square, size) not in covered:
            colour, paint = paints[chance.integers(len(paints))]
            turn_deg = float(chance.normal(0, 1))
            single = Tile(paint, ((0.0, 0.0),), *square_mm(size, square), turn_deg)
            kept.append((single, TracedPiece(colour, (divmod(square, size),))))
    tiles = (*(tile for tile, _ in kept), *look.tiles[len(pieces) :])
    return replace(look, tiles=tiles), [piece for _, piece in kept]


def _moved(tile: Tile, piece: TracedPiece) -> Tile:
    return replace(
        tile,
        x_mm=tile.x_mm + piece.right * tile.cell_mm,
        y_mm=tile.y_mm - piece.down * tile.cell_mm,
        angle_deg=tile.angle_deg + piece.turn_deg,
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
