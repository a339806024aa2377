"""Trains the network of `vision.shape.network`, and measures it.

Training has two steps, which need the `teaching` extra and half an hour of one core each: the
first uses only boards that `python -m tests.training tracing` made; the second uses as many
rendered ones again.

    python -m tests.training shapes --traced BOARDS --save first.npz
    python -m tests.training shapes --start first.npz --traced BOARDS --data FOLDER --save FILE

With `--parts 3` the renders of `FOLDER` are divided into parts, each is left out of the second
step in turn, and the weights trained without it are saved as `FILE` with the number of the part.
Photographs are never training data. `--data FOLDER` alone prints the number of squares of its
renders and photographs that the shapes alone give wrongly, with the stored weights or `--start`.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from tests.training.shapes.boards import (
    ANY_SHADE,
    NOT_KNOWN,
    ShapeSample,
    photographed,
    rendered,
    traced,
)
from vision.shape.network import (
    BARE,
    COLUMNS,
    DARK,
    KINDS,
    LIGHT,
    LIT,
    UNDER,
    Layer,
    levelled,
    network,
    view_of,
    weights,
)


def main(words: Sequence[str]) -> None:
    """Trains from boards, if any are given, and measures."""
    parser = argparse.ArgumentParser(prog="python -m tests.training shapes")
    parser.add_argument("--traced", type=Path, metavar="BOARDS", help="traced boards for training")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="train with, or measure on")
    parser.add_argument("--start", type=Path, metavar="FILE", help="initial weights")
    parser.add_argument("--save", type=Path, metavar="FILE", help="file of the trained weights")
    parser.add_argument("--parts", type=int, default=0, metavar="N", help="leave one out of N")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args(words)
    if arguments.traced and not arguments.save:
        parser.error("what is learned would be lost: name a file with --save")
    start = weights(arguments.start) if arguments.start else None
    renders = rendered(arguments.data / "renders") if arguments.data else []
    if not arguments.traced and not arguments.data:
        print("measures on --data FOLDER, or learns from --traced BOARDS")  # noqa: T201
        return
    if not arguments.traced:
        for board in renders + photographed(arguments.data / "photos"):
            print(_measured(board, start or weights()), flush=True)  # noqa: T201
        return
    made, save = traced(arguments.traced), arguments.save
    for part in range(arguments.parts):
        rest = [board for k, board in enumerate(renders) if k % arguments.parts != part]
        layers = _taught(_mixed(made, rest), arguments.steps, arguments.seed, start)
        for board in renders[part :: arguments.parts]:
            print(_measured(board, layers), flush=True)  # noqa: T201
        _keep(save.with_stem(f"{save.stem}{part}"), layers)
    if not arguments.parts:
        _keep(save, _taught(_mixed(made, renders), arguments.steps, arguments.seed, start))


def _mixed(made: list[ShapeSample], renders: list[ShapeSample]) -> list[ShapeSample]:
    """Returns traced boards and equally many renders."""
    return made + renders * (len(made) // len(renders)) if renders else made


def _taught(
    boards: list[ShapeSample], steps: int, seed: int, start: tuple[Layer, ...] | None
) -> tuple[Layer, ...]:
    chance = np.random.default_rng(seed)

    def report(step: int, loss: float) -> None:
        print(f"step {step}: loss {loss:.3f}", file=sys.stderr)  # noqa: T201

    # PyTorch is needed only for training.
    learning = import_module("tests.training.shapes.trainer")
    layers: tuple[Layer, ...] = learning.learned(boards, steps, chance, report, start)
    return layers


def _measured(board: ShapeSample, layers: tuple[Layer, ...]) -> str:
    """Returns a line on one board: the result of shapes alone, and the truth."""
    outputs = network(levelled(view_of(board.image, board.grid))[None], layers)[0, 1:-1, 1:-1]
    outputs, away = outputs[..., :COLUMNS], outputs[..., KINDS:]
    lead = np.logaddexp(outputs[..., DARK], outputs[..., LIGHT])
    tile = lead > np.maximum(outputs[..., BARE], outputs[..., LIT])
    visible = ~np.isin(board.shapes, (UNDER, NOT_KNOWN))
    wrong = (tile != np.isin(board.shapes, (DARK, LIGHT, ANY_SHADE))) & visible
    best = outputs.argmax(axis=2)
    over = int(((best == UNDER) & visible).sum())
    missed = int(((best != UNDER) & (board.shapes == UNDER)).sum())
    return (
        f"{board.name:12} {wrong.sum():3} of {visible.sum():3} wrong, "
        f"{over:3} thought covered, {missed:3} covered and not noticed, "
        f"{np.abs(away[visible]).mean():.3f} squares off"
    )


def _keep(path: Path, layers: tuple[Layer, ...]) -> None:
    weights = {f"w{k}": weight.astype(np.float16) for k, (weight, _) in enumerate(layers)}
    offsets = {f"b{k}": offset for k, (_, offset) in enumerate(layers)}
    np.savez_compressed(path, allow_pickle=False, **weights, **offsets)
