"""Time to read a frame on one core, and CPU time and memory of `watch`.

Frames are rendered before the measurement, so no JPEG is decoded; times are CPU seconds, so one
core would take as long. The last column is relative to the least work of a reader of colours,
timed in the same run: a rectified view of 24 pixels a square, converted to Lab, and the median of
each square.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, cycle
from pathlib import Path
from time import process_time
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.commands.bench import Rows, median_s
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, Edition, Variant
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import Hand, TablePiece, VirtualTable
from firmware.storage.run_folder import run_folder
from firmware.storage.session_recorder import SessionRecorder
from vision.camera import Frame, Image
from vision.errors import BoardFailure
from vision.reader import Reader
from vision.synthetic.renderer import Renderer


@dataclass(frozen=True, slots=True)
class _Case:
    """A middle game to be read.

    Attributes:
        name: name in the rows.
        game: the game.
        edition: names of its colours.
        moves: moves to the middle game.
    """

    name: str
    game: Variant
    edition: Edition
    moves: int


_CASES: Final = (
    _Case("duo", GAMES["duo"], EDITIONS["purple-orange"], 16),
    _Case("duo in black and white", GAMES["duo"], EDITIONS["black-white"], 16),
    _Case("classic", GAMES["classic"], EDITIONS["blue-yellow-red-green"], 40),
)
"""Middle games that are read: both sizes of board, and colours that differ in brightness alone."""

_FRAMES: Final = 4
"""Different frames of each case."""

_WATCHED: Final = 40
"""Frames of the recording that `watch` reads: ten moves."""

_PERIOD_S: Final = 0.5
"""Seconds between two frames of the recording, as of the slowest camera that can follow a game."""

_OF_A_MOVE: Final = 4
"""Frames of a move in the recording: a hand first, then the board with one more piece."""

_FIRST_RUNS: Final = 5
"""Runs of a first frame."""

_RUNS: Final = 60
"""Runs of a tracked frame."""

_SCALE: Final = 24
"""Pixels of a square in the rectified view."""

_WATCH: Final = """
import contextlib, io, time
from firmware.commands.main import main
with contextlib.redirect_stdout(io.StringIO()):
    status = main(["watch", {folder!r}, "--game", {game!r}])
with open("/proc/self/status") as file:
    lines = dict(line.split(":", 1) for line in file)
