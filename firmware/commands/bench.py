"""`cornerlight bench`: measures the speed of the parts on this machine.

Times are medians and depend on the machine and its load. They are those that people at a table
wait for; `tests/evaluation/benchmarks` measures each part in many cases.
"""

import argparse
import itertools
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Final

import numpy as np

from firmware.assembly.rooms import rooms_with
from firmware.commands.progress import Progress
from firmware.drivers.ws2812_spi import encode
from firmware.game.config import GameConfig
from firmware.game.events import Moment, MoveAccepted
from firmware.game.state import GameState
from firmware.lights.led_display import LedDisplay
from firmware.lights.led_layout import LedLayout
from firmware.lights.scene import scene
from firmware.referee.decision import DecisionMaker
from firmware.referee.event_log import EventLog
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.orientation import OrientationTracker
from firmware.rules.perft import perft
from firmware.rules.position import Position
from firmware.rules.variants import default_edition
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import TablePiece, VirtualTable
from firmware.storage.journal import Journal
from firmware.storage.run_folder import run_folder
from firmware.storage.wall_clock import time_of_day
from vision.camera import Frame
from vision.reader import Reader
from vision.synthetic.renderer import Renderer

EXAMPLE: Final = "cornerlight bench lights --json"

PLIES: Final = {"duo": 12, "classic": 28}
"""Moves to a middle game, by game."""

_PAUSE_S: Final = 0.1
"""Seconds between two events in the journal: more than a disk takes to sync the copy of one."""

Rows = dict[str, dict[str, float]]
"""Measurements by name, each with its numbers by unit."""

Task = Callable[[], object]
"""A function to be timed."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    words = f"part to measure: {', '.join(PARTS)}; all by default"
    parser.add_argument("parts", nargs="*", type=_part, metavar="PART", help=words)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measures and prints."""
    rows = measured(arguments.parts or PARTS)
    if arguments.json:
        print(json.dumps(rows))
    else:
        for name, row in rows.items():
            print(f"{name:36}", "  ".join(f"{key} {value:,.4g}" for key, value in row.items()))
    return 0


def measured(parts: Iterable[str]) -> Rows:
    """Returns the measurements of some parts."""
    rows: Rows = {}
    progress = Progress()
    for part in parts:
        progress.show(f"measuring {part}")
        rows |= PARTS[part]()
    progress.clear()
    return rows


def _part(word: str) -> str:
    if word not in PARTS:
        raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(PARTS)}")
    return word


def median_s(
    task: Task,
    runs: int = 60,
    clock: Callable[[], float] = time.perf_counter,
    pause_s: float = 0.0,
) -> float:
    """Returns the median time of a task in seconds; other load would affect a mean.

    Args:
        task: function to be timed.
        runs: number of runs.
        clock: returns seconds; with `time.process_time` the CPU seconds of all cores.
        pause_s: seconds of rest before each run.
    """
    times = []
    for _ in range(runs):
        time.sleep(pause_s)
        begun = clock()
        task()
        times.append(clock() - begun)
    return statistics.median(times)


def middle_game(game: str = "duo") -> Position:
    """Returns a game after some random moves."""
    chance = random.Random(1)  # noqa: S311
    position = Position.start(game)
    for _ in range(PLIES[game]):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


def _rules() -> Rows:
    """Measures lists of legal moves."""
    begun = time.perf_counter()
    count = perft(Position.start("duo"), 3)
    seconds = time.perf_counter() - begun
    return {"sequences of three moves": {"seconds": seconds, "per_second": count / seconds}}


def _reader() -> Rows:
    """Measures the CPU time of reading a frame of 1280x960."""
    position = middle_game()
    table = VirtualTable(position.game)
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(TablePiece(colour, move))
    camera = SimulatedCamera(table, default_edition(position.game), lambda: 0.0, Renderer(1))
    frame = camera.read()
    assert frame is not None, "a simulated camera has no end"
    image, size = frame.image, position.game.size
    reader, numbers = Reader(size), itertools.count(1)

    def track() -> None:
        number = next(numbers)
        reader.read(Frame(image, float(number), number))

    first = median_s(lambda: Reader(size).read(Frame(image, 0.0, 1)), 5, time.process_time)
    track()
    tracked = median_s(track, clock=time.process_time)
    return {"a first frame": {"ms": first * 1e3}, "a tracked frame": {"ms": tracked * 1e3}}


def _referee() -> Rows:
    """Measures the decision on a new piece."""
    position = middle_game()
    game, edition = position.game, default_edition(position.game)
    move, colour = max(position.legal_moves, key=lambda one: one.piece.size), position.to_move
    assert colour is not None, "a middle game is not over"
    contents = FrameMapping(game.size, 0, tuple(game.colours)).contents(position)
    contents[list(move.squares)] = 1 + colour
    evidence = np.where(contents[:, None] == np.arange(1 + len(game.colours)), 0.0, -5.0)
    state = GameState(position, turned=0, edition=edition)

    def decide() -> None:
        log = EventLog(state, OrientationTracker(state, edition, None, 0))
        DecisionMaker(log).decide(evidence, Moment(1, 0.0))

    return {"a decision": {"ms": median_s(decide) * 1e3}}


def _journal() -> Rows:
    """Measures the time until an event is on the disk: an SD card takes ten times a good SSD."""
    position = Position.start("duo")
    move, colour = next(iter(position.legal_moves)), position.to_move
    assert colour is not None, "a game that starts is not over"
    event = MoveAccepted(1, 0.5, 1, colour, move, 0.99)
    with run_folder() as folder, Journal(folder / "journal.jsonl", patience_s=60.0) as journal:
        journal.begin(GameConfig(position.game), time_of_day())
        commit = median_s(lambda: journal.record([event]), 30, pause_s=_PAUSE_S)
    return {"an event, on disk": {"ms": commit * 1e3}}


class DiscardingStrip:
    """A strip that encodes frames like the SPI driver and discards them."""

    def __init__(self, length: int) -> None:
        self.length = length

    def write(self, pixels: bytes) -> None:
        """Encodes a frame."""
        encode(pixels, self.length, "GRB")

    def close(self) -> None:
        """Does nothing."""


def _lights() -> Rows:
    """Measures a frame of the lights, from the scene to the bytes on the bus."""
    position = middle_game()
    size, edition = position.game.size, default_edition(position.game)
    # Longer than the refresh interval, so that every frame is computed, encoded and sent.
    clock = itertools.count(0.0, 2.5)
    strip = DiscardingStrip(size**2)
    display = LedDisplay(strip, LedLayout(size, size), size, lambda: next(clock))
    seconds = median_s(lambda: display.show(scene(GameState(position), edition)))
    return {"a frame of lights": {"us": seconds * 1e6}}


PARTS: Final[dict[str, Callable[[], Rows]]] = {
    "rules": _rules,
    "reader": _reader,
    "referee": _referee,
    "journal": _journal,
    "lights": _lights,
}
"""Functions that measure a part, in the order in which they are called; then those of the rooms
that can be taken out."""

for _room in rooms_with("benchmarks"):
    PARTS.update(import_module(f"firmware.{_room}.benchmarks").PARTS)
