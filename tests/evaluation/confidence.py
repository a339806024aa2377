"""Trial: confidence of readings on boards that no threshold was chosen on.

`python -m tests.evaluation confidence --rendered 1000 --data FOLDER` draws boards of every size and
edition by seed, half of them without markers, reads them and the pictures in `FOLDER/renders`, and
counts for each kind and edition:

misplaced     boards returned as sure, with a corner more than a quarter of a square off
wrong         sure squares with another content, on boards at the right place
refused       boards read right that the check of the whole board refuses

Pictures to read are traced by `python -m tests.training tracing --positions 500 --seed SEED --to
FOLDER/renders/positions`.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.rules.pieces import PIECES
from firmware.rules.variants import EDITIONS, Edition
from firmware.simulator.appearance import table_look
from firmware.simulator.table import CameraStand, Lighting, TableScene
from tests.evaluation.bounds import upper
from tests.evaluation.illegal import drawn
from tests.evaluation.variations import VariationSample, judged, letters_of, samples_of
from tests.support.degraded_pictures import packed
from vision.camera import Image
from vision.geometry.grid import Points
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import TableLook

_PICTURES_PX: Final = ((1280, 960), (1600, 1200), (960, 720))
"""Widths and heights of the pictures."""

_CROOKED: Final = (0.4, 0.4, 0.8)
"""Standard deviations of the placement error: to the right and up in mm, turn in degrees."""


def rendered(seed: int) -> VariationSample:
    """Returns the picture of a random position of a random game, as a camera may see it.

    See `random_look`.
    """
    look, cells, chance = random_look(seed)
    return VariationSample(
        f"rendered {seed}",
        taken(Renderer(seed, noise=0.0).render(look), chance),
        outline_px(look),
        cells,
        np.ones(cells.shape, np.bool_),
    )


def random_look(seed: int) -> tuple[TableLook, NDArray[np.str_], np.random.Generator]:
    """Returns a table with a random position of a random game, its letters, and further chance.

    Light, camera, placement errors and noise differ; every second board has no markers, every
    fifth mirrors a lamp, and the pieces that are left lie beside it.
    """
    board, chance = drawn(seed, legal=True), np.random.default_rng([seed, 3])
    pieces = board.laid(_CROOKED, chance)
    laid = {(colour, move.piece) for colour, move in board.pieces}
    trays = tuple(
        tuple(piece for piece in PIECES if (colour, piece) not in laid)
        for colour in range(len(board.edition))
    )
    light = Lighting(
        float(np.exp(chance.uniform(-0.6, 0.2))),
        float(chance.uniform(2800, 7500)),
        float(chance.uniform(0, 360)),
        float(chance.uniform(35, 80)),
        glare=bool(chance.random() < 0.2),
    )
    dx_mm, dy_mm, roll_deg = chance.normal(0, (12, 12, 4)).tolist()
    stand = CameraStand(dx_mm, dy_mm, roll_deg)
    dark = ((0, 0, 0),) * board.game.size**2
    scene = TableScene(board.game, pieces, trays, None, light, stand, dark)
    px = _PICTURES_PX[int(chance.integers(len(_PICTURES_PX)))]
    look = table_look(scene, board.edition, px)
    if chance.random() < 0.5:
        look = replace(look, markers=())
    return look, np.array([list(row) for row in board.rows]), chance


def outline_px(look: TableLook) -> Points:
    """Returns (4, 2) the outer corners of the field of squares in a picture."""
    half = look.board.field_mm / 2
    outline = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    return look.camera.project(outline)


def taken(image: Image, chance: np.random.Generator) -> Image:
    """Returns a picture blurred by its lens, with the noise of its sensor, as JPEG."""
    blur = float(chance.uniform(0.3, 1.2)) * image.shape[1] / 1280
    blurred = cv2.GaussianBlur(image.astype(np.float64), (0, 0), blur)
    return packed(blurred + chance.normal(0, chance.choice([1.0, 3.0, 6.0]), image.shape))


def edition_of(picture: VariationSample) -> str:
    """Returns the name of the first edition that has all colours on a board."""
    found = set("".join(picture.cells.ravel()))
    return next(name for name, edition in EDITIONS.items() if found <= letters_of(edition))


def given_edition(picture: VariationSample) -> Edition | None:
    """Returns the edition that the game gives: that of four colours; two have to be recognised."""
    edition = EDITIONS[edition_of(picture)]
    return edition if len(edition) == 4 else None


def pictures(data: Path | None, boards: int, seed: int) -> Iterator[tuple[str, VariationSample]]:
    """Yields the pictures to read, with the kind of each."""
    for number in range(seed, seed + boards):
        yield "rendered", rendered(number)
    if data is not None:
        yield from ((kind, one) for kind, one in samples_of(data) if kind != "photos")


def counted(picture: VariationSample) -> Counter[str]:
    """Reads a picture, and returns its counts: 1 for a board of a kind, or numbers of squares."""
    one = judged(picture, given_edition(picture))
    return Counter(
        boards=1,
        lost=one["lost"],
        elsewhere=one["elsewhere"],
        misplaced=int(one["elsewhere"] and not one["implausible"]),
        right=one["right"],
        refused=int(one["right"] and one["implausible"]),
        sure=one["squares"] - one["unsure"],
        wrong=one["wrong"],
        open=one["unsure"],
    )


def line(name: str, total: Counter[str]) -> str:
    """Returns the counts of a kind, with the upper bounds at 95 % of the three rates."""
    misplaced = upper(total["misplaced"], total["boards"])
    wrong, refused = upper(total["wrong"], total["sure"]), upper(total["refused"], total["right"])
    return (
        f"{name}: {total['boards']} boards, {total['lost']} not found, "
        f"{total['misplaced']} misplaced (below {misplaced:.2%}); "
        f"{total['sure']} sure squares, {total['wrong']} wrong (below {wrong:.4%}), "
        f"{total['open']} open; "
        f"{total['refused']} of {total['right']} right ones refused (below {refused:.2%})"
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints a line for each kind and edition, and for each fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation confidence")
    parser.add_argument("--rendered", type=int, default=50, metavar="N", help="boards to draw")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="folder with traced pictures")
    parser.add_argument("--seed", type=int, default=700_001, help="seed of the first board")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    totals: dict[str, Counter[str]] = {}
    for kind, picture in pictures(arguments.data, arguments.rendered, arguments.seed):
        counts = counted(picture)
        name = f"{kind} {len(picture.cells)}x{len(picture.cells)} {edition_of(picture)}"
        totals.setdefault(name, Counter()).update(counts)
        totals.setdefault(f"all {kind}", Counter()).update(counts)
        if counts["misplaced"] or counts["wrong"] or counts["refused"]:
            print(f"  {line(picture.name, counts)}", flush=True)  # noqa: T201
    for name in sorted(totals):
        print(line(name, totals[name]))  # noqa: T201
