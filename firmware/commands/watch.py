"""`cornerlight watch`: referees a recording."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Final

from firmware.commands.event_lines import event_line, summary_line
from firmware.commands.light_frames import LightFrames
from firmware.commands.main import FAULT
from firmware.commands.options import add_board, add_calibration
from firmware.errors import UnreadableError
from firmware.game.events import BoardFound
from firmware.records.record import Record
from firmware.records.writer import RecordWriter
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, LETTERS, Edition, Variant, game_on, named_edition
from firmware.session.tracker import GameTracker
from vision.camera import Camera, Frame
from vision.detection.board_detector import locate
from vision.errors import SourceError
from vision.geometry.calibration import Calibration, load
from vision.geometry.grid import Points
from vision.geometry.lens import Lens
from vision.io.image_file import load_picture
from vision.io.recorded import open_recording
from vision.reader import SEARCH_S, Reader
from vision.reading import SENTENCES, BoardNotFound

EXAMPLE: Final = "cornerlight watch recorded-game/ --json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("source", metavar="SOURCE", type=Path, help="folder of pictures, or video")
    add_board(parser)
    parser.add_argument("--first", metavar="COLOR", choices=LETTERS, help="colour that begins")
    add_calibration(parser)
    parser.add_argument(
        "--fps", type=float, help="pictures a second (default: the times saved with them, or 2)"
    )
    parser.add_argument("--record", metavar="OUT.blksgf", type=Path, help="write the game record")
    parser.add_argument(
        "--lights", metavar="OUT_DIR", type=Path, help="write pictures of the lights, as PNG"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each event")


def run(arguments: argparse.Namespace) -> int:
    """Watches and prints."""
    begun = time.perf_counter()
    with closing(open_recording(arguments.source, arguments.fps)) as camera:
        frames = _frames(camera)
        known = load(arguments.calibration) if arguments.calibration else Calibration()
        first, game = _begin(frames, arguments, known)
        corners = known.corners_in(*first.image.shape[1::-1])
        tracker = _tracker(game, arguments, corners, known.lens)
        record = Record.new(game, application="Cornerlight")
        transcript = RecordWriter(record)
        if arguments.record:
            _save(record, tracker.edition, arguments.record)
        snapshots = LightFrames(arguments.lights) if arguments.lights else None
        count, found = 0, False
        try:
            for frame in chain([first], frames):
                count = frame.number
                for event in tracker.see(frame, frame.lit):
                    found = found or isinstance(event, BoardFound)
                    size = tracker.state.position.game.size
                    line = event_line(event, size, tracker.edition, as_json=arguments.json)
                    print(line, flush=True)
                    transcript.add(event)
                if snapshots:
                    snapshots.take(frame.number, tracker)
        finally:
            if arguments.record:
                _save(record, tracker.edition, arguments.record)
    seconds = time.perf_counter() - begun
    print(summary_line(tracker.state, tracker.edition, count, seconds, as_json=arguments.json))
    if not found and tracker.failure is not None:
        print(
            f"cornerlight watch: {arguments.source}: {SENTENCES[tracker.failure]}", file=sys.stderr
        )
        return FAULT
    return 0


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


def _begin(
    frames: Iterator[Frame], arguments: argparse.Namespace, known: Calibration
) -> tuple[Frame, Variant]:
    """Returns the first frame and the variant: the named one, or Duo or Classic by the board.

    Frames before the first that shows a board are skipped.

    Raises:
        UnreadableError: there is no readable frame.
    """
    frame = next(frames, None)
    if frame is None:
        raise UnreadableError(f"{arguments.source}: not one picture of it can be read")
    if arguments.game:
        return frame, GAMES[arguments.game]
    if known.board:
        return frame, game_on(known.board)
    newest, searched_s = frame, float("-inf")
    for newest in chain([frame], frames):
        search = newest.time_s - searched_s >= SEARCH_S
        found = locate(newest.image, None, None, search=search, lens=known.lens)
        if not isinstance(found, BoardNotFound):
            return newest, game_on(found.grid.size)
        searched_s = newest.time_s if search else searched_s
    return newest, GAMES["duo"]


def _tracker(
    game: Variant, arguments: argparse.Namespace, corners: Points | None, lens: Lens | None
) -> GameTracker:
    edition = named_edition(arguments.edition, game)
    reader = Reader(game.size, edition, corners, lens)
    if arguments.empty:
        reading = reader.read(Frame(load_picture(arguments.empty), 0.0, 0))
        if isinstance(reading, BoardNotFound):
            raise UnreadableError(f"--empty {arguments.empty}: {reading.reason}")
    return GameTracker(reader, Position.start(game), edition, first=arguments.first)


def _save(record: Record, edition: Edition, path: Path) -> None:
    record.name_colours(edition)
    try:
        path.write_bytes(record.write())
    except OSError as error:
        raise UnreadableError(f"cannot write the record {path}: {error.strerror}") from error
