"""What a move looks like to the learned prior.

Each square of the board is put into a few classes, seen by the colour to move: as one that a
piece covers, as one along its sides, and as one at its corners. The logarithm of a move's
weight is the sum of what has been learned for the classes of the squares it covers, lies along
and touches at corners, and for its piece; all of it apart for four phases of the game.

The classes ask more than who stands where: how many of the enemies' open placements a square
carries (what a move takes away from them), how many of one's own (what it costs), where the
enemies last opened corners, and how much room a new corner has.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.rules.pieces import PIECES
from firmware.search.compiling import compiled, inlined
from firmware.search.kernels import CORNER, LAID, MOVES, RECENT, State
from firmware.search.scoring import Sides, mover_side
from firmware.search.tables import ANCHOR, FRAME, ORIENTATION, PIECE, Floats, Ints, Tables

_ENEMY_BINS: Final = 6
_OWN_BINS: Final = 4
_RINGS: Final = 10
_SIDE_KINDS: Final = 6
_CORNER_KINDS: Final = 21

# Where each kind of class begins in the weights of a phase.
COVER: Final = 0
COVER_OWN: Final = COVER + _ENEMY_BINS * 9
COVER_RING: Final = COVER_OWN + _OWN_BINS
SIDE: Final = COVER_RING + _RINGS
TOUCH: Final = SIDE + _SIDE_KINDS * _OWN_BINS
OF_PIECE: Final = TOUCH + _CORNER_KINDS
CLASSES: Final = OF_PIECE + len(PIECES)
PHASES: Final = 4
MOST_CLASSES: Final = 48
"""More than the squares that a piece covers (three classes each), lies along and touches."""

# Rows of `View.kind`.
_COVER: Final = 0
_OWN: Final = 1
_SIDE: Final = 2
_TOUCH: Final = 3


class View(NamedTuple):
    """The board as the colour to move sees it.

    Attributes:
        kind: (4, squares) classes of each square: covered (two of them), along, at a corner.
        own: (squares,) how many of the own open placements cover each square.
        enemy: (squares,) the same for the enemies'.
        local: (squares,) 2 where an enemy last opened a corner, 1 beside.
        attach: (squares,) 2 where an enemy has a corner, 1 beside.
        worth: (3, squares) what the classes of each square are worth: covered, along, touched.
        phase: (1,) the phase of the game.
        total: (2,) how many open placements there are, of the own and of the enemies.
    """

    kind: Ints
    own: Ints
    enemy: Ints
    local: Ints
    attach: Ints
    worth: Floats
    phase: Ints
    total: Ints


def new_view(tables: Tables) -> View:
    """Room for a view."""
    squares = tables.stride * tables.stride
    line = (squares,)
    return View(
        np.zeros((4, squares), np.int32),
        np.zeros(line, np.int32),
        np.zeros(line, np.int32),
        np.zeros(line, np.int32),
        np.zeros(line, np.int32),
        np.zeros((3, squares), np.float32),
        np.zeros(1, np.int32),
        np.zeros(2, np.int32),
    )


@inlined
def _add_cover(tables: Tables, state: State, colour: int, cover: Ints) -> None:
    moves, info = state.moves[colour], tables.info
    for i in range(state.tally[colour, MOVES]):
        placement = info[moves[i]]
        for j in range(tables.sizes[placement[ORIENTATION]]):
            cover[placement[j]] += 1


@inlined
def _mark(tables: Tables, marks: Ints, square: int) -> None:
    """2 for a square, at least 1 for those along its sides."""
    marks[square] = 2
    for step in (-tables.stride, -1, 1, tables.stride):
        if marks[square + step] == 0:
            marks[square + step] = 1


@compiled
def _see_enemy(tables: Tables, state: State, other: int, view: View) -> None:
    _add_cover(tables, state, other, view.enemy)
    stride = tables.stride
    for row in range(stride):
        mask = state.masks[CORNER, other, row]
        square = row * stride
        while mask:
            if mask & 1 and state.open[other, square] > 0:
                _mark(tables, view.attach, square)
            mask >>= 1
            square += 1
    for age in range(RECENT):
        recent = state.recent[other, age]
        for i in range(1, recent[0] + 1):
            if state.open[other, recent[i]] > 0:
                _mark(tables, view.local, recent[i])


@inlined
def _bin(count: int, total: int, bins: int) -> int:
    """0 for none; then one class more each time the share doubles, from a 64th or a 16th on."""
    if count == 0 or total == 0:
        return 0
    share = count * (1 << bins) // total
    found = 1
    while share > 1 and found < bins - 1:
        share >>= 1
        found += 1
    return found


@compiled
def look(tables: Tables, state: State, sides: Sides, colour: int, view: View) -> None:
    """Puts each square into its classes. All lists of placements have to be up to date."""
    for square in range(len(view.own)):
        view.own[square] = 0
        view.enemy[square] = 0
        view.local[square] = 0
        view.attach[square] = 0
    laid = state.tally[colour, LAID]
    view.phase[0] = 0 if laid < 2 else (1 if laid < 5 else (2 if laid < 9 else 3))
    side = mover_side(state, sides, colour)
    enemies = 0
    for other in range(len(state.tally)):
        if other != colour and mover_side(state, sides, other) != side:
            _see_enemy(tables, state, other, view)
            enemies += state.tally[other, MOVES]
    _add_cover(tables, state, colour, view.own)
    view.total[0] = state.tally[colour, MOVES]
    view.total[1] = enemies
    first = FRAME - 1
    for row in range(first, tables.size + FRAME + 1):
        for square in range(row * tables.stride + first, (row + 1) * tables.stride - first):
            owner = _owner(state, sides, side, colour, square)
            _classify(tables, state, colour, square, owner, view)


@inlined
def _owner(state: State, sides: Sides, side: int, colour: int, square: int) -> int:
    """0 off the board, 1 empty, 2 the colour itself, 3 its partner, 4 an enemy."""
    owner = int(state.owner[square]) - 1
    if owner < 0:
        return owner + 2
    if owner == colour:
        return 2
    return 3 if mover_side(state, sides, owner) == side else 4


@inlined
def _classify(
    tables: Tables, state: State, colour: int, square: int, owner: int, view: View
) -> None:
    own_bin = _bin(view.own[square], view.total[0], _OWN_BINS)
    enemy_bin = _bin(view.enemy[square], view.total[1], _ENEMY_BINS)
    is_open = state.open[colour, square] > 0
    is_corner = state.masks[CORNER, colour, tables.row[square]] & tables.bit[square] != 0
    kind = view.kind
    kind[_COVER, square] = COVER + enemy_bin * 9 + view.attach[square] * 3 + view.local[square]
    kind[_OWN, square] = COVER_OWN + own_bin
    if is_open:
        side_kind = 4 if is_corner else 5
        room = 0
        for step in (-tables.stride, -1, 1, tables.stride):
            room += state.open[colour, square + step] > 0
        touch = 5 if is_corner else 6 + room * 3 + min(enemy_bin >> 1, 2)
    else:
        side_kind = 3 if owner == 1 else max(owner - 2, 0)
        touch = owner
    kind[_SIDE, square] = SIDE + side_kind * _OWN_BINS + own_bin
    kind[_TOUCH, square] = TOUCH + touch


@compiled
def weigh(tables: Tables, view: View, weights: Floats) -> None:
    """Adds up for each square what its classes are worth."""
    learned = weights[view.phase[0]]
    first = FRAME - 1
    for row in range(first, tables.size + FRAME + 1):
        for square in range(row * tables.stride + first, (row + 1) * tables.stride - first):
            ring = COVER_RING + min(tables.ring[square], _RINGS - 1)
            view.worth[0, square] = (
                learned[view.kind[_COVER, square]]
                + learned[view.kind[_OWN, square]]
                + learned[ring]
            )
            view.worth[1, square] = learned[view.kind[_SIDE, square]]
            view.worth[2, square] = learned[view.kind[_TOUCH, square]]


@inlined
def weight_of(tables: Tables, view: View, weights: Floats, placement: int) -> float:
    """The logarithm of the weight of an open placement, see `weigh`."""
    info = tables.info[placement]
    orientation, anchor = info[ORIENTATION], np.int64(info[ANCHOR])
    total = weights[view.phase[0], OF_PIECE + info[PIECE]]
    for i in range(tables.sizes[orientation]):
        total += view.worth[0, info[i]]
    sides, corners = tables.sides[orientation], tables.corners[orientation]
    for i in range(1, sides[0] + 1):
        total += view.worth[1, anchor + sides[i]]
    for i in range(1, corners[0] + 1):
        total += view.worth[2, anchor + corners[i]]
    return float(total)


@compiled
def classes_of(tables: Tables, view: View, placement: int, classes: Ints) -> int:
    """Lists the classes whose learned worth `weight_of` adds up.

    Returns:
        How many there are.
    """
    info = tables.info[placement]
    orientation, anchor = info[ORIENTATION], np.int64(info[ANCHOR])
    classes[0] = OF_PIECE + info[PIECE]
    n = 1
    for i in range(tables.sizes[orientation]):
        square = info[i]
        classes[n] = view.kind[_COVER, square]
        classes[n + 1] = view.kind[_OWN, square]
        classes[n + 2] = COVER_RING + min(tables.ring[square], _RINGS - 1)
        n += 3
    sides, corners = tables.sides[orientation], tables.corners[orientation]
    for i in range(1, sides[0] + 1):
        classes[n] = view.kind[_SIDE, anchor + sides[i]]
        n += 1
    for i in range(1, corners[0] + 1):
        classes[n] = view.kind[_TOUCH, anchor + corners[i]]
        n += 1
    return n
