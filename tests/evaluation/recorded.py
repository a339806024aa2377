"""Trial: verdicts on recorded games, degraded in many ways.

Run it with `python -m tests.evaluation recorded`; it needs the further data, see
`tests/conftest.py`, or games that `python -m tests.training tracing --games` made. Besides the
referee's decisions it counts the squares of each frame that were read wrong or left open.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.game.events import Event, MoveAccepted, MoveRefused, Undone, Withdrawn
from firmware.rules.board import Board
from firmware.rules.position import Position
from firmware.session.tracker import GameTracker
from tests.conftest import FURTHER
from tests.evaluation.soak.rendered_game import reported_piece
from tests.support.degraded_pictures import with_lamps
from tests.support.reading_scores import hidden, named, rows
from vision.camera import Frame, Image
from vision.errors import BoardFailure
from vision.geometry.grid import sides_of
from vision.io.recorded import FolderCamera
from vision.reader import Reader
from vision.reading import Reading

CLOSE = 0.1
"""Allowed error of the corners, in squares."""

_LAMPS, _LAMP_SHARE = 6, 0.05
"""Number of mirrored lamps, and their radius as a share of the picture's height."""

Change = Callable[[Image], Image]
Decision = tuple[str, frozenset[int], frozenset[str]]
"""Name of an event, squares of its piece, and rules that it breaks."""


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
    """Returns a change that adds noise, which depends on the picture alone."""

    def change(image: Image) -> Image:
        dice = np.random.default_rng(crc32(image.tobytes()))
        return np.clip(image + dice.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)

    return change


def smaller(share: float) -> Change:
    return lambda image: np.asarray(
        cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
    )


def mirrored(strength: float) -> Change:
    """Returns a change that adds reflections of lamps in linear light."""
    places = np.random.default_rng(2).uniform(0.25, 0.75, (_LAMPS, 2))

    def change(image: Image) -> Image:
        height, width = image.shape[:2]
        lit = with_lamps(image, places * [width, height], _LAMP_SHARE * height, strength)
        return lit.astype(np.uint8)

    return change


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
    "faint lamps mirrored": mirrored(0.15),
    "lamps mirrored": mirrored(0.5),
    "JPEG 40": packed(40),
    "JPEG 15": packed(15),
    "noise 12": noisy(12),
    "two thirds the size": smaller(2 / 3),
    "half the size": smaller(0.5),
    "turned by 90": turned(1),
    "turned by 180": turned(2),
}


def truth(folder: Path) -> list[Decision]:
    """Returns the right decisions in order, in the frame with the starting points e10 and j5."""
    names = {
        "move": MoveAccepted.name,
        "illegal": MoveRefused.name,
        "withdrawn": Withdrawn.name,
        "take_back": Withdrawn.name,
    }
    return [
        (
            names[one["type"]],
            frozenset(column * 14 + row for column, row in one["cells"]),
            frozenset(rule.replace("_", "-") for rule in one.get("reasons", ())),
        )
        for one in _truths(folder)["events"]
        if one["type"] in names
    ]


@dataclass(frozen=True, slots=True)
class RecordingResult:
    """Results of a recording.

    Attributes:
        decided: decisions of the referee, in order.
        readings: reading of each frame that was read, by file name.
    """

    decided: list[Decision] = field(default_factory=list)
    readings: dict[str, Reading | BoardFailure] = field(default_factory=dict)


class _Noting(Reader):
    """A reader that stores its last reading."""

    last: Reading | BoardFailure

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardFailure:
        """Reads one frame."""
        self.last = super().read(frame, lit)
        return self.last


def watched(folder: Path, change: Change, *, every: int = 1) -> RecordingResult:
    """Referees the recording with each picture changed."""
    camera, reader, result = FolderCamera(folder), _Noting(14), RecordingResult()
    follower = GameTracker(reader, Position.start("duo"))
    files = [frame["file"] for frame in _truths(folder)["frames"]]
    while (frame := camera.read()) is not None:
        if frame.number % every:
            continue
        events = follower.see(Frame(change(frame.image), frame.time_s, frame.number))
        result.decided.extend(decision for event in events for decision in decisions(event))
        result.readings[files[frame.number - 1]] = reader.last
    return result


