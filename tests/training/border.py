"""Fits the trees of `vision.squares.border`, and measures them.

    python -m tests.training border --scenes 1000 --traced FOLDER --save FILE.yml.gz

It learns from the tiles on the border in scenes of the trial `rim`: pieces over the rim, and right
moves with other pieces close beside them, rendered and, from recordings of `python -m
tests.training tracing --rims`, ray-traced. The scenes have other seeds than those of the trial.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.rules.position import Position
from firmware.simulator.table import CELL_MM, TablePiece
from tests.evaluation.rim import laying
from tests.evaluation.rim_scenes import Arrival, scene
from tests.support.table_script import ScriptedTable, Surround, Wait
from tests.training.tracing.rim import traced
from vision.camera import Image
from vision.detection.board_detector import locate
from vision.detection.board_pose import fit_squares
from vision.errors import BoardFailure
from vision.geometry.grid import Grid
from vision.reading import GOES_ON, border_of
from vision.squares.border import TOTAL
from vision.squares.network import _border, _run, shapes_of

SEED: Final = 7001
"""Seed of the rendered scenes."""

_TRIED: Final = 3
"""Right moves that are drawn for each scene; those without a piece close beside are left out."""

_SEEN: Final = (Arrival.BEFORE, Arrival.CAME, Arrival.WITH)
"""Arrivals of what lies beside the board in the picture."""

_FOLDS: Final = 5
"""Parts of the scenes of which each is measured with trees of the others."""

_TREES, _DEPTH = 100, 3
"""Number and depth of the trees."""

Samples = list[tuple[NDArray[np.float32], bool]]
"""Features of a tile on the border, and True if it goes on beyond it."""


def main(words: Sequence[str]) -> None:
    """Gathers tiles, prints how well they are told apart, and saves the trees."""
    parser = argparse.ArgumentParser(prog="python -m tests.training border")
    parser.add_argument("--scenes", type=int, default=300, help="rendered scenes of each kind")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="recordings at the rim")
    parser.add_argument("--save", type=Path, metavar="FILE", help="file of the trees")
    chosen = parser.parse_args(words)
    cv2.setNumThreads(1)
    tables = sorted(chosen.traced.glob("*/events.json")) if chosen.traced else []
    with ProcessPoolExecutor() as processes:
        found = [
            *processes.map(partial(rendered, hangs=True), range(chosen.scenes)),
            *processes.map(partial(rendered, hangs=False), range(_TRIED * chosen.scenes)),
            *processes.map(_recorded, tables),
        ]
    # A scene lies in one part.
    part = np.repeat(np.arange(len(found)) % _FOLDS, [len(one) for one in found])
    samples = [sample for one in found for sample in one]
    x = np.array([features for features, _ in samples], np.float32)
    y = np.array([goes_on for _, goes_on in samples], np.int32)
    total = _held_out(x, y, part)
    slope, constant = _line(total, y)
    odds = slope * total + constant
    print(f"{len(y)} tiles of {sum(map(bool, found))} pictures, {y.sum()} go on")  # noqa: T201
    for least in (-GOES_ON, 0, GOES_ON):
        missed, wrong = (odds[y > 0] < least).sum(), (odds[y == 0] > least).sum()
        print(f"{least:4}: {missed} that go on below, {wrong} others above")  # noqa: T201
    if chosen.save:
        stored = cv2.FileStorage(str(chosen.save), cv2.FILE_STORAGE_WRITE)
        _boosted(x, y).write(stored, "trees")
        stored.write("slope", slope)
        stored.write("constant", constant)
        stored.release()


def _held_out(
    x: NDArray[np.float32], y: NDArray[np.int32], part: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(m,) sum of the trees for each tile, with trees fitted to the other parts."""
    total = np.zeros(len(y))
    for own in (part == fold for fold in range(_FOLDS)):
        trees = _boosted(x[~own], y[~own])
        total[own] = trees.predict(x[own], flags=TOTAL)[1][:, 0]
    return total


def _boosted(x: NDArray[np.float32], y: NDArray[np.int32]) -> cv2.ml.Boost:
    """Returns trees fitted to (m, 31) features of tiles, and (m,) 1 for those that go on."""
    trees = cv2.ml.Boost.create()
    trees.setBoostType(cv2.ml.BOOST_GENTLE)
    trees.setWeakCount(_TREES)
    trees.setMaxDepth(_DEPTH)
    trees.setWeightTrimRate(0.98)
    trees.train(x, cv2.ml.ROW_SAMPLE, y)
    return trees


