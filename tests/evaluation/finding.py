"""Trial: boards found in pictures of every kind, and the reasons of those that are refused.

    python -m tests.evaluation finding --traced FOLDER --rendered 200

takes boards that `python -m tests.training tracing --taste far` made, whose seeds no training used,
and boards of the simulated table, and makes a picture of each kind from each:

plain     as it is
cropped   cut 0.1 to 0.8 squares beside the field, half of them also made rectangular
steep     from 25 to 50 degrees aside
small     6 to 12 pixels a square
light     0.2 to 1.8 times as bright
blurred   out of focus
frameless without its frame, on another table
two       two boards; to be refused
outside   half a square or more outside the picture; to be refused with the side named
nothing   another game, a cloth or a floor; to be refused

and from each traced board one of a home-made one: its pieces drawn on wood, paper or chequers.

It counts boards found, misplaced (a corner more than a quarter of a square off) and refused, and
refusals with a reason that is true of the kind; and of the boards that are read, home-made ones
apart, the squares that are sure to be empty or to have a tile, and do not.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.referee.still_photo import examine_picture
from tests.evaluation.bounds import upper
from tests.evaluation.confidence import rendered
from tests.evaluation.variations import (
    FAR,
    VariationSample,
    corner_error,
    cropped,
    game_of,
    wrong_squares,
)
from tests.support.ruined_pictures import ruined, without_markers
from tests.training.finder.boards import FinderSample, home_made
from tests.training.finder.lessons import seen_at
from tests.training.finder.tables import false_grid, texture, with_grid
from tests.training.shapes.boards import ANY_SHADE, ShapeSample, traced
from vision.camera import Image
from vision.detection.board_detector import locate
from vision.errors import BoardFailure
from vision.geometry.grid import OUTLINE, Points, homography_between, outside_px, rescaled, sides_of
from vision.reader import read_picture
from vision.squares.network import BARE, DARK, LIGHT

_SHARE, _TILT = (0.5, 0.85), 20
"""Side of a board on another table, in sides of the picture, and its largest tilt in degrees."""

_NOTHING_PX: Final = 800
"""Side in pixels of a picture without a board."""

_STEEP: Final = (25, 50)
_SMALL: Final = (6, 12)
_LIGHT: Final = (0.2, 1.8)
_BLUR: Final = (0.05, 0.2)
"""Ranges of the kinds: degrees, pixels per square, factors of the values, squares."""

_MARGIN: Final = 0.1
"""Squares by which a board that is whole is inside the picture at least."""

_MISSING: Final = 0.5
"""Squares by which a corner of a board that is partly outside is outside at least."""

_READ_PX: Final = 7.0
"""Fewest pixels per square with which a board has to be read."""

_WHITE, _DARK = 99, 50
"""Percentile of the values that counts as white, and its value below which a picture is dark."""

_CUT: Final = (
    BoardFailure.CUT_LEFT,
    BoardFailure.CUT_ABOVE,
    BoardFailure.CUT_RIGHT,
    BoardFailure.CUT_BELOW,
)

TRUE: Final[dict[str, set[BoardFailure]]] = {
    "plain": set(),
    "cropped": {BoardFailure.PARTIAL, *_CUT},
    "steep": {BoardFailure.TOO_STEEP},
    "small": {BoardFailure.TOO_SMALL},
    "light": {BoardFailure.TOO_DARK, BoardFailure.OVEREXPOSED},
    "blurred": {BoardFailure.OUT_OF_FOCUS},
    "frameless": set(),
    "home-made": set(),
    "two": {BoardFailure.TWO_BOARDS},
    "outside": set(),
    "nothing": {BoardFailure.NO_BOARD, BoardFailure.DRAWING, BoardFailure.PARTIAL},
}
"""Reasons that are true of a refused picture of each kind; of those outside see `_sides`. Of
another game it is true that squares are seen, but no whole field of a board."""

REFUSED: Final = {"two", "outside", "nothing"}
"""Kinds that have to be refused."""

Chance = np.random.Generator


def _steep(picture: VariationSample, chance: Chance) -> VariationSample:
    height, width = picture.image.shape[:2]
    px = max(height, width)
    place = _seen_whole(_STEEP, float(chance.uniform(0.45, 0.7)), picture, chance) * px
    view = homography_between(picture.corners, place)
    image = cv2.warpPerspective(picture.image, view, (px, px), borderMode=cv2.BORDER_REPLICATE)
    return replace(picture, image=np.asarray(image, np.uint8), corners=place)


def _seen_whole(
    tilt: tuple[float, float], side: float, picture: VariationSample, chance: Chance
) -> Points:
    """Returns `seen_at` for a board that is whole in its picture."""
    while True:
        place = seen_at(np.radians(float(chance.uniform(*tilt))), side, chance)
        if _squares_outside(place, (1, 1), len(picture.cells)) < -_MARGIN:
            return place


def _squares_outside(corners: Points, shape: tuple[int, ...], size: int) -> float:
    """Squares by which a board is outside a picture of that height and width, negative if inside.

    Args:
        corners: (4, 2) outer corners of its field.
        shape: height and width of the picture.
        size: its squares along a side.
    """
    return float(outside_px(corners, shape).max() / sides_of(corners).mean()) * size


def _small(picture: VariationSample, chance: Chance) -> VariationSample:
    square = float(sides_of(picture.corners).mean()) / len(picture.cells)
    zoom = min(1.0, float(chance.uniform(*_SMALL)) / square)
    image = cv2.resize(picture.image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    corners = rescaled(picture.corners, zoom)
    return replace(picture, image=np.asarray(image, np.uint8), corners=corners)


def _light(picture: VariationSample, chance: Chance) -> VariationSample:
    factor = float(chance.uniform(*_LIGHT))
    image = np.clip(picture.image * factor, 0, 255).astype(np.uint8)
    return replace(picture, image=np.ascontiguousarray(image))


def _blurred(picture: VariationSample, chance: Chance) -> VariationSample:
    square = float(sides_of(picture.corners).mean()) / len(picture.cells)
    image = cv2.GaussianBlur(picture.image, (0, 0), float(chance.uniform(*_BLUR)) * square)
    return replace(picture, image=np.asarray(image, np.uint8))


def _outside(picture: VariationSample, chance: Chance) -> VariationSample:
    size = len(picture.cells)
    while True:
        image, corners = ruined(picture.image, picture.corners, size, chance, cut=True)
        if _squares_outside(corners, image.shape, size) > _MISSING:
            return replace(picture, image=image, corners=corners)


def _frameless(picture: VariationSample, chance: Chance) -> VariationSample:
    side = round(float(sides_of(picture.corners).mean()))
    view = homography_between(picture.corners, side * OUTLINE)
    field = cv2.warpPerspective(picture.image, view, (side, side))
    return _on_table(picture, np.asarray(field, np.uint8), chance)


def _on_table(picture: VariationSample, board: Image, chance: Chance) -> VariationSample:
    """Returns a picture of a board, given from above and without a frame, on a table."""
    px = round(len(board) / float(chance.uniform(*_SHARE)))
    place = _seen_whole((0, _TILT), len(board) / px, picture, chance) * px
    canvas = cv2.resize(texture(256, chance), (px, px))
    large = cv2.resize(board, (px, px))
    image = with_grid(np.asarray(canvas, np.uint8), np.asarray(large, np.uint8), place)
    soft = cv2.GaussianBlur(image, (0, 0), 0.6) + chance.normal(0, 2, image.shape)
    return replace(picture, image=np.clip(soft, 0, 255).astype(np.uint8), corners=place)


def _two(picture: VariationSample, chance: Chance) -> VariationSample:
    other = np.rot90(picture.image, 2) if chance.random() < 0.5 else picture.image[:, ::-1]
    return replace(picture, image=np.ascontiguousarray(np.hstack([picture.image, other])))


def nothing(chance: Chance) -> Image:
    """Returns a picture without a board: a table, most with another grid on it."""
    canvas = cv2.resize(texture(256, chance), (_NOTHING_PX, _NOTHING_PX))
    if chance.random() < 0.8:
        grid = false_grid(_NOTHING_PX, chance)
        tilt = abs(float(chance.normal(0, np.radians(20))))
        place = seen_at(tilt, float(chance.uniform(0.3, 0.9)), chance) * _NOTHING_PX
        canvas = with_grid(np.asarray(canvas, np.uint8), grid, place)
    noise = chance.normal(0, 2, canvas.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(canvas + noise, (0, 0), 0.7), 0, 255), np.uint8)


KINDS: Final[dict[str, Callable[[VariationSample, Chance], VariationSample]]] = {
    "plain": lambda picture, _: picture,
    "cropped": cropped,
    "steep": _steep,
    "small": _small,
    "light": _light,
    "blurred": _blurred,
    "frameless": _frameless,
    "two": _two,
    "outside": _outside,
}


def _sides(picture: VariationSample) -> set[BoardFailure]:
    """Returns the reasons that name a side of a picture beyond which its board goes on."""
    outside = outside_px(picture.corners, picture.image.shape)
    return {_CUT[side] for side in np.flatnonzero(outside > 0)}


def _reasons_of(picture: VariationSample) -> set[BoardFailure]:
    """Returns the reasons that are true of a picture, whatever its kind."""
    size, place = len(picture.cells), picture.corners
    is_small = bool(size and sides_of(place).mean() < _READ_PX * size)
    is_dark = bool(np.percentile(picture.image, _WHITE) < _DARK)
    found = ((is_small, BoardFailure.TOO_SMALL), (is_dark, BoardFailure.TOO_DARK))
    return {reason for is_true, reason in found if is_true}


def judged(kind: str, picture: VariationSample) -> Counter[str]:
    """Returns the counts of one picture, which has no board if its corners are empty."""
    started = time.process_time()
    fit = locate(picture.image, alone=True)
    counts = Counter(pictures=1, ms=round(1000 * (time.process_time() - started)))
    if isinstance(fit, BoardFailure):
        reasons = _sides(picture) if kind == "outside" else TRUE[kind]
        is_true = fit in reasons | _reasons_of(picture)
        return counts + Counter({"refused": 1, "true": int(is_true), f"- {fit}": 1})
    if kind in REFUSED:
        return counts + Counter(false=1)
    place, n = picture.corners, len(picture.cells)
    off = corner_error(fit.grid.corners, place)
    is_there = fit.grid.size == n and off < FAR * float(sides_of(place).mean()) / n
    found = Counter(found=int(is_there), misplaced=int(not is_there))
    return counts + found + _squares_of(picture)


def _squares_of(picture: VariationSample) -> Counter[str]:
    """Returns the numbers of squares of a board that are read as sure, and of them wrong ones."""
    if not picture.counts.any():
        return Counter()
    reading = read_picture(picture.image)
    if isinstance(reading, BoardFailure):
        return Counter()
    found = examine_picture(reading, game_of(reading))
    tiles = replace(
        found, rows=tuple("".join(".#"[one != "."] for one in row) for row in found.rows)
    )
    truth = replace(picture, cells=np.where(picture.cells == ".", ".", "#"))
    wrong, unsure, _ = wrong_squares(truth, tiles)
    return Counter(sure=int(picture.counts.sum()) - unsure, wrong=wrong)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints a line for each kind, and the pictures that are not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation finding")
    parser.add_argument("--traced", type=Path, metavar="FOLDER", help="boards to take")
    parser.add_argument("--rendered", type=int, default=0, metavar="N", help="boards to render")
    parser.add_argument("--nothing", type=int, default=0, metavar="N", help="without a board")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=[*KINDS])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    totals: dict[str, Counter[str]] = {}
    for kind, picture in _pictures(arguments):
        counts = judged(kind.split()[-1], picture)
        totals.setdefault(kind, Counter()).update(counts)
        if counts["wrong"] or not (counts["found"] or counts["true"]):
            said = ", ".join(
                name for name in counts if counts[name] and name not in ("pictures", "ms")
            )
            print(f"  {kind} {picture.name}: {said}", flush=True)  # noqa: T201
    for kind, total in totals.items():
        print(_line(kind, total))  # noqa: T201


def _pictures(arguments: argparse.Namespace) -> Iterator[tuple[str, VariationSample]]:
    """Yields the pictures with their kinds."""
    boards = traced(arguments.traced) if arguments.traced else []
    sources = [("traced", _picture_of(board)) for board in boards]
    seeds = range(arguments.seed, arguments.seed + arguments.rendered)
    for number, kind in enumerate(arguments.kinds):
        chance = np.random.default_rng([arguments.seed, number])
        for source, picture in sources:
            yield f"{source} {kind}", KINDS[kind](picture, chance)
        for seed in seeds:
            yield f"rendered {kind}", KINDS[kind](rendered_bare(seed), chance)
    for seed, board in enumerate(boards):
        drawn, chance = home_made(board, seed), np.random.default_rng([arguments.seed, seed])
        unknown = np.zeros_like(board.colours, np.bool_)  # only some of its pieces are drawn
        picture = replace(_picture_of(board), counts=unknown)
        yield "home-made", _on_table(picture, _field_of(drawn), chance)
    for number in range(arguments.nothing):
        image = nothing(np.random.default_rng([arguments.seed, 99, number]))
        none = np.empty((0, 0), "U1")
        yield "nothing", VariationSample(str(number), image, np.empty((0, 2)), none, none == "")


def rendered_bare(seed: int) -> VariationSample:
    """Returns a board of the simulated table without markers."""
    picture = rendered(seed)
    return replace(picture, image=without_markers(picture.image))


def _picture_of(board: ShapeSample) -> VariationSample:
    """Returns the picture of a traced board; of its squares the trial asks whether they are empty.

    What lies between squares, is lit or hidden does not count.
    """
    cells = np.where(board.colours > 0, "#", ".")
    plain = np.isin(board.shapes, (BARE, DARK, LIGHT, ANY_SHADE))
    return VariationSample(board.name, board.image, board.grid.corners, cells, plain)


def _field_of(drawn: FinderSample) -> Image:
    """Returns the field of a board that is seen from above."""
    first, last = np.ceil(drawn.corners[[0, 2]]).astype(int)
    return drawn.image[first[1] : last[1] + 1, first[0] : last[0] + 1]


def _line(kind: str, total: Counter[str]) -> str:
    n = total["pictures"]
    reasons = ", ".join(f"{total[name]} {name[2:]}" for name in total if name.startswith("-"))
    return (
        f"{kind}: {n} pictures, {total['found']} found, {total['misplaced']} misplaced "
        f"(at most {100 * upper(total['misplaced'] + total['false'], n):.1f} %), "
        f"{total['false']} false, {total['refused']} refused ({reasons}), "
        f"{total['true']} of them with a true reason; {total['wrong']} of {total['sure']} sure "
        f"squares wrong; {total['ms'] / n:.0f} ms"
    )
