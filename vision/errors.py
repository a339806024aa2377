"""Exceptions that `vision` raises for input that it cannot read.

    Exception
    └── VisionError            the root: one sentence naming cause and remedy
        ├── SourceError        a folder, video or picture that cannot be read; also an OSError
        └── GeometryError      corners or sizes that describe no board; also a ValueError

A picture in which no board is found is no error: it is data, see `vision.reading.BoardNotFound`,
with a reason that also a page shows. So this module imports nothing.
"""

from enum import StrEnum


class BoardFailure(StrEnum):
    """Reasons that no board is found in a picture; the codes stay."""

    NO_BOARD = "no-board"
    COVERED = "covered"
    PARTIAL = "partial"
    TWO_BOARDS = "two-boards"
    DRAWING = "drawing"
    TOO_SMALL = "too-small"
    TOO_DARK = "too-dark"
    OVEREXPOSED = "overexposed"
    OUT_OF_FOCUS = "out-of-focus"
    BLURRED = "blurred"
    MOVED_AWAY = "moved-away"
    OTHER_COLOURS = "other-colours"
    NO_COLOURS = "no-colours"
    BANDS = "bands"
    MIRRORED = "mirrored"


class VisionError(Exception):
    """Root of the exceptions of `vision`."""


class SourceError(VisionError, OSError):
    """A folder, video or picture that is missing or cannot be read."""


class GeometryError(VisionError, ValueError):
    """Corners, sizes or palettes that describe no board."""
