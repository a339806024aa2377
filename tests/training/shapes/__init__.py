"""Teaches the network of `vision.shape.network` what tiles look like, and measures what it learned.

In two steps, which take the `teaching` extra and half an hour of one core each: at first it
learns from boards alone that `python -m tests.training tracing` made; then from as many rendered
ones again.

    python -m tests.training shapes --traced BOARDS --save first.npz
    python -m tests.training shapes --start first.npz --traced BOARDS --data FOLDER --save FILE

With `--parts 3` the renders of `FOLDER` are divided into parts, each is left out of the second
step in turn, and kept is what was learned without it, as `FILE` with the number of the part.
No photograph is ever learned from. `--data FOLDER` alone prints how many squares of its renders
and photographs the shapes alone tell wrongly by the weights that there are, or by `--start`.
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
    """Learns from boards, if any are given, and measures."""
    parser = argparse.ArgumentParser(prog="python -m tests.training shapes")
    parser.add_argument("--traced", type=Path, metavar="BOARDS", help="learn from these")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="learn from, or measure on")
    parser.add_argument("--start", type=Path, metavar="FILE", help="go on from these weights")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep what was learned here")
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
    """Boards that were made, and renders as often."""
    return made + renders * (len(made) // len(renders)) if renders else made


def _taught(
    boards: list[ShapeSample], steps: int, seed: int, start: tuple[Layer, ...] | None
) -> tuple[Layer, ...]:
    chance = np.random.default_rng(seed)

    def told(step: int, loss: float) -> None:
        print(f"step {step}: loss {loss:.3f}", file=sys.stderr)  # noqa: T201

    # Only who teaches has PyTorch.
    learning = import_module("tests.training.shapes.trainer")
    layers: tuple[Layer, ...] = learning.learned(boards, steps, chance, told, start)
    return layers


def _measured(board: ShapeSample, layers: tuple[Layer, ...]) -> str:
    """A line about one board: what shapes alone tell of it, and how it is."""
    said = network(levelled(view_of(board.image, board.grid))[None], layers)[0, 1:-1, 1:-1]
    said, away = said[..., :COLUMNS], said[..., KINDS:]
    lead = np.logaddexp(said[..., DARK], said[..., LIGHT])
    tile = lead > np.maximum(said[..., BARE], said[..., LIT])
    seen = ~np.isin(board.shapes, (UNDER, NOT_KNOWN))
    wrong = (tile != np.isin(board.shapes, (DARK, LIGHT, ANY_SHADE))) & seen
    best = said.argmax(axis=2)
    over = int(((best == UNDER) & seen).sum())
    missed = int(((best != UNDER) & (board.shapes == UNDER)).sum())
    return (
        f"{board.name:12} {wrong.sum():3} of {seen.sum():3} wrong, "
        f"{over:3} thought covered, {missed:3} covered and not noticed, "
        f"{np.abs(away[seen]).mean():.3f} squares off"
    )


def _keep(path: Path, layers: tuple[Layer, ...]) -> None:
    weights = {f"w{k}": weight.astype(np.float16) for k, (weight, _) in enumerate(layers)}
    offsets = {f"b{k}": offset for k, (_, offset) in enumerate(layers)}
    np.savez_compressed(path, allow_pickle=False, **weights, **offsets)
