"""Exceptions that `vision` raises for input that it cannot read.

    Exception
    └── VisionError            the root: one sentence naming cause and remedy
        ├── SourceError        a folder, video or picture that cannot be read; also an OSError
        └── GeometryError      corners or sizes that describe no board; also a ValueError

A picture in which no board is found is no error: it is data, see `vision.reading.BoardNotFound`.
"""


class VisionError(Exception):
    """Root of the exceptions of `vision`."""


class SourceError(VisionError, OSError):
    """A folder, video or picture that is missing or cannot be read."""


class GeometryError(VisionError, ValueError):
    """Corners, sizes or palettes that describe no board."""
