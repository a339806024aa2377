"""Trial: squares wrong, left open, and calibration of probabilities in degraded pictures.

Run it with `python -m tests.evaluation coverage --data FOLDER --plot OUT.png`, where the folder
holds `renders` with their truths. Corners and edition are given, so that only the reading of
squares is tested. The plot needs Chromium.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.conftest import ROOT
from tests.evaluation.coverage_plot import draw
from tests.support.degraded_pictures import WORSENINGS
from tests.support.reading_scores import LETTERS, SURE, named
from vision.camera import Image
from vision.errors import BoardFailure
from vision.geometry.grid import Points
from vision.io.image_file import load_picture
from vision.reader import read_picture

SAMPLES = ROOT / "tests" / "vision" / "data"
CLAIMS = (0.5, 0.2, 0.1, 0.03, 0.01, 1e-3, 1e-4, 0.0)
"""Bounds of the bins of claimed error probability."""


@dataclass(frozen=True, slots=True, eq=False)
class CoverageSample:
    """A picture of a Duo board and its truth; unused squares are False in `counted`."""

    image: Image
    corners: Points
    edition: tuple[str, str]
    letters: NDArray[np.str_]
    counted: NDArray[np.bool_]


@dataclass(slots=True)
class SquareResults:
    """Read squares: their certainty, True if right, True if answered."""

    sureness: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    open: int = 0

    def add(self, other: "SquareResults") -> None:
        self.sureness += other.sureness
        self.right += other.right
        self.open += other.open

    @property
    def count(self) -> int:
        return len(self.right) + self.open

    def shares(self) -> tuple[float, float, float]:
        """Returns the shares of right, open and wrong squares; open are those that are not sure."""
        sure = np.asarray(self.sureness) >= SURE
        right = np.asarray(self.right, bool)
        good, bad = int((sure & right).sum()), int((sure & ~right).sum())
        return good / self.count, 1 - (good + bad) / self.count, bad / self.count

    def risk(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the share of answered squares, surest first, and the share wrong among them."""
        order = np.argsort(-np.asarray(self.sureness), kind="stable")
        wrong = np.cumsum(~np.asarray(self.right, bool)[order])
        answered = np.arange(1, len(wrong) + 1)
        return answered / self.count, wrong / answered

    def calibration(self) -> Iterator[tuple[float, int, int]]:
        """Yields mean claimed error, number of squares and number of errors, for each of CLAIMS."""
        claim = 1 - np.asarray(self.sureness)
        right = np.asarray(self.right, bool)
        for high, low in pairwise(CLAIMS):
            within = (claim <= high) & (claim > low) if low else claim <= high
            if within.any():
                yield float(claim[within].mean()), int(within.sum()), int((~right[within]).sum())


def samples() -> Iterator[CoverageSample]:
    """Yields the pictures in the repository."""
    truths = json.loads((SAMPLES / "truth.json").read_text(encoding="utf-8"))
    for name, truth in truths.items():
        if truth.get("hand"):
            continue
        cells = named(truth["cells"], "purple", "orange")
        letters = np.array([list(line) for line in cells]).ravel()
        yield CoverageSample(
            load_picture(SAMPLES / name),
            np.array(truth["corners"]),
            ("purple", "orange"),
            letters,
            np.ones(len(letters), bool),
        )


def renders(folder: Path) -> Iterator[CoverageSample]:
    """Yields all path-traced renders in a folder, with hands and objects over some squares."""
    for path in sorted(folder.glob("renders/*/*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        edition = tuple(truth["edition"][letter]["name"] for letter in "AB")
        cells = named(truth["cells"], *edition)
        counted = np.ones((14, 14), bool)
        for column, row in truth["occluded_cells"]:
            counted[13 - row, column] = False
        yield CoverageSample(
            load_picture(path.with_suffix(".jpg")),
            np.array(truth["grid_corners_px"]),
            (edition[0], edition[1]),
            np.array([list(line) for line in cells]).ravel(),
            counted.ravel(),
        )


def read(picture: CoverageSample, image: Image, corners: Points) -> SquareResults:
    """Reads a picture, degraded or not."""
    reading = read_picture(image, 14, picture.edition, corners)
    if isinstance(reading, BoardFailure):
        return SquareResults(open=int(picture.counted.sum()))
    marks = np.array(["."] + [LETTERS[name] for name in reading.palette])
    likely = reading.probabilities.argmax(axis=1)
    plain = picture.counted & ~reading.covered
    return SquareResults(
        [float(value) for value in reading.probabilities.max(axis=1)[plain]],
        [bool(value) for value in (marks[likely] == picture.letters)[plain]],
        int((picture.counted & reading.covered).sum()),
    )


def measure(pictures: Sequence[CoverageSample], seed: int = 1) -> dict[str, list[SquareResults]]:
    """Returns the results at each step of each degradation."""
    chance = np.random.default_rng(seed)
    untouched = [read(one, one.image, one.corners) for one in pictures]
    found: dict[str, list[SquareResults]] = {}
    for way in WORSENINGS:
        found[way.name] = []
        for step in way.steps:
            total = SquareResults()
            for one, before in zip(pictures, untouched, strict=True):
                if step == way.steps[0]:
                    total.add(before)
                    continue
                total.add(read(one, *way.apply(one.image, one.corners, step, chance)))
            found[way.name].append(total)
            _say(way.name, step, total)
    return found


def _say(name: str, step: float, squares: SquareResults) -> None:
    right, left_open, wrong = squares.shares()
    print(  # noqa: T201
        f"{name:8} {step:6g} {squares.count:8d} squares  right {right:8.4%}  "
        f"open {left_open:8.4%}  wrong {wrong:8.4%}",
        flush=True,
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial, prints the results and draws the plot."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation coverage")
    parser.add_argument("--data", type=Path, help="folder with renders")
    parser.add_argument("--pictures", type=int, default=30, help="maximum number of renders")
    parser.add_argument("--plot", type=Path, metavar="OUT.png", help="file of the plot")
    arguments = parser.parse_args(words)
    pictures = list(renders(arguments.data) if arguments.data else samples())
    every = -(-len(pictures) // arguments.pictures)
    found = measure(pictures[::every])
    everything = SquareResults()
    for steps in found.values():
        for squares in steps[1:]:
            everything.add(squares)
    for claim, count, wrong in everything.calibration():
        print(f"claimed error {claim:9.2e}: {wrong:6d} of {count:7d} wrong, {wrong / count:9.2e}")  # noqa: T201
    if arguments.plot:
        draw(found, everything, arguments.plot)
