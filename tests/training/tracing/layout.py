"""Random layouts of pieces that do not overlap, sparse or crowded. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board

_CLUMPED = 0.4
"""Share of layouts with pieces grouped by colour, as in a game; in others colours are mixed."""


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """A piece and its squares.

    Attributes:
        colour: its number, from 1.
        squares: (row from the top, column) of each of its squares.
    """

    colour: int
    squares: tuple[tuple[int, int], ...]


def random_layout(size: int, colours: int, chance: np.random.Generator) -> list[TracedPiece]:
    """Returns pieces on a board.

    Half of the layouts use each piece once for each colour, as a game does; the others repeat
    pieces until almost all squares are covered, with single empty squares between tiles.

    Args:
        size: squares along a side.
        colours: number of colours.
        chance: random choices.
    """
    board = Board.of(size)
    once = bool(chance.random() < 0.5)
    wanted = round(size * size * _share(chance))
    clumped = bool(chance.random() < _CLUMPED)
    slope = chance.normal(0, 1, 2)
    taken = np.zeros(board.squares, bool)
    used: set[tuple[int, int]] = set()
    pieces: list[TracedPiece] = []
    for index in chance.permutation(board.placements):
        if taken.sum() >= wanted:
            break
        squares = board.cells[index][board.cells[index] < board.squares]
        if taken[squares].any():
            continue
        colour = _colour(squares, size, colours, slope if clumped else None, chance)
        kind = (board.piece_of[index], colour)
        if (once and kind in used) or (len(squares) == 1 and chance.random() < 0.8):
            continue
        used.add(kind)
        taken[squares] = True
        pieces.append(TracedPiece(colour, tuple((int(s) // size, int(s) % size) for s in squares)))
    return pieces


def _share(chance: np.random.Generator) -> float:
    """Returns the share of squares to cover: few, many or nearly all."""
    kind = chance.random()
    if kind < 0.06:
        return 0.0
    if kind < 0.25:
        return float(chance.uniform(0.01, 0.2))
    return float(chance.uniform(0.2, 1.0))


def _colour(
    squares: NDArray[np.int16],
    size: int,
    colours: int,
    slope: NDArray[np.float64] | None,
    chance: np.random.Generator,
) -> int:
    if slope is None:
        return int(chance.integers(colours)) + 1
    row, column = divmod(float(squares.mean()), size)
    place = slope @ [row / size - 0.5, column / size - 0.5] * 1.5 + 0.5 + chance.normal(0, 0.15)
    return int(np.clip(place * colours, 0, colours - 1)) + 1


def colours_of(pieces: list[TracedPiece], size: int) -> NDArray[np.intp]:
    """Returns (size, size) the number of the colour on each square, 0 for empty ones."""
    return _on_squares(pieces, size, [piece.colour for piece in pieces])


def piece_numbers_of(pieces: list[TracedPiece], size: int) -> NDArray[np.intp]:
    """Returns (size, size) the number of the piece on each square from 1, 0 for empty ones."""
    return _on_squares(pieces, size, range(1, len(pieces) + 1))


def _on_squares(pieces: list[TracedPiece], size: int, numbers: Sequence[int]) -> NDArray[np.intp]:
    on_squares = np.zeros((size, size), np.intp)
    for piece, number in zip(pieces, numbers, strict=True):
        for square in piece.squares:
            on_squares[square] = number
    return on_squares
