"""Playouts: random games to the end, with weights for large pieces and for local answers.

Only near placements are listed: those through the corners of a colour from which a piece can
reach the squares on or beside the corners that the enemy's last two moves opened. The weight of a
placement is that of its piece times a factor for each such square it covers. Each far corner has
one weight for all placements through it, and these are listed only if the corner is drawn. So no
list has to be maintained, and a corner at which no piece fits is removed for good.

A move that followed another in a won game is repeated after it without weights, until it loses
(last good reply, Drake 2009): this gains little, but is fast.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.player.search.chance import draw, seeded
from firmware.player.search.jit import compiled, inlined, ones
from firmware.player.search.kernels import (
    CORNER,
    CORNERS,
    FORBIDDEN,
    OUT,
    RECENT,
    USED,
    BoardState,
    diamond,
    least_size,
    pattern_of,
    put,
)
from firmware.player.search.scoring import Sides, mover_side
from firmware.player.search.tables import (
    DIAMOND,
    FRAME,
    ORIENTATION,
    PIECE,
    Floats,
    Ints,
    Places,
    Tables,
)
from firmware.rules.pieces import LARGEST, PIECES

_MOST_PLACED: Final = 128
"""Pieces of all colours together, rounded up."""

_COUNTS: Final = LARGEST + 1
"""Numbers of squares that a piece can cover of some, 0 included."""

_OPENED: Final = 0
"""Row of `local`: squares at corners that the enemies' last moves opened."""

_BESIDE: Final = 1
"""Row of `local`: squares that share a side with one of these, and are none."""

_EITHER: Final = 2
"""Row of `local`: the squares of both rows; a corner far from all of them has one weight."""


_BY_SIZE: Final = (0.0, 0.01, 0.03, 0.08, 0.3, 1.0)
"""Weight of a piece by its number of squares."""

_AT_CORNER: Final = 20.0
"""Factor for each covered square that an enemy's last moves opened. Factors of 300 and 100 instead
of this and `_NEAR_CORNER` scored 49 % of 40 games."""

_NEAR_CORNER: Final = 6.0
"""Factor for each covered square beside those."""

_ELSEWHERE: Final = 10.0
"""Weight of a far corner, with all placements through it."""

_WAY_WEIGHTS: Final = np.array(
    [_BY_SIZE[len(shape)] for piece in PIECES for shape in piece.orientations for _ in shape],
    np.float32,
)
"""(414,): weight of each way of `tables`, by its piece."""

_LOCAL_FACTORS: Final = np.array(
    [_AT_CORNER**i * _NEAR_CORNER**j for i in range(_COUNTS) for j in range(_COUNTS)], np.float32
)
"""(36,): factor of a placement; the index is six times the number of squares it covers that the
enemy's last moves opened, plus the number beside those."""


class Playout(NamedTuple):
    """The moves of a playout, and its buffers.

    Attributes:
        colours: (128,) colour of each move.
        placements: (128,) placement of each move.
        sides: (128,) side of each move.
        length: (1,) number of moves.
        reply: (colours, placements) 1 more than the last good reply to each move, 0 none.
        least: (1,) squares of the smallest piece that is considered.
        local: (3, rows) masks of the squares for local answers.
        far: (squares,) indices of the corners far from there.
        places: (squares,) the near corners.
        ends: (squares,) end of the ways of each near corner in `drawn`.
        drawn: (placements through corners,) the ways that may be drawn, see `tables`.
        chances: (placements through corners,) the running sum of their weights.
        chance: (1,) state of the random number generator, never 0.
    """

    colours: Ints
    placements: Ints
    sides: Ints
    length: Ints
    reply: Places
    least: Ints
    local: Ints
    far: Places
    places: Places
    ends: Ints
    drawn: Places
    chances: Floats
    chance: NDArray[np.uint64]


def new_game(tables: Tables, colours: int, seed: int) -> Playout:
    """Buffers for playouts, with a seed of the random numbers."""
    squares = tables.stride * tables.stride
    most = tables.size * tables.size * len(tables.way_mask)
    return Playout(
        np.zeros(_MOST_PLACED, np.int32),
        np.zeros(_MOST_PLACED, np.int32),
        np.zeros(_MOST_PLACED, np.int32),
        np.zeros(1, np.int32),
        np.zeros((colours, len(tables.info)), np.uint16),
        np.zeros(1, np.int32),
        np.zeros((3, tables.stride), np.int32),
        np.zeros(squares, np.uint16),
        np.zeros(squares, np.uint16),
        np.zeros(squares, np.int32),
        np.zeros(most, np.uint16),
        np.zeros(most, np.float32),
        seeded(seed),
    )


