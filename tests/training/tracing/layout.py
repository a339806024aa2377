"""Random layouts of pieces that do not overlap, sparse or crowded, on squares or between. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board

_CLUMPED = 0.4
"""Share of layouts with pieces grouped by colour, as in a game; in others colours are mixed."""

_WITH_SINGLES, _SINGLES = 0.4, 10
"""Share of layouts with single tiles, and most of them."""

_FARTHEST, _TURN_DEG = 0.9, 6.0
"""Farthest in squares, and standard deviation of the turn, of a misplaced piece."""

_TRIES = 3
"""Times that a place without overlap is looked for."""

_FINE = 16
"""Steps along a square in which covered parts are measured."""

_TOUCHING = 0.01
"""Largest overlap of two pieces, as a share of one."""

HARDLY, MOSTLY = 0.3, 0.7
"""Covered share of a square: highest of one that counts as empty, lowest of a covered one."""

_CORNERS = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * (0.5 - 0.5 / _FINE) + 0.5
"""Corners of a square, drawn to the middles of its outer steps."""


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """A piece and its squares.

    Attributes:
        colour: its number, from 1.
        squares: (row from the top, column) of each of its squares.
        down, right: distance of its middle from its place, in squares.
        turn_deg: angle to the left in degrees.
    """

    colour: int
    squares: tuple[tuple[int, int], ...]
    down: float = 0.0
    right: float = 0.0
    turn_deg: float = 0.0


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
    # A tile that lies alone looks like a lit square, so that some boards have several.
    singles = int(chance.integers(1, _SINGLES) if chance.random() < _WITH_SINGLES else 0)
    places = chance.permutation(board.placements)
    alone = np.array([(board.cells[index] < board.squares).sum() == 1 for index in places])
    places = np.concatenate([places[alone][:singles], places[~alone]])
    slope = chance.normal(0, 1, 2)
    taken = np.zeros(board.squares, bool)
    used: set[tuple[int, int]] = set()
    pieces: list[TracedPiece] = []
    for index in places:
        if taken.sum() >= wanted:
            break
        squares = board.cells[index][board.cells[index] < board.squares]
        if taken[squares].any():
            continue
        colour = _colour(squares, size, colours, slope if clumped else None, chance)
        kind = (board.piece_of[index], colour)
        if once and len(squares) > 1 and kind in used:
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


def misplaced(
    pieces: Sequence[TracedPiece], size: int, chance: np.random.Generator
) -> list[TracedPiece]:
    """Returns the pieces, some of them up to most of a square from their places, or turned.

    No piece overlaps another.
    """
    share, found = float(chance.choice([0.1, 0.3, 0.8])), list(pieces)
    taken = np.zeros((size * _FINE, size * _FINE), np.int64)
    for piece in pieces:
        taken += _fine(piece, size)
    for number in np.repeat(chance.permutation(len(found)), _TRIES).tolist():
        down, right = chance.uniform(-_FARTHEST, _FARTHEST, 2) * chance.choice([1, 1, 0], 2)
        turn_deg = float(chance.choice([0.0, chance.normal(0, _TURN_DEG)]))
        moved = replace(found[number], down=float(down), right=float(right), turn_deg=turn_deg)
        if chance.random() > share or found[number] != pieces[number]:
            continue
        here, before = _fine(moved, size), _fine(found[number], size)
        area = len(moved.squares) * _FINE**2
        overlap = (here * (taken - before)).sum()
        if here.sum() > (1 - _TOUCHING) * area and overlap < _TOUCHING * area:
            found[number] = moved
            taken += here - before
    return found


def covered_by(piece: TracedPiece, size: int) -> NDArray[np.float64]:
    """Returns (size, size) the share of each square that a piece covers."""
    return np.asarray(_fine(piece, size).reshape(size, _FINE, size, _FINE).mean(axis=(1, 3)))


def _fine(piece: TracedPiece, size: int) -> NDArray[np.int64]:
    """Returns (size * `_FINE`, size * `_FINE`) 1 where a piece lies, seen from above."""
    mask = np.zeros((size * _FINE, size * _FINE), np.uint8)
    middle = np.mean(piece.squares, axis=0) + 0.5
    turn = np.radians(piece.turn_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for square in piece.squares:
        corners = (_CORNERS + square - middle) @ turned.T + middle + [piece.down, piece.right]
        cv2.fillConvexPoly(mask, (corners[:, ::-1] * _FINE - 0.5).round().astype(np.int32), 1)
    return mask.astype(np.int64)


def contents_of(
    pieces: Sequence[TracedPiece], size: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Returns the contents of squares by the piece that covers most of each.

    Returns:
        (size, size) numbers of the colours, 0 for empty squares; (size, size) numbers of the
        pieces, from 1; and (size, size) the covered share.
    """
    colours, numbers = np.zeros((2, size, size), np.intp)
    most = np.zeros((size, size))
    for number, piece in enumerate(pieces, 1):
        share = covered_by(piece, size)
        more = (share > most) & (share > HARDLY)
        colours[more], numbers[more], most[more] = piece.colour, number, share[more]
    return colours, numbers, most
