"""A cheap proof that a begun board of all 84 pieces cannot be completed.

Pieces that are laid bar squares for good. So a colour can reach at most the squares that it would
reach if all its open placements could lie on the board together. If a piece in hand has no
placement among these, or they have too few squares, the board has no solution.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board
from firmware.rules.pieces import Piece
from firmware.rules.position import Position
from firmware.rules.variants import Colour

Flags = NDArray[np.bool_]


def is_out_of_reach(position: Position) -> bool:
    """True if a piece in hand can never be laid, or the squares for all of them do not suffice."""
    together = np.zeros(position.board.squares + 1, np.bool_)
    wanted = 0
    for colour in position.game.colours:
        covered = _covered(position, colour)
        squares = sum(piece.size for piece in position.in_hand(colour))
        if covered is None or covered.sum() < squares:
            return True
        together |= covered
        wanted += squares
    return bool(together.sum() < wanted)


def _covered(position: Position, colour: Colour) -> Flags | None:
    """(squares + 1,): the squares that a colour may come to cover; None if a piece has no place."""
    board, own = position.board, position.squares(colour)
    corners = board.flags(board.corner_neighbours(own) if own else position.start_squares(colour))
    covered = np.zeros(board.squares + 1, np.bool_)
    by_size = position.game.puzzle is not None and position.game.puzzle.by_size
    hand = position.in_hand(colour)
    sizes = sorted({piece.size for piece in hand}, reverse=True)
    for group in [{size} for size in sizes] if by_size else [set(sizes)]:
        pieces = [piece for piece in hand if piece.size in group]
        reached = closure(board, open_placements(position, colour, pieces), corners)
        laid = {board.piece_of[placement] for placement in reached.tolist()}
        if any(piece.index not in laid for piece in pieces):
            return None
        covered[board.cells[reached]] = True
    covered[-1] = False
    return covered


def open_placements(
    position: Position, colour: Colour, pieces: Iterable[Piece]
) -> NDArray[np.int64]:
    """The placements of some pieces on squares that are empty and not beside the colour's own."""
    board, own = position.board, position.squares(colour)
    free = board.flags(~(position.occupied | board.next_to(own)) & ((1 << board.squares) - 1))
    # The padding of the tables is no square, so it bars nothing.
    free[-1] = True
    having = np.isin(np.frombuffer(board.piece_of, np.uint8), [piece.index for piece in pieces])
    return np.flatnonzero(free[board.cells].all(axis=1) & having)


def closure(board: Board, placements: NDArray[np.int64], corners: Flags) -> NDArray[np.int64]:
    """The placements that corners join to some squares, over each other.

    Args:
        board: the board.
        placements: their indices.
        corners: (squares + 1,) True for each square that a piece may cover first; the corners of
            the placements found are added.
    """
    cells = board.cells[placements]
    count = -1
    while True:
        reached = corners[cells].any(axis=1)
        if reached.sum() == count:
            found: NDArray[np.int64] = placements[reached]
            return found
        count = reached.sum()
        covered = np.zeros(board.squares + 1, np.bool_)
        covered[cells[reached]] = True
        grid = np.pad(covered[:-1].reshape(board.size, board.size), 1)
        near = grid[:-2, :-2] | grid[:-2, 2:] | grid[2:, :-2] | grid[2:, 2:]
        corners[:-1] |= near.ravel()
