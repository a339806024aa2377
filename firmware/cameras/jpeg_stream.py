"""Takes the JPEGs out of bytes that arrive in pieces, whatever stands between them.

A JPEG has its own begin, structure and end (ITU T.81, annex B), so that boundaries, lengths and
types, which many cameras write wrongly, are not needed. No byte is searched twice, and a camera
that writes nothing but begins and marks is given up after `_MOST_STEPS`.
"""

import re
from collections.abc import Iterator
from typing import Final

END: Final = b"\xff\xd9"
"""Mark at the end of a JPEG."""

_BEGIN: Final = b"\xff\xd8\xff"
"""Mark at the begin of a JPEG, and the first byte of the mark behind it."""

_COUNTER: Final = re.compile(rb"[^\xff\r\n\0 -]{0,16}")
"""Bytes right behind the end, as of a counter; they tell pictures of a still scene apart."""

_BEGIN_OR_END: Final = re.compile(rb"\xff[\xd8\xd9]")
"""The marks that end the data of a picture: in the data, a zero follows each byte of 255."""

_NO_SEGMENT: Final = (0xD8, 0xD9, 0xDA)
"""Second bytes of the marks of begin, end, and of the begin of the picture's own data."""

_NOTES: Final = (*range(0xE0, 0xF0), 0xFE)
"""Second bytes of the marks of segments that may have a preview in them. In others, a begin is that
of the next picture: this one is cut."""

_MOST_STEPS: Final = 2000
"""Begins of damaged pictures, and segments of headers, up to the next picture; phones write 20 to
300 segments."""

_FILLING: Final = b"\0\r\n "
"""Bytes that some cameras add behind a picture."""


def jpegs_in(pieces: Iterator[bytes], *, adjoining: bool) -> Iterator[bytes]:
    """Yields the whole JPEGs; what is cut or damaged is skipped, up to `_MOST_STEPS`.

    Args:
        pieces: the bytes as they arrive.
        adjoining: True if a JPEG right behind another is a picture of its own. In a file or a part
            of a stream it is a preview or a map of brightness, which phones add.
    """
    stream, apart = _Stream(pieces), True
    while (skipped := stream.skip_to_begin()) is not None:
        apart = apart or skipped or adjoining
        jpeg = stream.take_jpeg()
        if stream.steps > _MOST_STEPS:
            return
        if jpeg and apart:
            yield jpeg
        apart = not jpeg


class _Stream:
    """Bytes that have arrived and were not taken.

    Attributes:
        steps: begins and segments since the last whole JPEG.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces: Final = pieces
        self._data: Final = bytearray()
        self.steps = 0

    def skip_to_begin(self) -> bool | None:
        """Drops what is no JPEG; True if that was more than filling, None at the end."""
        skipped = False
        while (begin := self._data.find(_BEGIN)) < 0:
            skipped = skipped or bool(self._data[: 1 - len(_BEGIN)].strip(_FILLING))
            del self._data[: 1 - len(_BEGIN)]
            if not self._receive():
                return None
        skipped = skipped or bool(self._data[:begin].strip(_FILLING))
        del self._data[:begin]
        return skipped

    def take_jpeg(self) -> bytes:
        """Takes the JPEG that begins here; drops it and returns b"" if it is cut or damaged."""
        at = self._pass_headers()
        while (mark := _BEGIN_OR_END.search(self._data, at)) is None:
            at = max(at, len(self._data) - 1)
            if not self._receive():
                self._data.clear()
                return b""
        whole = mark[0] == END and at > 0
        end = mark.start()
        if whole and (counter := _COUNTER.match(self._data, mark.end())):
            end = counter.end()
        jpeg = bytes(self._data[:end]) if whole else b""
        self.steps = 0 if whole else self.steps + 1
        del self._data[:end]
        return jpeg

    def _pass_headers(self) -> int:
        """Position of the picture's own data; 0 if the headers are damaged, and then dropped."""
        at = len(_BEGIN) - 1
        while self._reaches(at + 4) and self._data[at] == 0xFF and self.steps <= _MOST_STEPS:
            self.steps += 1
            kind = self._data[at + 1]
            if kind in _NO_SEGMENT:
                break
            # A mark may have further bytes of 255 before it.
            size = 1 if kind == 0xFF else 2 + int.from_bytes(self._data[at + 2 : at + 4], "big")
            behind = at + size + len(_BEGIN) - 1
            if not self._reaches(behind):
                break
            inner = -1 if kind in _NOTES else self._data.find(_BEGIN, at, behind)
            at = at + size if inner < 0 else inner
        if self._data[at : at + 2] == b"\xff\xda":
            return at
        del self._data[:at]
        return 0

    def _reaches(self, count: int) -> bool:
        """Waits for a number of bytes; False if fewer come."""
        while len(self._data) < count:
            if not self._receive():
                return False
        return True

    def _receive(self) -> bool:
        """Waits for further bytes; False at the end."""
        piece = next(self._pieces, b"")
        self._data.extend(piece)
        return bool(piece)
