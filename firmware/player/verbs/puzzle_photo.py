"""Reads the begun board of a puzzle from a picture: its pieces from the colours of its squares.

Where pieces of one colour may touch along sides, a group of squares can be several pieces. It is
split if that is possible with one choice of the pieces in hand.
"""

from pathlib import Path
from typing import Final

import numpy as np

from firmware.errors import CornerlightError
from firmware.rules.board import Board, Move, mask_where, squares_of
from firmware.rules.extent import field_of
from firmware.rules.pieces import Piece
from firmware.rules.position import Position
from firmware.rules.splits import splits
from firmware.rules.variants import Variant, default_edition
from vision.io.image_file import open_picture
from vision.io.recording_notes import RecordingNotes
from vision.reader import read_picture
from vision.reading import BoardNotFound, Reading

_SURE: Final = 0.95
"""Probability of its content below which a square is unsure, as in `read`."""

_MOST_NAMED: Final = 8
"""Greatest number of unsure squares that are named."""


def read_board(path: Path, game: Variant) -> Position:
    """The pieces on the board in a picture, whose field begins at a1 of the markers' frame.

    Raises:
        CornerlightError: there is no board, a square is unsure, or its pieces cannot be told apart.
    """
    picture, notes = open_picture(path), RecordingNotes(path.parent, timed=False)
    reading = read_picture(
        notes.orientation(path.name).upright(picture.image),
        size=game.size,
        palette=default_edition(game),
        lit=notes.lit(path.name),
    )
    if isinstance(reading, BoardNotFound):
        raise CornerlightError(f"{path}: {reading.reason}")
    board = Board.of(game.size)
    unsure = _unsure(reading, field_of(game))
    if unsure:
        names = ",".join(map(board.format_square, unsure[:_MOST_NAMED]))
        more = f" and {len(unsure) - _MOST_NAMED} more" if len(unsure) > _MOST_NAMED else ""
        message = f"{names}{more} cannot be read surely, so nothing is proved about this board"
        raise CornerlightError(f"{path}: {message}; take the picture again in more light")
    contents = reading.probabilities.argmax(axis=1)
    position = Position.start(game)
    for colour in game.colours:
        column = 1 + reading.palette.index(default_edition(game)[colour])
        squares = mask_where(contents == column)
        for group in board.groups(squares):
            hand = position.in_hand(colour)
            for move in _split(path, group, hand, default_edition(game)[colour], board):
                position = position.put(move, colour)
    return position


def _unsure(reading: Reading, field: int) -> list[int]:
    """Squares of the field that are hidden or doubtful, in the order of the board."""
    doubtful = reading.covered | (reading.probabilities.max(axis=1) < _SURE)
    return [square for square in np.flatnonzero(doubtful).tolist() if field >> square & 1]


def _split(
    path: Path, group: int, hand: tuple[Piece, ...], colour: str, board: Board
) -> tuple[Move, ...]:
    """The pieces of a group of squares.

    Raises:
        CornerlightError: it is no pieces in hand, or it is split in ways that use other shapes.
    """
    ways = splits(board, group, frozenset(piece.index for piece in hand))
    found = {frozenset(move.piece for move in way): way for way in ways or ()}
    if len(found) == 1:
        return next(iter(found.values()))
    names = ",".join(map(board.format_square, squares_of(group)))
    if found or ways is None:
        message = f"{colour} at {names} can be split into pieces in several ways; give a record"
    else:
        message = f"{colour} at {names} is not made of pieces in hand; put the pieces right"
    raise CornerlightError(f"{path}: {message}")
