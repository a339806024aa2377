"""Trains the network of `vision.detection.board_network`.

Training needs the `teaching` extra, and some hours of two cores. It uses boards that
`python -m tests.training tracing --taste far` made, and boards of the simulated table, and no
photograph. It goes on where it stopped, if there is a state beside the file of the network:

    python -m tests.training finder --traced BOARDS --simulated 500 --save FILE
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

import cv2

from tests.training.finder.boards import FIRST_SEED, simulated, traced


def main(words: Sequence[str]) -> None:
    """Trains from boards, and saves the network."""
    parser = argparse.ArgumentParser(prog="python -m tests.training finder")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], metavar="BOARDS")
    parser.add_argument("--simulated", type=int, default=0, metavar="N", help="boards to render")
    parser.add_argument("--save", type=Path, required=True, metavar="FILE", help="network, .onnx")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest step size")
    parser.add_argument("--lessons", type=int, default=16, metavar="N", help="lessons of a step")
    parser.add_argument("--processes", type=int, default=1, help="processes that make lessons")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    # Processes that are forked from one with threads of OpenCV wait for ever.
    cv2.setNumThreads(1)
    boards = [board for folder in arguments.traced for board in traced(folder)]
    with ProcessPoolExecutor() as processes:
        boards += processes.map(simulated, range(FIRST_SEED, FIRST_SEED + arguments.simulated))

    def report(step: int, losses: list[float]) -> None:
        each = ", ".join(f"{loss:.4f}" for loss in losses)
        parts = "corners, places, middles, fields, sizes"
        print(f"step {step}: {parts} {each}", file=sys.stderr, flush=True)  # noqa: T201

    # PyTorch is needed only for training.
    trainer = import_module("tests.training.finder.trainer")
    architecture = import_module("tests.training.finder.architecture")
    training = trainer.FinderTraining(
        arguments.steps,
        arguments.rate,
        arguments.seed,
        arguments.save.with_suffix(".state"),
        arguments.lessons,
        arguments.processes,
    )
    architecture.export(trainer.learned(boards, training, report), arguments.save)
