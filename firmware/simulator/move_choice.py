"""Simple choices of a move, without the player: `choose(position)` for scripted people."""

from collections.abc import Callable
from typing import Final

import numpy as np

from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position

Choose = Callable[[Position], Move | None]
"""Picks a legal move of a position that is not over; None while it thinks, to be asked again."""

Lay = Callable[[Position], LaidPiece | None]
"""Picks a piece and its place; None while nothing can be laid, to be asked again."""

_LOOKED_AT: Final = 160
"""Moves that are compared, chosen at random."""


def in_turn(choose: Choose) -> Lay:
    """Lays the chosen moves of the colour to move."""

    def lay(position: Position) -> LaidPiece | None:
        move, colour = choose(position), position.to_move
        return None if move is None or colour is None else (colour, move)

    return lay


def sensibly(seed: int) -> Callable[[Position], Move]:
    """Chooses a largest piece that opens many corners and closes many of the others."""
    dice = np.random.default_rng(seed)

    def choose(position: Position) -> Move:
        moves = list(position.legal_moves)
        most = max(move.piece.size for move in moves)
        large = [move for move in moves if move.piece.size == most]
        some = dice.permutation(len(large))[:_LOOKED_AT]
        offered = [large[int(i)] for i in some]
        return max(offered, key=lambda move: _worth(position, move))

    return choose


def _worth(position: Position, move: Move) -> int:
    """Twice the squares at corners that a move opens, plus those that it takes from others."""
    board, colour = position.board, position.to_move
    assert colour is not None, "a legal move has a colour"
    taken = position.occupied | move.mask
    own = position.squares(colour) | move.mask
    opened = board.corner_neighbours(move.mask) & ~taken & ~board.edge_neighbours(own)
    closed = 0
    for other in position.game.colours:
        if other != colour:
            theirs = position.squares(other)
            closed |= board.corner_neighbours(theirs) & ~board.edge_neighbours(theirs) & move.mask
    return 2 * opened.bit_count() + closed.bit_count()
