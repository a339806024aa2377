"""Teaches the network of `vision.relief` what tiles look like, and measures what it learned.

`python -m tests.trials relief --data FOLDER` divides the boards of `FOLDER/renders` and the frames
of `FOLDER/game` into parts, leaves each part out in turn, and prints how many squares of the part
left out, and of `FOLDER/photos`, the shapes alone tell wrongly; no photograph is ever learned
from. With `--save FILE` it learns from all the renders and keeps the weights. One core takes
about an hour for each 10,000 steps.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.trials.relief.boards import Board, photographed, recorded, rendered
from tests.trials.relief.learning import Lesson, learned
from tests.trials.relief.worsening import worsened
from vision.relief import BARE, LIT, PLASTIC, UNDER, Layer, levelled, network, view_of

_A_BOARD = 44
_A_FRAME = 11
"""How many pictures are made of each rendered board, and of each frame of the one game."""


def main(words: Sequence[str]) -> None:
    """Measures with parts left out, or learns from everything and keeps it."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials relief")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--save", type=Path, metavar="FILE", help="learn from all, keep it here")
    arguments = parser.parse_args(words)
    renders, game = rendered(arguments.data / "renders"), recorded(arguments.data / "game")
    if arguments.save:
        _keep(arguments.save, _taught(renders, game, arguments.steps, arguments.seed))
        return
    photographs = photographed(arguments.data / "photos")
    for fold in range(arguments.folds):
        rest = [board for k, board in enumerate(renders) if k % arguments.folds != fold]
        layers = _taught(rest, game, arguments.steps, arguments.seed)
        print(f"-- part {fold} left out", flush=True)  # noqa: T201
        for board in [*renders[fold :: arguments.folds], *photographs]:
            print(_measured(board, layers), flush=True)  # noqa: T201


def _taught(renders: list[Board], game: list[Board], steps: int, seed: int) -> tuple[Layer, ...]:
    chance = np.random.default_rng(seed)
    boards = renders * _A_BOARD + game * _A_FRAME
    lessons = [Lesson(*worsened(board, chance)) for board in boards]

    def told(step: int, loss: float) -> None:
        print(f"step {step}: loss {loss:.3f}", file=sys.stderr)  # noqa: T201

    return learned(lessons, steps, chance, told)


def _measured(board: Board, layers: tuple[Layer, ...]) -> str:
    """A line about one board: what shapes alone tell of it, and how it is."""
    said = network(levelled(view_of(board.image, board.grid))[None], layers)[0, 1:-1, 1:-1]
    tile = said[..., PLASTIC] > np.maximum(said[..., BARE], said[..., LIT])
    seen = np.isin(board.shapes, (BARE, PLASTIC, LIT))
    wrong = (tile != (board.shapes == PLASTIC)) & seen
    best = said.argmax(axis=2)
    over = int(((best == UNDER) & seen).sum())
    missed = int(((best != UNDER) & (board.shapes == UNDER)).sum())
    return (
        f"{board.name:12} {wrong.sum():3} of {seen.sum():3} wrong, "
        f"{over:3} thought covered, {missed:3} covered and not noticed"
    )


def _keep(path: Path, layers: tuple[Layer, ...]) -> None:
    weights = {f"w{k}": weight.astype(np.float16) for k, (weight, _) in enumerate(layers)}
    offsets = {f"b{k}": offset for k, (_, offset) in enumerate(layers)}
    np.savez_compressed(path, allow_pickle=False, **weights, **offsets)
