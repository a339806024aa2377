"""Boards composed of crops of squares of other pictures, on other grids, in other light.

The crops are from a camera or a path tracer, not from the renderer of this project: they have real
bevels, gloss, dust and ridges. Their colours can be converted to those of another edition, the
light over the whole board changed, and the board viewed at any slant and resolution. They lack two
things: the height of tiles on a slanted board, and pieces across the lines.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.drawn_boards import TABLE, stick
from tests.support.reading_scores import LETTERS
from vision.camera import Image
from vision.geometry.grid import Grid, Points, Warp
from vision.io.image_file import load_picture
from vision.setup.camera_pose import estimate_camera_pose

SIDE = 40
"""Pixels along a side of a crop, and of a square of a composed sheet."""

MARGIN = 3
STEEPEST_DEG = 28.0
"""Slant above which the tiles of a picture extend too far beyond their squares for crops."""

NOMINAL = {
    "purple": (92, 41, 138),
    "orange": (236, 104, 20),
    "blue": (25, 70, 170),
    "green": (30, 140, 60),
    "red": (200, 30, 35),
    "yellow": (245, 205, 25),
    "black": (24, 24, 26),
    "white": (236, 234, 228),
}
"""Colour of each plastic in uniform daylight, red, green, blue."""


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Squares cropped from one picture.

    Attributes:
        name: name of the picture.
        real: True for a photograph.
        squares: crops, (k, SIDE, SIDE, 3) uint8, by colour; "empty" for empty squares.
    """

    name: str
    real: bool
    squares: dict[str, NDArray[np.uint8]]

    @property
    def colours(self) -> list[str]:
        return [name for name in self.squares if name != "empty"]

    def can_be(self, edition: tuple[str, ...]) -> bool:
        """True if its colours can be converted to those of an edition: grey has no hue."""
        vivid = set(self.colours) - {"black", "white"}
        return bool(vivid) or set(edition) <= set(self.colours)


def cut(name: str, image: Image, grid: Grid, colours: list[str | None], *, real: bool) -> Crops:
    """Returns the squares of a picture, by colour; those with the colour None are left out."""
    view = Warp.of(grid, SIDE, 0)(image)
    n = grid.size
    pieces = view.reshape(n, SIDE, n, SIDE, 3).transpose(0, 2, 1, 3, 4).reshape(-1, SIDE, SIDE, 3)
    kinds = {colour for colour in colours if colour}
    return Crops(
        name,
        real,
        {
            kind: pieces[[colour == kind for colour in colours]]
            for kind in sorted(kinds)
            if sum(colour == kind for colour in colours) >= 4
        },
    )