def _line(total: NDArray[np.float64], y: NDArray[np.int32]) -> tuple[float, float]:
    """Returns slope and constant that make log odds of sums of trees: Platt's logistic fit.

    Both classes have the same weight, so that the odds are those at even chances.

    Args:
        total: (m,) sums.
        y: (m,) 1 for a tile that goes on, otherwise 0.
    """
    spread = total.std()
    scaled = np.column_stack([total / spread, np.ones(len(y))])
    weight = np.where(y > 0, 1 / y.sum(), 1 / (y == 0).sum())
    line = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-scaled @ line))
        bend = scaled.T @ (scaled * (weight * chance * (1 - chance))[:, None])
        line += np.linalg.solve(bend, scaled.T @ (weight * (y - chance)))
    return float(line[0] / spread), float(line[1])


def rendered(number: int, *, hangs: bool) -> Samples:
    """Returns the tiles on the border of a rendered scene; none where the board is not found."""
    one = scene(SEED, number, hangs=hangs)
    if not hangs and not any(one.adjoining(*_SEEN)):
        return []
    actions = [
        replace(action, markers=True) if isinstance(action, Surround) else action
        for action in one.surroundings
    ]
    laid = [laying(piece) for piece in (*one.pieces, *one.beside(*_SEEN), one.piece)]
    *_, frame = ScriptedTable(one.setting).play([*actions, *laid, Wait(1)])
    size = one.position.board.size
    fit = locate(frame.image, size, None)
    if isinstance(fit, BoardFailure):
        return []
    tiles = np.zeros(size * size, np.bool_)
    for piece in (*one.pieces, one.piece):
        tiles[[square for square in piece.squares() if square is not None]] = True
    return list(_samples(frame.image, fit.grid, tiles, _places(one.piece, size)))


def _places(piece: TablePiece, size: int) -> set[tuple[int, int]]:
    """Returns row and column of each square of a piece, also of those beyond the border."""
    x_mm, y_mm = piece.middle_mm
    edge = size * CELL_MM / 2
    return {
        (
            int((edge - y_mm - up * CELL_MM) // CELL_MM),
            int((edge + x_mm + right * CELL_MM) // CELL_MM),
        )
        for right, up in piece.offsets()
    }


def _recorded(path: Path) -> Samples:
    """Returns the tiles on the border in the last picture of a traced recording."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    last = truth["frames"][-1]
    size = Position.parse(truth["meta"]["position"]).board.size
    image = np.asarray(cv2.imread(str(path.parent / last["file"])), np.uint8)
    grid = fit_squares(image, Grid.of(last["grid_corners_px"], size, image.shape))
    assert grid is not None, "a recording shows its board"
    tiles = np.array(["".join(last["cells_physical"])]).view("U1") != "."
    _, seed, number = path.parent.name.split("-")
    one = scene(int(seed), int(number), hangs=truth["meta"]["beyond"] > 0, game="duo")
    return list(_samples(image, grid, tiles, set(traced(one.piece).squares)))


def _samples(
    image: Image, grid: Grid, tiles: NDArray[np.bool_], piece: set[tuple[int, int]]
) -> Iterator[tuple[NDArray[np.float32], bool]]:
    """Yields the tiles on the border.

    Args:
        image: the picture.
        grid: place of the board.
        tiles: (n * n,) True for squares with a tile.
        piece: row and column of each square of the piece that may hang over the rim.
    """
    shapes, n = shapes_of(image, grid), grid.size
    there, seen = border_of(tiles), np.isfinite(shapes.beyond)
    view, outputs, _ = _run(image, grid, None)
    found = _border(view, outputs)
    ahead = ((-1, 0), (0, 1), (1, 0), (0, -1))
    for side, at in zip(*np.nonzero(there & seen), strict=True):
        row, column = ((0, at), (at, n - 1), (n - 1, at), (at, 0))[side]
        down, right = ahead[side]
        goes_on = {(row, column), (row + down, column + right)} <= piece
        yield found[side, at], bool(goes_on)
