"""Path tracing of random boards and games, for training and evaluation.

`python -m tests.training tracing --to FOLDER` makes random boards, more diverse than those of any
maker, and writes a picture and its truth for each; `tests.training.shapes.boards.traced` reads
them. With `--games N` it makes games instead, each in a folder of its own, for `python -m
tests.evaluation recorded --folder`; with `--rims N` short recordings, in turn of a piece that hangs
over the rim and of a right move along it, for `python -m tests.evaluation rim --traced`; with
`--positions N` single positions in the editions that are sold, some of them next to other grids,
for `python -m tests.evaluation variations`, which reads them from `DATA/renders/positions`. It
continues where it stopped, and two processes can share the work with different seeds. It needs
Mitsuba 3 (see `tests.training.tracing.mitsuba_tracer`) and takes a few seconds a picture.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.rules.variants import EDITIONS
from tests.training.tracing.board_files import keep, name_of, truth_of
from tests.training.tracing.denoising import denoised
from tests.training.tracing.exposure import Exposure
from tests.training.tracing.game import TracedTable
from tests.training.tracing.positions import TracedPosition
from tests.training.tracing.rim import FRAMES, TracedRim
from tests.training.tracing.scene import drawn
from tests.training.tracing.story import Story
from tests.training.tracing.taste import TASTES, Taste

if TYPE_CHECKING:
    from tests.training.tracing.setting import TracedScene

_JPEG, _BEST_JPEG = 88, 98
_EVENTS: Final = "events.json"


def main(words: Sequence[str]) -> None:
    """Traces boards or games into a folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.training tracing")
    parser.add_argument("--to", type=Path, metavar="FOLDER")
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--games", type=int, help="number of games, instead of boards")
    parser.add_argument("--positions", type=int, help="number of positions, instead of boards")
    parser.add_argument("--rims", type=int, help="number of recordings at the rim instead")
    parser.add_argument("--colours", choices=EDITIONS, help="leave out positions of other editions")
    parser.add_argument("--moves", type=int, default=8, help="moves of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--taste", choices=TASTES, default="wide", help="distribution of scenes")
    parser.add_argument("--samples", type=int, default=1_200_000, help="paths for each picture")
    parser.add_argument(
        "--variant", default="llvm_ad_rgb", help="variant of Mitsuba, or scalar_rgb"
    )
    arguments = parser.parse_args(words)
    if arguments.colours and arguments.positions is None:
        parser.error("--colours chooses among positions: name their number with --positions")
    if arguments.to is None:
        print("nothing is traced: name a folder with --to")  # noqa: T201
        return
    arguments.to.mkdir(parents=True, exist_ok=True)
    # Mitsuba is needed only for tracing, and its import takes a second.
    from tests.training.tracing import mitsuba_tracer  # noqa: PLC0415

    mitsuba_tracer.ready(arguments.variant)
    taste = TASTES[arguments.taste]
    make, count = _board, arguments.boards
    if arguments.games is not None:
        make, count = _game, arguments.games
    elif arguments.positions is not None:
        make, count = _position, arguments.positions
    elif arguments.rims is not None:
        make, count = _rim, arguments.rims
    for number in range(count):
        started = time.monotonic()
        if make(arguments.to, (arguments.seed, number), taste, arguments):
            took = time.monotonic() - started
            print(f"{name_of(arguments.seed, number)}: {took:.1f} s", file=sys.stderr)  # noqa: T201


def _board(to: Path, seed: tuple[int, int], taste: Taste, arguments: argparse.Namespace) -> bool:
    """Traces a board, unless its files exist; True if it was traced."""
    name = name_of(*seed)
    if (to / f"{name}.json").exists():
        return False
    chance = np.random.default_rng(seed)
    scene = drawn(taste, chance)
    light = _light(scene, arguments.samples, seed[1])
    image = Exposure.chosen(light, _field(scene), taste, chance).picture(light, chance)
    keep(to, name, image, truth_of(scene), int(chance.integers(75, 96)))
    return True


