"""Input that cannot be read: exceptions for it, and the one reader of files from outside.

    Exception
    └── VisionError            the root: one sentence naming cause and remedy
        ├── SourceError        a folder, video or picture that cannot be read; also an OSError
        └── GeometryError      corners or sizes that describe no board; also a ValueError

A picture in which no board is found is no error: it is data, a `BoardFailure` in place of a
reading, with a reason that also a page shows. So this module imports nothing of ours.
"""

import errno
import os
import stat
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Final


class BoardFailure(StrEnum):
    """Reasons that no board is found in a picture; the codes stay."""

    NO_BOARD = "no-board"
    COVERED = "covered"
    PARTIAL = "partial"
    CUT_ABOVE = "cut-above"
    CUT_RIGHT = "cut-right"
    CUT_BELOW = "cut-below"
    CUT_LEFT = "cut-left"
    TWO_BOARDS = "two-boards"
    DRAWING = "drawing"
    TOO_SMALL = "too-small"
    TOO_DARK = "too-dark"
    TOO_STEEP = "too-steep"
    OVEREXPOSED = "overexposed"
    OUT_OF_FOCUS = "out-of-focus"
    BLURRED = "blurred"
    MOVED_AWAY = "moved-away"
    OTHER_COLOURS = "other-colours"
    NO_COLOURS = "no-colours"
    BANDS = "bands"
    MIRRORED = "mirrored"

    @property
    def reason(self) -> str:
        """The reason as one sentence naming cause and remedy."""
        return _REASONS[self]


_REASONS: Final = {
    BoardFailure.NO_BOARD: (
        "no board found: no field of 14x14 or 20x20 squares can be told for sure; "
        "take the picture from above with the whole board in it, or give its corners"
    ),
    BoardFailure.COVERED: (
        "markers were found, but no field of squares between them; "
        "make sure that nothing covers the board and that it is in focus"
    ),
    BoardFailure.PARTIAL: (
        "squares are seen, but no whole field of 14x14 or 20x20 of them; "
        "have all four corners of the board in the picture, and nothing lying over its edges"
    ),
    BoardFailure.CUT_ABOVE: (
        "the board goes on above the picture; turn the camera or move back until all of it is seen"
    ),
    BoardFailure.CUT_RIGHT: (
        "the board goes on at the right of the picture; "
        "turn the camera or move back until all of it is seen"
    ),
    BoardFailure.CUT_BELOW: (
        "the board goes on below the picture; turn the camera or move back until all of it is seen"
    ),
    BoardFailure.CUT_LEFT: (
        "the board goes on at the left of the picture; "
        "turn the camera or move back until all of it is seen"
    ),
    BoardFailure.TWO_BOARDS: (
        "two boards are in the picture, and either could be meant; "
        "crop it to one of them, or give that one's corners with --corners"
    ),
    BoardFailure.DRAWING: (
        "this is a screenshot or a drawing, no photograph of a board; "
        "take a photograph of the board on the table"
    ),
    BoardFailure.TOO_SMALL: (
        "the board is too small in the picture to be read; come nearer, or give a larger picture"
    ),
    BoardFailure.TOO_DARK: (
        "the picture is too dark to see a board in; turn on a light or expose it longer"
    ),
    BoardFailure.TOO_STEEP: (
        "the board is seen too much from aside; hold the camera more above it"
    ),
    BoardFailure.OVEREXPOSED: (
        "much of the picture is burnt out; expose it less, or turn the lamp aside"
    ),
    BoardFailure.OUT_OF_FOCUS: (
        "the picture is too blurred to see squares in; hold the camera still and focus on the board"
    ),
    BoardFailure.BLURRED: (
        "the picture is blurred; focus the camera, wipe its lens, and see that nothing shakes it"
    ),
    BoardFailure.MOVED_AWAY: (
        "the board or the camera has moved and the grid was not found again; "
        "clear the board's edges, or calibrate anew"
    ),
    BoardFailure.OTHER_COLOURS: (
        "the colours on the board are not those of the game; name them with --edition, "
        "or in the setting game.edition"
    ),
    BoardFailure.NO_COLOURS: (
        "the picture has no colours; switch off the night mode or the black-and-white filter of "
        "the camera, or name a black and white set with --edition black-white"
    ),
    BoardFailure.BANDS: (
        "bands run through the picture, as a flickering lamp makes them; use another lamp, or set "
        "the mains' frequency in the camera's app or by camera.mains_hz"
    ),
    BoardFailure.MIRRORED: (
        "the picture is mirrored, as its markers show; switch mirroring off in the camera's app, "
        "or set camera.mirror = true (false if it is true already)"
    ),
}
"""One sentence for each failure, with cause and remedy."""


class VisionError(Exception):
    """Root of the exceptions of `vision`."""


class SourceError(VisionError, OSError):
    """A folder, video or picture that is missing or cannot be read."""


class GeometryError(VisionError, ValueError):
    """Corners, sizes or palettes that describe no board."""


def open_regular(path: Path) -> BinaryIO:
    """Opens a file from outside to read it.

    Anything else than a regular file is not even opened: opening a device may change it, and a
    pipe may never end. Reading never waits, as some files of the kernel would, see open(2).

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    if stat.S_IFMT(path.stat().st_mode) not in {stat.S_IFREG, stat.S_IFDIR}:
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file", str(path))
    at_once = os.O_NONBLOCK if os.name == "posix" else 0
    # A folder has an error of its own.
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once))


def read_regular(path: Path, longest: int) -> bytes:
    """Reads a file from outside.

    Args:
        path: path of the file.
        longest: largest length in bytes; no more is read of a file that grows meanwhile.

    Raises:
        OSError: it cannot be read, is no regular file, or is longer.
    """
    with open_regular(path) as file:
        data = file.read(longest + 1) or b""  # None where reading would have to wait
    if len(data) > longest:
        raise OSError(errno.EFBIG, f"it is larger than {longest / 1e6:g} MB", str(path))
    return data


def read_bounded(path: Path, longest: int, what: str) -> bytes:
    """Reads a file like `read_regular`, with an error that names its kind.

    Args:
        path: path of the file.
        longest: largest length in bytes.
        what: name of its kind, for example `picture`.

    Raises:
        SourceError: it cannot be read, or is longer.
    """
    try:
        return read_regular(path, longest)
    except OSError as error:
        raise SourceError(f"cannot read the {what} {path}: {error.strerror}") from error
