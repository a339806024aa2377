"""Records a session as a folder, from which `watch` and `run` repeat it.

000001.jpg ...   the frames that the referee saw, as their files came from the camera; pixels
                 without a file as PNG
times.txt ...    times, lit squares and turns of the frames, see `vision.io.recording_notes`
inputs.jsonl     what people did, and games and geometry, see `firmware.storage.session_inputs`
events.jsonl     every event, as `watch --json` prints it

A disk that is full, slow or faulty ends the recording, but not the game: the fault is logged, and
the part recorded so far can be watched. A thread writes, so that a slow disk holds nobody up.
"""

import errno
import json
import logging
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from firmware.drivers.interfaces import DeviceError
from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.rules.variants import Edition
from firmware.storage.atomic_file import PRIVATE
from firmware.storage.session_inputs import (
    INPUTS,
    BegunGame,
    BoardGeometry,
    SessionInput,
    first_line,
    line_of,
)
from vision.camera import UPRIGHT, Frame, Image
from vision.io.image_file import encode_png
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

LEAST_FREE: Final = 500_000_000
"""Bytes that stay free on the disk: the journal, the archive and the system itself need some, and
a system whose disk is full may not start again."""

_CHECK_S: Final = 2.0
"""Seconds between two looks at the free space. A camera that sends 20 MB a second, the most that
SD cards take, writes a twelfth of `LEAST_FREE` meanwhile."""

_MOST_WAITING: Final = 64_000_000
"""Bytes that may wait for the disk. A camera with 10 JPEGs of 300 kB a second fills them in 21 s,
which is longer than SD cards stall; pixels of 1640x1232 in 1 s."""

_CLOSE_S: Final = 10.0
"""Seconds for which `close` waits for the disk."""

_private: Final = partial(os.open, mode=PRIVATE)
"""Creates a file for its owner only: pictures show people and their room."""

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


class FolderWriter:
    """Writes files of one folder in a thread of its own, in the order in which they came.

    The first fault ends the writing for good: little space, a refusal of the disk, or a disk so
    slow that too much waits.

    Args:
        folder: an existing folder.
        least_free: bytes that stay free on its disk.
        patience_s: seconds for which a call waits for room, before the disk counts as too slow. A
            table in real time has none.

    Attributes:
        fault: reason that nothing more is written, a clause; empty while all is well.
    """

    def __init__(self, folder: Path, least_free: int = LEAST_FREE, patience_s: float = 0.0) -> None:
        self.fault = ""
        self._folder: Final = folder
        self._least_free: Final = least_free
        self._patience_s: Final = patience_s
        self._checked_s = float("-inf")
        self._changed: Final = threading.Condition()
        self._waiting: Final[deque[tuple[int, Callable[[], None]]]] = deque()
        self._bytes = 0
        self._closing = False
        self._thread: Final = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    def append(self, name: str, line: str) -> None:
        """Adds a line to a text file, all of it or nothing."""
        content = f"{line}\n".encode()
        self._put(len(content), lambda: self._append(self._folder / name, content))

    def write(self, name: str, content: bytes | Image) -> None:
        """Writes a file; pixels become a PNG."""
        size = content.nbytes if isinstance(content, np.ndarray) else len(content)
        self._put(size, lambda: self._write(self._folder / name, content))

    def close(self) -> None:
        """Writes what waits, and ends the thread; further calls do nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_CLOSE_S)
        if self._thread.is_alive():
            self._end("the disk is too slow")

    def _put(self, size: int, job: Callable[[], None]) -> None:
        with self._changed:
            room = self._changed.wait_for(lambda: self._has_room(size), self._patience_s)
            if not room:
                self._end("the disk is too slow")
            if not self.fault:
                self._bytes += size
                self._waiting.append((size, job))
                self._changed.notify_all()

    def _has_room(self, size: int) -> bool:
        return bool(self.fault) or not self._waiting or self._bytes + size <= _MOST_WAITING

    def _end(self, fault: str) -> None:
        with self._changed:
            if not self.fault:
                self.fault = fault
                self._waiting.clear()
                _log.error(
                    "nothing more is recorded in %s: %s; the game goes on", self._folder, fault
                )

    # In the thread

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                size, job = self._waiting[0]
            try:
                self._check_space()
                job()
            except OSError as error:
                self._end(error.strerror or str(error))
            except Exception:  # noqa: BLE001, a recording that fails must not end the game
                _log.exception("the recording has failed")
                self._end("it has failed; see above")
            with self._changed:
                self._bytes -= size
                if self._waiting:
                    self._waiting.popleft()
                self._changed.notify_all()

    def _check_space(self) -> None:
        """Looks at the free space every `_CHECK_S`.

        Raises:
            OSError: there is too little, or the disk does not answer.
        """
        now = time.monotonic()
        if now - self._checked_s < _CHECK_S:
            return
        self._checked_s = now
        if shutil.disk_usage(self._folder).free < self._least_free:
            megabytes = self._least_free // 1_000_000
            raise OSError(errno.ENOSPC, f"less than {megabytes} MB are free on its disk")

    def _write(self, path: Path, content: bytes | Image) -> None:
        data = encode_png(content) if isinstance(content, np.ndarray) else content
        try:
            with open(path, "wb", opener=_private) as file:
                file.write(data)
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise

    def _append(self, path: Path, content: bytes) -> None:
        with open(path, "ab", 0, opener=_private) as file:
            end = file.tell()
            if file.write(content) < len(content):
                file.truncate(end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
