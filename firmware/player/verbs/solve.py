"""`cornerlight solve`: finishes a one-player puzzle, from empty or as begun.

A board in a picture is read from the colours of its squares. Where pieces of one colour may touch
along sides, a group of squares can be several pieces. It is split if that is possible with one
choice of the pieces in hand.
"""

import argparse
import json
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from firmware.commands.board_text import draw, square_names
from firmware.commands.main import FAULT, INTERRUPTED
from firmware.commands.options import whole_number
from firmware.commands.picture_file import read_upright
from firmware.commands.progress import Progress
from firmware.errors import CornerlightError
from firmware.player.search_process import START_S
from firmware.player.solver_client import Answer, Solution, SolverClient
from firmware.player.verbs.hint_review import show_start
from firmware.records.replay import ReplayedMove, final_position, open_record
from firmware.rules.board import Board, Move, mask_where, squares_of
from firmware.rules.extent import field_of
from firmware.rules.pieces import Piece
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults_of
from firmware.rules.splits import splits
from firmware.rules.variants import PUZZLES, Edition, Variant, default_edition, puzzle_name
from vision.errors import BoardFailure
from vision.reader import read_picture
from vision.reading import Reading

EXAMPLE: Final = "cornerlight solve tetrominoes --board"

_SEARCH_S: Final = 60.0
"""Seconds after which the answer is that nothing is known."""

_RECORDS: Final = (".blksgf", ".sgf")
"""Endings of the names of records."""

_SURE: Final = 0.95
"""Probability of its content below which a square is unsure, as in `read`."""

_MOST_NAMED: Final = 8
"""Greatest number of unsure squares that are named."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """A begun board; `order` has its pieces in the order laid, as far as it is known."""

    position: Position
    order: tuple[LaidPiece, ...]
    edition: Edition


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    names = [puzzle_name(game) for game in PUZZLES.values()]
    parser.add_argument("puzzle", metavar="PUZZLE", choices=names, help=", ".join(names))
    parser.add_argument(
        "--from",
        dest="begun",
        metavar="RECORD|PHOTO",
        type=Path,
        help="a begun board: a .blksgf record or a picture (default: the empty board)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(most=(1 << 32) - 1),
        default=1,
        help="another seed, another solution (default: 1)",
    )
    parser.add_argument("--board", action="store_true", help="draw the solution")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Solves and prints."""
    game = next(one for one in PUZZLES.values() if puzzle_name(one) == arguments.puzzle)
    try:
        begun = _begun(arguments.begun, game)
        solution = _solved(begun, arguments.seed)
    except KeyboardInterrupt:
        print("cornerlight solve: stopped before the answer was known", file=sys.stderr)
        return INTERRUPTED
    if arguments.json:
        print(json.dumps(_row(solution, begun)))
    else:
        print(_text(solution, begun, board=arguments.board))
    return 0 if solution.answer is Answer.SOLVABLE else FAULT


def _begun(path: Path | None, game: Variant) -> _Begun:
    """The board to begin with.

    Raises:
        CornerlightError: the file has no board of this puzzle that can be examined.
    """
    if path is None:
        return _Begun(Position.start(game), (), default_edition(game))
    if path.suffix.lower() in _RECORDS:
        begun = _recorded(path, game)
    else:
        begun = _Begun(read_board(path, game), (), default_edition(game))
    for fault in faults_of(begun.position):
        rules = ", ".join(one.rule.value for one in fault.violations)
        squares = ",".join(square_names(begun.position.board, fault.squares))
        colour = begun.edition[fault.colour]
        message = f"{colour} at {squares} breaks a rule ({rules}); lift it, then ask again"
        raise CornerlightError(f"{path}: {message}")
    if begun.position.is_over:
        raise CornerlightError(f"{path}: the puzzle is solved already; give a begun board")
    return begun


