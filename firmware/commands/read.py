"""`cornerlight read`: reads the position in a picture."""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from firmware.commands.main import FAULT, WRONG_USE, complain
from firmware.commands.options import add_board, add_calibration, add_corners
from firmware.commands.picture_file import read_upright, write_picture
from firmware.commands.progress import Progress
from firmware.errors import CornerlightError
from firmware.referee.still_photo import StillPhoto, examine_picture
from firmware.rules.variants import GAMES, named_edition
from vision.camera import Image
from vision.errors import BoardFailure, GeometryError, VisionError
from vision.geometry.calibration import Calibration, load
from vision.geometry.grid import rescaled
from vision.io.overlay import draw as draw_reading
from vision.plastics import is_neutral
from vision.reader import read_picture
from vision.reading import SIDES

_IMPLAUSIBLE: Final = (
    "every square is unsure: the colours or the place of the board were misjudged; take the "
    "picture again nearer, from above and in more light"
)
"""Advice for a reading that is not plausible."""

_CUT: Final = (
    "the picture ends at the border ({}): a piece that hangs over it there is not noticed; leave a "
    "square of table in the picture on each side"
)
"""Advice for a picture that shows nothing beyond a side of the board."""

EXAMPLE: Final = "cornerlight read board.jpg --overlay seen.png"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="pictures of a board")
    add_board(parser)
    add_corners(parser)
    add_calibration(parser)
    parser.add_argument(
        "--overlay", metavar="OUT.png", type=Path, help="draw the reading over the picture"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each picture")


def run(arguments: argparse.Namespace) -> int:
    """Reads and prints."""
    if arguments.overlay and len(arguments.photos) > 1:
        raise CornerlightError("--overlay draws one picture; give one PHOTO with it")
    photos: list[Path] = arguments.photos
    known = load(arguments.calibration) if arguments.calibration else Calibration()
    if arguments.corners is not None and known.corners is not None:
        raise CornerlightError("--corners and --calibration both say where the board is; give one")
    empty = read_upright(arguments.empty)[0].image if arguments.empty else None
    shown = Progress().each(photos, "picture", len(photos))
    return max([_status(path, arguments, known, empty) for path in shown])


def _status(
    path: Path, arguments: argparse.Namespace, known: Calibration, empty: Image | None
) -> int:
    """Reads one picture; one that cannot be read does not keep the next from being read."""
    try:
        return 0 if _read(path, arguments, known, empty) else FAULT
    except VisionError as error:
        if arguments.json:
            _print({"photo": str(path), "found": False, "reason": str(error)}, as_json=True)
        complain(str(error))
        return WRONG_USE


def _read(
    path: Path, arguments: argparse.Namespace, known: Calibration, empty: Image | None
) -> bool:
    game = GAMES[arguments.game] if arguments.game else None
    picture, notes = read_upright(path)
    image = picture.image
    corners = known.corners_in(image.shape[1], image.shape[0])
    if arguments.corners is not None:
        corners = rescaled(arguments.corners, 1 / picture.reduced)
    palette = named_edition(arguments.edition, game)
    reading = read_picture(
        image,
        size=game.size if game else known.board,
        palette=palette,
        corners=corners,
        empty=empty,
        lens=known.lens,
        lit=notes.lit(path.name),
    )
    if isinstance(reading, BoardFailure):
        _print(
            {"photo": str(path), "found": False, "reason": reading.reason, "code": reading},
            as_json=arguments.json,
        )
        return False
    game = game or next(game for game in GAMES.values() if game.size == reading.size)
    if len(reading.palette) != len(game.colours):
        colours = ", ".join(reading.palette)
        raise GeometryError(f"{path}: {game.title} is not played in {colours}; see --edition")
    photograph = examine_picture(reading, game)
    in_file = rescaled(photograph.corners, picture.reduced)
    photograph = replace(photograph, corners=in_file)
    cut = [
        name for name, odds in zip(SIDES, reading.beyond, strict=True) if np.isneginf(odds).any()
    ]
    _print({"photo": str(path), **photograph.to_json(), "cut": cut}, as_json=arguments.json)
    if not arguments.json:
        _draw(photograph)
        if cut:
            print(f"     {_CUT.format(', '.join(cut))}")
        if not (reading.has_colours or (palette and is_neutral(palette))):
            print(f"     {BoardFailure.NO_COLOURS.reason}")
    if arguments.overlay:
        write_picture(arguments.overlay, draw_reading(image, reading, photograph.unsure))
    return True


def _print(line: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(line), flush=True)
    elif line["found"]:
        scores = ", ".join(f"{name} {points}" for name, points in line["score"].items())
        print(f"{line['photo']}: {line['game']}, {line['edition']}; score: {scores}")
    else:
        print(f"{line['photo']}: {line['reason']}")


def _draw(photograph: StillPhoto) -> None:
    line = photograph.to_json()
    size = photograph.game.size
    for row, text in enumerate(photograph.rows):
        print(f"{size - row:>4} {' '.join(text)}")
    print("     " + " ".join(chr(ord("a") + column) for column in range(size)))
    for problem in line["problems"]:
        squares = ",".join(problem["squares"])
        print(f"     impossible for {problem['color']}: {problem['rule']} at {squares}")
    if not photograph.plausible:
        print(f"     {_IMPLAUSIBLE}")
        return
    for key in ("unsure", "foreign", "repaired"):
        if line[key]:
            print(f"     {key}: {','.join(line[key])}")
