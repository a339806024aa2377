"""Draws a position on a terminal: two columns a square, in colour if the terminal has colours."""

from collections.abc import Collection
from typing import Final

from firmware.rules.board import Board
from firmware.rules.position import Position
from firmware.rules.variants import LETTERS, Edition
from vision.plastics import PLASTICS

_RESET: Final = "\x1b[0m"
"""ANSI code that ends all colours."""

_PAPER: Final = "\x1b[48;5;254;38;5;248m"
"""ANSI code of an empty square."""

_MARKED: Final = "\x1b[48;5;231;38;5;160;1m"
"""ANSI code of an empty square that is marked."""


def draw(
    position: Position, edition: Edition, *, coloured: bool, marked: Collection[int] = ()
) -> str:
    """Returns the board, or the field of a puzzle, as text with the names of rows and columns.

    Args:
        position: the position.
        edition: names of the colours, in the order of play.
        coloured: True to use the 256 colours of ANSI terminals.
        marked: squares to mark, for example those of the last move.
    """
    board = position.board
    starts = board.parse_squares(",".join(position.game.starts))
    puzzle = position.game.puzzle
    height, width = (board.size,) * 2 if puzzle is None else (puzzle.rows, puzzle.columns)
    columns = "   " + "".join(f"{board.format_square(column)[0]:<2}" for column in range(width))
    lines = []
    for row in range(board.size - height, board.size):
        cells = "".join(
            _square(position, edition, row * board.size + column, starts, marked, coloured=coloured)
            for column in range(width)
        )
        lines.append(f"{board.size - row:>2} {cells}{_RESET if coloured else ''}")
    return "\n".join([*lines, columns.rstrip()])


def _square(
    position: Position,
    edition: Edition,
    square: int,
    starts: Collection[int],
    marked: Collection[int],
    *,
    coloured: bool,
) -> str:
    colour = position.colour_at(square)
    if colour is None:
        text = "o" if square in starts else "."
        ink = _PAPER
    else:
        text = LETTERS[edition[colour]]
        ground, letter = PLASTICS[edition[colour]].ansi
        ink = f"\x1b[48;5;{ground};38;5;{letter}m"
    if square in marked:
        # A mark has to be visible without colours, so it is a sign as well.
        return f"{_MARKED if colour is None else ink}{text}*" if coloured else f"{text}*"
    return f"{ink}{text} " if coloured else f"{text} "


def square_names(board: Board, squares: Collection[int]) -> list[str]:
    """Returns the names of squares, in the order of game records."""
    return [board.format_square(square) for square in board.in_record_order(squares)]