def from_folder(folder: Path) -> Iterator[Crops]:
    """Yields crops of all renders and photographs in a folder of pictures with truths."""
    for path in sorted(folder.glob("renders/*/*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        names = {letter: truth["edition"][letter]["name"] for letter in "AB"}
        hidden = {(13 - row, column) for column, row in truth["occluded_cells"]}
        yield from _cut_from(path, truth["grid_corners_px"], truth, names, hidden, real=False)
    letters = {letter: name for name, letter in LETTERS.items()}
    for path in sorted(folder.glob("photos/*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        unused = truth.get("paper_cells", []) + truth.get("ignore_cells", [])
        hidden = {(row, column) for row, column in unused}
        yield from _cut_from(path, truth["corners"], truth, letters, hidden, real=True)


def _cut_from(
    path: Path,
    corners: list[list[float]],
    truth: dict[str, Any],
    names: dict[str, str],
    hidden: set[tuple[int, int]],
    *,
    real: bool,
) -> Iterator[Crops]:
    pictures = [path.with_suffix(suffix) for suffix in (".jpg", ".png")]
    image = load_picture(next(picture for picture in pictures if picture.is_file()))
    cells = truth["cells"]
    grid = Grid.of(corners, len(cells), image.shape)
    if estimate_camera_pose(grid).slant_deg > STEEPEST_DEG:
        return
    colours = [
        None if (row, column) in hidden else names.get(letter, "empty")
        for row, line in enumerate(cells)
        for column, letter in enumerate(line)
    ]
    crops = cut(path.stem, image, grid, colours, real=real)
    if "empty" in crops.squares and len(crops.colours) > 1:
        yield crops


def from_sheet(path: Path) -> list[Crops]:
    """Returns the crops of a sheet that `to_sheet` made, by its index file."""
    sheet = load_picture(path)
    rows = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, NDArray[np.uint8]]] = {}
    for k, (name, colour) in enumerate(rows):
        line = sheet[k * SIDE : (k + 1) * SIDE]
        squares = line.reshape(SIDE, -1, SIDE, 3).transpose(1, 0, 2, 3)
        found.setdefault(name, {})[colour] = np.ascontiguousarray(squares)
    return [Crops(name, real=False, squares=squares) for name, squares in found.items()]


def to_sheet(crops: list[Crops], count: int, path: Path) -> None:
    """Saves some crops of each colour as one picture, a row for each."""
    chance = np.random.default_rng(1)
    lines, rows = [], []
    for one in crops:
        for colour, squares in one.squares.items():
            chosen = squares[chance.choice(len(squares), count, replace=len(squares) < count)]
            lines.append(chosen.transpose(1, 0, 2, 3).reshape(SIDE, count * SIDE, 3))
            rows.append([one.name, colour])
    cv2.imwrite(str(path), np.concatenate(lines), [cv2.IMWRITE_JPEG_QUALITY, 95])
    path.with_suffix(".json").write_text(json.dumps(rows) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class ComposedSetup:
    """Conditions of a composed picture.

    Attributes:
        edition: names of its colours.
        light: kind of light, one of LIGHTS.
        slant_deg: slant of the camera in degrees.
        square_px: width of a square in the picture.
        noise: standard deviation of the sensor's noise in grey levels.
    """

    edition: tuple[str, ...] = ("purple", "orange")
    light: str = "even"
    slant_deg: float = 6.0
    square_px: float = 32.0
    noise: float = 2.0


LIGHTS = ("even", "gradient", "corner lamp", "warm lamp", "cold sky", "half in shadow", "dim")


@dataclass(frozen=True, slots=True, eq=False)
class ComposedPicture:
    """A composed picture and its truth."""

    image: Image
    corners: Points
    cells: list[str]


def compose(crops: Crops, setting: ComposedSetup, seed: int) -> ComposedPicture:
    """Returns a picture of a random legal position, made of some crops."""
    chance = random.Random(seed)  # noqa: S311
    cells = random_cells(setting.edition, chance)
    sheet = _lit(_sheet(crops, cells, setting.edition, chance), setting.light, chance)
    return _photographed(sheet, cells, setting, seed)


def random_cells(edition: tuple[str, ...], chance: random.Random) -> list[str]:
    """Returns the rows of a board after some random legal moves, in letters of `LETTERS`."""
    game = GAMES["duo" if len(edition) == 2 else "classic"]
    position = Position.start(game)
    for _ in range(chance.randrange(4, 22 if game.size == 14 else 60)):
        if position.is_over:
            break
        index = int(chance.choice(position.legal_moves.indices))
        position = position.play(position.board.move(index))
    letters = []
    for square in range(game.size**2):
        colour = position.colour_at(square)
        letters.append("." if colour is None else LETTERS[edition[colour]])
    return ["".join(letters[k : k + game.size]) for k in range(0, len(letters), game.size)]


def _sheet(
    crops: Crops, cells: list[str], edition: tuple[str, ...], chance: random.Random
) -> Image:
    """Returns the board from vertically above with a rim, a table and markers."""
    n = len(cells)
    side = (n + 2 * MARGIN) * SIDE
    sheet = np.full((side, side, 3), TABLE, np.uint8)
    start, end = MARGIN * SIDE, (MARGIN + n) * SIDE
    rim = np.median(crops.squares["empty"].reshape(-1, 3), axis=0)
    sheet[start - 20 : end + 20, start - 20 : end + 20] = rim * 0.8
    names = {LETTERS[name]: name for name in edition}
    origin = dict(zip(edition, _origins(crops.colours, edition, chance), strict=True))
    for row, line in enumerate(cells):
        for column, letter in enumerate(line):
            name = names.get(letter)
            kind = "empty" if name is None else origin[name]
            square = chance.choice(crops.squares[kind])
            if name is not None:
                square = recoloured(square, kind, name, crops.squares[kind])
            y, x = (MARGIN + row) * SIDE, (MARGIN + column) * SIDE
            sheet[y : y + SIDE, x : x + SIDE] = square
    for name_of_marker, (right, down) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        stick(sheet, name_of_marker, right, down)
    return sheet


def _origins(present: list[str], edition: tuple[str, ...], chance: random.Random) -> list[str]:
    """Returns the plastic of the crops for each colour: the same colour if it is present."""
    vivid = [name for name in present if name not in {"black", "white"}]
    return [name if name in present else chance.choice(vivid) for name in edition]


def recoloured(
    square: NDArray[np.uint8], kind: str, name: str, like: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Returns a crop in another colour of plastic, with its gloss and shade.

    Args:
        square: (SIDE, SIDE, 3) the crop.
        kind: its colour.
        name: the new colour.
        like: (k, SIDE, SIDE, 3) crops of the same plastic, by which its light is estimated.
    """
    if kind == name:
        return square
    old, new = (_lab(np.array([[NOMINAL[one][::-1]]], np.uint8))[0, 0] for one in (kind, name))
    usual = np.median(_lab(like.reshape(-1, SIDE, 3)).reshape(-1, 3), axis=0)
    lab = _lab(square)
    # The light on the plastic: the ratio of its apparent and its nominal lightness.
    gain = usual[0] / max(old[0], 1.0)
    turn = complex(*new[1:]) / complex(*old[1:]) if np.hypot(*new[1:]) > 8 else 0
    colour = (lab[..., 1] + 1j * lab[..., 2]) * turn
    # Gloss reflects the lamp, not the plastic, and keeps its lightness.
    away = lab[..., 0] - usual[0]
    light = np.clip(new[0] * gain, 4, 96) + np.where(away > 0, away, away * new[0] / old[0])
    turned = np.stack([np.clip(light, 0, 100), colour.real, colour.imag], axis=-1)
    picture = cv2.cvtColor(turned.astype(np.float32), cv2.COLOR_LAB2BGR)
    return np.asarray(np.clip(np.asarray(picture) * 255, 0, 255), np.uint8)


def _lab(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def _lit(sheet: Image, light: str, chance: random.Random) -> Image:
    """Returns a sheet in another light, multiplied in approximately linear light (gamma 2.2)."""
    side = len(sheet)
    y, x = np.mgrid[0:side, 0:side] / side
    angle = chance.uniform(0, 2 * np.pi)
    along = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle)
    gain = np.ones((side, side, 1))
    tone = np.ones(3)
    if light == "gradient":
        gain = (1 - 0.8 * np.clip(along + 0.5, 0, 1))[..., None]
    elif light == "corner lamp":
        far = np.hypot(x - 0.5 + 0.7 * np.cos(angle), y - 0.5 + 0.7 * np.sin(angle))
        gain = (1.15 / (1 + 2.5 * far**2))[..., None]
        tone = np.array([0.75, 0.95, 1.05])
    elif light == "warm lamp":
        tone = np.array([0.45, 0.8, 1.1])
    elif light == "cold sky":
        tone = np.array([1.15, 1.0, 0.75])
    elif light == "half in shadow":
        gain = (0.35 + 0.65 / (1 + np.exp(-along / 0.02)))[..., None]
        tone = np.array([1.05, 1.0, 0.95])
    elif light == "dim":
        gain = gain * 0.18
    linear = (sheet / 255.0) ** 2.2 * gain * tone
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)


def _photographed(
    sheet: Image, cells: list[str], setting: ComposedSetup, seed: int
) -> ComposedPicture:
    """Returns a camera's picture of a sheet: slant, resolution, noise and JPEG."""
    noise = np.random.default_rng(seed)
    n = len(cells)
    width, height = (round(setting.square_px * (n + 10) * k) for k in (1.3, 1.0))
    matrix = _view(n, setting, (width, height), noise)
    shrink = SIDE / setting.square_px
    soft = sheet
    if shrink > 1:
        soft = np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.45 * shrink), np.uint8)
    picture = cv2.warpPerspective(soft, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    noisy = np.asarray(picture, np.float64) + noise.normal(0, setting.noise, picture.shape)
    exact = np.clip(noisy, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", exact, [cv2.IMWRITE_JPEG_QUALITY, 88])
    image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    start, end = MARGIN * SIDE - 0.5, (MARGIN + n) * SIDE - 0.5
    flat = np.array([[start, start], [end, start], [end, end], [start, end]])
    corners = cv2.perspectiveTransform(flat.reshape(-1, 1, 2), matrix).reshape(4, 2)
    return ComposedPicture(image, np.asarray(corners, np.float64), cells)


def _view(
    n: int, setting: ComposedSetup, shape: tuple[int, int], noise: np.random.Generator
) -> NDArray[np.float64]:
    """Returns (3, 3) the homography in pixels from the sheet to a slanted camera's picture."""
    width, height = shape
    focal = 0.9 * width
    bearing, roll = noise.uniform(0, 2 * np.pi), noise.normal(0, 3)
    axis = np.array([np.cos(bearing), np.sin(bearing), 0]) * np.radians(setting.slant_deg)
    rolled = np.asarray(cv2.Rodrigues(np.array([0, 0, np.radians(roll)]))[0])
    turned = np.asarray(cv2.Rodrigues(axis)[0]) @ rolled
    distance = focal / setting.square_px
    middle = (n + 2 * MARGIN) / 2
    to_board = np.array([[1 / SIDE, 0, -middle], [0, 1 / SIDE, -middle], [0, 0, 1]])
    pose = np.stack([turned[:, 0], turned[:, 1], np.array([0, 0, distance])], axis=1)
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return np.asarray(camera @ pose @ to_board, np.float64)
