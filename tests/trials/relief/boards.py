"""Boards of which it is known what lies on each square, for the network of shapes to learn from."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry import Grid
from vision.picture import load_picture
from vision.reader import read_picture
from vision.reading import Reading
from vision.relief import BARE, LIT, PLASTIC, UNDER

NOT_KNOWN = -1
_EVERY = 3
"""Every so manieth frame of the game: they show the same few pieces."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A picture and its truth.

    Attributes:
        name: of the picture.
        image: (height, width, 3) uint8.
        grid: where the board lies.
        shapes: (n, n) columns of `vision.relief.reliefs`, or `NOT_KNOWN`.
        colours: (n, n) 0 empty, then the number of the colour.
    """

    name: str
    image: Image
    grid: Grid
    shapes: NDArray[np.intp]
    colours: NDArray[np.intp]


def rendered(folder: Path) -> list[Board]:
    """The boards of a folder of folders of rendered pictures."""
    boards = []
    for path in sorted(folder.glob("*/*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = load_picture(path.with_suffix(".jpg"))
        colours = _colours(truth["cells"], ".AB")
        shapes = np.where(colours > 0, PLASTIC, BARE)
        for led in truth["leds"]:
            column, row = led["cell"]
            if not led["under_piece"]:
                shapes[-1 - row, column] = LIT
        _cover(shapes, truth)
        grid = Grid.of(truth["grid_corners_px"], len(colours), image.shape)
        boards.append(Board(path.stem, image, grid, shapes, colours))
    return boards


def recorded(folder: Path) -> list[Board]:
    """Some frames of a recorded game, the board being where its markers say."""
    events = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    boards = []
    for truth in events["frames"][::_EVERY]:
        image = load_picture(folder / truth["file"])
        reading = read_picture(image)
        assert isinstance(reading, Reading), truth["file"]
        colours = _colours(truth["cells_physical"], ".AB")
        shapes = np.where(colours > 0, PLASTIC, BARE)
        _cover(shapes, truth)
        grid = Grid.of(reading.corners, len(colours), image.shape)
        boards.append(Board(truth["file"], image, grid, shapes, colours))
    return boards


def photographed(folder: Path) -> list[Board]:
    """The photographs of a folder."""
    boards = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = load_picture(next(p for p in folder.glob(f"{path.stem}.*") if p != path))
        colours = _colours(truth["cells"], ".BYRG")
        shapes = np.where(colours > 0, PLASTIC, BARE)
        for row, column in truth.get("paper_cells", []) + truth.get("ignore_cells", []):
            shapes[row, column] = NOT_KNOWN
        grid = Grid.of(truth["corners"], len(colours), image.shape)
        boards.append(Board(path.stem, image, grid, shapes, colours))
    return boards


def _colours(rows: list[str], letters: str) -> NDArray[np.intp]:
    return np.array([[letters.index(letter) for letter in row] for row in rows], np.intp)


def _cover(shapes: NDArray[np.intp], truth: dict[str, Any]) -> None:
    """Marks what lies under a hand or a thing; squares are given as column and row from a1."""
    for column, row in truth.get("occluded_cells", []):
        shapes[-1 - row, column] = UNDER
