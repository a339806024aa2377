"""The steps that restore the accepted position: the next piece to move, from where to where.

A pure function of the reported disturbance: page, lights and a restarted table show the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.game.events import ColouredSquares, Squares
from firmware.game.state import GameState
from firmware.rules.board import Board, mask_of
from firmware.rules.pieces import Piece
from firmware.rules.variants import Colour


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """The next step towards the accepted position.

    Attributes:
        colour: colour of the piece.
        current_squares: squares that it is on; empty if it is not on the board, or not found.
        target_squares: squares where it belongs; empty if it only has to be lifted out of the way.
    """

    colour: Colour
    current_squares: Squares
    target_squares: Squares


def next_restore_step(state: GameState) -> RestoreStep | None:
    """The next step, or None if nothing is disturbed.

    First comes a displaced piece whose own place is free, then one that is not on the board. If
    every place is taken, the piece that takes the first one is lifted.
    """
    board = state.position.board
    displaced = [patch for patch in state.displaced if patch.colour is not None]
    steps = []
    for patch in state.disturbed:
        assert patch.colour is not None, "a disturbed piece has a colour"
        place = mask_of(patch.squares)
        own = _same_piece(board, patch, displaced)
        if any(one is not own and mask_of(one.squares) & place for one in displaced):
            continue
        if own is not None:
            return RestoreStep(patch.colour, own.squares, patch.squares)
        steps.append(RestoreStep(patch.colour, (), patch.squares))
    if steps:
        return steps[0]
    return _lifted(state.disturbed, displaced)


def _same_piece(
    board: Board, patch: ColouredSquares, displaced: Sequence[ColouredSquares]
) -> ColouredSquares | None:
    """The displaced patch of the same colour and piece, or None."""
    piece = _piece(board, patch.squares)
    same = (one for one in displaced if one.colour == patch.colour)
    return next(
        (one for one in same if piece is not None and _piece(board, one.squares) == piece), None
    )


def _piece(board: Board, squares: Squares) -> Piece | None:
    move = board.find_move(squares)
    return None if move is None else move.piece


def _lifted(
    disturbed: Sequence[ColouredSquares], displaced: Sequence[ColouredSquares]
) -> RestoreStep | None:
    for patch in disturbed:
        for one in displaced:
            if one.colour is not None and mask_of(one.squares) & mask_of(patch.squares):
                return RestoreStep(one.colour, one.squares, ())
    return None
