"""Answers made smaller for browsers that know gzip: whole ones, and streams that never end.

A stream is a gzip file (RFC 1952) whose blocks are deflated each for itself (RFC 1951), so that
the same bytes go to every phone that is told the same; small words go as stored blocks.
"""

import gzip
import zlib
from functools import lru_cache
from typing import Final

from flask import Flask, Response, request

HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Begins a gzip file: deflated, no name, no time, of no particular system."""

_LONGEST_STORED: Final = (1 << 16) - 1
_LEAST: Final = 600
"""Bytes below which an answer fits into one packet anyway."""

_KINDS: Final = (
    "text/html", "text/css", "text/javascript", "application/javascript", "application/json",
    "image/svg+xml", "application/x-go-sgf",
)  # fmt: skip
_LEVEL: Final = 6


def deflated(data: bytes) -> bytes:
    """Data as deflated blocks that may follow and be followed by any others."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    # The flush ends at a whole byte. The packer is new, so nothing refers to what was before.
    return packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)


def stored(data: bytes) -> bytes:
    """A few bytes as one block that is not deflated: it costs nothing to make.

    Raises:
        ValueError: they are too many for one block.
    """
    size = len(data)
    if size > _LONGEST_STORED:
        raise ValueError(f"a stored block has at most {_LONGEST_STORED} bytes, not {size}")
    return b"\x00" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + data


def is_wanted() -> bool:
    """Whether whoever sent this request knows gzip."""
    return request.accept_encodings.quality("gzip") > 0


def compress_responses(app: Flask) -> None:
    """Has every whole answer of text go out as gzip where it is wanted."""
    app.after_request(_squeezed)


def _squeezed(response: Response) -> Response:
    if response.mimetype not in _KINDS or response.status_code != 200:
        return response
    response.vary.add("Accept-Encoding")
    if not is_wanted() or "Content-Encoding" in response.headers:
        return response
    response.direct_passthrough = False  # a file of the static folder is read, too
    data = response.get_data()
    if len(data) >= _LEAST:
        small = _file(data) if request.endpoint == "static" else gzip.compress(data, _LEVEL)
        response.set_data(small)
        response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(maxsize=32)
def _file(data: bytes) -> bytes:
    """A file of ours, which stays the same; squeezed once, as far as that goes."""
    return gzip.compress(data, zlib.Z_BEST_COMPRESSION)
