"""Trial: paper and tiles of another set on boards of the simulated table.

`python -m tests.evaluation foreign --boards 200` draws boards by seed, lays paper in place of lost
pieces on half of them and tiles of another set on the others, reads them with known corners, and
counts these squares: those that are read as empty and sure, those that are sure at all, and those
that the reading names as foreign, also among the other squares.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.referee.still_photo import examine_picture
from firmware.rules.variants import LETTERS
from firmware.simulator.table import CELL_MM, square_mm
from tests.evaluation.bounds import upper
from tests.evaluation.confidence import given_edition, outline_px, random_look, taken
from tests.evaluation.variations import VariationSample, game_of
from vision.errors import BoardFailure
from vision.plastics import PLASTICS, Rgb
from vision.reader import read_picture
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import Tile

PAPER: Final = "paper"
TILES: Final = "tiles of another set"

_PAPERS: Final = np.array([[245, 243, 238], [230, 220, 195], [200, 170, 130], [215, 215, 210]])
"""Colours of paper and cardboard."""

_HEIGHTS_MM: Final = {PAPER: 0.3, TILES: 4.7}

_WIDE: Final = ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2))
"""Squares across and down that are covered together."""

_MOST: Final = 4
"""Most of these on a board."""


def with_foreign(seed: int) -> tuple[str, VariationSample, list[int]]:
    """Returns the kind of the foreign things, a picture, and the squares on which they lie."""
    look, cells, taking = random_look(seed)
    chance, n = np.random.default_rng([seed, 77]), len(cells)
    kind = str(chance.choice([PAPER, TILES]))
    free, squares = cells == ".", list[int]()
    for _ in range(int(chance.integers(1, _MOST + 1))):
        place = _free(free, chance)
        if place is None:
            continue
        free[place] = False
        own = np.arange(n * n).reshape(n, n)[place].ravel().tolist()
        paint = _paint(kind, set("".join(cells.ravel())), chance)
        look = replace(look, tiles=(*look.tiles, _laid(paint, own, n, _HEIGHTS_MM[kind], chance)))
        squares += own
    image = taken(Renderer(seed, noise=0.0).render(look), taking)
    counts = np.ones(cells.shape, np.bool_)
    return (
        kind,
        VariationSample(f"rendered {seed}", image, outline_px(look), cells, counts),
        squares,
    )


def _free(free: NDArray[np.bool_], chance: np.random.Generator) -> tuple[slice, slice] | None:
    """Returns a random block of bare squares; None if there is none of its size."""
    n = len(free)
    across, down = _WIDE[int(chance.integers(len(_WIDE)))]
    places = [
        np.s_[row : row + down, column : column + across]
        for row in range(n - down + 1)
        for column in range(n - across + 1)
    ]
    bare = [place for place in places if free[place].all()]
    return bare[int(chance.integers(len(bare)))] if bare else None


def _paint(kind: str, used: set[str], chance: np.random.Generator) -> Rgb:
    """Returns the colour of a paper, or of plastic that is not on the board."""
    if kind == TILES:
        others = [one.material for name, one in PLASTICS.items() if LETTERS[name] not in used]
        return others[int(chance.integers(len(others)))]
    shade = _PAPERS[int(chance.integers(len(_PAPERS)))] + chance.normal(0, 6, 3)
    red, green, blue = np.clip(shade, 0, 255).astype(int).tolist()
    return red, green, blue


def _laid(
    paint: Rgb, squares: list[int], n: int, height_mm: float, chance: np.random.Generator
) -> Tile:
    places = np.array([square_mm(n, square) for square in squares])
    middle = places.mean(axis=0)
    cells = tuple(map(tuple, ((places - middle) / CELL_MM).tolist()))
    x_mm, y_mm = middle.tolist()
    return Tile(paint, cells, x_mm, y_mm, float(chance.normal(0, 1.5)), height_mm=height_mm)


def judged(seed: int) -> tuple[str, Counter[str]]:
    """Returns the kind of the foreign things on one board, and the counts of its squares."""
    kind, picture, squares = with_foreign(seed)
    n = len(picture.cells)
    reading = read_picture(picture.image, n, given_edition(picture), picture.corners)
    counts = Counter(boards=1, foreign=len(squares))
    if isinstance(reading, BoardFailure):
        return kind, counts + Counter(refused=1)
    found = examine_picture(reading, game_of(reading))
    text, sure = "".join(found.rows), {*range(n * n)} - {*found.unsure}
    return kind, counts + Counter(
        empty=sum(text[square] == "." for square in {*squares} & sure),
        sure=len({*squares} & sure),
        named=len({*squares} & {*found.foreign}),
        others=n * n - len(squares),
        misnamed=len({*found.foreign} - {*squares}),
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints a line for each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation foreign")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    totals: dict[str, Counter[str]] = {}
    for seed in range(arguments.seed, arguments.seed + arguments.boards):
        kind, counts = judged(seed)
        totals.setdefault(kind, Counter()).update(counts)
    for kind, total in totals.items():
        bound = 100 * upper(total["empty"], max(1, total["foreign"]))
        print(  # noqa: T201
            f"{kind}: {total['foreign']} squares on {total['boards']} boards, {total['empty']} "
            f"empty and sure (at most {bound:.1f} %), {total['sure']} sure, {total['named']} "
            f"named; {total['misnamed']} of {total['others']} others named"
        )
