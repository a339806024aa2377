"""The placements that may still be laid in an endgame, and which of them bar each other, as bits.

Squares and pieces never become free again, so near the end each colour has only some hundreds of
placements that it may ever lay. A set of them is a few words of 64 bits, and laying a piece is a
few operations on such sets: far faster than listing placements on the board.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.jit import compiled, inlined
from firmware.player.search.reach import closure, open_placements
from firmware.player.search.tables import ANCHOR, ORIENTATION, Ints, Longs, Tables, framed, tables
from firmware.rules.position import Position

COLOURS: Final = 2
"""Colours of an endgame, each a side of its own."""

WORD: Final = 64
"""Bits of a word of a set."""

MOST_PLACEMENTS: Final = 1024
"""Limit of placements of a colour; with 20 pieces in hand, 20 games had at most 583."""

SQUARE_WORDS: Final = 4
"""Words of a set of squares; a board of two colours has 196."""

_SIDE: Final = 1
"""Mark of a square that shares a side with a placement."""

_CORNER: Final = 2
"""Mark of a square that touches it at a corner only."""


class Ending(NamedTuple):
    """The placements that each colour may still lay; sets have a bit for each.

    Attributes:
        placement: (colours, placements) index of each placement on the board; -1 for none.
        piece: (colours, placements) its piece.
        size: (colours, placements) its squares.
        squares: (colours, placements, 4) its squares as a set.
        bars: (colours, placements, words) the own placements that it makes impossible.
        blocks: (colours, placements, words) those of the other colour.
        opens: (colours, placements, words) the own placements that its corners reach.
        now: (colours, words) the placements that are legal now.
        hand: (colours,) the pieces in hand, as bits.
    """

    placement: Ints
    piece: Ints
    size: Ints
    squares: Longs
    bars: Longs
    blocks: Longs
    opens: Longs
    now: Longs
    hand: Longs


def ending_of(position: Position) -> Ending | None:
    """The endgame of a position of two colours; None if a colour has too many placements.

    Also None if a colour has laid nothing, so that starting squares still count.
    """
    if not all(position.laid):
        return None
    board, table = position.board, tables(position.game.size)
    found = [_reachable(position, colour) for colour in position.game.colours]
    most = max(map(len, found))
    if most > MOST_PLACEMENTS:
        return None
    words = max(1, -(-most // WORD))
    placement = np.full((COLOURS, words * WORD), -1, np.int32)
    piece, size = np.zeros_like(placement), np.zeros_like(placement)
    bars, blocks, opens = np.zeros((3, COLOURS, words * WORD, words), np.int64)
    now = np.zeros((COLOURS, words), np.int64)
    for colour, indices in enumerate(found):
        count = len(indices)
        placement[colour, :count] = indices
        piece[colour, :count] = np.frombuffer(board.piece_of, np.uint8)[indices]
        size[colour, :count] = (board.cells[indices] < board.squares).sum(axis=1)
        legal = np.isin(placement[colour], position.moves_of(colour).indices)
        now[colour] = np.packbits(legal, bitorder="little").view(np.int64)
    hand = [sum(1 << one.index for one in position.in_hand(c)) for c in position.game.colours]
    squares = np.zeros((COLOURS, words * WORD, SQUARE_WORDS), np.int64)
    numbers = np.zeros(table.stride**2, np.int32)
    for square in range(board.squares):
        numbers[framed(square, board.size)] = square
    ending = Ending(
        placement, piece, size, squares, bars, blocks, opens, now, np.array(hand, np.int64)
    )
    _link(table, ending, numbers, np.zeros(table.stride**2, np.int32))
    return ending


def _reachable(position: Position, colour: int) -> Ints:
    """The placements that a colour may lay in some continuation, ascending."""
    board = position.board
    placements = open_placements(position, colour, position.in_hand(colour))
    corners = board.flags(board.corner_neighbours(position.squares(colour)))
    return closure(board, placements, corners).astype(np.int32)


@compiled
def _link(table: Tables, ending: Ending, numbers: Ints, marks: Ints) -> None:
    """Fills `squares`, `bars`, `blocks` and `opens`.

    Args:
        table: the tables of the board.
        ending: the endgame.
        numbers: (squares of the frame,) number of each square on the board.
        marks: (squares of the frame,) buffer of zeros.
    """
    places = ending.placement.shape[1]
    for colour in range(COLOURS):
        for i in range(places):
            _fill_squares(table, ending, numbers, colour, i)
    for colour in range(COLOURS):
        for i in range(places):
            placement = ending.placement[colour, i]
            if placement >= 0:
                _mark(table, marks, placement, _SIDE, _CORNER)
                for j in range(places):
                    _link_own(table, ending, marks, colour, i, j)
                    _link_other(ending, colour, i, j)
                _mark(table, marks, placement, 0, 0)


@inlined
def _fill_squares(table: Tables, ending: Ending, numbers: Ints, colour: int, i: int) -> None:
    info = table.info[max(ending.placement[colour, i], 0)]
    for k in range(ending.size[colour, i]):
        number = numbers[info[k]]
        ending.squares[colour, i, number // WORD] |= 1 << number % WORD


@inlined
def _link_other(ending: Ending, colour: int, i: int, j: int) -> None:
    # A place without a placement has no squares.
    if _overlap(ending.squares[colour, i], ending.squares[1 - colour, j]):
        ending.blocks[colour, i, j // WORD] |= 1 << j % WORD


@inlined
def _link_own(table: Tables, ending: Ending, marks: Ints, colour: int, i: int, j: int) -> None:
    if ending.placement[colour, j] < 0:
        return
    near = 0
    info = table.info[ending.placement[colour, j]]
    for k in range(ending.size[colour, j]):
        near |= marks[info[k]]
    barred = ending.piece[colour, i] == ending.piece[colour, j] or near & _SIDE
    if barred or _overlap(ending.squares[colour, i], ending.squares[colour, j]):
        ending.bars[colour, i, j // WORD] |= 1 << j % WORD
    elif near & _CORNER:
        ending.opens[colour, i, j // WORD] |= 1 << j % WORD


@inlined
def _mark(table: Tables, marks: Ints, placement: int, side: int, corner: int) -> None:
    """Sets the marks of the squares around a placement."""
    orientation, anchor = table.info[placement, ORIENTATION], table.info[placement, ANCHOR]
    for i in range(1, table.sides[orientation, 0] + 1):
        marks[anchor + table.sides[orientation, i]] = side
    for i in range(1, table.corners[orientation, 0] + 1):
        marks[anchor + table.corners[orientation, i]] = corner


@inlined
def _overlap(one: Longs, other: Longs) -> bool:
    common = 0
    for word in range(SQUARE_WORDS):
        common |= one[word] & other[word]
    return common != 0
