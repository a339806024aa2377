"""Output of `watch`: lines of events, the record, pictures of the lights, and the summary.

There is a picture of the lights for each change of them.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.codes import LightPlace
from firmware.commands.event_lines import event_line, summary_line
from firmware.commands.event_sentences import TableNames
from firmware.commands.main import FAULT
from firmware.commands.progress import Progress
from firmware.errors import UnreadableError, report_unwritable
from firmware.game.events import BoardFound, Event
from firmware.game.state import GameState
from firmware.lights.scene import SceneContext, ever, scene
from firmware.records.record import Record
from firmware.records.writer import RecordWriter
from firmware.rules.board import squares_of
from firmware.rules.variants import Edition
from firmware.session.tracker import GameTracker
from vision.plastics import PLASTICS, Rgb

_SQUARE_PX: Final = 28
"""Side of a square in pixels."""

_BOARD: Final = (58, 56, 54)
"""Colour of the board: blue, green, red."""

_LINE: Final = (84, 82, 80)
"""Colour of the lines: blue, green, red."""


class WatchOutput:
    """Prints and writes what `watch` finds out.

    Args:
        arguments: the command line of `watch`.
        tracker: reader and referee of the first game.
        events: its events so far.
    """

    def __init__(
        self, arguments: argparse.Namespace, tracker: GameTracker, events: Sequence[Event] = ()
    ) -> None:
        self._begun_s: Final = time.perf_counter()
        self._source: Final[Path] = arguments.source
        self._as_json: Final[bool] = arguments.json
        self._path: Final[Path | None] = arguments.record
        folder = arguments.lights
        self._lights: Final = LightFrames(folder, arguments.place) if folder else None
        self._tracker = tracker
        self._found = False
        self._frames = 0
        self._progress: Final = Progress()
        self.begin(tracker)
        for event in events:
            self._record.add(event)
        self.save_record()

    def begin(self, tracker: GameTracker) -> None:
        """Begins another game, and its record."""
        self._tracker = tracker
        game = tracker.referee.state.position.game
        self._record = RecordWriter(Record.new(game, application="Cornerlight"))

    def add_event(self, event: Event, tracker: GameTracker) -> None:
        """Prints an event, and adds it to the record."""
        self._found = self._found or isinstance(event, BoardFound)
        names = TableNames(tracker.referee.state.position, tracker.referee.edition)
        if line := event_line(event, names, as_json=self._as_json):
            self._progress.clear()
            print(line, flush=True)
        self._record.add(event)

    def add_frame(self, number: int, tracker: GameTracker) -> None:
        """Counts a frame, and writes the lights after it."""
        self._frames, self._tracker = number, tracker
        self._progress.show(f"picture {number}")
        if self._lights:
            self._lights.take(number, tracker)

    def save_record(self) -> None:
        """Writes the record so far, if one was asked for.

        Raises:
            UnreadableError: it cannot be written.
        """
        self._progress.clear()
        if self._path:
            _save(self._record.record, self._tracker.referee.edition, self._path)

    def conclude(self) -> int:
        """Prints the summary; returns the exit status."""
        tracker, seconds = self._tracker, time.perf_counter() - self._begun_s
        if tracker.referee.state.position.game.puzzle is not None:
            seconds = self._record.taken_s
        edition, as_json = tracker.referee.edition, self._as_json
        print(summary_line(tracker.referee.state, edition, self._frames, seconds, as_json=as_json))
        if self._found or tracker.cause is None:
            return 0
        print(f"cornerlight watch: {self._source}: {tracker.cause.reason}", file=sys.stderr)
        return FAULT


def _save(record: Record, edition: Edition, path: Path) -> None:
    record.name_colours(edition)
    with report_unwritable(path, "the record"):
        path.write_bytes(record.write())


class LightFrames:
    """Writes pictures of the lights into a folder.

    Args:
        folder: the folder; created if it is missing.
        place: place of the LEDs. A panel is drawn without the board.

    Raises:
        UnreadableError: the folder cannot be created.
    """

    def __init__(self, folder: Path, place: LightPlace) -> None:
        self._folder: Final = folder
        self._context: Final = SceneContext(place=place)
        self._newest: bytes = b""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnreadableError(f"cannot make the folder {folder}: {error.strerror}") from error

    def take(self, number: int, tracker: GameTracker) -> None:
        """Writes `NUMBER.png` if the lights have changed since the last one."""
        state, edition, place = tracker.referee.state, tracker.referee.edition, self._context.place
        lit = ever(scene(state, edition, self._context))
        png = cv2.imencode(".png", draw(state, edition, lit, place))[1]
        if png.tobytes() != self._newest:
            self._newest = png.tobytes()
            path = self._folder / f"{number:05}.png"
            with report_unwritable(path):
                path.write_bytes(self._newest)


def draw(
    state: GameState,
    edition: Edition,
    lit: dict[int, Rgb],
    place: LightPlace = LightPlace.UNDER,
) -> np.ndarray:
    """Draws the board from above, with refused pieces, pieces to lift, and lit squares; or a panel.

    Returns:
        (h, w, 3) uint8, blue green red.
    """
    position = state.position
    size = position.game.size
    image = np.full((size * _SQUARE_PX, size * _SQUARE_PX, 3), _BOARD, np.uint8)
    for colour, name in enumerate(edition if place is LightPlace.UNDER else ()):
        ink = PLASTICS[name].screen[::-1]
        refused = (one.squares for one in state.refused if one.colour == colour)
        to_lift = (one.squares for one in state.to_lift if one.colour == colour)
        for square in chain(squares_of(position.squares(colour)), *refused, *to_lift):
            _fill(image, square, size, ink, 1)
    for square, (red, green, blue) in lit.items():
        _fill(image, square, size, (blue, green, red), 6)
    for line in range(0, size * _SQUARE_PX, _SQUARE_PX):
        image[line, :] = image[:, line] = _LINE
    return image


def _fill(image: np.ndarray, square: int, size: int, ink: tuple[int, ...], inset: int) -> None:
    row, column = divmod(square, size)
    top, left = row * _SQUARE_PX + inset, column * _SQUARE_PX + inset
    side = _SQUARE_PX - 2 * inset
    image[top : top + side, left : left + side] = ink
