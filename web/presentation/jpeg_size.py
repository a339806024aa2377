"""Width and height of a JPEG, from its header."""

from typing import Final

_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of segments that begin with the size of the picture."""

_NO_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers without a segment."""


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Returns width and height in pixels; None if the header does not say."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif marker in _NO_LENGTH:
            at += 2
        elif marker in _FRAMES:
            height, width = (int.from_bytes(data[at + i : at + i + 2]) for i in (5, 7))
            return (width, height) if width and height else None
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4]))
    return None
