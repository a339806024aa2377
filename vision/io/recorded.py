"""Cameras that play a recording: a folder of pictures in name order, or a video file."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.camera import Camera, Frame, Image
from vision.errors import SourceError, open_regular
from vision.io.image_file import SUFFIXES, LoadedImage, decode_picture, read_encoded
from vision.io.limits import decoder_limits, resident_bytes
from vision.io.recording_notes import TIMES, RecordingNotes

Decoder = Callable[[bytes, str], LoadedImage]
"""Function that decodes the bytes of a picture; its name is for messages."""

USUAL_FPS: Final = 2.0
"""Pictures per second of a recording without times."""

_FPS: Final = (0.001, 1000.0)
"""Fewest and most pictures per second at which a recording may be played."""

_LARGEST_FRAME: Final = 4096 * 2304
"""Most pixels of a video's frame: phones film in 4K. A decoder holds up to ten frames."""

_FRAME_MEMORY: Final = 190_000_000
"""Bytes that opening a video, or decoding a frame, may take. 4K in MPEG-4 took 128 million."""

_MOST_RESIDENT: Final = 240_000_000
"""Bytes by which the process may grow while it plays a video; 4K needs 180 million. A stream can
make its decoder hold 36 frames."""

_SEARCH_MS: Final = 7000
"""Milliseconds for which FFmpeg may look for the next frame: a file may have zeros for hours."""

_CONTAINERS: Final = (
    (4, b"ftyp"),  # MP4 and MOV
    (4, b"moov"),
    (4, b"mdat"),
    (8, b"AVI "),
    (0, b"\x1a\x45\xdf\xa3"),  # MKV and WebM
)
"""Offset and bytes of the signatures of files that are passed to FFmpeg. It reads more formats:
lists that name other files, and pictures without any bounds."""