@inlined
def _mark_local(tables: Tables, state: BoardState, sides: Sides, colour: int, local: Ints) -> None:
    """Marks the corners that the last moves of a colour's enemies opened."""
    for row in range(tables.stride):
        local[_OPENED, row] = 0
        local[_BESIDE, row] = 0
    own = mover_side(state, sides, colour)
    for other in range(len(state.tally)):
        if other == colour or mover_side(state, sides, other) == own:
            continue
        forbidden = state.masks[FORBIDDEN, other]
        for age in range(RECENT):
            recent = state.recent[other, age]
            for i in range(1, recent[0] + 1):
                row, bit = tables.row[recent[i]], tables.bit[recent[i]]
                if forbidden[row] & bit == 0:
                    local[_OPENED, row] |= bit
                    local[_BESIDE, row] |= bit << 1 | bit >> 1
                    local[_BESIDE, row - 1] |= bit
                    local[_BESIDE, row + 1] |= bit
    for row in range(tables.stride):
        free = ~state.masks[FORBIDDEN, colour, row]
        local[_OPENED, row] &= free
        local[_BESIDE, row] &= free & ~local[_OPENED, row]
        local[_EITHER, row] = local[_OPENED, row] | local[_BESIDE, row]


@inlined
def _add_ways(
    tables: Tables,
    state: BoardState,
    game: Playout,
    colour: int,
    square: int,
    count: int,
) -> int:
    """Adds the placements through a corner to those that may be drawn.

    Returns:
        Their number.
    """
    drawn, chances = game.drawn, game.chances
    blocked = diamond(tables, state.masks[FORBIDDEN, colour], square)
    pattern = pattern_of(blocked)
    blocked |= int(state.tally[colour, USED]) << DIAMOND
    last = count
    for j in range(
        tables.ways_from[pattern, game.least[0]], tables.ways_from[pattern, LARGEST + 1]
    ):
        # Without a branch, which the processor would often mispredict.
        drawn[last] = tables.ways[j]
        last += tables.way_mask[tables.ways[j]] & blocked == 0
    corner = diamond(tables, game.local[_OPENED], square)
    beside = diamond(tables, game.local[_BESIDE], square)
    total = chances[count - 1] if count else np.float32(0)
    for i in range(count, last):
        mask = tables.way_mask[drawn[i]]
        local = ones(mask & corner) * _COUNTS + ones(mask & beside)
        total += _WAY_WEIGHTS[drawn[i]] * _LOCAL_FACTORS[local]
        chances[i] = total
    return last


