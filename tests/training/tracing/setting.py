"""A board with pieces on a table, with light, a camera and the truth. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.board import BoardForm, middle_of
from tests.training.tracing.eye import Eye
from tests.training.tracing.lamps import AreaLight
from tests.training.tracing.layout import TracedPiece, contents_of
from tests.training.tracing.leds import LedGroup
from tests.training.tracing.looks import Finish, PieceSetLook
from tests.training.tracing.mesh import Mesh, Values
from tests.training.tracing.tiles import TileForm
from tests.training.tracing.truth import hidden_shares, shapes_of

SQUARES: Final = 14
"""Squares along a side of a board, or of the part of a larger one that is in the picture."""

PITCH_MM: Final = 16.0
TABLE_MM: Final = 600.0
SKIN, CLOTH = Finish(0.35, 0.6), Finish(0.5, 0.2)


@dataclass(frozen=True, slots=True)
class Body:
    """A surface and its finish."""

    mesh: Mesh
    finish: Finish


@dataclass(frozen=True, slots=True, eq=False)
class TracedScene:
    """A scene to trace, with its truth.

    Attributes:
        eye: camera.
        bodies: bodies that emit no light.
        lamps: light sources.
        glows: LEDs.
        board: form of the board.
        room: (h, w, 3) radiance of the surroundings.
        corners: (4, 3) outer corners of the field at the height of the ridges: top left, top
            right, bottom right, bottom left.
        colours: (n, n) 0 empty, then the number of the colour.
        piece_numbers: (n, n) 0 empty, then the number of the piece.
        shapes: (n, n) labels as in `ShapeSample.shapes`, with tiles of any shade.
        look: look of the set.
    """

    eye: Eye
    bodies: tuple[Body, ...]
    lamps: tuple[AreaLight, ...]
    glows: tuple[LedGroup, ...]
    board: BoardForm
    room: NDArray[np.float32]
    corners: Values
    colours: NDArray[np.intp]
    piece_numbers: NDArray[np.intp]
    shapes: NDArray[np.intp]
    look: PieceSetLook


@dataclass(frozen=True, eq=False)
class TracedBoard:
    """A board with pieces, of which a part is in the picture.

    Attributes:
        board: form of the board.
        tiles: form of the tiles.
        pieces: pieces on the board.
        look: look of the set.
        start: (row, column) of the first square in the picture.
        count: squares along a side of the part in the picture.
    """

    board: BoardForm
    tiles: TileForm
    pieces: list[TracedPiece]
    look: PieceSetLook
    start: tuple[int, int]
    count: int = SQUARES

    @property
    def squares(self) -> list[tuple[int, int]]:
        """Returns the squares in the picture, row by row."""
        row, column = self.start
        return [(row + r, column + c) for r in range(self.count) for c in range(self.count)]

    @property
    def colours(self) -> NDArray[np.intp]:
        """Returns (n, n) the number of the colour on each of them, 0 for empty ones."""
        return self._contents[0]

    @property
    def piece_numbers(self) -> NDArray[np.intp]:
        """Returns (n, n) the number of the piece on each of them, 0 for empty ones."""
        return self._contents[1]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Returns (n, n) the share of each of them that this piece covers."""
        return self._contents[2]

    @cached_property
    def _contents(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
        row, column = self.start
        part = np.s_[row : row + self.count, column : column + self.count]
        colours, numbers, shares = contents_of(self.pieces, self.board.size)
        return colours[part], numbers[part], shares[part]

    def outline(self, height: float) -> Values:
        """Returns (4, 3) outer corners of the part in the picture: top left, then clockwise."""
        return _corners(self.board, self.start, self.count, height)


def shapes_seen(
    setting: TracedBoard,
    lit: Sequence[tuple[int, int]],
    hidden: Values,
) -> NDArray[np.intp]:
    """Returns (n, n) labels of the visible shapes, as in `ShapeSample.shapes`.

    Args:
        setting: the board with pieces.
        lit: (row, column) on the whole board, of squares with a lit LED.
        hidden: (n, n) hidden share of each square.
    """
    row, column = setting.start
    lit_here = [(r - row, c - column) for r, c in lit]
    return shapes_of(setting.colours, setting.shares, lit_here, hidden)


def hidden_in(setting: TracedBoard, eye: Eye, above: Sequence[Mesh]) -> Values:
    """Returns (n, n) the share of each square, or of the tile on it, that convex bodies hide."""
    tops = np.where(setting.colours > 0, setting.tiles.height, 0.0).ravel().tolist()
    places = zip(setting.squares, tops, strict=True)
    corners = [_corners(setting.board, square, 1, top) for square, top in places]
    return hidden_shares(eye, above, np.reshape(corners, (setting.count, setting.count, 4, 3)))


def _corners(board: BoardForm, start: tuple[int, int], count: int, height: float) -> Values:
    """Returns (4, 3) corners of some squares: top left, top right, bottom right, bottom left."""
    left, top, _ = middle_of(start, board) + np.array([-0.5, 0.5, 0]) * board.pitch
    right, bottom = left + count * board.pitch, top - count * board.pitch
    flat = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array([[x, y, height] for x, y in flat])