def counted(folder: Path, readings: dict[str, Reading | BoardFailure]) -> Counter[str]:
    """Returns the numbers of visible squares that were read wrong and left open.

    Without markers any side of the board may be read as the upper one.
    """
    truths = _truths(folder)
    names = [truths["meta"]["edition"][which]["name"] for which in "AB"]
    ways = [Counter[str]() for _ in range(4)]
    for truth in truths["frames"]:
        reading = readings.get(truth["file"])
        true = np.array([list(row) for row in named(truth["cells_physical"], *names)])
        plain = ~hidden(14, truth["occluded_cells"])
        kind = truth["state"]
        for quarters, tally in enumerate(ways):
            if isinstance(reading, BoardFailure):
                tally[f"{kind} lost"] += 1
            elif reading is not None:
                got = np.rot90([list(row) for row in rows(reading)], quarters)
                wrong = int(((got != "?") & (got != true) & plain).sum())
                tally[f"{kind} wrong"] += wrong
                tally[f"{kind} open"] += int(((got == "?") & plain).sum())
                tally[f"{kind} exact"] += bool((got == true).all())
                tally[kind] += 1
    return min(ways, key=lambda tally: tally["settled wrong"])


def strayed(folder: Path, readings: dict[str, Reading | BoardFailure]) -> list[float]:
    """Returns the error of the worst corner of each frame in squares, for the best orientation."""
    found = []
    for truth in _truths(folder)["frames"]:
        reading = readings.get(truth["file"])
        if isinstance(reading, Reading):
            true = np.array(truth["grid_corners_px"])
            ways = [np.roll(true, quarters, axis=0) for quarters in range(4)]
            away = min(float(np.linalg.norm(reading.corners - way, axis=1).max()) for way in ways)
            found.append(away * reading.size / float(sides_of(true).mean()))
    return found


def _truths(folder: Path) -> dict[str, Any]:
    truths: dict[str, Any] = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    return truths


def decisions(event: Event) -> list[Decision]:
    """Returns the decisions of an event, if any."""
    if not isinstance(event, (MoveAccepted, MoveRefused, Undone, Withdrawn)):
        return []
    found = reported_piece(event)
    return [(found.event, found.squares, found.rules)]


def compared(found: list[Decision], right: list[Decision]) -> tuple[int, int, list[str]]:
    """Returns the number of right and of missing decisions, and the wrong ones."""
    board = Board.of(14)
    wrong = [
        " ".join((name, board.format_squares(sorted(squares)), *sorted(rules)))
        for name, squares, rules in found
        if (name, squares, rules) not in right
    ]
    hits = sum(one in found for one in right)
    return hits, len(right) - hits, wrong


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the right and wrong decisions for each change."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation recorded")
    parser.add_argument("--folder", type=Path, nargs="+", default=[FURTHER / "game"])
    parser.add_argument("--plain", action="store_true", help="only unchanged pictures")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    runs = [(name, change, 1) for name, change in CHANGES.items()]
    runs.append(("every second picture", CHANGES["as it is"], 2))
    total: Counter[str] = Counter()
    for folder in arguments.folder:
        if not (folder / "events.json").exists():
            print(f"no recorded game at {folder}")  # noqa: T201
            continue
        print(f"-- {folder.name}")  # noqa: T201
        right = truth(folder)
        for name, change, every in runs[:1] if arguments.plain else runs:
            result = watched(folder, change, every=every)
            hits, open_, wrong = compared(result.decided, right)
            tally = counted(folder, result.readings)
            print(f"{name:22} {hits} right, {open_} not decided, {len(wrong)} wrong {wrong}")  # noqa: T201
            print(f"{'':22} {_line(tally)}")  # noqa: T201
            away = np.array(strayed(folder, result.readings) or [0.0])
            worst = f"{away.max():.3f} at worst, {(away > CLOSE).sum()} frames over {CLOSE}"
            print(f"{'':22} corners off by {away.mean():.3f} squares, {worst}", flush=True)  # noqa: T201
            total += tally + Counter(right=hits, undecided=open_, mistakes=len(wrong))
    decided = f"{total['right']} right, {total['undecided']} not, {total['mistakes']} wrong"
    print(f"== decided: {decided}; {_line(total)}")  # noqa: T201


def _line(tally: Counter[str]) -> str:
    """Returns the counts of squares and frames as text."""
    parts = []
    for kind in ("settled", "hand"):
        numbers = ", ".join(f"{tally[f'{kind} {what}']} {what}" for what in ("wrong", "open"))
        exact = f", {tally[f'{kind} exact']} exact" if kind == "settled" else ""
        lost = f", {tally[f'{kind} lost']} lost" if tally[f"{kind} lost"] else ""
        parts.append(f"{tally[kind]} {kind} frames: squares {numbers}{exact}{lost}")
    return "; ".join(parts)
