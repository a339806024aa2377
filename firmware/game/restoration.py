"""The way back when accepted pieces were moved: which one goes first, from where to where.

A pure function of what was told as disturbed, so page, lights and a restarted table show the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.game.events import ColouredSquares, Squares
from firmware.game.state import GameState
from firmware.rules.board import Board, mask_of
from firmware.rules.variants import Colour


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """The next thing to do so that the board is as it was accepted.

    Attributes:
        colour: of the piece.
        lies: where it lies now; empty where it is not on the board, or not known.
        belongs: where it is to go; empty where it only has to be lifted out of the way.
    """

    colour: Colour
    lies: Squares
    belongs: Squares


def next_restore_step(state: GameState) -> RestoreStep | None:
    """The next step, or None if nothing is disturbed.

    A piece that lies somewhere else and whose own place is free goes first, then one that is
    not on the board; where every place is taken, what takes the first is lifted.
    """
    board = state.position.board
    lying = [patch for patch in state.displaced if patch.colour is not None]
    steps = []
    for patch in state.disturbed:
        assert patch.colour is not None, "a disturbed piece has a colour"
        place = mask_of(patch.squares)
        own = _same_piece(board, patch, lying)
        taken = [one for one in lying if one is not own and mask_of(one.squares) & place]
        if taken:
            continue
        if own is not None:
            return RestoreStep(patch.colour, own.squares, patch.squares)
        steps.append(RestoreStep(patch.colour, (), patch.squares))
    if steps:
        return steps[0]
    return _lifted(state.disturbed, lying)


def _same_piece(
    board: Board, patch: ColouredSquares, lying: Sequence[ColouredSquares]
) -> ColouredSquares | None:
    """The patch of the same colour and shape, which is the piece itself if there is one."""
    piece = _piece(board, patch.squares)
    same = (one for one in lying if one.colour == patch.colour)
    return next(
        (one for one in same if piece is not None and _piece(board, one.squares) == piece), None
    )


def _piece(board: Board, squares: Squares) -> str | None:
    index = board.find(squares)
    return None if index is None else board.move(index).piece.name


def _lifted(
    disturbed: Sequence[ColouredSquares], lying: Sequence[ColouredSquares]
) -> RestoreStep | None:
    for patch in disturbed:
        for one in lying:
            if one.colour is not None and mask_of(one.squares) & mask_of(patch.squares):
                return RestoreStep(one.colour, one.squares, ())
    return None
