"""Trial: squares read wrong on boards composed of crops of other pictures.

One condition is varied at a time. Run it with `python -m tests.evaluation composed --data FOLDER`,
where the folder holds `renders` and `photos`; without it, the trial uses the few crops in the
repository.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from firmware.rules.variants import EDITIONS
from tests.conftest import ROOT
from tests.support.composed_boards import (
    LIGHTS,
    ComposedPicture,
    ComposedSetup,
    Crops,
    compose,
    from_folder,
    from_sheet,
)
from tests.support.reading_scores import rows
from vision.errors import BoardFailure
from vision.reader import read_picture

SHEET = ROOT / "tests" / "vision" / "data" / "crops.jpg"
BASE = ComposedSetup()
CLASSIC = ("blue", "yellow", "red", "green")

_SURE = 0.95
"""Probability from which a square counts as read; `cornerlight read` names those below 0.99."""


@dataclass(slots=True)
class SquareTally:
    """Counts of squares by the result of reading."""

    boards: int = 0
    lost: int = 0
    right: int = 0
    unknown: int = 0
    phantom: int = 0
    missed: int = 0
    swapped: int = 0
    editions: int = 0

    def count(self, found: list[str], true: list[str]) -> None:
        """Adds a board, in rows of letters."""
        for one, other in zip("".join(found), "".join(true), strict=True):
            self.right += one == other
            self.unknown += one == "?"
            if one not in {other, "?"}:
                self.phantom += other == "."
                self.missed += one == "."
                self.swapped += "." not in {one, other}

    def line(self) -> str:
        wrong = self.phantom + self.missed + self.swapped
        figures = (
            self.boards,
            self.lost,
            self.right + self.unknown + wrong,
            wrong,
            self.phantom,
            self.missed,
            self.swapped,
            self.unknown,
            self.editions,
        )
        return " ".join(f"{figure:8d}" for figure in figures)


HEADING = " ".join(
    f"{word:>8}"
    for word in "boards lost squares wrong phantom missed swapped unknown edition".split()  # noqa: SIM905
)
"""Columns of the table. wrong = phantom (empty, read as a colour) + missed (a colour, read as
empty) + swapped (one colour read as another); edition: boards with a wrong edition."""


def read(tally: SquareTally, one: ComposedPicture, setting: ComposedSetup, known: str) -> None:
    """Reads a board and counts its squares.

    Args:
        tally: counts to add to.
        one: the board.
        setting: conditions of the picture.
        known: "edition" if corners and edition are given; "corners" or "markers" if only these are
            given and the edition has to be recognised.
    """
    reading = read_picture(
        one.image,
        len(one.cells),
        palette=setting.edition if known == "edition" else None,
        corners=None if known == "markers" else one.corners,
    )
    tally.boards += 1
    if isinstance(reading, BoardFailure):
        tally.lost += 1
        return
    tally.editions += set(reading.palette) != set(setting.edition)
    tally.count(rows(reading, _SURE), one.cells)


def settings() -> Iterator[tuple[str, ComposedSetup, str]]:
    """Yields the cases: a name, the setting, and the given knowledge as in `read`."""
    for light in LIGHTS:
        yield f"light: {light}", replace(BASE, light=light), "edition"
    for light in LIGHTS:
        yield f"classic, light: {light}", ComposedSetup(CLASSIC, light, 6, 26), "edition"
    for name, edition in EDITIONS.items():
        size = 26 if len(edition) == 4 else 32
        yield f"edition: {name}", replace(BASE, edition=edition, square_px=size), "edition"
        yield f"edition to be told: {name}", replace(BASE, edition=edition), "corners"
    for slant in (0.0, 15.0, 25.0, 35.0):
        yield f"slant: {slant:g} degrees", replace(BASE, slant_deg=slant), "edition"
    for px in (48, 24, 20, 16, 13, 10):
        yield f"square: {px} px", replace(BASE, square_px=px), "edition"
        yield f"classic, square: {px} px", ComposedSetup(CLASSIC, square_px=px), "edition"
    yield "markers, edition to be told", BASE, "markers"


def trial(crops: Sequence[Crops], setting: ComposedSetup, known: str, boards: int) -> SquareTally:
    """Returns the counts of some boards of one setting."""
    usable = [one for one in crops if one.can_be(setting.edition)]
    tally = SquareTally()
    for seed in range(boards):
        chosen = usable[seed % len(usable)]
        read(tally, compose(chosen, setting, seed), setting, known)
    return tally


def main(words: Sequence[str]) -> None:
    """Composes boards and prints a table."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation composed")
    parser.add_argument("--data", type=Path, help="folder with renders and photos")
    parser.add_argument("--boards", type=int, default=12, help="boards of each kind")
    parser.add_argument("--only", default="", help="kinds whose name contains this")
    arguments = parser.parse_args(words)
    crops = list(from_folder(arguments.data)) if arguments.data else from_sheet(SHEET)
    order = np.random.default_rng(1).permutation(len(crops))
    mixed = [crops[k] for k in order]
    print(f"{'':36} {HEADING}")  # noqa: T201
    for name, setting, known in settings():
        if arguments.only in name:
            print(f"{name:36} {trial(mixed, setting, known, arguments.boards).line()}", flush=True)  # noqa: T201
