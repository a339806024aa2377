"""Constant tables of a board as flat arrays for compiled code.

The board is in a frame of four squares on each side, so every square that a piece touches has an
index and no test for the edge is needed. A square is `row * stride + column` in that frame;
square 0 is too far out for any piece to touch and is the neutral padding of `cells`.

Placements have the same indices as in `rules.board`.

Search for placements through a square: all their squares are within four steps of it, in a
diamond of 41. A placement through the square is a mask of 41 bits, its piece one of 21 more, and
it is open if it has no bit in common with the mask of blocked squares and used pieces. Of the 414
ways to lay a piece through a square only those are tested that avoid its blocked neighbours, by a
list for each of the 256 patterns of the eight neighbours.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board
from firmware.rules.pieces import LARGEST, PIECES, Shape

Ints = NDArray[np.int32]
Places = NDArray[np.uint16]
"""Unsigned, because compiled code then does not test an index for being negative."""

Longs = NDArray[np.int64]
Floats = NDArray[np.float32]
AnyArray = NDArray[Any]

FRAME: Final = 4
"""Squares around the board."""

DIAMOND: Final = 41
"""Squares within four steps of one, itself included."""

MOST_SIDES: Final = 12
"""Limit of squares that share a side with a piece."""

MOST_CORNERS: Final = 8
"""Limit of squares that touch a piece at a corner only."""

_SIZES: Final = np.arange(LARGEST + 2)
"""Sizes of pieces, with 0 and one above the largest."""

ORIENTATION: Final = 5
"""Column of `info` after the five squares: the shape, numbered over all 21 pieces."""

PIECE: Final = 6
"""Column of `info`: index of the piece in `PIECES`."""

ANCHOR: Final = 7
"""Column of `info`: the square left of and above the bounding box, which `sides` count from."""


class Tables(NamedTuple):
    """The tables of one size of board.

    Attributes:
        size: squares along a side.
        stride: squares from one row of the frame to the next.
        info: (placements, 8) the squares in the frame padded with 0, the orientation, the piece,
            the anchor (the square left of and above the bounding box).
        sizes: (orientations,) number of squares of the piece.
        sides: (orientations, 13) number of squares that share a side with the piece, then each
            of them relative to the anchor.
        corners: (orientations, 9) the same for squares that touch it at a corner only.
        row: (squares,) row of each square of the frame.
        column: (squares,) column of each square of the frame.
        bit: (squares,) the bit of its column in a mask of that row.
        way_mask: (414,) squares and piece of each way through a square, see above.
        way_base: (414,) base of each way: its placement is base + row * columns + column.
        way_columns: (414,) `columns` in that formula.
        ways: the ways that avoid a pattern of neighbours, one pattern after the other.
        ways_from: (256, 7) for each pattern, by the smallest size of a piece, the index of its
            first way in `ways`; the last column is the end.
        first_of: (7,) the first placement of a piece, by its smallest size.
        ring: (squares,) distance of each square from the middle of the board, from 0.
    """

    size: int
    stride: int
    info: Places
    sizes: Ints
    sides: Places
    corners: Places
    row: Places
    column: Places
    bit: Ints
    way_mask: Longs
    way_base: Ints
    way_columns: Ints
    ways: Places
    ways_from: Places
    first_of: Ints
    ring: Ints


@cache
def tables(size: int) -> Tables:
    """The tables of the board with `size` squares along a side."""
    stride = size + 2 * FRAME
    shapes = [shape for piece in PIECES for shape in piece.orientations]
    row, column = np.divmod(np.arange(stride * stride, dtype=np.int32), np.int32(stride))
    middle = (stride - 1) / 2
    ring = np.maximum(abs(row - middle), abs(column - middle)).astype(np.int32)
    mask, base, columns, squares = _ways(size)
    ways, ways_from = _by_pattern(mask, squares)
    return Tables(
        size,
        stride,
        _info(size),
        np.array([len(shape) for shape in shapes], np.int32),
        _around([_sides(shape) for shape in shapes], stride, MOST_SIDES),
        _around([corners_of(shape) for shape in shapes], stride, MOST_CORNERS),
        row.astype(np.uint16),
        column.astype(np.uint16),
        (1 << column).astype(np.int32),
        mask,
        base,
        columns,
        ways,
        ways_from,
        np.searchsorted([PIECES[i].size for i in Board.of(size).piece_of], _SIZES).astype(np.int32),
        ring,
    )


def framed(square: int, size: int) -> int:
    """Index in the frame of a square of `rules`."""
    row, column = divmod(square, size)
    return (row + FRAME) * (size + 2 * FRAME) + column + FRAME


def diamond_bit(down: int, right: int) -> int:
    """Bit of the diamond for a square, by its place relative to the middle."""
    width = FRAME - abs(down)
    before = sum(2 * (FRAME - abs(d)) + 1 for d in range(-FRAME, down))
    return before + width + right


def _info(size: int) -> Places:
    board = Board.of(size)
    stride = size + 2 * FRAME
    info = np.zeros((board.placements, 8), np.uint16)
    places = np.array([framed(square, size) for square in range(board.squares)] + [0], np.uint16)
    info[:, :LARGEST] = places[board.cells]
    info[:, PIECE] = np.frombuffer(board.piece_of, np.uint8)
    first = 0
    for index, shape in enumerate(s for piece in PIECES for s in piece.orientations):
        rows = size - max(r for r, _ in shape)
        columns = size - max(c for _, c in shape)
        last = first + rows * columns
        info[first:last, ORIENTATION] = index
        anchor = (np.arange(rows)[:, None] + FRAME - 1) * stride + np.arange(columns) + FRAME - 1
        info[first:last, ANCHOR] = anchor.ravel()
        first = last
    return info


def _sides(shape: Shape) -> set[tuple[int, int]]:
    steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
    return {(r + down, c + right) for r, c in shape for down, right in steps} - set(shape)


def corners_of(shape: Shape) -> set[tuple[int, int]]:
    """Squares that a piece touches at a corner only, as (row, column) like its own."""
    steps = ((-1, -1), (-1, 1), (1, -1), (1, 1))
    touched = {(r + down, c + right) for r, c in shape for down, right in steps}
    return touched - _sides(shape) - set(shape)


def _around(near: list[set[tuple[int, int]]], stride: int, most: int) -> Places:
    table = np.zeros((len(near), most + 1), np.uint16)
    for index, squares in enumerate(near):
        table[index, 0] = len(squares)
        table[index, 1 : len(squares) + 1] = sorted((r + 1) * stride + c + 1 for r, c in squares)
    return table


def _ways(size: int) -> tuple[Longs, Ints, Ints, Longs]:
    """Every way to lay a piece through a square: mask, base and columns, size."""
    mask, base, widths, sizes = [], [], [], []
    first = 0
    for piece in PIECES:
        for shape in piece.orientations:
            rows = size - max(r for r, _ in shape)
            columns = size - max(c for _, c in shape)
            for down, right in shape:
                bits = sum(1 << diamond_bit(r - down, c - right) for r, c in shape)
                mask.append(bits | 1 << (DIAMOND + piece.index))
                base.append(first - down * columns - right)
                widths.append(columns)
                sizes.append(piece.size)
            first += rows * columns
    return (
        np.array(mask, np.int64),
        np.array(base, np.int32),
        np.array(widths, np.int32),
        np.array(sizes, np.int64),
    )


def _by_pattern(mask: Longs, size: Longs) -> tuple[Places, Places]:
    """The ways that avoid each pattern of blocked neighbours; see `kernels.pattern_of`."""
    places = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
    bits = [1 << diamond_bit(down, right) for down, right in places]
    lists, begins = [], []
    first = 0
    for pattern in range(1 << len(bits)):
        blocked = sum(bit for i, bit in enumerate(bits) if pattern >> i & 1)
        found = np.flatnonzero((mask & blocked) == 0).astype(np.uint16)
        lists.append(found)
        begins.append(first + np.searchsorted(size[found], _SIZES))
        first += len(found)
    return np.concatenate(lists), np.array(begins, np.uint16)
