"""Records a session as a folder, from which `watch` and `run` repeat it.

000001.jpg ...   the frames that the referee saw, as their files came from the camera; pixels
                 without a file as PNG
times.txt ...    times, lit squares and turns of the frames, see `vision.io.recording_notes`
inputs.jsonl     what people did, and games and geometry, see `firmware.storage.session_inputs`
events.jsonl     every event, as `watch --json` prints it

A disk that is full, slow or faulty ends the recording, but not the game: the fault is logged, and
the part recorded so far can be watched.
"""

import json
import logging
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from firmware.drivers.interfaces import DeviceError
from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.rules.variants import Edition
from firmware.storage.board_geometry import BoardGeometry
from firmware.storage.folder_writer import LEAST_FREE, FolderWriter
from firmware.storage.session_inputs import INPUTS, BegunGame, SessionInput, first_line, line_of
from vision.camera import UPRIGHT, Frame
from vision.io.image_header import ImageFormat, format_of
from vision.io.recording_notes import LIT, ORIENTATIONS, SAME, STUCK, TIMES, words_of

EVENTS: Final = "events.jsonl"
"""File of a recording's events, for people and tests: no verb reads it."""

_SUFFIXES: Final = {
    ImageFormat.JPEG: ".jpg",
    ImageFormat.PNG: ".png",
    ImageFormat.WEBP: ".webp",
    ImageFormat.HEIC: ".heic",
    None: ".png",
}
"""Suffix of a frame's name by the format of its file; None for pixels."""


_log = logging.getLogger(__name__)


class SessionRecorder:
    """Records what a table takes in and decides.

    Args:
        folder: the folder of the recording, for its owner only; created if it is missing. If it
            holds a recording already, the new one goes beside it, into a folder with a number.
        least_free: bytes that stay free on its disk.
        patience_s: seconds for which a frame waits for a slow disk, see `FolderWriter`.

    Raises:
        DeviceError: the folder cannot be created.
    """

    def __init__(self, folder: Path, least_free: int = LEAST_FREE, patience_s: float = 0.0) -> None:
        free = _free_folder(folder)
        if free != folder:
            _log.warning("%s holds a recording already; this one goes to %s", folder, free)
        self._writer: Final = FolderWriter(free, least_free, patience_s)
        self._frames = 0
        self._begun_s = 0.0
        self._squares: Final[dict[str, frozenset[int]]] = {}

    @property
    def works(self) -> bool:
        """False once the disk has ended the recording."""
        return not self._writer.fault

    def begin(self, begun: BegunGame, events: Sequence[Event]) -> None:
        """Records the game that is on the table when the recording begins.

        Args:
            begun: the game.
            events: its events so far.
        """
        self._writer.append(INPUTS, first_line(begun, events))

    def add_input(self, one: SessionInput) -> None:
        """Records an input, done after the newest frame and before the next one."""
        self._writer.append(INPUTS, line_of(self._frames + 1, one))

    def add_geometry(self, geometry: BoardGeometry) -> None:
        """Records corners and lens with which frames were read from the newest one on."""
        self._writer.append(INPUTS, line_of(self._frames, geometry))

    def add_frame(self, frame: Frame, lit: frozenset[int], stuck: frozenset[int]) -> None:
        """Records a frame.

        Args:
            frame: the frame.
            lit: squares whose LEDs may have been lit in it.
            stuck: squares whose LEDs cannot be put out.
        """
        if not self._frames:
            self._begun_s = frame.time_s
        self._frames += 1
        content = frame.image if frame.encoded is None else frame.encoded
        kind = format_of(content) if isinstance(content, bytes) else None
        name = f"{self._frames:06}{_SUFFIXES[kind]}"
        # The lists come first: a process that is killed leaves no picture without its lines.
        self._list_squares(LIT, name, lit | stuck)
        self._list_squares(STUCK, name, stuck)
        if kind is not None and frame.orientation != UPRIGHT:
            self._writer.append(ORIENTATIONS, " ".join((name, *words_of(frame.orientation))))
        self._writer.append(TIMES, f"{name} {frame.time_s - self._begun_s!r}")
        self._writer.write(name, content)

    def add_event(self, event: Event, size: int, edition: Edition) -> None:
        """Records an event.

        Args:
            event: the event.
            size: squares along a side of the board.
            edition: names of the colours in the order of play.
        """
        self._writer.append(EVENTS, json.dumps(to_json(event, size, edition)))

    def close(self) -> None:
        """Writes what waits; the recording stays."""
        self._writer.close()

    def _list_squares(self, name: str, picture: str, squares: frozenset[int]) -> None:
        """Adds a line to a list of squares, unless there are none."""
        if squares:
            words = [SAME] if self._squares.get(name) == squares else map(str, sorted(squares))
            self._squares[name] = squares
            self._writer.append(name, " ".join((picture, *words)))


def _free_folder(folder: Path) -> Path:
    """Makes the folder of a recording, or one beside it with the first number that is free.

    Raises:
        DeviceError: it cannot be created.
    """
    for number in count(1):
        place = folder if number == 1 else Path(f"{folder.resolve()}-{number}")
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise DeviceError(f"cannot make the folder {place}: {error.strerror}") from error
        if not any((place / name).exists() for name in (TIMES, INPUTS)):
            return place
    raise AssertionError("numbers do not end")
