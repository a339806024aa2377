"""Sides of a game for compiled code, and the result of a finished position."""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from firmware.codes import ALL_PLACED_BONUS, MONOMINO_LAST_BONUS
from firmware.player.search.jit import compiled, inlined
from firmware.player.search.kernels import (
    LAID,
    LAST_PIECE,
    PLACED,
    BoardState,
    empty_state,
    open_corner,
    put,
    refresh,
)
from firmware.player.search.tables import Floats, Ints, framed, tables
from firmware.rules.board import squares_of
from firmware.rules.pieces import MONOMINO, PIECES, SQUARES_OF_A_COLOUR

if TYPE_CHECKING:
    from firmware.rules.position import Position

_PIECES: Final = len(PIECES)
"""Pieces of a colour."""

_MONOMINO: Final = MONOMINO.index
"""Index of the piece of a single square."""

_MARGIN_SCALE: Final = 12.0
"""Points of margin at which the margin's share of the result is three quarters."""


class Sides(NamedTuple):
    """The sides of a game.

    Attributes:
        of: (colours,) the side of each colour; -1 for a colour that all sides play in turn.
        number: number of sides.
    """

    of: Ints
    number: int


def sides_of(position: "Position") -> Sides:
    """The sides of the game of a position."""
    game = position.game
    of = [-1 if colour == game.shared else game.side_of(colour) for colour in game.colours]
    return Sides(np.array(of, np.int32), len(game.sides))


def state_of(position: "Position") -> BoardState:
    """The position for compiled code; its pieces may break rules."""
    board = tables(position.game.size)
    state = empty_state(board, len(position.game.colours))
    for colour, laid in enumerate(position.laid):
        if not laid:
            for square in squares_of(position.start_squares(colour)):
                open_corner(board, state, colour, framed(square, board.size))
        for move in laid:
            put(board, state, colour, move.index)
    state.turn[0] = position.turn
    for colour in position.game.colours:
        refresh(board, state, colour)
    return state


@inlined
def mover_side(state: BoardState, sides: Sides, colour: int) -> int:
    """The side that plays the next piece of a colour."""
    side = sides.of[colour]
    if side >= 0:
        return int(side)
    return int(state.tally[colour, LAID]) % sides.number


@inlined
def points_of(state: BoardState, colour: int) -> int:
    """The advanced score of a colour, finished or not."""
    count = state.tally[colour]
    in_hand = SQUARES_OF_A_COLOUR - int(count[PLACED])
    if in_hand or count[LAID] < _PIECES:
        return -in_hand
    if count[LAST_PIECE] == _MONOMINO:
        return ALL_PLACED_BONUS + MONOMINO_LAST_BONUS
    return ALL_PLACED_BONUS


@inlined
def clearly(lead: float) -> float:
    """Clearness of a win by a lead in points, 0 to 1."""
    return 0.5 + 0.5 * lead / (abs(lead) + _MARGIN_SCALE)


@compiled
def judge(state: BoardState, sides: Sides, verdict: Floats, share: float) -> None:
    """Computes the result of a finished game for each side.

    Args:
        state: the final position.
        sides: the sides.
        verdict: (4, sides) output: points, the result for the search, the margin (points ahead
            of the best other side), and the share of the other sides that are beaten, equal ones
            counted half. The result is that share mixed with the clearness.
        share: share of the clearness in the result, 0 to 1.
    """
    points, result, margin, wins = verdict[0], verdict[1], verdict[2], verdict[3]
    for side in range(sides.number):
        points[side] = 0
    for colour in range(len(sides.of)):
        if sides.of[colour] >= 0:
            points[sides.of[colour]] += points_of(state, colour)
    for side in range(sides.number):
        beaten = 0.0
        best = -1e9
        for other in range(sides.number):
            if other != side:
                lead = points[side] - points[other]
                beaten += 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)
                best = max(best, points[other])
        lead = points[side] - best
        margin[side] = lead
        wins[side] = beaten / (sides.number - 1)
        result[side] = (1 - share) * wins[side] + share * clearly(lead)