def _position(to: Path, seed: tuple[int, int], taste: Taste, arguments: argparse.Namespace) -> bool:
    """Traces a position, unless its files exist; True if it was traced."""
    name = name_of(*seed)
    if (to / f"{name}.json").exists():
        return False
    chance, position = np.random.default_rng(seed), TracedPosition.drawn(seed, taste)
    if arguments.colours not in (None, "-".join(position.table.palette)):
        return False
    scene = position.scene()
    light = _light(scene, arguments.samples, seed[1])
    image = Exposure.chosen(light, _field(scene), taste, chance).picture(light, chance)
    keep(to, name, image, position.truth(scene), _BEST_JPEG)
    return True


def _game(to: Path, seed: tuple[int, int], taste: Taste, arguments: argparse.Namespace) -> bool:
    """Traces the frames of a game, unless its files exist; True if they were traced.

    The truth is written last, so that its existence marks a complete game.
    """
    folder = to / name_of(*seed)
    if (folder / _EVENTS).exists():
        return False
    folder.mkdir(exist_ok=True)
    table, chance = TracedTable.drawn(seed, taste), np.random.default_rng(seed)
    story, exposure, frames = Story().play(arguments.moves, chance), None, []
    for number, shot in enumerate(story.shots, 1):
        scene, hidden = table.scene(shot, number)
        light = _light(scene, arguments.samples, number)
        exposure = exposure or Exposure.chosen(light, _field(scene), taste, chance)
        file = f"frame_{number:04}.jpg"
        image = exposure.picture(light, chance)
        cv2.imwrite(str(folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG])
        frames.append(table.labels(shot, scene, hidden, file))
    truth = {"meta": table.described(), "frames": frames, "events": story.events}
    (folder / _EVENTS).write_text(json.dumps(truth), encoding="utf-8")
    return True


def _rim(to: Path, seed: tuple[int, int], taste: Taste, arguments: argparse.Namespace) -> bool:
    """Traces a recording at the rim, unless its files exist; True if it was traced."""
    folder = to / name_of(*seed)
    if (folder / _EVENTS).exists():
        return False
    folder.mkdir(exist_ok=True)
    rim, chance = TracedRim.drawn(seed, taste, hangs=seed[1] % 2 == 0), np.random.default_rng(seed)
    table, exposure, frames = rim.position.table, None, list[dict[str, Any]]()
    for number, (shot, count) in enumerate(zip(rim.shots, FRAMES, strict=True), 1):
        scene, hidden = table.scene(shot, number)
        light = _light(scene, arguments.samples, number)
        exposure = exposure or Exposure.chosen(light, _field(scene), taste, chance)
        for _ in range(count):
            file = f"frame_{len(frames) + 1:04}.jpg"
            image = exposure.picture(light, chance)
            cv2.imwrite(str(folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG])
            frames.append(table.labels(shot, scene, hidden, file))
    truth = {"meta": rim.described(), "frames": frames}
    (folder / _EVENTS).write_text(json.dumps(truth), encoding="utf-8")
    return True


def _light(scene: "TracedScene", samples: int, seed: int) -> NDArray[np.float32]:
    """Returns the light at the camera of a scene, denoised."""
    from tests.training.tracing import mitsuba_tracer  # noqa: PLC0415

    straight = replace(scene, eye=scene.eye.straight()) if scene.eye.bend else scene
    return scene.eye.bent(denoised(*mitsuba_tracer.traced(straight, samples, seed)))


def _field(scene: "TracedScene") -> NDArray[np.bool_]:
    """Returns (side, side) the mask of pixels that show the field of squares."""
    field = np.zeros((scene.eye.side, scene.eye.side), np.uint8)
    cv2.fillConvexPoly(field, scene.eye.project(scene.corners).round().astype(np.int32), 1)
    return field > 0
