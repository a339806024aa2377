"""Trains and measures the network that is to read squares in place of the reader's heuristics.

It gives the class of each square, a place for the colour of its tile, and the edges of pieces; see
`tests.training.squares.network`. The reader does not use it yet: of squares that two pieces, or a
piece and bare board, share it is too sure, as no board it has learned from had a piece between
squares.

Training needs the `teaching` extra and an hour of one core. It uses boards and positions that
`python -m tests.training tracing` made, and boards of the simulated table, never a photograph or a
board of the further data; it goes on where it stopped:

    python -m tests.training squares --traced BOARDS --positions MORE --simulated 400 --save FILE

`--data FOLDER` alone reads the pictures of a folder with the network, beside today's reader, and
`--rendered N` boards that are drawn by seed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np

from tests.evaluation import variations
from tests.evaluation.confidence import given_edition, rendered
from tests.training.shapes.boards import ShapeSample, positions, traced
from tests.training.shapes.simulated import FIRST_SEED, simulated
from tests.training.squares.judgement import judge
from tests.training.squares.network import outputs_of
from vision.camera import Image
from vision.detection.board_detector import locate_once
from vision.features.frame_features import MARGIN, frame_features_of
from vision.geometry.grid import Warp
from vision.reader import read_picture
from vision.reading import BoardNotFound, Reading

_SEED = 800_001
"""Seed of the first board that is drawn; nothing was chosen by them."""

_SCALE = 24
"""Pixels per square in the view whose tints are measured."""


def main(words: Sequence[str]) -> None:
    """Trains from boards, if any are given, or measures."""
    parser = argparse.ArgumentParser(prog="python -m tests.training squares")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], metavar="BOARDS")
    parser.add_argument("--positions", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--simulated", type=int, default=0, metavar="N", help="boards to render")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="pictures to measure on")
    parser.add_argument("--rendered", type=int, default=0, metavar="N", help="boards to draw")
    parser.add_argument("--save", type=Path, metavar="FILE", help="file of the network, .onnx")
    parser.add_argument("--steps", type=int, default=17_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    if arguments.traced and not arguments.save:
        parser.error("what is learned would be lost: name a file with --save")
    measured = bool(arguments.data or arguments.rendered)
    if not arguments.traced and not measured:
        print("measures on --data FOLDER, or learns from --traced BOARDS")  # noqa: T201
    if arguments.traced:
        boards = [board for folder in arguments.traced for board in traced(folder)]
        boards += [board for folder in arguments.positions for board in positions(folder)]
        boards += [simulated(FIRST_SEED + number) for number in range(arguments.simulated)]
        _train(boards, arguments)
    if measured:
        cv2.setNumThreads(1)
        _compare(arguments.data, arguments.rendered)


def _train(boards: list[ShapeSample], arguments: argparse.Namespace) -> None:
    """Trains a network, and saves it and, beside it, the state of the training."""

    def report(step: int, losses: list[float]) -> None:
        each = ", ".join(f"{loss:.4f}" for loss in losses)
        print(f"step {step}: shapes, places, edges, colours {each}", file=sys.stderr)  # noqa: T201

    # PyTorch is needed only for training.
    trainer = import_module("tests.training.squares.trainer")
    architecture = import_module("tests.training.squares.architecture")
    state = arguments.save.with_suffix(".state")
    network = trainer.learned(boards, arguments.steps, arguments.seed, report, state)
    architecture.export(network, arguments.save)


def _compare(folder: Path | None, boards: int) -> None:
    """Prints for each kind of picture the counts of the reader and of the network."""
    readers: dict[str, Callable[..., Reading | BoardNotFound]] = {
        "reader": read_picture,
        "network": read_by_network,
    }
    totals: dict[tuple[str, str], Counter[str]] = {}
    drawn = (("rendered", rendered(_SEED + number)) for number in range(boards))
    for kind, picture in chain(drawn, variations.samples_of(folder) if folder else ()):
        for name, read in readers.items():
            with patch.object(variations, "read_picture", read):
                counts = variations.judged(picture, given_edition(picture))
            totals.setdefault((kind, name), Counter()).update(counts)
    for (kind, name), total in totals.items():
        print(  # noqa: T201
            f"{kind}, {name}: {total['boards']} boards, {total['lost']} not found, "
            f"{total['squares']} squares, {total['wrong']} wrong, {total['unsure']} unsure, "
            f"{total['exact']} boards exact, {total['ms'] / total['boards']:.0f} ms"
        )


def read_by_network(
    image: Image, size: int | None = None, palette: tuple[str, ...] | None = None
) -> Reading | BoardNotFound:
    """Reads the board in one picture by the network; see `vision.reader.read_picture`."""
    fit = locate_once(image, size, None)
    if isinstance(fit, BoardNotFound):
        return fit
    warp = Warp.of(fit.grid, _SCALE, MARGIN)
    observed = frame_features_of(image, warp).observed
    judged = judge(outputs_of(image, fit.grid), observed, fit.grid.size, palette)
    even = 1.0 / judged.evidence.shape[1]
    evidence = np.where(judged.covered[:, None], even, judged.evidence)
    return Reading(
        size=fit.grid.size,
        corners=fit.grid.corners,
        crossings=warp.crossings,
        palette=judged.palette,
        probabilities=evidence.astype(np.float32),
        covered=judged.covered,
    )
