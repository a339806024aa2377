"""Gzip compression of whole responses and of endless streams.

A stream is a gzip file (RFC 1952) whose blocks are deflated independently (RFC 1951), so that
all phones with the same content get the same bytes; short messages are stored blocks.
"""

import gzip
import re
import zlib
from functools import lru_cache
from typing import Final

from flask import Flask, Response, request

HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Header of a gzip file: deflated, no name, no time, unknown system."""

_LONGEST_STORED: Final = (1 << 16) - 1
"""Bytes that a stored block has at most (RFC 1951, 3.2.4)."""

_LEAST: Final = 600
"""Bytes below which a response is not compressed: it fits into one packet anyway."""

_KINDS: Final = (
    "text/html", "text/css", "text/javascript", "application/javascript", "application/json",
    "image/svg+xml", "application/x-go-sgf",
)  # fmt: skip
"""Media types that are compressed."""

_UNREAD: Final = {
    "text/javascript": re.compile(rb"^\s*//.*\n| // .*|^[ \t]+", re.MULTILINE),
    "text/css": re.compile(rb"/\*.*?\*/|^\s+", re.MULTILINE | re.DOTALL),
}
"""Comments and indents of static files, which browsers do not need, by media type."""

_LEVEL: Final = 6
"""Compression level of zlib for responses that differ."""


def deflated(data: bytes) -> bytes:
    """Returns data as deflated blocks that any other blocks may precede or follow."""
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    # The flush ends at a whole byte. A fresh compressor refers to no earlier blocks.
    return compressor.compress(data) + compressor.flush(zlib.Z_SYNC_FLUSH)


def stored(data: bytes) -> bytes:
    """Returns up to 65,535 bytes as one block that is not deflated, which takes no time.

    Raises:
        ValueError: the data is too long for one block.
    """
    size = len(data)
    if size > _LONGEST_STORED:
        raise ValueError(f"a stored block has at most {_LONGEST_STORED} bytes, not {size}")
    return b"\x00" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + data


def is_wanted() -> bool:
    """True if the sender of this request accepts gzip."""
    return request.accept_encodings.quality("gzip") > 0


def compress_responses(app: Flask) -> None:
    """Compresses the app's whole text responses with gzip for clients that accept it."""
    app.after_request(_compressed)


def _compressed(response: Response) -> Response:
    if response.mimetype not in _KINDS or response.status_code != 200:
        return response
    response.vary.add("Accept-Encoding")
    if not is_wanted() or "Content-Encoding" in response.headers:
        return response
    response.direct_passthrough = False  # so that files of the static folder are read, too
    data = response.get_data()
    if len(data) >= _LEAST:
        is_file = request.endpoint == "static"
        small = _file(data, response.mimetype) if is_file else gzip.compress(data, _LEVEL)
        response.set_data(small)
        response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(maxsize=32)
def _file(data: bytes, kind: str) -> bytes:
    """Returns a static file compressed at the best level; cached, as the file never changes."""
    if kind in _UNREAD:
        data = _UNREAD[kind].sub(b"", data)
    return gzip.compress(data, zlib.Z_BEST_COMPRESSION)
