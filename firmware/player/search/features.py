"""Features of a position from the view of the colour to move: a few classes for each square.

The classes give the colours that cover a square or can cover it, and its importance to them: the
share of a side's open placements that cover the square is the share that a piece on it takes from
the enemies, or costs the own side. A corner that is the enemies' last way out is covered by most
of their placements, a square that only one of many small pieces reaches by few.

`network` is trained on the classes around a square.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.jit import compiled, inlined
from firmware.player.search.kernels import CORNER, LAID, MOVES, PLACED, RECENT, BoardState
from firmware.player.search.scoring import Sides, mover_side
from firmware.player.search.tables import FRAME, Floats, Ints, Places, Tables
from firmware.rules.pieces import LARGEST

_SHARES: Final = 7
"""Classes of the share of a side's placements that cover a square."""

_LARGE_SHARES: Final = 4
"""Classes of a share of the placements at a corner: the smallest four of `_SHARES` are one."""

OUTSIDE: Final = 0
"""Own class of a square off the board, as in the windows of squares near its edge."""

OWN: Final = 1
"""Own class of a square that the colour to move covers."""

PARTNER: Final = 2
"""Own class of a square that another colour of its side covers."""

ENEMY: Final = 3
"""Own class of a square that an enemy's colour covers."""

CLOSED: Final = 4
"""Own class of an empty square that the colour may not cover, now or later."""

OPEN: Final = 5
"""First own class of a square that the colour may cover; the class of its share is added."""

OPEN_CORNER: Final = OPEN + _SHARES
"""First own class of such a square at a corner of its own; that of a large share is added."""

COVERED: Final = OPEN_CORNER + _LARGE_SHARES
"""Enemies' class of a square that any colour covers, and of one off the board."""

SAFE: Final = COVERED + 1
"""Enemies' class of an empty square that no enemy may cover."""

EXPOSED: Final = SAFE + 1
"""First enemies' class of a square that an enemy may cover; the class of its share is added."""

ATTACHED: Final = EXPOSED + _SHARES
"""First enemies' class of such a square at a corner of theirs; that of a large share is added."""

FRESH: Final = ATTACHED + _LARGE_SHARES
"""First enemies' class of one that their last `RECENT` moves opened; the same is added."""

ALONE: Final = FRESH + _LARGE_SHARES
"""Partners' class of a square that no partner may cover."""

SHARED: Final = ALONE + 1
"""Partners' class of a square that a partner may cover."""

JOINED: Final = SHARED + 1
"""Partners' class of a square at a corner of a partner."""

CLASSES: Final = JOINED + 1
"""Number of all classes, own, enemies' and partners'."""

_PHASE_OF: Final = np.array([*range(8), 8, 8, 9, 9, 10, 10, 10, *[11] * 32], np.int32)
"""Phase of the game by the pieces that the colour to move has laid."""

PHASES: Final = 12
"""Number of phases in `_PHASE_OF`."""

REACH: Final = 2
"""Rows and columns around a square in the window of the network."""

WINDOW: Final = (2 * REACH + 1) ** 2
"""Squares of that window."""

FACTS: Final = 3
"""Numbers that describe the whole board: lead in squares, placements of each side; see `look`."""

MOST_HIDDEN: Final = 64
"""Upper limit of the hidden units of a square, and of those of the second layer."""

_LAYERS: Final = 3
"""Classes of a square: by the own colour, by the enemies, by the partners."""

_LEAD_UNIT: Final = 10.0
"""Squares of lead that are one unit of the first fact."""

_LOG_UNIT: Final = 3.0
"""Natural logarithm of placements that is one unit of the other facts."""


class PlayerView(NamedTuple):
    """Features of a position for the colour to move, and the output of the network.

    Attributes:
        kind: (squares, 3) the classes of each square: by itself, by its enemies, by its partners.
        own: (squares,) number of own open placements that cover each square.
        enemy: (squares,) the same for the enemies'.
        corner: (squares,) 2 at a corner that an enemy opened lately, 1 at another enemy corner.
        phase: (1,) the phase of the game.
        facts: (3,) see `look`.
        worth: (3, squares) value of each square for a move that covers it, shares a side with
            it, or touches it at a corner; see `network.weigh`.
        end: (2,) probability that the side to move wins, and its margin in points; see there.
        sums: (squares * 64,) buffer of `network`: hidden units of each square.
        pooled: (64,) buffer of `network`: their sum over all squares.
        judges: (64,) buffer of `network`: hidden units of the second layer.
    """

    kind: Places
    own: Ints
    enemy: Ints
    corner: Ints
    phase: Ints
    facts: Floats
    worth: Floats
    end: Floats
    sums: Floats
    pooled: Floats
    judges: Floats


def new_view(tables: Tables) -> PlayerView:
    """An empty view."""
    squares = tables.stride * tables.stride
    kind = np.zeros((squares, _LAYERS), np.uint16)
    kind[:] = OUTSIDE, COVERED, ALONE
    return PlayerView(
        kind,
        np.zeros(squares, np.int32),
        np.zeros(squares, np.int32),
        np.zeros(squares, np.int32),
        np.zeros(1, np.int32),
        np.zeros(FACTS, np.float32),
        np.zeros((3, squares), np.float32),
        np.zeros(2, np.float32),
        np.zeros(squares * MOST_HIDDEN, np.float32),
        np.zeros(MOST_HIDDEN, np.float32),
        np.zeros(MOST_HIDDEN, np.float32),
    )


