"""Any session as a folder that `watch` reads: its frames, their times, and what was said of them.

000001.jpg ...   the frames as the camera gave them
times.txt        name of a frame and its time in seconds, a line each
lit.txt          name of a frame and the squares whose LEDs may glow in it, where any do
events.jsonl     every event, as `watch --json` prints it
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2

from firmware.devices import DeviceError
from firmware.event_json import to_json
from firmware.events import Event
from firmware.rules.games import Edition
from vision.camera import Camera, Frame
from vision.recorded import LIT, TIMES

Seen = Callable[[int, tuple[float, float] | None], frozenset[int]]
"""Squares that may glow in a frame, from its number and exposure, see `Lights.seen_in`."""

EVENTS: Final = "events.jsonl"

_JPEG_QUALITY: Final = 90


class Recorder:
    """A camera that keeps what another one sees, and what follows from it.

    Args:
        camera: where frames come from.
        folder: where they go; made if it is not there.
        size: squares along a side of the board.
        lit: says what glows in a frame, where there are lights.

    Raises:
        DeviceError: the folder cannot be made, or holds a recording already.
    """

    def __init__(self, camera: Camera, folder: Path, size: int, lit: Seen | None = None) -> None:
        self._camera: Final = camera
        self._folder: Final = folder
        self._size: Final = size
        self._lit: Final = lit
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DeviceError(f"cannot make the folder {folder}: {error.strerror}") from error
        if (folder / TIMES).exists():
            raise DeviceError(f"{folder} holds a recording already; name another folder")

    def read(self) -> Frame | None:
        """The next frame, saved before it is passed on.

        Raises:
            DeviceError: it cannot be saved.
        """
        frame = self._camera.read()
        if frame is not None:
            path = self._folder / f"{frame.number:06}.jpg"
            if not cv2.imwrite(str(path), frame.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]):
                raise DeviceError(f"cannot write {path}; is the disk full?")
            lit = self._lit(frame.number, frame.exposure) if self._lit else frozenset()
            if lit:
                self._append(LIT, " ".join(map(str, (path.name, *sorted(lit)))))
            self._append(TIMES, f"{path.name} {frame.time_s:.3f}")
        return frame

    def tell(self, event: Event, edition: Edition) -> None:
        """Saves an event.

        Args:
            event: what happened.
            edition: names of the colours in the order of play.

        Raises:
            DeviceError: it cannot be saved.
        """
        self._append(EVENTS, json.dumps(to_json(event, self._size, edition)))

    def close(self) -> None:
        """Closes the camera; what was saved stays."""
        self._camera.close()

    def _append(self, name: str, line: str) -> None:
        path = self._folder / name
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise DeviceError(f"cannot write {path}: {error.strerror}") from error