@inlined
def _chosen(chances: Floats, low: int, high: int, target: float) -> int:
    """The first index from `low` below `high` whose running sum exceeds the target."""
    high -= 1
    while low < high:
        middle = (low + high) >> 1
        if chances[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def _list_near(
    tables: Tables, state: BoardState, game: Playout, colour: int
) -> tuple[int, int, int]:
    """Lists the ways through the corners near the local squares, and the far corners.

    Returns:
        Number of ways, of near corners, and of far corners.
    """
    corners, tally = state.corners[colour], state.tally[colour]
    forbidden, either = state.masks[FORBIDDEN, colour], game.local[_EITHER]
    count, listed, far = 0, 0, 0
    i = 0
    while i < tally[CORNERS]:
        square = corners[i]
        keep = forbidden[tables.row[square]] & tables.bit[square] == 0
        if keep:
            if diamond(tables, either, square):
                last = _add_ways(tables, state, game, colour, square, count)
                # If no large piece fits, a small one may.
                keep = last > count or game.least[0] > 1
                count = last
                game.places[listed] = square
                game.ends[listed] = last
                listed += keep
            else:
                game.far[far] = i
                far += 1
        if keep:
            i += 1
        else:
            tally[CORNERS] -= 1
            corners[i] = corners[tally[CORNERS]]
    return count, listed, far


@inlined
def _placement(tables: Tables, game: Playout, index: int, square: int, listed: int) -> int:
    """The placement of a way that was drawn: through a near corner, or else through `square`."""
    for i in range(listed):
        if index < game.ends[i]:
            square = game.places[i]
            break
    way = game.drawn[index]
    down, right = tables.row[square] - FRAME, tables.column[square] - FRAME
    return int(tables.way_base[way] + down * tables.way_columns[way] + right)


@inlined
def _draw_move(tables: Tables, state: BoardState, game: Playout, colour: int) -> int:
    """A random placement of a colour, -1 if it has none."""
    count, listed, far = _list_near(tables, state, game, colour)
    chances, corners = game.chances, state.corners[colour]
    near = float(chances[count - 1]) if count else 0.0
    while count or far:
        target = draw(game.chance) * (near + far * _ELSEWHERE)
        if count and (target < near or far == 0):
            index = _chosen(chances, 0, count, target)
            return _placement(tables, game, index, 0, listed)
        pick = min(int((target - near) / _ELSEWHERE), far - 1)
        place = game.far[pick]
        square = corners[place]
        last = _add_ways(tables, state, game, colour, square, count)
        if last > count:
            target = near + draw(game.chance) * (chances[last - 1] - near)
            index = _chosen(chances, count, last, target)
            return _placement(tables, game, index, square, 0)
        if game.least[0] == 1:
            # Square 0 is barred to all, so the corner is removed the next time.
            corners[place] = 0
        far -= 1
        game.far[pick] = game.far[far]
    return -1


@inlined
def _reply(tables: Tables, state: BoardState, game: Playout, colour: int) -> int:
    """The last good reply of a colour to the last move, -1 if there is none or it is not open."""
    length = game.length[0]
    if length == 0:
        return -1
    found = int(game.reply[colour, game.placements[length - 1]]) - 1
    if found < 0 or state.tally[colour, USED] >> tables.info[found, PIECE] & 1:
        return -1
    masks = state.masks
    reaches = 0
    for i in range(tables.sizes[tables.info[found, ORIENTATION]]):
        square = tables.info[found, i]
        row, bit = tables.row[square], tables.bit[square]
        if masks[FORBIDDEN, colour, row] & bit:
            return -1
        reaches |= masks[CORNER, colour, row] & bit
    return found if reaches else -1


@inlined
def _next_move(tables: Tables, state: BoardState, sides: Sides, game: Playout) -> int:
    """A placement of the colour whose turn it is, -1 if it has none."""
    colour = state.turn[0]
    placement = _reply(tables, state, game, colour)
    if placement >= 0:
        return placement
    _mark_local(tables, state, sides, colour, game.local)
    game.least[0] = least_size(state, colour)
    placement = _draw_move(tables, state, game, colour)
    if placement < 0 and game.least[0] > 1:
        game.least[0] = 1
        placement = _draw_move(tables, state, game, colour)
    return placement


@inlined
def lay(
    tables: Tables, state: BoardState, sides: Sides, game: Playout, colour: int, move: int
) -> None:
    """Lays a piece and adds it to the game."""
    length = game.length[0]
    game.colours[length] = colour
    game.placements[length] = move
    game.sides[length] = mover_side(state, sides, colour)
    game.length[0] = length + 1
    put(tables, state, colour, move)


@compiled
def play_out(tables: Tables, state: BoardState, sides: Sides, game: Playout) -> None:
    """Plays a position to its end and adds the moves to the game."""
    colours = len(state.tally)
    idle = 0
    while idle < colours:
        colour = state.turn[0]
        if state.tally[colour, OUT] == 0:
            placement = _next_move(tables, state, sides, game)
            if placement >= 0:
                lay(tables, state, sides, game, colour, placement)
                idle = 0
                continue
            state.tally[colour, OUT] = 1
        state.turn[0] = (colour + 1) % colours
        idle += 1


@compiled
def learn_replies(game: Playout, wins: Floats) -> None:
    """Stores the replies of the winners of a game and removes those of the losers.

    Args:
        game: a finished game.
        wins: (sides,) result of each side, see `judge`.
    """
    best = wins[0]
    for side in range(len(wins)):
        best = max(best, wins[side])
    for i in range(1, game.length[0]):
        colour, before, after = game.colours[i], game.placements[i - 1], game.placements[i] + 1
        if wins[game.sides[i]] == best:
            game.reply[colour, before] = after
        elif game.reply[colour, before] == after:
            game.reply[colour, before] = 0