@compiled
def _add_cover(tables: Tables, state: BoardState, colour: int, cover: Ints) -> None:
    moves, info = state.moves[colour], tables.info
    for i in range(state.tally[colour, MOVES]):
        placement = info[moves[i]]
        # Always five: the padding of smaller pieces is square 0, which is not used.
        for j in range(LARGEST):
            cover[placement[j]] += 1


@inlined
def _mark_corners(tables: Tables, state: BoardState, other: int, corner: Ints) -> None:
    for row in range(FRAME, FRAME + tables.size):
        mask = state.masks[CORNER, other, row]
        square = row * tables.stride
        while mask:
            if mask & 1 and state.open[other, square] > 0:
                corner[square] = max(corner[square], 1)
            mask >>= 1
            square += 1
    for age in range(RECENT):
        recent = state.recent[other, age]
        for i in range(1, recent[0] + 1):
            if state.open[other, recent[i]] > 0:
                corner[recent[i]] = 2


@inlined
def _share(count: int, total: int) -> int:
    """Class of a share: 0 for none, 1 below 1/64, 2 to 6 from 1, 3, 8, 16 and 32 64ths on."""
    if count == 0:
        return 0
    parts = 64 * count // total
    return 1 + (parts >= 1) + (parts >= 3) + (parts >= 8) + (parts >= 16) + (parts >= 32)


@compiled
def look(tables: Tables, state: BoardState, sides: Sides, colour: int, view: PlayerView) -> None:
    """Computes the classes of all squares, and the facts.

    All lists of placements have to be up to date. The facts are the lead in tens of laid squares
    (mean over the colours of the own side less that of the enemies), and the scaled logarithms of
    the numbers of placements of the own side and of the enemies.
    """
    for square in range(len(view.own)):
        view.own[square] = 0
        view.enemy[square] = 0
        view.corner[square] = 0
    side = mover_side(state, sides, colour)
    friends, friend_moves, friend_squares = 0, 0, 0
    enemies, enemy_moves, enemy_squares = 0, 0, 0
    for other in range(len(state.tally)):
        count = state.tally[other]
        if mover_side(state, sides, other) == side:
            friends += 1
            friend_moves += count[MOVES]
            friend_squares += count[PLACED]
        else:
            _add_cover(tables, state, other, view.enemy)
            _mark_corners(tables, state, other, view.corner)
            enemies += 1
            enemy_moves += count[MOVES]
            enemy_squares += count[PLACED]
    _add_cover(tables, state, colour, view.own)
    view.phase[0] = _PHASE_OF[state.tally[colour, LAID]]
    view.facts[0] = (friend_squares / friends - enemy_squares / max(1, enemies)) / _LEAD_UNIT
    view.facts[1] = np.log(friend_moves + 1) / _LOG_UNIT - 1
    view.facts[2] = np.log(enemy_moves + 1) / _LOG_UNIT - 1
    own = state.tally[colour, MOVES]
    for row in range(FRAME, FRAME + tables.size):
        for square in range(row * tables.stride + FRAME, row * tables.stride + FRAME + tables.size):
            kind = view.kind[square]
            owner = state.owner[square] - 1
            if owner >= 0:
                kind[0] = _cover_kind(state, sides, side, colour, owner)
                kind[1] = COVERED
                kind[2] = ALONE
            else:
                kind[0] = _own_kind(tables, state, colour, square, _share(view.own[square], own))
                _see_others(tables, state, sides, colour, square, view, enemy_moves)


@inlined
def _cover_kind(state: BoardState, sides: Sides, side: int, colour: int, owner: int) -> int:
    if owner == colour:
        return OWN
    return PARTNER if mover_side(state, sides, owner) == side else ENEMY


@inlined
def _own_kind(tables: Tables, state: BoardState, colour: int, square: int, share: int) -> int:
    if state.open[colour, square] == 0:
        return CLOSED
    if state.masks[CORNER, colour, tables.row[square]] & tables.bit[square]:
        return OPEN_CORNER + max(0, share - _SHARES + _LARGE_SHARES)
    return OPEN + share


@inlined
def _see_others(
    tables: Tables,
    state: BoardState,
    sides: Sides,
    colour: int,
    square: int,
    view: PlayerView,
    enemies: int,
) -> None:
    side = mover_side(state, sides, colour)
    exposed = False
    partner = ALONE
    for other in range(len(state.tally)):
        if other == colour or state.open[other, square] == 0:
            continue
        if mover_side(state, sides, other) != side:
            exposed = True
        elif state.masks[CORNER, other, tables.row[square]] & tables.bit[square]:
            partner = JOINED
        else:
            partner = max(partner, SHARED)
    view.kind[square, 2] = partner
    if not exposed:
        view.kind[square, 1] = SAFE
        return
    share = _share(view.enemy[square], max(1, enemies))
    corner = view.corner[square]
    if corner:
        large = max(0, share - _SHARES + _LARGE_SHARES)
        view.kind[square, 1] = (FRESH if corner == 2 else ATTACHED) + large
    else:
        view.kind[square, 1] = EXPOSED + share
