"""A recording as a camera: a folder of pictures or a video file, at its own pace."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.cameras.interfaces import EndOfPictures
from vision.camera import UPRIGHT, Frame
from vision.errors import SourceError
from vision.io.image_file import decode_live
from vision.io.recorded import open_recording


class PlaybackCamera:
    """Plays a recording at its own pace.

    Args:
        source: folder of pictures or video file.
        speed: factor of its pace.
        clock: returns the time in seconds.
        pause: function that waits for some seconds.

    Raises:
        SourceError: it cannot be played.

    Attributes:
        name: its path.
    """

    def __init__(
        self,
        source: Path,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name: Final = str(source)
        self._recording: Final = open_recording(source, decode=decode_live)
        self._speed: Final = speed
        self._clock: Final = clock
        self._pause: Final = pause
        self._begin: float | None = None
        self._next: Frame | None = None

    def read(self, timeout_s: float) -> Frame | None:
        """Waits until the next picture is due; None if that takes longer.

        A picture that cannot be read is skipped.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            EndOfPictures: the recording has ended.
        """
        if self._next is None and not self._load():
            return None
        picture, now = self._next, self._clock()
        assert picture is not None, "a picture was loaded"
        if self._begin is None:
            self._begin = now - picture.time_s / self._speed
        wait_s = self._begin + picture.time_s / self._speed - now
        if wait_s > timeout_s:
            self._pause(timeout_s)
            return None
        self._pause(max(0.0, wait_s))
        self._next = None
        return picture

    def _load(self) -> bool:
        """Reads the next picture; False if it cannot be read."""
        try:
            frame = self._recording.read()
        except SourceError:
            return False
        if frame is None:
            raise EndOfPictures
        # The file of a turned picture is not what was seen.
        is_turned = frame.orientation != UPRIGHT
        self._next = replace(frame, encoded=None, orientation=UPRIGHT) if is_turned else frame
        return True

    def close(self) -> None:
        """Ends the recording."""
        self._recording.close()
