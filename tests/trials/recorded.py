"""The recorded game made worse in many ways: is every verdict still right, or left open?

Run it with `python -m tests.trials recorded`; it needs the further data, see `tests/conftest.py`.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from firmware.events import Event, Illegal, Moved, Undone, Withdrawn
from firmware.follower import Follower
from firmware.rules.placements import Board
from firmware.rules.position import Position
from tests.conftest import FURTHER
from vision.camera import Frame, Image
from vision.reader import Reader
from vision.recorded import FolderCamera

Change = Callable[[Image], Image]
Decision = tuple[str, frozenset[int]]


def gamma(power: float) -> Change:
    table = np.asarray(255 * (np.arange(256) / 255) ** power, np.uint8)
    return lambda image: np.asarray(cv2.LUT(image, table), np.uint8)


def tinted(blue: float, red: float) -> Change:
    gains = np.array([blue, 1.0, red])
    return lambda image: np.clip(image * gains, 0, 255).astype(np.uint8)


def blurred(sigma: float) -> Change:
    return lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def packed(quality: int) -> Change:
    def change(image: Image) -> Image:
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)

    return change


def noisy(sigma: float) -> Change:
    dice = np.random.default_rng(1)

    def change(image: Image) -> Image:
        return np.clip(image + dice.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)

    return change


def smaller(share: float) -> Change:
    return lambda image: np.asarray(
        cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
    )


def turned(quarters: int) -> Change:
    return lambda image: np.ascontiguousarray(np.rot90(image, quarters))


CHANGES: dict[str, Change] = {
    "as it is": lambda image: image,
    "gamma 0.6": gamma(0.6),
    "gamma 1.7": gamma(1.7),
    "warm": tinted(0.7, 1.15),
    "cold": tinted(1.2, 0.8),
    "blur 1.5 px": blurred(1.5),
    "blur 2.5 px": blurred(2.5),
    "JPEG 40": packed(40),
    "JPEG 15": packed(15),
    "noise 12": noisy(12),
    "two thirds the size": smaller(2 / 3),
    "half the size": smaller(0.5),
    "turned by 90": turned(1),
    "turned by 180": turned(2),
}


def truth(folder: Path) -> list[Decision]:
    """What must be decided, in order, in the frame in which the starting points are e10, j5."""
    events = json.loads((folder / "events.json").read_text(encoding="utf-8"))["events"]
    names = {"move": Moved.name, "illegal": Illegal.name, "withdrawn": Withdrawn.name}
    return [
        (names[one["type"]], frozenset(column * 14 + row for column, row in one["cells"]))
        for one in events
        if one["type"] in names
    ]


def decided(folder: Path, change: Change, *, every: int = 1) -> list[Decision]:
    """What is decided of the recording with each picture changed."""
    camera = FolderCamera(folder)
    follower = Follower(Reader(14), Position.start("duo"))
    found: list[Decision] = []
    while (frame := camera.read()) is not None:
        if frame.number % every:
            continue
        events = follower.see(Frame(change(frame.image), frame.time_s, frame.number))
        found += [decision for event in events for decision in decisions(event)]
    return found


def decisions(event: Event) -> list[Decision]:
    """What an event decides, if it does."""
    if isinstance(event, (Moved, Undone)):
        return [(event.name, frozenset(event.move.squares))]
    if isinstance(event, (Illegal, Withdrawn)):
        return [(event.name, frozenset(event.squares))]
    return []


def compared(found: list[Decision], right: list[Decision]) -> tuple[int, int, list[str]]:
    """How many decisions are right, how many are missing, and those that are wrong."""
    board = Board.of(14)
    wrong = [
        f"{name} {board.format_squares(sorted(s))}" for name, s in found if (name, s) not in right
    ]
    hits = sum(one in found for one in right)
    return hits, len(right) - hits, wrong


def main(words: Sequence[str]) -> None:
    """Plays the game once for each change and prints what was decided rightly and wrongly."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials recorded")
    parser.add_argument("--folder", type=Path, default=FURTHER / "game")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    if not arguments.folder.is_dir():
        print(f"no recorded game at {arguments.folder}")  # noqa: T201
        return
    right = truth(arguments.folder)
    runs = [(name, change, 1) for name, change in CHANGES.items()]
    runs.append(("every second picture", CHANGES["as it is"], 2))
    for name, change, every in runs:
        hits, open_, wrong = compared(decided(arguments.folder, change, every=every), right)
        print(f"{name:22} {hits} right, {open_} not decided, {len(wrong)} wrong {wrong}")  # noqa: T201