class FolderCamera:
    """Camera that plays the pictures of a folder in name order, with 2 before 10.

    Args:
        folder: folder of the pictures; other files in it are ignored.
        fps: pictures per second, 0.001 to 1000; None for the times in the folder's `times.txt`, or
            two per second if it has none.
        decode: function that decodes a picture, `decode_picture` or `decode_live`.

    Raises:
        SourceError: the folder is missing or has no picture, the pace is out of bounds, its
            times are not in order, or a list beside the pictures cannot be read.
    """

    def __init__(
        self, folder: Path, fps: float | None = None, decode: Decoder = decode_picture
    ) -> None:
        _check_pace(fps)
        try:
            names = sorted(folder.iterdir(), key=_natural)
        except OSError as error:
            raise SourceError(f"cannot open the folder {folder}: {error.strerror}") from error
        self._paths = [path for path in names if path.suffix.lower() in SUFFIXES]
        if not self._paths:
            raise SourceError(
                f"there is no picture in the folder {folder}; it needs JPEG, PNG, WebP or HEIC"
            )
        self._notes = RecordingNotes(folder, {path.name for path in self._paths}, timed=fps is None)
        self._decode = decode
        pace = fps or USUAL_FPS
        known = [self._notes.time_s(path.name) for path in self._paths]
        self._times = [
            number / pace if time_s is None else time_s for number, time_s in enumerate(known, 1)
        ]
        if sorted(self._times) != self._times:
            raise SourceError(f"the times in {folder / TIMES} go backwards; give --fps instead")
        self._number = 0

    def __len__(self) -> int:
        return len(self._paths)

    def read(self) -> Frame | None:
        """Reads the next picture; None after the last.

        Raises:
            SourceError: the picture cannot be read; the next call reads the one after it.
        """
        if self._number >= len(self._paths):
            return None
        self._number += 1
        path = self._paths[self._number - 1]
        data = read_encoded(path)
        picture = self._decode(data, str(path))
        orientation = self._notes.orientation(path.name)
        return Frame(
            orientation.upright(picture.image),
            self._times[self._number - 1],
            self._number,
            lit=self._notes.lit(path.name),
            reduced=picture.reduced,
            stuck=self._notes.stuck(path.name),
            encoded=data,
            orientation=orientation,
        )

    def close(self) -> None:
        """Ends the recording."""
        self._number = len(self._paths)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Key that sorts names with the numbers in them as numbers, as cameras and phones count."""
    words = re.split("([0-9]+)", path.name)
    return [(int(word), word) if place % 2 else (0, word) for place, word in enumerate(words)]


def _check_pace(fps: float | None) -> None:
    if fps is not None and not _FPS[0] <= fps <= _FPS[1]:
        raise SourceError(
            f"a recording cannot be played at {fps:g} pictures a second; "
            f"give {_FPS[0]:g} to {_FPS[1]:g}"
        )


class VideoCamera:
    """Camera that plays a video file.

    Args:
        path: path of the file.
        fps: frames to return per second of video, 0.001 to 1000; all of them by default.

    Raises:
        SourceError: the file is missing or no video, its frames are too large, or the pace is
            out of bounds.
    """

    def __init__(self, path: Path, fps: float | None = None) -> None:
        _check_pace(fps)
        # FFmpeg takes a name for an address, unless it begins with a slash.
        path = path.absolute()
        if not _is_video(path):
            raise SourceError(f"{path} is not a video that can be read; give MP4, MOV, AVI or MKV")
        self._before = resident_bytes()
        with decoder_limits(_FRAME_MEMORY):
            # Each further thread would hold a frame.
            limits = [cv2.CAP_PROP_N_THREADS, 1, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _SEARCH_MS]
            self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            raise SourceError(f"{path} is not a video that can be read; give MP4, MOV, AVI or MKV")
        width, height = self._properties(cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        if width * height > _LARGEST_FRAME:
            raise SourceError(
                f"the video {path} has frames of {width:.0f}x{height:.0f} pixels; "
                "give one of 3840x2160 (4K) or smaller"
            )
        (own,) = self._properties(cv2.CAP_PROP_FPS)
        self._own_fps = own if np.isfinite(own) and own > 0 else 30.0
        self._step = 1.0 if fps is None else max(1.0, self._own_fps / fps)
        self._grabbed = 0
        self._number = 0

    def _properties(self, *names: int) -> list[float]:
        return [float(self._capture.get(name)) for name in names]

    def read(self) -> Frame | None:
        """Reads the next frame at the requested pace; None at the end of the video."""
        wanted = round((self._number + 1) * self._step)
        with decoder_limits(_FRAME_MEMORY):
            image = self._decoded(wanted)
        if image is None:
            return None
        if resident_bytes() - self._before > _MOST_RESIDENT:
            self.close()
            raise SourceError(
                "the rest of the video takes too much memory; save it anew as MP4 of 1920x1080"
            )
        self._number += 1
        return Frame(image, self._grabbed / self._own_fps, self._number)

    def _decoded(self, wanted: int) -> Image | None:
        """Decodes a frame by its number, counted from 1; None if the video ends before it."""
        while self._grabbed < wanted:
            if not self._capture.grab():
                return None
            self._grabbed += 1
        found, image = self._capture.retrieve()
        return np.asarray(image, np.uint8) if found else None

    def close(self) -> None:
        """Closes the file."""
        self._capture.release()


def _is_video(path: Path) -> bool:
    """True if a file begins with one of the signatures `_CONTAINERS`.

    Raises:
        SourceError: it cannot be read, or FFmpeg cannot be told its name.
    """
    try:
        str(path).encode()
        with open_regular(path) as file:
            begin = file.read(16) or b""
    except OSError as error:
        raise SourceError(f"cannot read the video {path}: {error.strerror}") from error
    except UnicodeEncodeError as error:
        raise SourceError(f"the name of the video {path} is not UTF-8; rename it") from error
    return any(begin[at:].startswith(mark) for at, mark in _CONTAINERS)


def open_recording(
    source: Path, fps: float | None = None, decode: Decoder = decode_picture
) -> Camera:
    """Opens a camera that plays a folder of pictures or a video file.

    Args:
        source: path of the folder or file.
        fps: pictures per second: the pace of a folder, or the number of frames to return per
            second of video. None for the times in the folder, or two per second.
        decode: function that decodes a picture of a folder, see `FolderCamera`.

    Raises:
        SourceError: there is no such folder or file, or it cannot be played.
    """
    if source.is_dir():
        return FolderCamera(source, fps, decode)
    if not source.exists():
        raise SourceError(f"there is no recording {source}; give a folder of pictures or a video")
    return VideoCamera(source, USUAL_FPS if fps is None else fps)
