"""A camera that plays what was recorded: a folder of pictures in name order, or a video file."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.camera import Camera, Frame
from vision.errors import SourceError
from vision.picture import load_picture

SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
"""Endings of the files in a folder that are taken for pictures."""

TIMES: Final = "times.txt"
"""File beside the pictures that may say when each was taken: a name and seconds on each line."""

LIT: Final = "lit.txt"
"""File beside the pictures that may say where LEDs glow: a name and squares on each line."""

USUAL_FPS: Final = 2.0


class FolderCamera:
    """The pictures of a folder in name order, as if taken at an even pace.

    Args:
        folder: where the pictures lie; other files in it are passed over.
        fps: pictures a second, above 0; None for the times in the folder's `times.txt`, or two
            a second where it has none.

    Raises:
        SourceError: the folder is missing or holds no picture, the pace is not above 0, its
            times cannot be read or go backwards, or what glowed cannot be read.
    """

    def __init__(self, folder: Path, fps: float | None = None) -> None:
        if fps is not None and not fps > 0:
            raise SourceError(f"a recording cannot be played at {fps:g} pictures a second")
        try:
            names = sorted(folder.iterdir())
        except OSError as error:
            raise SourceError(f"cannot open the folder {folder}: {error.strerror}") from error
        self._paths = [path for path in names if path.suffix.lower() in SUFFIXES]
        if not self._paths:
            raise SourceError(f"there is no picture in the folder {folder}; it needs JPEG or PNG")
        known = _times(folder / TIMES) if fps is None else {}
        pace = fps or USUAL_FPS
        self._times = [
            known.get(path.name, number / pace) for number, path in enumerate(self._paths, 1)
        ]
        if sorted(self._times) != self._times:
            raise SourceError(f"the times in {folder / TIMES} go backwards; give --fps instead")
        self._lit = _lit(folder / LIT)
        self._number = 0

    def __len__(self) -> int:
        return len(self._paths)

    def read(self) -> Frame | None:
        """The next picture; None after the last.

        Raises:
            SourceError: the picture cannot be read; the next call goes on behind it.
        """
        if self._number >= len(self._paths):
            return None
        self._number += 1
        path = self._paths[self._number - 1]
        lit = self._lit.get(path.name, frozenset())
        return Frame(load_picture(path), self._times[self._number - 1], self._number, lit=lit)

    def close(self) -> None:
        """Ends the recording."""
        self._number = len(self._paths)


def _times(path: Path) -> dict[str, float]:
    """When each picture was taken, by name; empty if nobody wrote it down."""
    if not path.exists():
        return {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return {name: float(seconds) for name, seconds in map(str.split, lines)}
    except (OSError, ValueError) as error:
        raise SourceError(f"the times in {path} cannot be read; give --fps instead") from error


def _lit(path: Path) -> dict[str, frozenset[int]]:
    """The squares that glow in each picture, by name; empty if nobody wrote it down."""
    if not path.exists():
        return {}
    try:
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        return {name: frozenset(map(int, squares)) for name, *squares in lines}
    except (OSError, ValueError) as error:
        raise SourceError(
            f"{path}, where LEDs glow, cannot be read; without it lit squares look like pieces"
        ) from error


class VideoCamera:
    """The frames of a video file.

    Args:
        path: the file.
        fps: how many frames of a second of video to give; all of them by default.

    Raises:
        SourceError: the file is missing or no video, or the pace is not above 0.
    """

    def __init__(self, path: Path, fps: float | None = None) -> None:
        if fps is not None and not fps > 0:
            raise SourceError(f"a video cannot be played at {fps:g} pictures a second")
        if not path.is_file():
            raise SourceError(f"there is no video {path}")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(f"{path} is not a video that can be read; give MP4, AVI or MKV")
        own = self._capture.get(cv2.CAP_PROP_FPS)
        self._own_fps = own if np.isfinite(own) and own > 0 else 30.0
        self._step = 1.0 if fps is None else max(1.0, self._own_fps / fps)
        self._grabbed = 0
        self._number = 0

    def read(self) -> Frame | None:
        """The next frame of those asked for; None at the end of the video."""
        wanted = round((self._number + 1) * self._step)
        while self._grabbed < wanted:
            if not self._capture.grab():
                return None
            self._grabbed += 1
        found, image = self._capture.retrieve()
        if not found:
            return None
        self._number += 1
        return Frame(np.asarray(image, np.uint8), self._grabbed / self._own_fps, self._number)

    def close(self) -> None:
        """Closes the file."""
        self._capture.release()


def open_recording(source: Path, fps: float | None = None) -> Camera:
    """A camera that plays a folder of pictures or a video file.

    Args:
        source: the folder or file.
        fps: pictures a second: the pace of a folder, and how many of a video's to look at. None
            for the times in the folder, or two a second.

    Raises:
        SourceError: there is no such thing, or nothing in it to look at.
    """
    if source.is_dir():
        return FolderCamera(source, fps)
    if not source.exists():
        raise SourceError(f"there is no recording {source}; give a folder of pictures or a video")
    return VideoCamera(source, USUAL_FPS if fps is None else fps)
