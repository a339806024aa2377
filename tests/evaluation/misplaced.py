"""Trial: pieces laid between squares.

`python -m tests.evaluation misplaced --pieces 200` lays legal pieces on a table after some moves,
each a random part of a square away from its place, and counts verdicts by that distance: accepted
on the nearest squares, other verdicts, questions, and no word within ten seconds. A refusal, or a
move on other squares, is wrong, however far the piece is off; a move on the nearest squares is
right where they are plainly nearer than the next.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

import cv2

from firmware.codes import Translucency
from firmware.game.events import MoveAccepted
from firmware.game.state import GameState
from firmware.referee.referee import Phase
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, Edition
from firmware.simulator.table import CELL_MM, TablePiece
from tests.evaluation.silence import LONGEST_S, Waiting
from tests.evaluation.soak.rendered_game import DECISIONS, ReportedPiece, reported_piece
from tests.support.random_games import played

_SETTLED_S: Final = 2.0
"""Seconds without a piece before one is laid."""

_STEP: Final = 0.1
"""Width in squares of a row of the table."""

VERDICTS: Final = ("nearest squares", "another verdict", "asked", "no word")
NEAREST, OTHERS, ASKED, SILENT = VERDICTS


def misplaced(position: Position, chance: random.Random) -> TablePiece:
    """Returns a legal piece up to half a square from its place, along one side or both."""
    colour = position.to_move
    assert colour is not None, "the game is not over"
    move = chance.choice(list(position.legal_moves))
    along, across = (chance.uniform(-0.5, 0.5) * CELL_MM for _ in range(2))
    dx_mm, dy_mm = chance.choice([(along, 0.0), (0.0, along), (along, across)])
    return TablePiece(colour, move, dx_mm, dy_mm)


def off(piece: TablePiece) -> float:
    """Returns the distance of a piece from its place along the side where it is larger, in squares.

    From half a square on, the next place is nearer.
    """
    return max(abs(piece.dx_mm), abs(piece.dy_mm)) / CELL_MM


def verdict(state: GameState, edition: Edition, piece: TablePiece) -> str:
    """Lays a piece on a table, and returns its verdict."""
    waiting = Waiting(state, edition, Translucency.OPAQUE)
    waiting.wait(_SETTLED_S)
    waiting.table.lay(piece)
    begun_s = waiting.now_s
    right = ReportedPiece(MoveAccepted.name, piece.colour, frozenset(piece.move.squares))
    while waiting.now_s - begun_s < LONGEST_S:
        found = {reported_piece(event) for event in waiting.look() if isinstance(event, DECISIONS)}
        if found:
            return NEAREST if found == {right} else OTHERS
        if waiting.follower.referee.phase is Phase.UNSURE:
            return ASKED
    return SILENT


def laid(seed: int, number: int) -> tuple[TablePiece, str]:
    """Returns a misplaced piece of a random game and edition, and the verdict of its table."""
    chance = random.Random(f"{seed} {number}")  # noqa: S311
    game = chance.choice(["duo", "duo", "classic"])
    colours = len(GAMES[game].colours)
    edition = chance.choice([one for one in EDITIONS.values() if len(one) == colours])
    state = GameState(played(game, number, chance.randrange(0, 16)))
    piece = misplaced(state.position, chance)
    return piece, verdict(state, edition, piece)


def main(words: Sequence[str]) -> None:
    """Runs the trial, and prints each verdict on other squares, then a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation misplaced")
    parser.add_argument("--pieces", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    rows: dict[int, Counter[str]] = {}
    for number in range(arguments.pieces):
        piece, found = laid(arguments.seed, number)
        rows.setdefault(int(off(piece) / _STEP), Counter())[found] += 1
        if found in (OTHERS, SILENT):
            print(f"{found}: {number}, {off(piece):.2f} squares off: {piece}", flush=True)  # noqa: T201
    print(f"| squares off | {' | '.join(VERDICTS)} |\n|---|---|---|---|---|")  # noqa: T201
    for row, counts in sorted(rows.items()):
        each = " | ".join(str(counts[kind]) for kind in VERDICTS)
        print(f"| {row * _STEP:.1f} to {(row + 1) * _STEP:.1f} | {each} |")  # noqa: T201
