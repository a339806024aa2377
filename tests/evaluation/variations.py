"""Trial: reading of known pictures turned, tilted, cropped, shrunk and degraded.

`python -m tests.evaluation variations --data FOLDER` makes some variations of every picture of
`FOLDER/photos` and of the folders in `FOLDER/renders`, reads them without given corners, and counts
boards not found, boards found elsewhere, squares read wrong and squares reported as unsure.
`--plain` reads the unchanged pictures, or `--light` times as bright ones; `--cropped` cuts them 0.1
to 0.8 squares beside the field, half of them also made rectangular; `--ruined` tiny, dark and
tilted ones; with `--bare` markers are painted over, and with `--cut` a part of the board is outside
the picture.

`--vary NAME=FACTOR` multiplies a constant first, as
`vision.squares.tile_colours._AS_BEFORE=1.2`, to show what hangs on it; `--network FILE`
reads with a network of shapes other than the one there is.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.referee.still_photo import StillPhoto, examine_picture
from firmware.rules.variants import GAMES, LETTERS, Edition, Variant
from tests.evaluation.constants import multiplied
from tests.support.degraded_pictures import packed
from tests.support.ruined_pictures import ruined, tilted, without_markers
from vision.camera import Image
from vision.errors import BoardFailure
from vision.geometry.grid import OUTLINE, Grid, Points, apply_homography, rescaled
from vision.io.image_file import load_picture, open_picture
from vision.reader import read_picture
from vision.reading import Reading
from vision.squares import network

FAR: Final = 0.25
"""Error of a corner in squares, above which the board counts as found elsewhere."""

_ASTRAY = 0.1
"""Error of a corner in squares, above which the corner counts as astray."""


@dataclass(frozen=True, slots=True, eq=False)
class VariationSample:
    """A picture and its truth: corners (4, 2), letters (n, n), and a mask of squares that count."""

    name: str
    image: Image
    corners: Points
    cells: NDArray[np.str_]
    counts: NDArray[np.bool_]


def samples_of(folder: Path) -> Iterator[tuple[str, VariationSample]]:
    """Yields the pictures of a folder of data, with the kind of each."""
    for kind, path in truths_of(folder):
        yield kind, sample(kind, path)


def truths_of(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yields the files with the truth of the pictures of a folder, with the kind of each.

    Raises:
        FileNotFoundError: there is no folder of photographs or of renders.
    """
    if not any((folder / name).is_dir() for name in ("photos", "renders")):
        raise FileNotFoundError(f"{folder} has no folder 'photos' and none 'renders'")
    for path in sorted((folder / "photos").glob("*.json")):
        yield "photos", path
    for kind in sorted(one.name for one in (folder / "renders").glob("*")):
        for path in sorted((folder / "renders" / kind).glob("*.json")):
            yield kind, path


def sample(kind: str, path: Path) -> VariationSample:
    """Returns the picture of a kind beside the file with its truth."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    file = next(p for p in path.parent.glob(f"{path.stem}.*") if p != path)
    if kind == "photos":
        cells = np.array([list(row) for row in truth["cells"]])
        counts = np.ones(cells.shape, np.bool_)
        for row, column in truth.get("paper_cells", []) + truth.get("ignore_cells", []):
            counts[row, column] = False
        picture = open_picture(file)
        corners = rescaled(np.array(truth["corners"]), 1 / picture.reduced)
        return VariationSample(path.stem, picture.image, corners, cells, counts)
    letters = {side: LETTERS[truth["edition"][side]["name"]] for side in "AB"} | {".": "."}
    cells = np.array([[letters[mark] for mark in row] for row in truth["cells"]])
    counts = np.ones(cells.shape, np.bool_)
    for column, row in truth["occluded_cells"]:
        counts[-1 - row, column] = False
    corners = np.array(truth["grid_corners_px"])
    return VariationSample(path.stem, load_picture(file), corners, cells, counts)


def varied(picture: VariationSample, chance: np.random.Generator) -> VariationSample:
    """Returns a picture of the same board under other conditions."""
    middle, spread = picture.corners.mean(axis=0), np.ptp(picture.corners, axis=0).max()
    turn = np.radians(chance.uniform(0, 360))
    side = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * spread * chance.uniform(0.8, 1.3)
    taken = middle + square @ side
    px = int(np.exp(chance.uniform(np.log(420), np.log(3000))))
    frame = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32)
    view = tilted(px, chance) @ cv2.getPerspectiveTransform(taken.astype(np.float32), frame)
    image = picture.image
    finer = float(np.linalg.norm(taken[0] - taken[1])) / px
    if finer > 1:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * finer), np.uint8)
    warped = cv2.warpPerspective(image, view, (px, px))
    inside = cv2.warpPerspective(np.ones(image.shape[:2], np.uint8), view, (px, px))
    # Outside the picture the table is filled in: mottled, with a grain.
    table = np.median(image, axis=(0, 1)) + chance.normal(0, 6, (px, px, 1))
    warped = np.where(np.asarray(inside)[..., None] > 0, warped, np.clip(table, 0, 255))
    corners = apply_homography(view, picture.corners)
    spoilt = _spoilt(np.asarray(warped, np.uint8), chance)
    return VariationSample(picture.name, spoilt, corners, picture.cells, picture.counts)


def _spoilt(image: Image, chance: np.random.Generator) -> Image:
    """Returns the picture with other light, camera and compression."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    angle = chance.uniform(0, 2 * np.pi)
    slope = (x * np.cos(angle) + y * np.sin(angle)) / max(height, width)
    lit = np.exp(chance.normal(0, 0.3) * (slope - slope.mean()))[..., None]
    linear = (image / 255.0) ** 2.2 * lit * np.exp(chance.normal(-0.1, 0.3))
    linear = linear * np.exp(chance.normal(0, 0.08, 3))
    gamma = np.exp(chance.normal(0, 0.12)) / 2.2
    spoilt = np.asarray(np.clip(linear, 0, 1) ** gamma * 255, np.float64)
    if chance.random() < 0.5:
        blur = chance.uniform(0.3, 1.2) * max(1.0, width / 1200)
        spoilt = np.asarray(cv2.GaussianBlur(spoilt, (0, 0), blur), np.float64)
    return packed(spoilt + chance.normal(0, chance.choice([1.0, 3.0, 6.0]), spoilt.shape))


