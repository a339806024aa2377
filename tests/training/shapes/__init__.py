"""Trains the network of `vision.squares.network`, and measures it.

Training needs the `teaching` extra, and ten minutes of a GPU with 16 cores beside it, or a day of
one core. It uses boards and positions that `python -m tests.training tracing` made, and boards of
the simulated table; never a photograph, nor the ray-traced boards of the further data. It goes on
where it stopped, if there is a state beside the file of the network:

    python -m tests.training shapes --traced BOARDS --positions MORE --simulated 700 --processes 15
    --save FILE

`--data FOLDER` alone prints for the renders and photographs of a folder the number of squares whose
class the network gives wrongly, and the error of its places.
"""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np

from tests.training.options import Training, add_options, printed
from tests.training.shapes.boards import (
    ANY_SHADE,
    NOT_KNOWN,
    ShapeSample,
    photographed,
    positions,
    rendered,
    traced,
)
from tests.training.shapes.simulated import FIRST_SEED, simulated
from vision.squares.network import BARE, DARK, LIGHT, LIT, UNDER, shapes_of


def main(words: Sequence[str]) -> None:
    """Trains from boards, if any are given, and measures."""
    parser = argparse.ArgumentParser(prog="python -m tests.training shapes")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], metavar="BOARDS")
    parser.add_argument("--positions", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--simulated", type=int, default=0, metavar="N", help="boards to render")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="pictures to measure on")
    add_options(parser, steps=15_300, lessons=128, processes=0)
    arguments = parser.parse_args(words)
    # Processes that are forked from one with threads of OpenCV wait for ever.
    cv2.setNumThreads(1)
    boards = _boards(arguments)
    if boards and not arguments.save:
        parser.error("what is learned would be lost: name a file with --save")
    if boards:
        _train(boards, arguments)
    if arguments.data:
        for board in rendered(arguments.data / "renders") + photographed(arguments.data / "photos"):
            print(_measured(board), flush=True)  # noqa: T201


def _boards(arguments: argparse.Namespace) -> list[ShapeSample]:
    """Returns the boards to learn from."""
    boards = [board for folder in arguments.traced for board in traced(folder)]
    boards += [board for folder in arguments.positions for board in positions(folder)]
    boards += [simulated(FIRST_SEED + number) for number in range(arguments.simulated)]
    return boards


def _train(boards: list[ShapeSample], arguments: argparse.Namespace) -> None:
    """Trains a network, and saves it and, beside it, the state of the training."""

    # PyTorch is needed only for training.
    trainer = import_module("tests.training.shapes.trainer")
    architecture = import_module("tests.training.shapes.architecture")
    report = printed("shapes, places, edges, colours")
    network = trainer.learned(boards, Training.of(arguments), report)
    architecture.export(network, arguments.save)


def _measured(board: ShapeSample) -> str:
    """Returns a line on one board: the result of the network alone, and the truth."""
    shapes = shapes_of(board.image, board.grid)
    classes = shapes.classes.reshape(*board.shapes.shape, -1)
    tile = np.logaddexp(classes[..., DARK], classes[..., LIGHT])
    is_tile = tile > np.maximum(classes[..., BARE], classes[..., LIT])
    visible = ~np.isin(board.shapes, (UNDER, NOT_KNOWN))
    wrong = (is_tile != np.isin(board.shapes, (DARK, LIGHT, ANY_SHADE))) & visible
    under = classes.argmax(axis=2) == UNDER
    return (
        f"{board.name:12} {wrong.sum():3} of {visible.sum():3} wrong, "
        f"{(under & visible).sum():3} thought covered, "
        f"{(~under & (board.shapes == UNDER)).sum():3} covered and not noticed, "
        f"{np.abs(shapes.away.reshape(*visible.shape, 2)[visible]).mean():.3f} squares off"
    )
