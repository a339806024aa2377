"""Trains the network of `vision.detection.board_network`.

Training needs the `teaching` extra, and some hours of two cores. It uses boards that
`python -m tests.training tracing --taste far` made, and boards of the simulated table, and no
photograph. It goes on where it stopped, if there is a state beside the file of the network:

    python -m tests.training finder --traced BOARDS --simulated 500 --save FILE
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

import cv2

from tests.training.finder.boards import FIRST_SEED, simulated, traced
from tests.training.options import Training, add_options, printed


def main(words: Sequence[str]) -> None:
    """Trains from boards, and saves the network."""
    parser = argparse.ArgumentParser(prog="python -m tests.training finder")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], metavar="BOARDS")
    parser.add_argument("--simulated", type=int, default=0, metavar="N", help="boards to render")
    add_options(parser, steps=30_000, lessons=16, processes=1)
    arguments = parser.parse_args(words)
    if not arguments.save:
        parser.error("what is learned would be lost: name a file with --save")
    # Processes that are forked from one with threads of OpenCV wait for ever.
    cv2.setNumThreads(1)
    boards = [board for folder in arguments.traced for board in traced(folder)]
    with ProcessPoolExecutor() as processes:
        boards += processes.map(simulated, range(FIRST_SEED, FIRST_SEED + arguments.simulated))
    # PyTorch is needed only for training.
    trainer = import_module("tests.training.finder.trainer")
    architecture = import_module("tests.training.finder.architecture")
    report = printed("corners, places, middles, fields, sizes")
    network = trainer.learned(boards, Training.of(arguments), report)
    architecture.export(network, arguments.save)
