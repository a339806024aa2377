"""A game played to its end by weighted chance: large pieces, and answers where the enemy is.

The weight of a placement is that of its piece times a factor for each of its squares on or
beside the corners that the enemy's last two moves have opened. The factors lie in the map of
open squares while the list is made, so that one product tells both whether a placement is open
and how likely it is.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.search.compiling import compiled, inlined
from firmware.search.kernels import OUT, RECENT, State, put, refresh
from firmware.search.scoring import Sides, mover_side
from firmware.search.tables import Floats, Ints, Tables

_MOST_PLACED: Final = 128
"""Pieces of all colours together, rounded up."""

_MOST_LOCAL: Final = 512

_SHIFTS: Final = (np.uint64(12), np.uint64(25), np.uint64(27))
_SPREAD: Final = np.uint64(2685821657736338717)
_TOP: Final = np.uint64(40)
_UNIT: Final = 1 / (1 << 24)


class Policy(NamedTuple):
    """The weights of a playout.

    Attributes:
        corner: factor of a square that one of the enemy's last moves opened.
        beside: factor of a square next to such a corner.
    """

    corner: float
    beside: float


class Game(NamedTuple):
    """A playout's course, and room to work in.

    Attributes:
        colours: (128,) who laid each piece.
        placements: (128,) and where.
        length: (1,) how many there are.
        local: (512,) squares whose factor is to be put back.
        chance: (1,) state of the generator of random numbers, never 0.
    """

    colours: Ints
    placements: Ints
    length: Ints
    local: Ints
    chance: NDArray[np.uint64]


def new_game(seed: int) -> Game:
    """Room for playouts, whose chance begins with a seed."""
    chance = np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1)
    return Game(
        np.zeros(_MOST_PLACED, np.int32),
        np.zeros(_MOST_PLACED, np.int32),
        np.zeros(1, np.int32),
        np.zeros(_MOST_LOCAL, np.int32),
        chance,
    )


@inlined
def draw(game: Game) -> float:
    """A random number from 0 to 1, by xorshift64* (Vigna 2016)."""
    x = game.chance[0]
    x ^= x >> _SHIFTS[0]
    x ^= x << _SHIFTS[1]
    x ^= x >> _SHIFTS[2]
    game.chance[0] = x
    return float((x * _SPREAD) >> _TOP) * _UNIT


@inlined
def _raise_square(
    state: State, colour: int, square: int, factor: float, local: Ints, n: int
) -> int:
    if state.open[colour, square] == 1 and n < len(local):
        state.open[colour, square] = factor
        local[n] = square
        return n + 1
    return n


@inlined
def raise_local(
    tables: Tables, state: State, sides: Sides, colour: int, policy: Policy, local: Ints
) -> int:
    """Makes the squares where the enemies last opened corners likelier for a colour.

    Returns:
        How many squares were raised; they are in `local`, see `lower_local`.
    """
    n = 0
    own = mover_side(state, sides, colour)
    for other in range(len(state.tally)):
        if other == colour or mover_side(state, sides, other) == own:
            continue
        for age in range(RECENT):
            recent = state.recent[other, age]
            for i in range(1, recent[0] + 1):
                if state.open[other, recent[i]] > 0:
                    n = _raise_square(state, colour, recent[i], policy.corner, local, n)
    corners = n
    for i in range(corners):
        for step in (-tables.stride, -1, 1, tables.stride):
            n = _raise_square(state, colour, local[i] + step, policy.beside, local, n)
    return n


@inlined
def lower_local(state: State, colour: int, local: Ints, raised: int) -> None:
    """Puts back what `raise_local` has raised."""
    for i in range(raised):
        state.open[colour, local[i]] = 1


@inlined
def _chosen(chances: Floats, count: int, target: float) -> int:
    """The first index whose running sum exceeds the target."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if chances[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def play_out(tables: Tables, state: State, sides: Sides, policy: Policy, game: Game) -> None:
    """Plays a position to its end and adds the moves to the game."""
    colours = len(state.tally)
    idle = 0
    while idle < colours:
        colour = state.turn[0]
        if state.tally[colour, OUT] == 0:
            raised = raise_local(tables, state, sides, colour, policy, game.local)
            count = refresh(tables, state, colour)
            lower_local(state, colour, game.local, raised)
            if count:
                target = draw(game) * state.chances[count - 1]
                placement = state.moves[colour, _chosen(state.chances, count, target)]
                put(tables, state, colour, placement)
                length = game.length[0]
                game.colours[length] = colour
                game.placements[length] = placement
                game.length[0] = length + 1
                idle = 0
                continue
            state.tally[colour, OUT] = 1
        state.turn[0] = (colour + 1) % colours
        idle += 1
