"""Traces boards of our own, for the network of shapes to learn from.

`python -m tests.trials traced --to FOLDER` makes boards by chance, more unlike one another than
those of any maker, and writes a picture and its truth for each; `tests.trials.relief.boards.traced`
reads them back. It goes on where it stopped, and two of them can share the work by different
seeds. It needs Mitsuba 3 (see `tests.trials.traced.tracing`) and takes a few seconds a board.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.trials.traced.denoising import denoised
from tests.trials.traced.exposure import taken
from tests.trials.traced.kept import keep, name_of
from tests.trials.traced.scene import Scene, drawn
from tests.trials.traced.taste import HARD, WIDE


def main(words: Sequence[str]) -> None:
    """Traces boards into a folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials traced")
    parser.add_argument("--to", type=Path, metavar="FOLDER")
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hard", action="store_true", help="more of what is hard to read")
    parser.add_argument("--samples", type=int, default=1_200_000, help="paths for each board")
    parser.add_argument("--variant", default="llvm_ad_rgb", help="of Mitsuba, or scalar_rgb")
    arguments = parser.parse_args(words)
    if arguments.to is None:
        print("nothing is traced: name a folder with --to")  # noqa: T201
        return
    arguments.to.mkdir(parents=True, exist_ok=True)
    # Only who traces needs Mitsuba, and importing it takes a second.
    from tests.trials.traced import tracing  # noqa: PLC0415

    tracing.ready(arguments.variant)
    taste = HARD if arguments.hard else WIDE
    for number in range(arguments.boards):
        name = name_of(arguments.seed, number)
        if (arguments.to / f"{name}.json").exists():
            continue
        started = time.monotonic()
        chance = np.random.default_rng([arguments.seed, number])
        scene = drawn(taste, chance)
        light, surface = tracing.traced(scene, arguments.samples, number)
        image = taken(denoised(light, surface), _field(scene), taste, chance)
        keep(arguments.to, name, image, scene, int(chance.integers(75, 96)))
        print(f"{name}: {time.monotonic() - started:.1f} s", file=sys.stderr)  # noqa: T201


def _field(scene: Scene) -> NDArray[np.bool_]:
    """(side, side) the pixels that show the field of squares."""
    field = np.zeros((scene.eye.side, scene.eye.side), np.uint8)
    cv2.fillConvexPoly(field, scene.eye.project(scene.corners).round().astype(np.int32), 1)
    return field > 0