def cropped(picture: VariationSample, chance: np.random.Generator) -> VariationSample:
    """Returns a picture that ends 0.1 to 0.8 squares beside the field, on each side by its own."""
    size = len(picture.cells)
    grid = Grid.of(picture.corners, size, picture.image.shape)
    first, last = -chance.uniform(0.1, 0.8, 2), size + chance.uniform(0.1, 0.8, 2)
    around = grid.project(first + (last - first) * OUTLINE)
    if chance.random() < 0.5:
        left, top = np.maximum(np.floor(around.min(axis=0)), 0).astype(int)
        right, bottom = np.ceil(around.max(axis=0)).astype(int)
        image = np.ascontiguousarray(picture.image[top:bottom, left:right])
        return replace(picture, image=image, corners=picture.corners - [left, top])
    width, height = np.round((last - first) * np.clip(grid.square_px, 10, 40)).astype(int).tolist()
    frame = (OUTLINE * [width, height]).astype(np.float32)
    view = cv2.getPerspectiveTransform(around.astype(np.float32), frame)
    warped = cv2.warpPerspective(
        picture.image, view, (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    corners = apply_homography(view, picture.corners)
    return replace(picture, image=np.asarray(warped, np.uint8), corners=corners)


def ruins(
    picture: VariationSample, chance: np.random.Generator, *, bare: bool, cut: bool
) -> VariationSample:
    """Returns a picture of the same board that is hard to read."""
    image = without_markers(picture.image) if bare else picture.image
    size = len(picture.cells)
    image, corners = ruined(image, picture.corners, size, chance, cut=cut)
    return VariationSample(picture.name, image, corners, picture.cells, picture.counts)


def judged(picture: VariationSample, edition: Edition | None = None) -> Counter[str]:
    """Returns the counts of one picture, whose edition is recognised unless it is given."""
    started = time.process_time()
    reading = read_picture(picture.image, None, edition)
    counts = Counter(boards=1, ms=round(1000 * (time.process_time() - started)))
    if isinstance(reading, BoardFailure):
        return counts + Counter(lost=1)
    off = corner_error(reading.corners, picture.corners)
    side = float(np.linalg.norm(picture.corners[0] - picture.corners[1])) / len(picture.cells)
    found = examine_picture(reading, game_of(reading))
    counts += Counter(
        other_edition=int(not set("".join(picture.cells.ravel())) <= letters_of(found.edition)),
        implausible=int(not found.plausible),
    )
    wrong, unsure, bad_cells = wrong_squares(picture, found)
    if reading.size != len(picture.cells) or off > FAR * side:
        return counts + Counter(elsewhere=1, astray_wrong=wrong)
    return counts + Counter(
        squares=int(picture.counts.sum()),
        off=round(1000 * off / side),
        astray=int(off > _ASTRAY * side),
        wrong=wrong,
        unsure=unsure,
        right=int(bad_cells == 0),
        exact=int(wrong + unsure == 0),
        silent=int(wrong > 0),
    )


def corner_error(corners: Points, truth: Points) -> float:
    """Largest error of a corner in pixels, least over the quarter turns of the board."""
    turns = (np.roll(corners, -turn, axis=0) for turn in range(4))
    return min(float(np.linalg.norm(turn - truth, axis=1).max()) for turn in turns)


def game_of(reading: Reading) -> Variant:
    """Returns the variant with the size and the number of colours of a reading."""
    key = "classic" if reading.size == 20 else "duo" if len(reading.palette) == 2 else "duo-4"
    return GAMES[key]


def letters_of(edition: Edition) -> set[str]:
    """Returns the letters that squares of an edition may have."""
    return {".", *(LETTERS[name] for name in edition)}


def wrong_squares(picture: VariationSample, found: StillPhoto) -> tuple[int, int, int]:
    """Returns the numbers of squares wrong with certainty, of unsure ones, and of all wrong ones.

    Any side of the board may be read as the upper one.
    """
    rows = np.array([list(row) for row in found.rows])
    doubted = np.zeros(rows.size, np.bool_)
    doubted[list(found.unsure)] = True
    unsure = doubted.reshape(rows.shape)
    if rows.shape != picture.cells.shape:
        return int((~unsure).sum()), int(unsure.sum()), rows.size
    scores = []
    for turn in range(4):
        bad = (np.rot90(rows, turn) != picture.cells) & picture.counts
        open_ = np.rot90(unsure, turn) & picture.counts
        scores.append((int((bad & ~open_).sum()), int(open_.sum()), int(bad.sum())))
    return min(scores)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints a line for each kind, and for each picture with a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation variations")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--each", type=int, default=3, help="variations of a picture (default: 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="unchanged pictures")
    parser.add_argument("--light", type=float, default=1.0, help="with --plain: factor on values")
    parser.add_argument("--cropped", action="store_true", help="cut close to the field")
    parser.add_argument("--ruined", action="store_true", help="tiny, dark and tilted pictures")
    parser.add_argument("--bare", action="store_true", help="with --ruined: without markers")
    parser.add_argument(
        "--cut", action="store_true", help="with --ruined: board partly out of view"
    )
    parser.add_argument("--vary", default="", metavar="MODULE.NAME=FACTOR")
    parser.add_argument("--network", type=Path, metavar="FILE", help="another network of shapes")
    arguments = parser.parse_args(words)
    with (
        multiplied(arguments.vary) if arguments.vary else nullcontext(),
        patch.object(network, "FILE", arguments.network or network.FILE),
    ):
        _read(arguments)


def _read(arguments: argparse.Namespace) -> None:
    chance = np.random.default_rng(arguments.seed)
    totals: dict[str, Counter[str]] = {}
    for kind, picture in samples_of(arguments.data):
        for _ in range(1 if arguments.plain else arguments.each):
            counts = judged(_taken(picture, chance, arguments))
            totals.setdefault(kind, Counter()).update(counts)
            if counts["lost"] or counts["elsewhere"] or counts["wrong"] or counts["unsure"]:
                print(f"  {picture.name}: {_line(counts)}", flush=True)  # noqa: T201
    for kind, total in totals.items():
        print(f"{kind}: {_line(total)}, {total['ms'] / total['boards']:.0f} ms")  # noqa: T201


def _taken(
    picture: VariationSample, chance: np.random.Generator, arguments: argparse.Namespace
) -> VariationSample:
    """Returns the picture changed by the command line."""
    if arguments.plain:
        light = np.clip(picture.image * arguments.light, 0, 255)
        return replace(picture, image=np.asarray(light, np.uint8))
    if arguments.cropped:
        return cropped(picture, chance)
    if arguments.ruined:
        return ruins(picture, chance, bare=arguments.bare, cut=arguments.cut)
    return varied(picture, chance)


def _line(n: Counter[str]) -> str:
    found = n["boards"] - n["lost"] - n["elsewhere"]
    return (
        f"{n['boards']} boards, {n['lost']} not found, {n['elsewhere']} elsewhere with "
        f"{n['astray_wrong']} squares wrong, {n['other_edition']} taken for another edition, "
        f"{n['implausible']} implausible, "
        f"{n['exact']} exact, {n['right']} right, {n['silent']} with silent faults; "
        f"{n['squares']} squares, {n['wrong']} wrong, {n['unsure']} unsure; "
        f"corners {n['off'] / max(1, 1000 * found):.3f} squares off, "
        f"{n['astray']} over {_ASTRAY}"
    )
