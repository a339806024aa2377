"""Values that are kept for each camera and each size of its pictures, in one small file.

They are measured when a table is set up and used at every start: the corners of the board, the
lens, the exposure, and the number of frames that surely are dark after the lights went out. The
file is replaced as a whole. A damaged one is set aside, and the values are measured again.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from firmware.codec import Codec, Form
from firmware.storage.atomic_file import write_whole
from vision.errors import SourceError, read_bounded
from vision.geometry.calibration import Calibration, from_json

Corners = tuple[tuple[float, float], ...]
"""Corners of the board in a picture, from 0 to 1 of its width and height; empty if not known."""

CAMERAS: Final = "cameras.json"
"""Name of the file in the folder of the table."""

_VERSION: Final = 1
"""Version of the file's form."""

_LARGEST: Final = 200_000
"""Bytes of the largest file that is read; a camera takes 1,200."""

_MOST_CAMERAS: Final = 40
"""Number of cameras and sizes that are kept; a further one replaces the one kept first."""

_LONGEST_S: Final = 3600.0
"""Seconds of the longest delay that is read."""

_MOST_EXPOSURE: Final = 1e9
"""Largest value of an exposure that is read; that of the longest exposure is 0.2e9 us."""

_MOST_DARK_FRAMES: Final = 1 << 20
"""Greatest number of dark frames that is read."""

_DAMAGE: Final = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError)
"""Errors of values that are not of the file's form."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredCorners:
    """Corners of a board that a person has set.

    Attributes:
        corners: the corners, top left, top right, bottom right, bottom left of the board.
        detected: corners that were detected in the same pictures without them, which may be
            wrong; empty if none were. Pictures in which they are detected again do not
            contradict the corners that were set.
    """

    corners: Corners
    detected: Corners = ()


Boards = Mapping[int, StoredCorners]
"""Corners by the squares along a side of the board."""

Exposure = Mapping[str, float]
"""Locked values of a camera, as its driver names them."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredCamera:
    """Values that are kept for a camera and a size of its pictures.

    Attributes:
        boards: corners by the squares along a side of the board.
        lens: the measured lens; None if it was not measured.
        exposure: locked values of exposure, gain, white balance and focus, as its driver names
            them; empty if not known. They are kept for the size before a picture is turned.
        dark_frames: number of frames after which lights that went out are surely not seen any
            more; None if it was not measured.
        dark_s: seconds after which they are not.
        checked: True if the last check of the set-up found nothing to mend.
        lights_board: True if light of a panel beside the board falls on it; None if it was not
            measured.
    """

    boards: Boards = field(default_factory=lambda: MappingProxyType({}))
    lens: Calibration | None = None
    exposure: Exposure = field(default_factory=lambda: MappingProxyType({}))
    dark_frames: int | None = None
    dark_s: float = 0.0
    checked: bool = False
    lights_board: bool | None = None

    def with_corners(self, board: int, corners: StoredCorners | None) -> "StoredCamera":
        """Returns the values with other corners of a board of that size, or without any."""
        others = {size: stored for size, stored in self.boards.items() if size != board}
        return replace(self, boards=others if corners is None else {**others, board: corners})


_Key = tuple[str, int, int]
"""Name of a camera, and width and height of its pictures in pixels."""


