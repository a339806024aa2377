"""Speed of the rules.

The last column is relative to one numpy gather over all placements of the board, the usual way
to find the legal ones, timed in the same run.
"""

import statistics
import subprocess
import sys
import time
from typing import Final

import numpy as np

from firmware.commands.bench import PLIES, Rows, Task, median_s, middle_game
from firmware.rules.perft import perft
from firmware.rules.position import Position

_IMPORT: Final = """
import os, time, numpy
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
before, begun = resident(), time.perf_counter()
import firmware.records.replay
{also}
print(time.perf_counter() - begun, resident() - before)
"""
"""Program that imports the rules and prints seconds and bytes of resident memory."""

_TABLES: Final = "from firmware.rules.board import Board; Board.of(14); Board.of(20)"
"""Statements that make the tables of both boards."""


def measure() -> Rows:
    """Measures the rules in a middle game of Duo and of Classic, and their import."""
    rows: Rows = {}
    for game in PLIES:
        rows |= _rules(game)
    begun = time.perf_counter()
    count = perft(Position.start("duo"), 3)
    seconds = time.perf_counter() - begun
    rows["duo: sequences of three moves"] = {"seconds": seconds, "per_second": count / seconds}
    for name, also in (("import of the rules", ""), ("and the tables of both boards", _TABLES)):
        rows[name] = _fresh(also)
    rows["cornerlight --help"] = {"seconds": _help()}
    return rows


def _rules(game: str) -> Rows:
    position = middle_game(game)
    board, colour = position.board, position.to_move
    assert colour is not None, "a middle game is not over"
    move = next(iter(position.legal_moves))
    squares = move.squares
    elsewhere = board.move(board.placements // 2).squares
    free = np.ones(board.squares + 1, np.bool_)
    columns = [np.ascontiguousarray(column) for column in board.cells.T]
    work: dict[str, Task] = {
        "a gather over all placements": lambda: np.logical_and.reduce(
            [free[column] for column in columns]
        ),
        "legal_moves as moves": lambda: list(position.legal_moves),
        "legal_moves as indices": lambda: position.legal_moves.indices,
        "a legal move, examined": lambda: position.examine(squares, colour),
        "an illegal one, examined": lambda: position.examine(elsewhere, colour),
        "a move, played": lambda: position.play(move),
        "a position from text": lambda: Position.parse(str(position)),
    }
    times = {name: median_s(task) for name, task in work.items()}
    gather = times["a gather over all placements"]
    return {
        f"{game}: {name}": {"us": seconds * 1e6, "gathers": seconds / gather}
        for name, seconds in times.items()
    }


def _fresh(also: str) -> dict[str, float]:
    found = []
    for _ in range(5):
        words = [sys.executable, "-c", _IMPORT.format(also=also)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        found.append([float(number) for number in done.stdout.split()])
    seconds, size = (statistics.median(column) for column in zip(*found, strict=True))
    return {"seconds": seconds, "megabytes": size / 2**20}


def _help() -> float:
    def show() -> None:
        words = [sys.executable, "-m", "firmware", "--help"]
        subprocess.run(words, capture_output=True, check=True)

    return median_s(show, runs=5)