memory = lines["VmRSS"].split()[0], lines["VmHWM"].split()[0]
print(status, *memory, time.process_time())
"""
"""Program that runs `watch` and prints its status, resident and largest memory in kB, and CPU
seconds from its start."""

_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
"""Variables by which libraries calculate in one thread."""


def measure() -> Rows:
    """Measures a reader in middle games, frames of 1280x960, and `watch` from the first move."""
    rows: Rows = {}
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for case in _CASES:
            rows |= _times(case)
    finally:
        cv2.setNumThreads(threads)
    for case in _CASES:
        rows[f"{case.name}: watch of {_WATCHED} frames"] = _watched(case)
    return rows


def _moves(case: _Case) -> list[TablePiece]:
    """Pieces of a game of random legal moves, each laid slightly askew."""
    chance, position = random.Random(1), Position.start(case.game)  # noqa: S311
    pieces = []
    for _ in range(case.moves):
        move, colour = chance.choice(list(position.legal_moves)), position.to_move
        assert colour is not None, "a middle game is not over"
        askew = (chance.gauss(0, 0.3), chance.gauss(0, 0.3), chance.gauss(0, 0.5))
        pieces.append(TablePiece(colour, move, *askew))
        position = position.play(move)
    return pieces


def _table(case: _Case, moves: int) -> VirtualTable:
    table = VirtualTable(case.game)
    for piece in _moves(case)[:moves]:
        table.lay(piece)
    return table


def _camera(
    case: _Case, table: VirtualTable, clock: Callable[[], float] = lambda: 0.0
) -> SimulatedCamera:
    return SimulatedCamera(table, case.edition, clock, Renderer(1))


def _frame(camera: SimulatedCamera) -> Frame:
    frame = camera.read()
    assert frame is not None, "a simulated camera has no end"
    return frame


def _still(case: _Case) -> list[Image]:
    camera = _camera(case, _table(case, case.moves))
    return [_frame(camera).image for _ in range(_FRAMES)]


def _reached(case: _Case) -> list[Image]:
    """Frames of a hand that moves above the table."""
    table = _table(case, case.moves)
    camera, images = _camera(case, table), []
    for step in range(_FRAMES):
        table.move_hand(Hand(20.0 + 8 * step, -10.0, 1))
        images.append(_frame(camera).image)
    return images


def _laid(case: _Case) -> list[Image]:
    """Frames with one more piece each."""
    table = _table(case, case.moves - _FRAMES)
    camera, images = _camera(case, table), []
    for piece in _moves(case)[-_FRAMES:]:
        table.lay(piece)
        images.append(_frame(camera).image)
    return images


def _times(case: _Case) -> Rows:
    still, size = _still(case), case.game.size
    first_s = median_s(
        lambda: Reader(size).read(Frame(still[0], 0.0, 1)), _FIRST_RUNS, process_time
    )
    found = Reader(size).read(Frame(still[0], 0.0, 1))
    assert not isinstance(found, BoardFailure), found.reason
    baseline_s = median_s(_baseline(still[0], found.corners, size), _RUNS, process_time)
    times = {"view, Lab and median": baseline_s, "first frame": first_s}
    reached = _reached(case)
    for name, images in {
        "tracked frame": still,
        "tracked frame with a hand that moves": reached,
        "tracked frame with a hand that rests": [reached[-1]],
        "tracked frame with another piece": _laid(case),
    }.items():
        task = _in_turn(size, [still[0], *images])
        times[name] = median_s(task, _RUNS, process_time)
    return {
        f"{case.name}: {name}": {"ms": seconds * 1e3, "medians": seconds / baseline_s}
        for name, seconds in times.items()
    }


def _in_turn(size: int, images: list[Image]) -> Callable[[], object]:
    """A task that reads the first of some images once and then the others in turn, repeatedly.

    Frames are a second apart, so that the reader soon recognises a resting hand.
    """
    reader = Reader(size)
    turn = enumerate(chain(images[:1], cycle(images[1:])))
    frames = (Frame(image, float(number), number) for number, image in turn)
    return lambda: reader.read(next(frames))


def _baseline(
    image: Image, corners: NDArray[np.float64], size: int
) -> Callable[[], NDArray[np.float64]]:
    """A task that computes the median Lab of each square of a rectified view."""
    side = size * _SCALE
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), flat)

    def medians() -> NDArray[np.float64]:
        view = cv2.warpPerspective(image, matrix, (side, side))
        lab = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2LAB))
        squares = lab.reshape(size, _SCALE, size, _SCALE, 3)
        pixels = squares.transpose(0, 2, 4, 1, 3).reshape(size**2 * 3, -1)
        return np.asarray(np.median(pixels, axis=1), np.float64)

    return medians


def _record(case: _Case, folder: Path) -> None:
    """Records the first moves of a game, from the empty board."""
    table, recorder = VirtualTable(case.game), SessionRecorder(folder, patience_s=10.0)
    numbers = iter(range(_WATCHED))
    camera = _camera(case, table, lambda: _PERIOD_S * next(numbers))
    for piece in _moves(case)[: _WATCHED // _OF_A_MOVE]:
        for step in range(_OF_A_MOVE):
            table.move_hand(None if step else Hand(20.0, -10.0, 1))
            if step == 1:
                table.lay(piece)
            recorder.add_frame(_frame(camera), frozenset(), frozenset())
    recorder.close()


def _watched(case: _Case) -> dict[str, float]:
    """CPU seconds of a fresh `watch` on one thread, start-up included, and its memory in MB."""
    with run_folder() as place:
        folder = place / "recording"
        _record(case, folder)
        words = [sys.executable, "-c", _WATCH.format(folder=str(folder), game=case.game.key)]
        done = subprocess.run(
            words, capture_output=True, text=True, check=True, env=os.environ | _ONE_THREAD
        )
    status, resident, most, cpu_s = (float(number) for number in done.stdout.split())
    assert status == 0, done.stderr
    return {"cpu_s": cpu_s, "megabytes": resident / 1024, "most_megabytes": most / 1024}
