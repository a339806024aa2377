"""`cornerlight calibrate`: checks a set-up, and measures the camera's lens once."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firmware.cameras.open_camera import OpenCamera, open_camera
from firmware.commands.main import FAULT
from firmware.commands.options import add_board, add_camera, add_corners
from firmware.commands.progress import Progress
from firmware.commands.table_options import settings_of
from firmware.errors import CornerlightError, UnreadableError, report_unwritable
from firmware.rules.board import Board
from firmware.rules.variants import EDITIONS, GAMES
from firmware.session.lens_measurement import BareBoard, bare_board
from vision.camera import Frame, Image
from vision.errors import BoardFailure, GeometryError
from vision.geometry.calibration import Calibration, load
from vision.geometry.grid import Grid, Points, rescaled
from vision.geometry.image_quality import Brightness, brightness_of
from vision.geometry.lens import Lens
from vision.io.image_file import SUFFIXES, open_picture
from vision.io.recorded import open_recording
from vision.setup.lens_calibration import measure
from vision.setup.rating import Rating
from vision.setup.report import SetupFinding, SetupReport
from vision.setup.setup_check import check_setup

EXAMPLE: Final = "cornerlight calibrate --check table.jpg"

_MOST_FRAMES: Final = 16
"""Number of first frames of a recording that are used."""

WatchedFrames = tuple[Frame, list[Brightness]]
"""A frame to check, and the brightness of the frames up to it."""

_MOVING_S: Final = 2.0
"""Seconds between two pictures of a camera, in which the board is moved."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "sources",
        metavar="PICTURE",
        nargs="*",
        type=Path,
        help="picture, or folder of pictures or video, which are frames of one set-up",
    )
    add_camera(parser)
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings of the camera (TOML)")
    parser.add_argument("--check", action="store_true", help="score each set-up, give advice")
    add_board(parser)
    add_corners(parser)
    parser.add_argument(
        "--lens", metavar="FILE", type=Path, help="with --check: a calibration saved before"
    )
    parser.add_argument("--save", metavar="FILE", type=Path, help="write lens and corners there")
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Checks or measures, and prints."""
    if bool(arguments.sources) == bool(arguments.camera or arguments.config):
        raise CornerlightError("give pictures, or a camera with --camera or --config")
    if arguments.check:
        if arguments.save:
            raise CornerlightError("--check writes no file; give --save without it")
        return _check(arguments)
    if arguments.lens:
        raise CornerlightError("--lens goes with --check")
    return _measure(arguments)


# The check


def _check(arguments: argparse.Namespace) -> int:
    fine = True
    for name, watched in Progress().each(_set_ups(arguments), "set-up"):
        report = _report(*watched, arguments)
        fine = fine and report.is_fine
        if arguments.json:
            print(json.dumps({"source": name, **report.to_json(_square_name)}), flush=True)
        else:
            _show(name, report)
    return 0 if fine else FAULT


def _set_ups(arguments: argparse.Namespace) -> Iterator[tuple[str, WatchedFrames]]:
    """Yields the name of each set-up, its newest frame, and the brightness of each frame.

    Raises:
        CameraError: the camera gives no pictures.
        UnreadableError: a file has none.
    """
    if not arguments.sources:
        with _camera(arguments) as camera:
            yield camera.name, _watched(islice(camera.frames(), _MOST_FRAMES))
        return
    for source in arguments.sources:
        yield str(source), _watched(_frames(source))


def _camera(arguments: argparse.Namespace) -> AbstractContextManager[OpenCamera]:
    """Opens the camera of the command line or of the settings.

    Raises:
        SourceError: there is no such kind of source.
        CameraError: the camera gives no pictures.
    """
    return open_camera(settings_of(arguments).camera, arguments.camera, _tell)


def _tell(sentence: str) -> None:
    """Tells people what is no result."""
    print(sentence, file=sys.stderr, flush=True)


def _while_moved(frames: Iterator[Frame]) -> Iterator[Frame]:
    """Yields some frames, with time between them in which somebody moves the board."""
    due_s = float("-inf")
    number = 0
    for frame in frames:
        if frame.time_s < due_s:
            continue
        number, due_s = number + 1, frame.time_s + _MOVING_S
        _tell(f"picture {number} of {_MOST_FRAMES}: now move the board, or tilt it")
        yield frame
        if number == _MOST_FRAMES:
            return


def _report(frame: Frame, frames: list[Brightness], arguments: argparse.Namespace) -> SetupReport:
    """Checks a set-up on a frame; returns corners in pixels of its file."""
    height, width = frame.image.shape[:2]
    report = check_setup(
        frame.image,
        size=_size(arguments),
        palette=EDITIONS.get(arguments.edition),
        corners=_corners(arguments, frame),
        lens=_lens(arguments.lens, width, height),
        frames=frames,
    )
    if report.corners is None:
        return report
    return replace(report, corners=rescaled(report.corners, frame.reduced))


def _frames(source: Path) -> Iterator[Frame]:
    """Yields the first frames of a recording, or the one picture.

    Raises:
        UnreadableError: there is none.
    """
    if source.is_file() and source.suffix.lower() in SUFFIXES:
        picture = open_picture(source)
        yield Frame(picture.image, 0.0, 1, reduced=picture.reduced)
        return
    with closing(open_recording(source)) as camera:
        frames = islice(iter(camera.read, None), _MOST_FRAMES)
        first = next(frames, None)
        if first is None:
            raise UnreadableError(f"{source}: not one picture of it can be read")
        yield first
        yield from frames


def _watched(frames: Iterator[Frame]) -> WatchedFrames:
    """Returns the last frame, and the brightness of all; one frame is in memory at a time."""
    brightness = []
    for frame in frames:
        brightness.append(brightness_of(frame.image))
    return frame, brightness


def _corners(arguments: argparse.Namespace, frame: Frame) -> Points | None:
    """Returns the corners of the command line, in pixels of a frame that may have been reduced."""
    corners: Points | None = arguments.corners
    return None if corners is None else rescaled(corners, 1 / frame.reduced)


def _lens(path: Path | None, width: int, height: int) -> Lens | None:
    if path is None:
        return None
    lens = load(path).lens
    return None if lens is None else lens.for_size(width, height)


def _size(arguments: argparse.Namespace) -> int | None:
    return GAMES[arguments.game].size if arguments.game else None


def _square_name(square: int, size: int) -> str:
    return Board.of(size).format_square(square)


def _show(name: str, report: SetupReport) -> None:
    board = f"a board of {report.size}x{report.size}" if report.size else "no board"
    print(f"{name}: {board}, {'fine' if report.is_fine else 'to be mended'}")
    for point in report.points:
        score = "   -" if point.score is None else f"{point.score:4.2f}"
        figures = ", ".join(f"{key} {value:.3g}" for key, value in point.figures.items())
        print(f"  {_SIGNS[point.level]}  {point.code:10}  {score}  {figures}")
        for line in _advice(point, report.size):
            print(f"           {line}")


_SIGNS: Final = {
    Rating.FINE: "fine ",
    Rating.FAIR: "fair ",
    Rating.MEND: "MEND ",
    Rating.UNMEASURED: "  ?  ",
}
"""Text of each rating, five characters."""


def _advice(point: SetupFinding, size: int | None) -> Iterator[str]:
    if point.remedy:
        yield point.remedy
    if point.squares and size:
        yield "squares: " + ",".join(_square_name(square, size) for square in point.squares)


# The measurement


def _measure(arguments: argparse.Namespace) -> int:
    pictures = _LensPictures(arguments)
    fault = ""
    known = Calibration()
    with ExitStack() as stack:
        frames: Iterator[Frame]
        if arguments.sources:
            frames = chain.from_iterable(map(_frames, arguments.sources))
            frames = Progress().each(frames, "picture")
        else:
            frames = _while_moved(stack.enter_context(_camera(arguments)).frames())
        try:
            known = measure(pictures.boards(frames))
        except GeometryError as error:
            fault = str(error)
    if not pictures.count:
        raise CornerlightError("not one picture of the camera can be read; see: cornerlight doctor")
    if pictures.newest is None:
        return _fault(pictures.reasons[0], arguments)
    if arguments.corners is not None:
        grid, size = pictures.newest
        known = replace(known, board=grid.size, corners=grid.corners, size=size)
    elif fault:
        return _fault(fault, arguments)
    if arguments.save:
        with report_unwritable(arguments.save, "the calibration"):
            arguments.save.write_text(json.dumps(known.to_json(), indent=1) + "\n", "utf-8")
    _print(known, pictures.count, fault, arguments)
    return 0


class _LensPictures:
    """The pictures for the measurement of a lens, read one after another.

    Attributes:
        count: number of pictures.
        reasons: reasons for each picture without a board.
        newest: grid of the board in the last picture that shows it, and size of that picture.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments: Final = arguments
        self.count = 0
        self.reasons: list[str] = []
        self.newest: tuple[Grid, tuple[int, int]] | None = None

    def boards(self, frames: Iterator[Frame]) -> Iterator[tuple[Image, Grid, NDArray[np.bool_]]]:
        """Yields each picture with a board, its grid, and (squares,) True for empty squares."""
        for frame in frames:
            self.count += 1
            found = self._found(frame)
            if isinstance(found, BoardFailure):
                self.reasons.append(found.reason)
            else:
                self.newest = found[0], (frame.image.shape[1], frame.image.shape[0])
                yield frame.image, *found

    def _found(self, frame: Frame) -> BareBoard | BoardFailure:
        arguments = self._arguments
        corners, palette = _corners(arguments, frame), EDITIONS.get(arguments.edition)
        return bare_board(frame.image, _size(arguments), palette, corners)


def _fault(reason: str, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print(json.dumps({"found": False, "reason": reason}))
    else:
        print(f"not calibrated: {reason}")
    return FAULT


def _print(known: Calibration, pictures: int, fault: str, arguments: argparse.Namespace) -> None:
    if arguments.json:
        line: dict[str, Any] = {"found": True, **known.to_json()}
        print(json.dumps(line | ({"reason": fault} if fault else {})))
        return
    if known.lens is None:
        print(f"the lens was not measured: {fault}")
    else:
        _print_lens(known, known.lens, pictures)
    if known.corners is not None:
        print(f"corners of the {known.board}x{known.board} board kept")
    print(f"written to {arguments.save}" if arguments.save else "written nowhere; see --save")


def _print_lens(known: Calibration, lens: Lens, pictures: int) -> None:
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
"""Text for an unmeasured focal length."""
