"""A position for compiled code: the barred squares and the corners of each colour.

A placement updates only a few masks and, for each colour, the list of its corners: squares that
a next piece may cover first. The open placements are computed from these on request. A corner at
which no piece fits is removed for good, because neither squares nor pieces become free again.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.player.search.jit import compiled, inlined
from firmware.player.search.tables import (
    ANCHOR,
    DIAMOND,
    FRAME,
    MOST_CORNERS,
    ORIENTATION,
    PIECE,
    AnyArray,
    Floats,
    Ints,
    Places,
    Tables,
)
from firmware.rules.pieces import LARGEST

FORBIDDEN: Final = 0
"""Mask of the squares that a colour may not cover, those off the board included."""

EXAMINED: Final = 1
"""Mask of these squares and of the corners whose placements `refresh` has listed already."""

CORNER: Final = 2
"""Mask of all corners that a colour reached, also of those that were covered since."""

_MASKS: Final = 3
"""Number of masks of a colour."""

MOVES: Final = 0
"""Column of `tally`: number of open placements at the last `refresh`."""

CORNERS: Final = 1
"""Column of `tally`: number of squares in `corners`."""

USED: Final = 2
"""Column of `tally`: the pieces that are laid, as bits by their index."""

LAID: Final = 3
"""Column of `tally`: number of pieces laid; one laid twice, against the rules, counts twice."""

LAST_PIECE: Final = 4
"""Column of `tally`: index of the piece laid last, which decides on a bonus."""

PLACED: Final = 5
"""Column of `tally`: squares of the pieces that are laid, each counted once."""

OUT: Final = 6
"""Column of `tally`: 1 if the colour has no placement, and so never gets one again."""

_COLUMNS: Final = 7
"""Number of columns of `tally`."""

_LEAST: Final = (5, 5, 4, 3, 3, 1)
"""Squares of the smallest piece that is considered, by the number of pieces laid."""

_MOST_RECENT: Final = MOST_CORNERS + 1
"""Numbers stored for a recent move: the count of its corners, and the corners."""

RECENT: Final = 2
"""Moves of a colour whose corners are stored, the newest first."""


class BoardState(NamedTuple):
    """The pieces on the board; see the module. `colours` is the number of colours.

    Attributes:
        masks: (3, colours, rows) masks of the columns of each row of the frame.
        owner: (squares,) 1 more than the colour that covers a square, 0 empty, -1 off the board.
        open: (colours, squares) 1 if a colour may cover a square, otherwise 0.
        moves: (colours, placements + 1) the open placements of each colour at the last
            `refresh`; `tally` has their number.
        corners: (colours, squares) squares that a next piece may cover first; `tally` has their
            number. Some may be barred already.
        recent: (colours, 2, 9) number of corners that the last two moves opened, and the corners.
        tally: (colours, 7) see the columns above.
        turn: (1,) the colour whose turn it is in the strict order of play.
    """

    masks: Ints
    owner: Ints
    open: Floats
    moves: NDArray[np.uint32]
    corners: Places
    recent: Places
    tally: Ints
    turn: Ints


def empty_state(tables: Tables, colours: int) -> BoardState:
    """An empty board, still without starting squares, which `open_corner` adds."""
    stride, size = tables.stride, tables.size
    masks = np.zeros((_MASKS, colours, stride), np.int32)
    inside = ((1 << size) - 1) << FRAME
    masks[FORBIDDEN] = (1 << stride) - 1
    masks[FORBIDDEN, :, FRAME : FRAME + size] = (1 << stride) - 1 - inside
    inner = np.zeros((stride, stride), np.bool_)
    inner[FRAME : FRAME + size, FRAME : FRAME + size] = True
    owner = np.where(inner.ravel(), 0, -1).astype(np.int32)
    may = np.tile(inner.ravel(), (colours, 1)).astype(np.float32)
    may[:, 0] = 1
    placements = len(tables.info)
    return BoardState(
        masks,
        owner,
        may,
        np.zeros((colours, placements + 1), np.uint32),
        np.zeros((colours, stride * stride), np.uint16),
        np.zeros((colours, RECENT, _MOST_RECENT), np.uint16),
        np.zeros((colours, _COLUMNS), np.int32),
        np.zeros(1, np.int32),
    )


@compiled
def copy_state(source: BoardState, target: BoardState) -> None:
    """Copies a state to another one of the same game."""
    # Loops, because an assignment of slices compiles to a hundred times the code.
    for square in range(len(source.owner)):
        target.owner[square] = source.owner[square]
    for colour in range(len(source.tally)):
        _copy_colour(source, target, colour)
    target.turn[0] = source.turn[0]


@inlined
def _copy_colour(source: BoardState, target: BoardState, colour: int) -> None:
    _copy(source.open[colour], target.open[colour], source.open.shape[1])
    _copy(source.tally[colour], target.tally[colour], _COLUMNS)
    _copy(source.corners[colour], target.corners[colour], source.tally[colour, CORNERS])
    for kind in range(_MASKS):
        _copy(source.masks[kind, colour], target.masks[kind, colour], source.masks.shape[2])
    for age in range(RECENT):
        _copy(source.recent[colour, age], target.recent[colour, age], _MOST_RECENT)


@inlined
def _copy(source: AnyArray, target: AnyArray, length: int) -> None:
    for i in range(length):
        target[i] = source[i]


@inlined
def open_corner(tables: Tables, state: BoardState, colour: int, square: int) -> None:
    """Adds a square that a piece of the colour may cover first."""
    row, bit = tables.row[square], tables.bit[square]
    if state.masks[CORNER, colour, row] & bit == 0:
        state.masks[CORNER, colour, row] |= bit
        state.corners[colour, state.tally[colour, CORNERS]] = square
        state.tally[colour, CORNERS] += 1


@inlined
def put(tables: Tables, state: BoardState, colour: int, placement: int) -> None:
    """Lays a piece, legal or not; the turn goes to the next colour."""
    info = tables.info[placement]
    orientation, anchor, piece = info[ORIENTATION], info[ANCHOR], info[PIECE]
    size = tables.sizes[orientation]
    colours = len(state.tally)
    count = state.tally[colour]
    if count[LAID] == 0:
        # Starting squares are for the first piece only.
        count[CORNERS] = 0
        for row in range(tables.stride):
            state.masks[CORNER, colour, row] = 0
    for i in range(size):
        square = info[i]
        row, bit = tables.row[square], tables.bit[square]
        state.owner[square] = colour + 1
        for other in range(colours):
            state.masks[FORBIDDEN, other, row] |= bit
            state.open[other, square] = 0
    for i in range(1, tables.sides[orientation, 0] + 1):
        square = anchor + tables.sides[orientation, i]
        state.masks[FORBIDDEN, colour, tables.row[square]] |= tables.bit[square]
        state.open[colour, square] = 0
    _open_corners(tables, state, colour, orientation, anchor)
    count[LAST_PIECE] = piece
    count[LAID] += 1
    if count[USED] >> piece & 1 == 0:
        count[USED] |= 1 << piece
        count[PLACED] += size
    state.turn[0] = (colour + 1) % colours


@inlined
def _open_corners(
    tables: Tables, state: BoardState, colour: int, orientation: int, anchor: int
) -> None:
    recent = state.recent[colour]
    for i in range(recent[0, 0] + 1):
        recent[1, i] = recent[0, i]
    opened = 0
    for i in range(1, tables.corners[orientation, 0] + 1):
        square = anchor + tables.corners[orientation, i]
        if state.open[colour, square] > 0:
            open_corner(tables, state, colour, square)
            opened += 1
            recent[0, opened] = square
    recent[0, 0] = opened


@inlined
def diamond(tables: Tables, rows: Ints, square: int) -> int:
    """The bits of masks of rows at the squares within four steps of a square, as 41 bits."""
    row, column = tables.row[square], tables.column[square]
    mask = 0
    shift = 0
    for down in range(-FRAME, FRAME + 1):
        width = FRAME - abs(down)
        line = np.int64(rows[row + down])
        mask |= (line >> (column - width) & ((1 << (2 * width + 1)) - 1)) << shift
        shift += 2 * width + 1
    return mask


@inlined
def pattern_of(mask: int) -> int:
    """The blocked ones of the eight neighbours of a diamond's middle, as 8 bits."""
    beside = (mask >> 19 & 1) << 3 | (mask >> 21 & 1) << 4
    return (mask >> 11 & 7) | beside | (mask >> 27 & 7) << 5


