"""One answer of http: its head, and its body in pieces."""

import http.client
import io
import re
from contextlib import suppress
from typing import Final

from firmware.cameras.network_faults import not_http

_LONGEST_SIZE: Final = 1 << 10
"""Bytes of the longest line with the size of a chunk; it has ten."""

_STATUS: Final = re.compile(rb"HTTP/(1\.[01]) (\d{3})\b")
"""Status line of an answer by HTTP 1.0 or 1.1; its groups are the version and the three digits."""

_NUMBER: Final = re.compile(r"[0-9]{1,15}")
"""A length in bytes. The 15 digits are chosen; `MOST_BYTES` of a picture has eight."""


class HttpAnswer:
    """An answer of a camera, without its body, which is received through `decoded`.

    Args:
        head: status line and headers with the blank line.
        rest: begin of the body.
        name: the camera in messages.

    Raises:
        CameraError: it is no answer of http.

    Attributes:
        status: number of three digits.
        kind: type of the content in lower case; empty if the camera gives none.
        has_length: True if the end of the body is known before the connection closes.
        complete: True when the whole body was decoded.
        keeps: True if the camera waits for another request after the body.
    """

    def __init__(self, head: bytes, rest: bytes, name: str) -> None:
        status = _STATUS.match(head)
        headers = _headers(head)
        if status is None or headers is None:
            raise not_http(name)
        self._name: Final = name
        self._headers: Final = headers
        self.status: Final = int(status[2])
        self.kind: Final = self.header("Content-Type").partition(";")[0].strip().lower()
        self.complete = False
        self._raw: Final = bytearray(rest)
        self._chunked: Final = "chunked" in self.header("Transfer-Encoding").lower()
        length = self.header("Content-Length").strip()
        self._left: int | None = int(length) if _NUMBER.fullmatch(length) else None
        if self._chunked:
            self._left = 0
        self.has_length: Final = self._left is not None
        options = self.header("Connection").lower()
        wanted = "close" not in options if status[1] == b"1.1" else "keep-alive" in options
        self.keeps: Final = wanted and self.has_length and not self.header("Trailer")

    def header(self, name: str) -> str:
        """The value of a header; empty if there is none."""
        return str(self._headers.get(name, ""))

    def all_headers(self, name: str) -> list[str]:
        """The values of a header that may be repeated."""
        return [str(value) for value in self._headers.get_all(name, [])]

    def decoded(self, data: bytes = b"") -> bytes:
        """The bytes of the body in further received data.

        Args:
            data: received data; empty for what came together with the head.

        Raises:
            CameraError: the data are not what the head announces.
        """
        self._raw.extend(data)
        if not self._chunked:
            return self._taken()
        body = bytearray()
        while not self.complete and (self._left or self._next_chunk()):
            if not (part := self._taken()):
                break
            body += part
        return bytes(body)

    def _taken(self) -> bytes:
        """Takes what belongs to the body, or to its present chunk."""
        count = len(self._raw) if self._left is None else min(self._left, len(self._raw))
        taken = bytes(self._raw[:count])
        del self._raw[:count]
        if self._left is not None:
            self._left -= count
            self.complete = not self._chunked and self._left == 0
        return taken

    def _next_chunk(self) -> bool:
        """Reads the size of the next chunk; False if it has not arrived, or was the last."""
        line = re.match(rb"(?:\r?\n)?([^\r\n]+)\r?\n", self._raw)
        if line is None:
            if len(self._raw) > _LONGEST_SIZE:
                raise not_http(self._name)
            return False
        size = re.match(rb"[0-9A-Fa-f]{1,8}", line[1])
        if size is None:
            raise not_http(self._name)
        del self._raw[: line.end()]
        self._left = int(size[0], 16)
        if self._left == 0:
            self.complete = True
        return self._left > 0


def _headers(head: bytes) -> http.client.HTTPMessage | None:
    """The headers of an answer; None if they are none."""
    with suppress(http.client.HTTPException):
        return http.client.parse_headers(io.BytesIO(head.partition(b"\n")[2]))
    return None
