"""Boards with known squares, as training data of the network of shapes."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.errors import GeometryError
from vision.geometry.grid import Grid
from vision.io.image_file import load_picture
from vision.squares.network import BARE, DARK, LIGHT, LIT, UNDER

NOT_KNOWN = -1
"""Label of a square without a known truth."""

ANY_SHADE = 7
"""Label of a tile that may count as dark or as light."""

_DARK, _LIGHT = 0.12, 0.35
"""Highest reflectance of black plastic, and lowest of white."""

_ALIKE = 1.5
"""Factor by which black may be lighter than the board, and white darker."""

_OPAQUE = 0.1
"""Highest transmitted share of light at which plastic has a shade of its own."""

_UNDER, _BESIDE = 0.6, 0.12
"""Hidden share of a square: lowest of a covered one, and highest of a visible one."""

_FAR = 2.0
"""Factor by which a tile of any colour must be darker or lighter to count as dark or light."""


@dataclass(frozen=True, slots=True, eq=False)
class ShapeSample:
    """A picture and its truth.

    Attributes:
        name: name of the picture.
        image: (height, width, 3) uint8.
        grid: grid of the board in the picture.
        shapes: (n, n) classes of `vision.squares.network`, `ANY_SHADE`, or `NOT_KNOWN`.
        colours: (n, n) 0 empty, then the number of the colour.
        pieces: (n, n) 0 empty, then the number of the piece.
        whole: True if the board has no further squares.
    """

    name: str
    image: Image
    grid: Grid
    shapes: NDArray[np.intp]
    colours: NDArray[np.intp]
    pieces: NDArray[np.intp]
    whole: bool = True


def rendered(folder: Path) -> list[ShapeSample]:
    """Returns the boards of a folder of folders of rendered pictures."""
    boards = []
    for path in sorted(folder.glob("*/*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = load_picture(path.with_suffix(".jpg"))
        colours = _colours(truth["cells"], ".AB")
        shapes = _shapes(colours, truth)
        for led in truth["leds"]:
            column, row = led["cell"]
            if not led["under_piece"]:
                shapes[-1 - row, column] = LIT
        _cover(shapes, truth)
        boards.append(_legal(path.stem, image, truth["grid_corners_px"], shapes, colours))
    return boards


def positions(folder: Path) -> list[ShapeSample]:
    """Returns the positions that `tests.training.tracing` made in a folder."""
    boards = []
    for path in sorted(folder.glob("traced-*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = load_picture(path.with_suffix(".jpg"))
        colours = _colours(truth["cells"], ".AB")
        shapes = np.where(colours > 0, ANY_SHADE, BARE)
        boards.append(_legal(path.stem, image, truth["grid_corners_px"], shapes, colours))
    return boards


def photographed(folder: Path) -> list[ShapeSample]:
    """Returns the photographs of a folder."""
    boards = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = load_picture(next(p for p in folder.glob(f"{path.stem}.*") if p != path))
        colours = _colours(truth["cells"], ".BYRG")
        shapes = np.where(colours > 0, ANY_SHADE, BARE)
        for row, column in truth.get("paper_cells", []) + truth.get("ignore_cells", []):
            shapes[row, column] = NOT_KNOWN
        boards.append(_legal(path.stem, image, truth["corners"], shapes, colours))
    return boards


def _legal(
    name: str,
    image: Image,
    corners: list[list[float]],
    shapes: NDArray[np.intp],
    colours: NDArray[np.intp],
) -> ShapeSample:
    """Returns a board in a legal position, whose colours tell its pieces."""
    grid = Grid.of(corners, len(colours), image.shape)
    return ShapeSample(name, image, grid, shapes, colours, connected(colours))


def connected(colours: NDArray[np.intp]) -> NDArray[np.intp]:
    """Returns (n, n) the pieces of a legal position, whose pieces of a colour share no edge."""
    pieces = np.zeros_like(colours)
    for colour in range(1, int(colours.max()) + 1):
        mask = (colours == colour).astype(np.uint8)
        _, found = cv2.connectedComponents(mask, connectivity=4)
        pieces = np.where(mask > 0, found + pieces.max(), pieces)
    return pieces


def shade_of(tile: NDArray[np.float64], board: NDArray[np.float64]) -> int:
    """Returns `DARK`, `LIGHT` or `ANY_SHADE`, valid for any mix of the channels.

    Args:
        tile: (3,) reflectance in each channel, 1 for white.
        board: (3,) reflectance of the board.
    """
    times = (tile + 1e-3) / (board + 1e-3)
    if times.max() < 1 / _FAR or (tile.max() < _DARK and times.max() < _ALIKE):
        return DARK
    if times.min() > _FAR or (tile.min() > _LIGHT and times.min() > 1 / _ALIKE):
        return LIGHT
    return ANY_SHADE


def hidden_by(shapes: NDArray[np.intp], share: NDArray[np.floating]) -> NDArray[np.intp]:
    """Returns the labels of squares when a share of each, (n, n), is under a hand or an object."""
    return np.where(share > _UNDER, UNDER, np.where(share > _BESIDE, NOT_KNOWN, shapes))


def _shapes(colours: NDArray[np.intp], truth: dict[str, Any]) -> NDArray[np.intp]:
    """Returns (n, n) labels of bare squares and of plastic by shade."""
    board = _linear(truth["board"]["rgb"])
    shades = [shade_of(_linear(truth["edition"][letter]["rgb"]), board) for letter in "AB"]
    return np.array([BARE, *shades])[colours]


def _linear(grey_levels: list[int]) -> NDArray[np.float64]:
    return np.asarray((np.array(grey_levels) / 255) ** 2.2)


def _colours(rows: list[str], letters: str) -> NDArray[np.intp]:
    return np.array([[letters.index(letter) for letter in row] for row in rows], np.intp)


def _cover(shapes: NDArray[np.intp], truth: dict[str, Any]) -> None:
    """Labels squares under a hand or an object, given as column and row from a1."""
    for column, row in truth.get("occluded_cells", []):
        shapes[-1 - row, column] = UNDER


def traced(folder: Path) -> list[ShapeSample]:
    """Returns the boards that `tests.training.tracing` made in a folder, without the smallest."""
    boards = []
    for path in sorted(folder.glob("traced-*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        image = load_picture(path.with_suffix(".jpg"))
        colours, shapes, pieces = (
            np.array(truth[name], np.intp) for name in ("colours", "shapes", "pieces")
        )
        bare = np.array(truth["board_albedo"])
        shades = [shade_of(np.array(tile), bare) for tile in truth["tile_albedos"]]
        if truth["through"] > _OPAQUE:
            shades = [ANY_SHADE] * len(shades)
        shapes = np.where(shapes == ANY_SHADE, np.array([BARE, *shades])[colours], shapes)
        try:
            grid = Grid.of(truth["corners"], len(shapes), image.shape)
        except GeometryError:
            continue  # a side is too short for squares to be seen
        boards.append(ShapeSample(path.stem, image, grid, shapes, colours, pieces, truth["whole"]))
    return boards