@inlined
def _add_at(tables: Tables, state: BoardState, colour: int, square: int, listed: int) -> int:
    """Adds the placements through a corner, without those through an examined one.

    Returns:
        The length of the list.
    """
    moves = state.moves[colour]
    blocked = diamond(tables, state.masks[EXAMINED, colour], square)
    pattern = pattern_of(blocked)
    blocked |= int(state.tally[colour, USED]) << DIAMOND
    down, right = tables.row[square] - FRAME, tables.column[square] - FRAME
    for j in range(tables.ways_from[pattern, 0], tables.ways_from[pattern, LARGEST + 1]):
        way = tables.ways[j]
        # Without a branch, which the processor would often mispredict: a placement that is not
        # open is overwritten by the next.
        moves[listed] = tables.way_base[way] + down * tables.way_columns[way] + right
        listed += tables.way_mask[way] & blocked == 0
    return listed


@compiled
def refresh(tables: Tables, state: BoardState, colour: int) -> int:
    """Lists the open placements of a colour.

    Returns:
        Their number.
    """
    count = state.tally[colour]
    examined = state.masks[EXAMINED, colour]
    _copy(state.masks[FORBIDDEN, colour], examined, tables.stride)
    corners = state.corners[colour]
    listed = 0
    open_corners = 0
    for i in range(count[CORNERS]):
        square = corners[i]
        row, bit = tables.row[square], tables.bit[square]
        if state.masks[FORBIDDEN, colour, row] & bit == 0:
            corners[open_corners] = square
            open_corners += 1
            listed = _add_at(tables, state, colour, square, listed)
            examined[row] |= bit
    count[CORNERS] = open_corners
    count[MOVES] = listed
    return int(listed)


@inlined
def least_size(state: BoardState, colour: int) -> int:
    """Squares of the smallest piece of a colour that is considered, if there is such a piece."""
    return _LEAST[min(state.tally[colour, LAID], len(_LEAST) - 1)]


@compiled
def next_mover(tables: Tables, state: BoardState) -> int:
    """The colour to move, after listing its placements; -1 at the end."""
    colours = len(state.tally)
    for step in range(colours):
        colour = (state.turn[0] + step) % colours
        if state.tally[colour, OUT]:
            continue
        if refresh(tables, state, colour) > 0:
            return int(colour)
        # A colour without placements never gets one again.
        state.tally[colour, OUT] = 1
    return -1
