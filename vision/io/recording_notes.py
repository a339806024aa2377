"""The lists beside the pictures of a recording: a picture's name and some words on each line.

times.txt        its time in seconds
lit.txt          the squares whose LEDs may glow in it
stuck.txt        those of them whose LEDs could not be put out
orientation.txt  degrees by which it is turned clockwise, and `mirrored` if it is first mirrored

All are optional. A picture without a line has no such squares, and is used as it is. `same` in
place of the squares means those of the line before.
"""

from collections.abc import Iterator
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Final

from vision.camera import UPRIGHT, CameraOrientation
from vision.errors import SourceError, read_bounded

TIMES: Final = "times.txt"
"""File of the times."""

LIT: Final = "lit.txt"
"""File of the lit squares."""

STUCK: Final = "stuck.txt"
"""File of the lit squares that could not be put out."""

ORIENTATIONS: Final = "orientation.txt"
"""File of the orientations of the camera."""

SAME: Final = "same"
"""Word for the squares of the line before."""

_MIRRORED: Final = "mirrored"
"""Word for a picture that has to be mirrored."""

_LARGEST_LIST: Final = 16_000_000
"""Most bytes of a list: ten hours at ten pictures per second have 9 million."""


_LONGEST_LINE: Final = 4000
"""Most bytes of a line; one with a name and all squares of a board has 1,900."""


class RecordingNotes:
    """The lists beside the pictures of one folder.

    Args:
        folder: folder of the pictures.
        names: names of the pictures; what a list tells of others, maybe millions, is not kept.
        timed: False to ignore the times.

    Raises:
        SourceError: a list cannot be read.
    """

    def __init__(self, folder: Path, names: set[str], *, timed: bool = True) -> None:
        self._times: Final = _times(folder / TIMES, names) if timed else {}
        self._lit: Final = _squares(folder / LIT, names)
        self._stuck: Final = _squares(folder / STUCK, names)
        self._orientations: Final = _orientations(folder / ORIENTATIONS, names)

    def time_s(self, name: str) -> float | None:
        """Time of a picture in seconds; None if it has none."""
        return self._times.get(name)

    def lit(self, name: str) -> frozenset[int]:
        """Squares, numbered row by row, whose LEDs may glow in a picture; see `stuck`."""
        return self._lit.get(name, frozenset())

    def stuck(self, name: str) -> frozenset[int]:
        """Squares whose LEDs could not be put out for a picture."""
        return self._stuck.get(name, frozenset())

    def orientation(self, name: str) -> CameraOrientation:
        """Orientation of the camera that took a picture."""
        return self._orientations.get(name, UPRIGHT)


def words_of(orientation: CameraOrientation) -> tuple[str, ...]:
    """Returns the words of `orientation.txt` for an orientation."""
    return (str(orientation.turn), _MIRRORED) if orientation.mirror else (str(orientation.turn),)


def _times(path: Path, names: set[str]) -> dict[str, float]:
    try:
        known = {name: float(seconds) for name, seconds in _rows(path) if name in names}
    except ValueError as error:
        raise SourceError(f"the times in {path} cannot be read; give --fps instead") from error
    if not all(map(isfinite, known.values())):
        raise SourceError(f"the times in {path} are not all numbers; give --fps instead")
    return known


def _squares(path: Path, names: set[str]) -> dict[str, frozenset[int]]:
    known: dict[str, frozenset[int]] = {}
    newest: frozenset[int] = frozenset()
    try:
        for name, *squares in _rows(path):
            newest = newest if squares == [SAME] else frozenset(map(int, squares))
            if name in names:
                known[name] = newest
    except ValueError as error:
        raise SourceError(
            f"{path}, where LEDs glow, cannot be read; without it lit squares look like pieces"
        ) from error
    return known


def _orientations(path: Path, names: set[str]) -> dict[str, CameraOrientation]:
    try:
        rows = _rows(path)
        return {name: _orientation(*words) for name, *words in rows if name in names}
    except ValueError as error:
        raise SourceError(
            f"{path}, how the pictures are turned, cannot be read; copy the recording again"
        ) from error


def _orientation(turn: str = "", mirrored: str = "", *others: str) -> CameraOrientation:
    if others or mirrored not in {"", _MIRRORED}:
        raise ValueError("a picture has a turn, and may be mirrored")
    return CameraOrientation(bool(mirrored), int(turn))


def _rows(path: Path) -> Iterator[list[str]]:
    """Yields the words of each line; nothing if there is no such file.

    Raises:
        SourceError: it cannot be read.
        ValueError: it is not text, or a line is too long.
    """
    if path.exists():
        for line in BytesIO(read_bounded(path, _LARGEST_LIST, "list")):
            if len(line) > _LONGEST_LINE:
                raise ValueError("a line is too long")
            yield line.decode("utf-8-sig").split()