def _recorded(path: Path, game: Variant) -> _Begun:
    record, entries = open_record(path)
    if record.game != game:
        what = record.game.title if record.game.puzzle is None else puzzle_name(record.game)
        message = f"this is a record of {what}, not of {puzzle_name(game)}"
        raise CornerlightError(f"{path}: {message}; give a record of the puzzle to solve")
    position = final_position(record, entries)
    played = [
        (entry.played.colour, entry.move)
        for entry in entries
        if isinstance(entry, ReplayedMove) and entry.move is not None
    ]
    # A piece that was lifted and laid again counts as laid at its last move.
    last = dict.fromkeys(reversed(played))
    order = [one for one in reversed(last) if one[1] in position.laid[one[0]]]
    return _Begun(position, tuple(order), record.edition)


def _solved(begun: _Begun, seed: int) -> Solution:
    """Waits for the answer; shows the progress.

    Raises:
        PlayerError: the solver cannot run, or does not answer.
    """
    progress = Progress()
    client = SolverClient()
    began = time.monotonic()

    def look(state: Solution) -> None:
        if state.tried:
            impossible = state.answer is Answer.IMPOSSIBLE
            what = "impossible; looks for the piece to lift" if impossible else "searches"
            progress.show(f"{what}, {time.monotonic() - began:.0f} s")

    try:
        request = client.ask(begun.position, seed=seed, seconds=_SEARCH_S, order=begun.order)
        return client.finish(request, START_S + _SEARCH_S, look, partial(show_start, progress))
    finally:
        progress.clear()
        client.close()


def _row(solution: Solution, begun: _Begun) -> dict[str, Any]:
    row: dict[str, Any] = {
        "puzzle": puzzle_name(begun.position.game),
        "answer": solution.answer,
        "seconds": solution.seconds,
    }
    if solution.answer is Answer.SOLVABLE:
        row["moves"] = [_move(one, begun.edition) for one in solution.moves]
    elif solution.culprit is not None:
        row["culprit"] = _move(solution.culprit, begun.edition)
    return row


def _move(one: LaidPiece, edition: Edition) -> dict[str, Any]:
    colour, move = one
    cells = square_names(move.board, move.squares)
    return {"color": edition[colour], "piece": move.piece.name, "cells": cells}


def _text(solution: Solution, begun: _Begun, *, board: bool) -> str:
    seconds = f"{solution.seconds:.1f} s"
    if solution.answer is Answer.UNKNOWN:
        return f"not known: {seconds} were not enough to find a solution or to prove that none is"
    if solution.answer is Answer.IMPOSSIBLE:
        culprit = solution.culprit
        if culprit is None:
            return f"impossible (proved in {seconds}); no single piece was found to be the cause"
        colour, move = culprit
        text = f"{begun.edition[colour]} {move.piece.name} at {move}"
        return f"impossible (proved in {seconds}); it is solvable without {text}"
    lines = [f"solvable, found in {seconds}"]
    if board:
        solved = Position.start(begun.position.game)
        for colour, move in solution.moves:
            solved = solved.put(move, colour)
        return "\n".join([*lines, draw(solved, begun.edition, coloured=sys.stdout.isatty())])
    laid = sum(map(len, begun.position.laid))
    for number, (colour, move) in enumerate(solution.moves, 1):
        mark = " (on the board)" if number <= laid else ""
        lines.append(f"{number:>4} {begun.edition[colour]:<7}{move.piece.name:<3} {move}{mark}")
    return "\n".join(lines)


def read_board(path: Path, game: Variant) -> Position:
    """The pieces on the board in a picture, whose field begins at a1 of the markers' frame.

    Raises:
        CornerlightError: there is no board, a square is unsure, or its pieces cannot be told apart.
    """
    picture, notes = read_upright(path)
    reading = read_picture(
        picture.image,
        size=game.size,
        palette=default_edition(game),
        lit=notes.lit(path.name),
    )
    if isinstance(reading, BoardFailure):
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
