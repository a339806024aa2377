"""`cornerlight calibrate`: check a set-up, and measure the camera's lens once."""

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firmware.cli import FAULT
from firmware.errors import CornerlightError, UnreadableError
from firmware.options import add_board, add_corners
from firmware.rules.games import EDITIONS, GAMES
from firmware.rules.placements import Board
from vision.board import locate
from vision.calibration import Calibration, load, save
from vision.camera import Image
from vision.errors import GeometryError
from vision.geometry import Grid
from vision.lens import Lens
from vision.lens_fit import measure
from vision.picture import load_picture
from vision.reader import read_picture
from vision.reading import Lost
from vision.recorded import SUFFIXES, open_recording
from vision.report import Level, Point, Report
from vision.setup_check import check_setup

EXAMPLE: Final = "cornerlight calibrate --check table.jpg"

_MOST_FRAMES: Final = 16
_EMPTY: Final = 0.9


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "sources",
        metavar="PICTURE",
        nargs="+",
        type=Path,
        help="picture, folder of pictures, or video",
    )
    parser.add_argument("--check", action="store_true", help="score each set-up, say what to do")
    parser.add_argument(
        "--together", action="store_true", help="with --check: all are frames of one set-up"
    )
    add_board(parser)
    add_corners(parser)
    parser.add_argument(
        "--lens", metavar="FILE", type=Path, help="with --check: a calibration saved before"
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="write lens and corners there")
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Checks or measures, and prints."""
    if arguments.check:
        if arguments.save:
            raise CornerlightError("--check writes no file; give --save without it")
        return _check(arguments)
    if arguments.lens or arguments.together:
        raise CornerlightError("--lens and --together go with --check")
    return _measure(arguments)


# The check


def _check(arguments: argparse.Namespace) -> int:
    sources: list[Path] = arguments.sources
    groups = [sources] if arguments.together else [[source] for source in sources]
    fine = True
    for group in groups:
        images = [image for source in group for image in _frames(source)]
        height, width = images[0].shape[:2]
        report = check_setup(
            images,
            size=_size(arguments),
            palette=EDITIONS.get(arguments.edition),
            corners=arguments.corners,
            lens=_lens(arguments.lens, width, height),
        )
        fine = fine and report.is_fine
        name = ", ".join(map(str, group))
        if arguments.json:
            print(json.dumps({"source": name, **report.to_json(_square_name)}), flush=True)
        else:
            _show(name, report)
    return 0 if fine else FAULT


def _frames(source: Path) -> list[Image]:
    """The first frames of a recording, or the one picture."""
    if source.is_file() and source.suffix.lower() in SUFFIXES:
        return [load_picture(source)]
    with closing(open_recording(source)) as camera:
        images = [frame.image for frame in islice(iter(camera.read, None), _MOST_FRAMES)]
    if not images:
        raise UnreadableError(f"{source}: not one picture of it can be read")
    return images


def _lens(path: Path | None, width: int, height: int) -> Lens | None:
    if path is None:
        return None
    lens = load(path).lens
    return None if lens is None else lens.for_size(width, height)


def _size(arguments: argparse.Namespace) -> int | None:
    return GAMES[arguments.game].size if arguments.game else None


def _square_name(square: int, size: int) -> str:
    return Board.of(size).format_square(square)


def _show(name: str, report: Report) -> None:
    board = f"a board of {report.size}x{report.size}" if report.size else "no board"
    print(f"{name}: {board}, {'fine' if report.is_fine else 'to be mended'}")
    for point in report.points:
        score = "   -" if point.score is None else f"{point.score:4.2f}"
        figures = ", ".join(f"{key} {value:.3g}" for key, value in point.figures.items())
        print(f"  {_SIGNS[point.level]}  {point.code:10}  {score}  {figures}")
        for line in _advice(point, report.size):
            print(f"           {line}")


_SIGNS: Final = {
    Level.FINE: "fine ",
    Level.FAIR: "fair ",
    Level.MEND: "MEND ",
    Level.UNMEASURED: "  ?  ",
}


def _advice(point: Point, size: int | None) -> Iterator[str]:
    if point.remedy:
        yield point.remedy
    if point.squares and size:
        yield "squares: " + ",".join(_square_name(square, size) for square in point.squares)


# The measurement


def _measure(arguments: argparse.Namespace) -> int:
    images = [image for source in arguments.sources for image in _frames(source)]
    palette = EDITIONS.get(arguments.edition)
    seen = [_seen(image, _size(arguments), palette, arguments.corners) for image in images]
    found = [one for one in seen if not isinstance(one, Lost)]
    if not found:
        reasons = [one.reason for one in seen if isinstance(one, Lost)]
        return _fault(reasons[0], arguments)
    known = Calibration()
    fault = ""
    try:
        known = measure(found)
    except GeometryError as error:
        fault = str(error)
    if arguments.corners is not None:
        _, grid, _ = found[-1]
        height, width = images[-1].shape[:2]
        known = replace(known, board=grid.size, corners=grid.corners, size=(width, height))
    elif fault:
        return _fault(fault, arguments)
    if arguments.save:
        save(known, arguments.save)
    _say(known, len(images), fault, arguments)
    return 0


def _seen(
    image: Image,
    size: int | None,
    palette: tuple[str, ...] | None,
    corners: NDArray[np.float64] | None,
) -> tuple[Image, Grid, NDArray[np.bool_]] | Lost:
    """Where the board lies in a picture, and which of its squares are bare."""
    fit = locate(image, size, corners)
    if isinstance(fit, Lost):
        return fit
    reading = read_picture(image, fit.grid.size, palette, fit.grid.corners)
    if isinstance(reading, Lost):
        return reading
    return image, fit.grid, np.asarray((reading.evidence[:, 0] > _EMPTY) & ~reading.covered)


def _fault(reason: str, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print(json.dumps({"found": False, "reason": reason}))
    else:
        print(f"not calibrated: {reason}")
    return FAULT


def _say(known: Calibration, pictures: int, fault: str, arguments: argparse.Namespace) -> None:
    if arguments.json:
        line: dict[str, Any] = {"found": True, **known.to_json()}
        print(json.dumps(line | ({"reason": fault} if fault else {})))
        return
    if known.lens is None:
        print(f"the lens was not measured: {fault}")
    else:
        _say_lens(known, known.lens, pictures)
    if known.corners is not None:
        print(f"corners of the {known.board}x{known.board} board kept")
    print(f"written to {arguments.save}" if arguments.save else "written nowhere; see --save")


def _say_lens(known: Calibration, lens: Lens, pictures: int) -> None:
    width, height = lens.size
    rim = np.array([[0.0, 0.0], [width - 1.0, 0.0], [width - 1.0, height - 1.0], [0, height - 1.0]])
    bend = float(np.linalg.norm(lens.straighten(rim) - rim, axis=1).max())
    focal = f"focal length {lens.K[0, 0]:.0f} px" if known.focal_known else _SUPPOSED
    print(f"lens measured on {known.pictures} of {pictures} pictures of {width}x{height}; {focal}")
    print(
        f"it shifts the picture's corners by {bend:.1f} px; "
        f"lines are now straight to {known.residual_px:.2f} px"
    )


_SUPPOSED: Final = "focal length supposed, for which it takes pictures from several sides"
