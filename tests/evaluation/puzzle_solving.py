"""Trial: every puzzle solved from empty with many seeds.

    python -m tests.evaluation puzzle_solving --seeds 20

The checker replays each solution. Printed are the median and the greatest CPU time, and the number
of solutions that no turn and no mirror image of the field makes equal to another one.
"""

import argparse
import statistics
import time
from collections.abc import Sequence

from firmware.player.search.solver import solve
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.variants import PUZZLES, Variant

_LONGEST_S = 60.0
"""Seconds of the clock after which a seed counts as not solved."""

Image = frozenset[tuple[int, frozenset[tuple[int, int]]]]
"""For each piece its colour and its squares as (row, column)."""


def images(game: Variant, moves: Sequence[LaidPiece]) -> set[Image]:
    """The solution seen from all sides, its colours included."""
    assert game.puzzle is not None
    rows, columns = game.puzzle.rows, game.puzzle.columns
    found = set()
    for turn in range(8):
        pieces = []
        for colour, move in moves:
            squares = []
            for square in move.squares:
                row, column = game.size - 1 - square // game.size, square % game.size
                row = rows - 1 - row if turn & 1 else row
                column = columns - 1 - column if turn & 2 else column
                squares.append((column, row) if turn & 4 else (row, column))
            pieces.append((colour, frozenset(squares)))
        found.add(frozenset(pieces))
    return found


def measure(game: Variant, seeds: int) -> str:
    """A row of the table."""
    solve(Position.start(game), seed=1 << 40, seconds=_LONGEST_S)
    spent: list[float] = []
    seen: set[Image] = set()
    different = 0
    for seed in range(seeds):
        begun = time.process_time()
        found = solve(Position.start(game), seed=seed, seconds=_LONGEST_S)
        took = time.process_time() - begun
        position = Position.start(game)
        for colour, move in found.moves:
            position = position.play(move, colour)
        if is_solved(position):
            spent.append(took)
            views = images(game, found.moves)
            different += not views & seen
            seen |= views
    median, most = (statistics.median(spent), max(spent)) if spent else (0.0, 0.0)
    name = game.key.removeprefix("puzzle-")
    return f"| {name} | {len(spent)} of {seeds} | {different} | {median:.2f} | {most:.2f} |"


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation puzzle_solving")
    parser.add_argument("--seeds", type=int, default=20)
    arguments = parser.parse_args(words)
    print("| puzzle | solved | different | CPU seconds: median | most |")  # noqa: T201
    print("|---|---|---|---|---|")  # noqa: T201
    for game in PUZZLES.values():
        print(measure(game, arguments.seeds), flush=True)  # noqa: T201