class CameraMemory:
    """The stored values of all cameras of a table. Any thread may use it.

    Args:
        path: the file; None to keep the values until the program ends.

    Attributes:
        trouble: reason why the last change is not in the file, one sentence; otherwise empty.
        has_dropped: True if corners were dropped in this run, and none were set since.
    """

    def __init__(self, path: Path | None) -> None:
        self._path: Final = path
        self._lock: Final = threading.RLock()
        self.trouble = ""
        self.has_dropped = False
        self._cameras = {} if path is None else self._load(path)

    def of(self, name: str, size: tuple[int, int]) -> StoredCamera:
        """Returns the values of a camera for pictures of that width and height."""
        return self._cameras.get((name, *size), StoredCamera())

    def change(
        self, name: str, size: tuple[int, int], change: Callable[[StoredCamera], StoredCamera]
    ) -> None:
        """Keeps what a function makes of the values of a camera.

        A disk that refuses them keeps them for this run only.
        """
        key = name, *size
        with self._lock:
            stored = change(self.of(name, size))
            others = {one: value for one, value in self._cameras.items() if one != key}
            self._cameras = dict([*others.items(), (key, stored)][-_MOST_CAMERAS:])
            self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            write_whole(self._path, _written(self._cameras))
        except OSError as error:
            if not self.trouble:
                _log.error("the set-up cannot be kept in %s: %s", self._path, error.strerror)
            self.trouble = f"cannot keep the set-up in {self._path}: {error.strerror}"
        else:
            self.trouble = ""

    def exposure_of(self, name: str, size: tuple[int, int]) -> Exposure:
        """Returns the locked values of a camera for pictures of that size before any turn."""
        return self.of(name, size).exposure

    def keep_exposure(self, name: str, size: tuple[int, int], exposure: Exposure) -> None:
        """Keeps the locked values of a camera; none to forget them."""
        if dict(exposure) != dict(self.exposure_of(name, size)):
            self.change(name, size, lambda stored: replace(stored, exposure=exposure))

    def keep_corners(
        self, name: str, size: tuple[int, int], board: int, corners: StoredCorners | None
    ) -> None:
        """Keeps corners that a person has set, or none where the board is to be detected.

        Args:
            name: name of the camera.
            size: width and height of its pictures in pixels.
            board: squares along a side of the board.
            corners: the corners; None to detect the board.
        """
        self.has_dropped = False
        if corners is not None or board in self.of(name, size).boards:
            self.change(
                name,
                size,
                lambda stored: replace(stored.with_corners(board, corners), checked=False),
            )

    def drop_corners(self, name: str, size: tuple[int, int], board: int) -> None:
        """Drops the corners of a board that lies elsewhere now, and says so in one sentence."""
        _log.warning(
            "the board lies elsewhere in the pictures of %s than when its corners were set: those "
            "corners are dropped, and the board is followed where it lies",
            name,
        )
        self.keep_corners(name, size, board, None)
        self.has_dropped = True

    def _load(self, path: Path) -> dict[_Key, StoredCamera]:
        if not path.exists():
            return {}
        try:
            return _read(read_bounded(path, _LARGEST, "set-up"))
        except (*_DAMAGE, RecursionError, SourceError) as error:
            aside = path.with_suffix(".damaged.json")
            with suppress(OSError):
                path.replace(aside)
            _log.warning(
                "the kept set-up %s cannot be used (%s); it is set aside as %s, so set the table "
                "up again",
                path,
                error,
                aside.name,
            )
            return {}


def _written(cameras: Mapping[_Key, StoredCamera]) -> bytes:
    entries = [
        {"name": name, "size": size, **_CODEC.write(StoredCamera, stored)}
        for (name, *size), stored in cameras.items()
    ]
    return (json.dumps({"version": _VERSION, "cameras": entries}, indent=1) + "\n").encode()


def _read(content: bytes) -> dict[_Key, StoredCamera]:
    """Parses a file.

    Raises:
        KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError: it is
            of no such form.
    """
    table = json.loads(content.decode())
    if table["version"] != _VERSION:
        raise ValueError(f"it is of version {table['version']}, not {_VERSION}")
    return dict(map(_camera, table["cameras"]))


def _camera(entry: dict[str, Any]) -> tuple[_Key, StoredCamera]:
    width, height = _CODEC.read(tuple[int, int], entry["size"], "a size")
    stored: StoredCamera = _CODEC.read(StoredCamera, entry, "a camera")
    if min(width, height) < 1 or not _is_possible(stored):
        raise ValueError("a value is out of its range")
    return (str(entry["name"]), width, height), stored


def _is_possible(stored: StoredCamera) -> bool:
    """True if all values are in their ranges, and corners and lens are complete."""
    boards = stored.boards.values()
    places = chain.from_iterable(at for one in boards for at in one.corners + one.detected)
    return (
        all(len(one.corners) == 4 and len(one.detected) in {0, 4} for one in boards)
        and all(0 <= place <= 1 for place in places)
        and (stored.lens is None or stored.lens.lens is not None)
        and all(abs(value) <= _MOST_EXPOSURE for value in stored.exposure.values())
        and (stored.dark_frames is None or 1 <= stored.dark_frames <= _MOST_DARK_FRAMES)
        and 0 <= stored.dark_s <= _LONGEST_S
    )


_CODEC: Final[Codec] = Codec(
    forms={
        Boards: Form(
            lambda boards: {size: _CODEC.write(StoredCorners, one) for size, one in boards.items()},
            lambda table: {
                int(size): _CODEC.read(StoredCorners, one, "a board") for size, one in table.items()
            },
        ),
        Exposure: Form(
            dict,
            lambda table: {
                name: _CODEC.read(float, value, "an exposure") for name, value in table.items()
            },
        ),
        Calibration: Form(Calibration.to_json, from_json),
    },
    has_gaps=True,
    has_more=True,
)
"""Codec of a camera; its name and size stand among its values."""
