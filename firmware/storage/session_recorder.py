"""Records a session as a folder that `watch` reads: frames, their times, and events.

000001.jpg ...   the frames of the camera
times.txt        name of a frame and its time in seconds, a line each
lit.txt          name of a frame and the squares whose LEDs may glow in it, if any do
events.jsonl     every event, as `watch --json` prints it

A refusing disk ends the recording, but not the game: the error is logged, and the part recorded so
far can be watched.
"""

import errno
import json
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.drivers.interfaces import DeviceError
from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.rules.variants import Edition
from vision.camera import Frame, FrameSource, NoCamera, NoFrame
from vision.io.jpeg import encode_jpeg
from vision.io.recording_notes import LIT, TIMES

Seen = Callable[[Frame], frozenset[int]]
"""Returns the squares that may glow in a frame, see `LedDisplay.seen_in`."""

EVENTS: Final = "events.jsonl"
"""File of the events."""

_JPEG_QUALITY: Final = 90
"""Quality of the frames as JPEG, 0 to 100."""

_log = logging.getLogger(__name__)


class SessionRecorder:
    """A camera that records the frames of another one, and the events.

    Args:
        camera: the source of frames.
        folder: the folder of the recording; created if it is missing.
        size: squares along a side of the board.
        lit: returns the squares that may glow in a frame; None without lights.

    Attributes:
        size: squares along a side of the board of the present game.

    Raises:
        DeviceError: the folder cannot be created, or contains a recording already.
    """

    def __init__(
        self, camera: FrameSource, folder: Path, size: int, lit: Seen | None = None
    ) -> None:
        self._camera: Final = camera
        self._folder: Final = folder
        self.size = size
        self._lit: Final = lit
        self._ended = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DeviceError(f"cannot make the folder {folder}: {error.strerror}") from error
        if (folder / TIMES).exists():
            raise DeviceError(f"{folder} holds a recording already; name another folder")

    def read(self) -> Frame | NoFrame | NoCamera | None:
        """Returns what the camera returns; a frame was recorded before."""
        frame = self._camera.read()
        if isinstance(frame, Frame) and not self._ended:
            path = self._folder / f"{frame.number:06}.jpg"
            try:
                self._save(frame, path)
            except OSError as error:
                with suppress(OSError):
                    path.unlink()
                self._end(error)
        return frame

    def record(self, event: Event, edition: Edition) -> None:
        """Records an event.

        Args:
            event: the event.
            edition: names of the colours in the order of play.
        """
        if self._ended:
            return
        try:
            self._append(EVENTS, json.dumps(to_json(event, self.size, edition)))
        except OSError as error:
            self._end(error)

    def close(self) -> None:
        """Closes the camera; the recording stays."""
        self._camera.close()

    def _save(self, frame: Frame, path: Path) -> None:
        path.write_bytes(encode_jpeg(frame.image, _JPEG_QUALITY))
        lit = self._lit(frame) if self._lit else frozenset()
        if lit:
            self._append(LIT, " ".join(map(str, (path.name, *sorted(lit)))))
        self._append(TIMES, f"{path.name} {frame.time_s:.3f}")

    def _append(self, name: str, line: str) -> None:
        """Adds a line to a file, all of it or nothing.

        Raises:
            OSError: it cannot be written.
        """
        content = f"{line}\n".encode()
        with (self._folder / name).open("ab", buffering=0) as file:
            end = file.tell()
            if file.write(content) < len(content):
                file.truncate(end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _end(self, error: OSError) -> None:
        self._ended = True
        _log.error(
            "nothing more is recorded in %s: %s; the game goes on", self._folder, error.strerror
        )
