"""The facts of a game for compiled code, and what a position of it is worth at the end."""

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from firmware.rules.board import squares_of
from firmware.rules.pieces import MONOMINO, PIECES, SQUARES_OF_A_COLOUR
from firmware.rules.scoring import ALL_PLACED_BONUS, MONOMINO_LAST_BONUS
from firmware.search.jit import compiled, inlined
from firmware.search.kernels import (
    LAID,
    LAST_PIECE,
    PLACED,
    BoardState,
    empty_state,
    open_corner,
    put,
    refresh,
)
from firmware.search.tables import Floats, Ints, framed, tables

if TYPE_CHECKING:
    from firmware.rules.position import Position

_PIECES: Final = len(PIECES)
_MONOMINO: Final = MONOMINO.index
_MARGIN_SCALE: Final = 12.0
"""Points of margin at which the margin's share of the result is three quarters."""


class Sides(NamedTuple):
    """Who plays for whom.

    Attributes:
        of: (colours,) the side of each colour; -1 for a colour that all sides play in turn.
        number: how many sides there are.
    """

    of: Ints
    number: int


def sides_of(position: "Position") -> Sides:
    """Who plays for whom in the game of a position."""
    game = position.game
    of = [-1 if colour == game.shared else game.side_of(colour) for colour in game.colours]
    return Sides(np.array(of, np.int32), len(game.sides))


def state_of(position: "Position") -> BoardState:
    """The position for compiled code; its pieces need not lie there by the rules."""
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
    """The side whose hand lays the next piece of a colour."""
    side = sides.of[colour]
    if side >= 0:
        return int(side)
    return int(state.tally[colour, LAID]) % sides.number


@inlined
def points_of(state: BoardState, colour: int) -> int:
    """The advanced score of a colour as it stands."""
    count = state.tally[colour]
    left = SQUARES_OF_A_COLOUR - int(count[PLACED])
    if left or count[LAID] < _PIECES:
        return -left
    if count[LAST_PIECE] == _MONOMINO:
        return ALL_PLACED_BONUS + MONOMINO_LAST_BONUS
    return ALL_PLACED_BONUS


@inlined
def clearly(lead: float) -> float:
    """How clearly a lead in points wins, from 0 to 1."""
    return 0.5 + 0.5 * lead / (abs(lead) + _MARGIN_SCALE)


@compiled
def judge(state: BoardState, sides: Sides, verdict: Floats, share: float) -> None:
    """What each side has of a finished game.

    Args:
        state: the position at its end.
        sides: who plays for whom.
        verdict: (4, sides) filled with points, with the result that is searched for, with the
            margin (points ahead of the best other side), and with the share of the other sides
            that are beaten, equals counted half. The result is that share mixed with how clearly.
        share: how much of the result is how clearly, from 0 to 1.
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
