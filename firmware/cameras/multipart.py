"""Takes the JPEGs out of a multipart stream (RFC 2046), whatever way a camera writes it."""

import re
from typing import Final

from firmware.cameras.http_client import BLANK_LINE
from firmware.cameras.jpeg_marks import BEGIN, END, FILLING
from firmware.cameras.network_faults import MOST_BYTES, too_large

_LONGEST_HEAD: Final = 1 << 14
"""Bytes of the longest head of a part; heads of cameras have some fifty."""

_BOUNDARY: Final = re.compile(r'boundary\s*=\s*(?:"([^"]*)"|([^;,\s]+))', re.IGNORECASE)
"""Boundary of the parts, in the header of an answer."""

_LENGTH: Final = re.compile(rb"(?im)^content-length\s*:\s*([0-9]{1,15})\s*$")
"""Bytes of a picture, in the head of its part. The 15 digits are chosen; `MOST_BYTES` has eight."""

_START_OF_SCAN: Final = 0xDA
"""Second byte of the JPEG marker after which the picture's own data come."""


class MultipartPictures:
    """Finds whole JPEGs; those without a begin or an end mark are skipped.

    A picture is complete with its last byte, not with the boundary after it. Where a part has no
    length, that byte is found in the structure of the JPEG: it may contain a small preview with
    an end mark of its own.

    Args:
        content_type: the header of the stream, with its boundary.
        name: the camera in messages.

    Attributes:
        count: number of whole pictures so far.
    """

    def __init__(self, content_type: str, name: str) -> None:
        found = _BOUNDARY.search(content_type)
        declared = (found[1] or found[2] or "") if found else ""
        core = declared.strip().lstrip("-").encode("latin-1", "replace")
        self._mark: Final = b"--" + core
        self._line: Final = re.compile(re.escape(self._mark) + rb"(?:--)?[ \t]{0,4}\r?\n")
        self._name: Final = name
        self._data: Final = bytearray()
        self._in_part = False
        self._length: int | None = None
        self._searched = 0
        self._jpeg = _JpegEnd()
        self.count = 0

    def feed(self, data: bytes) -> bytes | None:
        """The newest picture that further data complete; None if they complete none.

        Args:
            data: the next bytes of the stream.

        Raises:
            CameraError: a part has more than 20 MB.
        """
        self._data.extend(data)
        newest = None
        while (part := self._next_part()) is not None:
            if part.startswith(BEGIN) and part.endswith(END):
                self.count += 1
                newest = part
        if len(self._data) > MOST_BYTES:
            raise too_large(self._name)
        return newest

    def _next_part(self) -> bytes | None:
        """Takes the next part, whole or cut; None if it has not arrived."""
        if not self._in_part and not self._enter_part():
            return None
        return self._by_mark() if self._length is None else self._by_length(self._length)

    def _enter_part(self) -> bool:
        """Takes the head of the next part; True at the begin of its body."""
        while True:
            at = self._data.find(self._mark)
            if at < 0:
                del self._data[: max(0, len(self._data) - len(self._mark) + 1)]
                return False
            del self._data[:at]
            begin = len(self._mark)
            blank = BLANK_LINE.search(self._data, begin, begin + _LONGEST_HEAD)
            if blank is not None:
                break
            if len(self._data) < begin + _LONGEST_HEAD:
                return False
            del self._data[:begin]
        length = _LENGTH.search(self._data[begin : blank.start()])
        self._length = (int(length[1]) or None) if length else None
        if self._length and self._length > MOST_BYTES:
            raise too_large(self._name)
        del self._data[: blank.end()]
        self._in_part, self._searched, self._jpeg = True, 0, _JpegEnd()
        return True

    def _by_length(self, length: int) -> bytes | None:
        """Takes a part with a length.

        One without an end mark may reach into the next part, which is then searched for in it.
        """
        if len(self._data) < length:
            return None
        part = bytes(self._data[:length].rstrip(FILLING))
        inner = None if part.endswith(END) else self._line.search(self._data, 0, length)
        return self._taken(part, inner.start() if inner else length)

    def _by_mark(self) -> bytes | None:
        """Takes a part without a length: up to its end mark, or a boundary before it."""
        line = self._line.search(self._data, self._searched)
        end = self._jpeg.find(self._data)
        if line is not None and (end is None or line.start() < end):
            return self._taken(bytes(self._data[: line.start()].rstrip(FILLING)), line.start())
        if end is not None:
            return self._taken(bytes(self._data[:end]), end)
        self._searched = max(0, len(self._data) - len(self._mark) - 8)
        return None

    def _taken(self, part: bytes, count: int) -> bytes:
        del self._data[:count]
        self._in_part = False
        return part


class _JpegEnd:
    """Finds the end of a JPEG that arrives in pieces: the end mark behind its last header."""

    def __init__(self) -> None:
        self._at = len(BEGIN)
        self._in_scan = False

    def find(self, data: bytearray) -> int | None:
        """The number of bytes of the JPEG at the begin of the data; None if it is not whole."""
        while not self._in_scan:
            segment = data[self._at : self._at + 4]
            if len(segment) < 4:
                return None
            if segment[:2] == b"\xff\xff":  # the first of them only fills
                self._at += 1
            elif segment[0] != 0xFF or segment[1] == _START_OF_SCAN:
                self._in_scan = True
            else:
                self._at += 2 + int.from_bytes(segment[2:4], "big")
        end = data.find(END, self._at)
        if end < 0:
            self._at = max(self._at, len(data) - 1)
            return None
        return end + len(END)
