"""Time to read a frame on one core, and memory of `watch`.

Frames are rendered before the measurement, so no JPEG is decoded; times are CPU seconds, so one
core would take as long. The last column is relative to the least work of a reader of colours,
timed in the same run: a rectified view of 24 pixels a square, converted to Lab, and the median of
each square.
"""

import random
import subprocess
import sys
from collections.abc import Callable
from itertools import chain, cycle
from time import process_time
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.benchmarks.common import Rows, median_s
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import Hand, TablePiece, VirtualTable
from firmware.storage.run_folder import run_folder
from firmware.storage.session_recorder import SessionRecorder
from vision.camera import Frame, Image
from vision.reader import Reader
from vision.reading import BoardNotFound
from vision.synthetic import Renderer

_MOVES: Final = {"duo": 16, "classic": 40}
"""Moves to a middle game, by game."""

_FRAMES: Final = 4
"""Different frames of each case."""

_WATCHED: Final = 10
"""Frames of the recording for `watch`."""

_FIRST_RUNS: Final = 5
"""Runs of a first frame."""

_RUNS: Final = 60
"""Runs of a tracked frame."""

_SCALE: Final = 24
"""Pixels of a square in the rectified view."""

_WATCH: Final = """
import contextlib, io
from firmware.commands.main import main
with contextlib.redirect_stdout(io.StringIO()):
    status = main(["watch", {folder!r}, "--game", {game!r}])
with open("/proc/self/status") as file:
    lines = dict(line.split(":", 1) for line in file)
print(status, lines["VmRSS"].split()[0], lines["VmHWM"].split()[0])
"""
"""Program that runs `watch` and prints its status, and resident and largest memory in kB."""


def measure() -> Rows:
    """Measures a reader in a middle game of Duo and of Classic, frames of 1280x960."""
    rows: Rows = {}
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for game in _MOVES:
            rows |= _times(game)
    finally:
        cv2.setNumThreads(threads)
    for game in _MOVES:
        rows[f"{game}: the whole watch process"] = _memory(game)
    return rows


def _table(game: str, moves: int | None = None) -> VirtualTable:
    """A table in the middle of a game of random legal moves, each laid slightly askew."""
    chance = random.Random(1)  # noqa: S311
    table, position = VirtualTable(GAMES[game]), Position.start(game)
    for _ in range(_MOVES[game] if moves is None else moves):
        move = chance.choice(list(position.legal_moves))
        colour = position.to_move
        assert colour is not None, "a middle game is not over"
        askew = (chance.gauss(0, 0.3), chance.gauss(0, 0.3), chance.gauss(0, 0.5))
        table.lay(TablePiece(colour, move, *askew))
        position = position.play(move)
    return table


def _camera(table: VirtualTable) -> SimulatedCamera:
    edition = next(
        colours for colours in EDITIONS.values() if len(colours) == len(table.scene.game.colours)
    )
    return SimulatedCamera(table, edition, lambda: 0.0, Renderer(1))


def _image(camera: SimulatedCamera) -> Image:
    frame = camera.read()
    assert frame is not None, "a simulated camera has no end"
    return frame.image


def _still(game: str) -> list[Image]:
    camera = _camera(_table(game))
    return [_image(camera) for _ in range(_FRAMES)]


def _reached(game: str) -> list[Image]:
    """Frames of a hand that moves above the table."""
    table = _table(game)
    camera, images = _camera(table), []
    for step in range(_FRAMES):
        table.move_hand(Hand(20.0 + 8 * step, -10.0, 1))
        images.append(_image(camera))
    return images


def _laid(game: str) -> list[Image]:
    """Frames with one more piece each."""
    table = _table(game, _MOVES[game] - _FRAMES)
    whole = _table(game).scene.pieces
    camera, images = _camera(table), []
    for piece in whole[-_FRAMES:]:
        table.lay(piece)
        images.append(_image(camera))
    return images


def _times(game: str) -> Rows:
    still, size = _still(game), GAMES[game].size
    first_s = median_s(
        lambda: Reader(size).read(Frame(still[0], 0.0, 1)), _FIRST_RUNS, process_time
    )
    found = Reader(size).read(Frame(still[0], 0.0, 1))
    assert not isinstance(found, BoardNotFound), found.reason
    baseline_s = median_s(_baseline(still[0], found.corners, size), _RUNS, process_time)
    times = {"view, Lab and median": baseline_s, "first frame": first_s}
    reached = _reached(game)
    for name, images in {
        "tracked frame": still,
        "tracked frame with a hand that moves": reached,
        "tracked frame with a hand that rests": [reached[-1]],
        "tracked frame with another piece": _laid(game),
    }.items():
        task = _in_turn(size, [still[0], *images])
        times[name] = median_s(task, _RUNS, process_time)
    return {
        f"{game}: {name}": {"ms": seconds * 1e3, "medians": seconds / baseline_s}
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


def _memory(game: str) -> dict[str, float]:
    """Resident memory of a fresh `watch` in MB, at its end and its maximum."""
    with run_folder() as place:
        folder = place / "recording"
        camera, recorder = _camera(_table(game)), SessionRecorder(folder, patience_s=10.0)
        for _ in range(_WATCHED):
            frame = camera.read()
            assert frame is not None, "a simulated camera never ends"
            recorder.add_frame(frame, frozenset(), frozenset())
        recorder.close()
        words = [sys.executable, "-c", _WATCH.format(folder=str(folder), game=game)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603
    status, resident, most = (int(number) for number in done.stdout.split())
    assert status == 0, done.stderr
    return {"megabytes": resident / 1024, "most_megabytes": most / 1024}
