"""`cornerlight watch`: referees a recording."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

from firmware.codes import LightPlace
from firmware.commands.options import add_board, add_calibration
from firmware.commands.session_replay import (
    RecordedFrames,
    RecordedTableFactory,
    repeated_session,
)
from firmware.commands.watch_output import WatchOutput
from firmware.errors import UnreadableError
from firmware.game.config import usual_takeback
from firmware.referee.referee import RefereeSettings
from firmware.rules.position import Position
from firmware.rules.variants import (
    GAMES,
    LETTERS,
    VARIANTS,
    Edition,
    Variant,
    game_on,
    named_edition,
)
from firmware.session.games_by_board import BoardFinder
from firmware.session.tracker import GameTracker
from firmware.storage.session_inputs import SessionInputs, inputs_of
from vision.camera import Camera, Frame
from vision.errors import BoardFailure, SourceError
from vision.geometry.calibration import Calibration, load
from vision.geometry.grid import Points
from vision.geometry.lens import Lens
from vision.io.image_file import load_picture
from vision.io.recorded import open_recording
from vision.reader import Reader

EXAMPLE: Final = "cornerlight watch recorded-game/ --json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("source", metavar="SOURCE", type=Path, help="folder of pictures, or video")
    add_board(parser, tuple(VARIANTS))
    parser.add_argument("--first", metavar="COLOR", choices=LETTERS, help="colour that begins")
    add_calibration(parser)
    parser.add_argument(
        "--fps", type=float, help="pictures a second (default: the times saved with them, or 2)"
    )
    parser.add_argument("--record", metavar="OUT.blksgf", type=Path, help="write the game record")
    parser.add_argument(
        "--lights", metavar="OUT_DIR", type=Path, help="write pictures of the lights, as PNG"
    )
    parser.add_argument(
        "--place",
        choices=tuple(LightPlace),
        type=LightPlace,
        default=LightPlace.UNDER,
        help="place of these lights: under the board (default), or on a panel beside it",
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each event")


def run(arguments: argparse.Namespace) -> int:
    """Watches and prints."""
    inputs = inputs_of(arguments.source, arguments.game)
    with closing(open_recording(arguments.source, arguments.fps)) as camera:
        known = load(arguments.calibration) if arguments.calibration else Calibration()
        frames = _frames(camera)
        if inputs is None:
            return _watch_frames(frames, known, arguments)
        return _watch_session(frames, inputs, known, arguments)


def _watch_frames(
    frames: Iterator[Frame], known: Calibration, arguments: argparse.Namespace
) -> int:
    """Referees pictures of which nothing else is known."""
    first, game = _begin(frames, arguments, known)
    edition = named_edition(arguments.edition, game)
    corners = known.corners_in(*first.image.shape[1::-1])
    reader = _reader(Reader(game.size, edition, corners, known.lens), arguments)
    tracker = GameTracker(
        reader,
        Position.start(game),
        edition,
        first=arguments.first,
        settings=RefereeSettings(takeback=usual_takeback(game)),
    )
    output = WatchOutput(arguments, tracker)
    try:
        for frame in chain([first], frames):
            for event in tracker.see(frame, frame.lit - frame.stuck, frame.stuck):
                output.add_event(event, tracker)
            output.add_frame(frame.number, tracker)
    finally:
        output.save_record()
    return output.conclude()


def _watch_session(
    frames: Iterator[Frame],
    inputs: SessionInputs,
    known: Calibration,
    arguments: argparse.Namespace,
) -> int:
    """Repeats a recorded session with everything that people did in it."""
    first = _first(frames, arguments)
    placed = known.corners_in(*first.image.shape[1::-1])

    def make_reader(
        game: Variant, edition: Edition | None, corners: Points | None, lens: Lens | None
    ) -> Reader:
        corners = placed if corners is None else corners
        return _reader(Reader(game.size, edition, corners, lens or known.lens), arguments)

    edition = named_edition(arguments.edition, inputs.config.game)
    factory = RecordedTableFactory(
        RecordedFrames(chain([first], frames)),
        inputs,
        make_reader,
        edition,
        arguments.first,
    )
    with repeated_session(inputs, factory) as session:
        output = WatchOutput(arguments, session.tracker, inputs.events)
        try:
            session.run(output)
        finally:
            output.save_record()
    return output.conclude()


def _frames(camera: Camera) -> Iterator[Frame]:
    """Yields the frames of a recording; reports and skips unreadable ones."""
    while True:
        try:
            frame = camera.read()
        except SourceError as error:
            print(f"cornerlight watch: passed over: {error}", file=sys.stderr)
            continue
        if frame is None:
            return
        yield frame


def _first(frames: Iterator[Frame], arguments: argparse.Namespace) -> Frame:
    """Returns the first frame.

    Raises:
        UnreadableError: there is no readable frame.
    """
    frame = next(frames, None)
    if frame is None:
        raise UnreadableError(f"{arguments.source}: not one picture of it can be read")
    return frame


def _begin(
    frames: Iterator[Frame], arguments: argparse.Namespace, known: Calibration
) -> tuple[Frame, Variant]:
    """Returns the first frame and the variant: the named one, or Duo or Classic by the board.

    Frames before the first that shows a board are skipped.

    Raises:
        UnreadableError: there is no readable frame.
    """
    frame = _first(frames, arguments)
    if arguments.game:
        return frame, VARIANTS[arguments.game]
    if known.board:
        return frame, game_on(known.board)
    newest, finder = frame, BoardFinder(known.lens)
    for newest in chain([frame], frames):
        finder.see(newest)
        if finder.size is not None:
            return newest, game_on(finder.size)
    return newest, GAMES["duo"]


def _reader(reader: Reader, arguments: argparse.Namespace) -> Reader:
    """Returns a reader that has read the picture of the empty board, if there is one."""
    if arguments.empty:
        reading = reader.read(Frame(load_picture(arguments.empty), 0.0, 0))
        if isinstance(reading, BoardFailure):
            raise UnreadableError(f"--empty {arguments.empty}: {reading.reason}")
    return reader
