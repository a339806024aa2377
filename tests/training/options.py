"""Options of the trainings that make lessons as they go; without PyTorch."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Report = Callable[[int, list[float]], None]
"""Called at intervals with the step and the mean losses."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a network learns.

    Attributes:
        steps: number of steps.
        rate: highest step size of AdamW.
        seed: seed of the weights and of the augmentation.
        state: file of an interrupted training, from which it goes on; stored at intervals.
        lessons: lessons of a step.
        processes: further processes that make lessons; 0 for none.
    """

    steps: int
    rate: float
    seed: int
    state: Path
    lessons: int
    processes: int

    @staticmethod
    def of(arguments: argparse.Namespace) -> "Training":
        """Returns what the options say; the state lies beside the file of the network."""
        state = arguments.save.with_suffix(".state")
        given = arguments
        return Training(given.steps, given.rate, given.seed, state, given.lessons, given.processes)


def add_options(parser: argparse.ArgumentParser, steps: int, lessons: int, processes: int) -> None:
    """Adds the options of `Training`, with some defaults."""
    parser.add_argument("--save", type=Path, metavar="FILE", help="file of the network, .onnx")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest step size")
    parser.add_argument("--lessons", type=int, default=lessons, help="lessons of a step")
    parser.add_argument(
        "--processes", type=int, default=processes, help="processes that make lessons"
    )
    parser.add_argument("--seed", type=int, default=1)


def printed(parts: str) -> Report:
    """Returns a report that prints the losses of some parts."""

    def report(step: int, losses: list[float]) -> None:
        each = ", ".join(f"{loss:.4f}" for loss in losses)
        print(f"step {step}: {parts} {each}", file=sys.stderr, flush=True)  # noqa: T201

    return report
