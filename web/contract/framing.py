"""Wire format of the feed: framed messages, each a header and a body; and its address.

A frame is four bytes with the length of the header (big-endian), the header as JSON
(`version`, `topic`, `length` of the body), and the body.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.codec import ContractError
from web.contract.club import ClubRequest, ClubTable
from web.contract.page import Page
from web.contract.play import PlayRequest, SimulatedTable
from web.contract.requests import CommandRequest, PairedPhones, PairRequest, Reply
from web.contract.schema import VERSION, require, table_of

LONGEST_BODY: Final = 8 << 20
"""Bytes of a body; a message with a longer one is refused before it is read."""

_LONGEST_HEADER: Final = 200
"""Bytes of a header."""

_PREFIX: Final = 4
"""Bytes of the header's length."""

_LONGEST_ADDRESS: Final = 103
"""Bytes of the address of a Unix socket; Linux takes four more, see unix(7)."""


@contextmanager
def unix_address(path: Path) -> Iterator[str]:
    """Yields the address of a Unix socket at a path, also where the path is too long for one.

    Raises:
        OSError: there is no such folder, or the system has no short name for it.
    """
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_DIRECTORY)
    try:
        short = Path(f"/proc/self/fd/{folder}", path.name)  # on Linux alone, proc(5)
        if not short.parent.exists() or len(os.fsencode(short)) > _LONGEST_ADDRESS:
            raise OSError("its path is too long for a socket; name a shorter one with --folder")
        yield str(short)
    finally:
        os.close(folder)


@dataclass(frozen=True, slots=True)
class LivePicture:
    """The newest picture of the camera; pictures are never queued.

    Attributes:
        jpeg: bytes of a JPEG file.

    Raises:
        ContractError: the bytes are not a JPEG.
    """

    jpeg: bytes

    def __post_init__(self) -> None:
        require(self.jpeg.startswith(b"\xff\xd8\xff"), "a picture is a JPEG")


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A sign of life of the loop of a table, sent regularly while it turns."""


Request = CommandRequest | PairRequest | PlayRequest | ClubRequest
"""Messages that the page sends; the table replies to each."""

Message = (
    Page | LivePicture | SimulatedTable | ClubTable | Heartbeat | PairedPhones | Reply | Request
)
"""Messages of the feed; the table sends all but requests."""

_TOPICS: Final[dict[type[Message], str]] = {
    Page: "page",
    LivePicture: "picture",
    SimulatedTable: "table",
    ClubTable: "club",
    Heartbeat: "alive",
    PairedPhones: "phones",
    Reply: "answer",
    CommandRequest: "command",
    PairRequest: "pair",
    PlayRequest: "play",
    ClubRequest: "club-request",
}
"""Topic in the header of a frame, by the class of the message."""

_KINDS: Final = {topic: kind for kind, topic in _TOPICS.items()}
"""Class of the message by the topic, the inverse of `_TOPICS`."""


def encode(message: Message) -> bytes:
    """Returns the frame of a message."""
    topic = _TOPICS[type(message)]
    if isinstance(message, LivePicture):
        body = message.jpeg
    elif isinstance(message, Heartbeat):
        body = b""
    else:
        body = message.to_json().encode()
    header = json.dumps({"version": VERSION, "topic": topic, "length": len(body)}).encode()
    return len(header).to_bytes(_PREFIX, "big") + header + body


class FrameDecoder:
    """Decodes the bytes of a connection into messages, however they are split.

    Args:
        longest: bytes of a body; a message with a longer one is refused before it is read.
    """

    __slots__ = ("_bytes", "_longest")

    def __init__(self, longest: int = LONGEST_BODY) -> None:
        self._bytes = bytearray()
        self._longest = longest

    @property
    def is_halfway(self) -> bool:
        """True if a message has begun and is not complete."""
        return bool(self._bytes)

    def feed(self, data: bytes) -> Iterator[Message]:
        """Adds bytes and yields the messages that they complete.

        Raises:
            ContractError: the bytes are not of this contract. Nothing after them can be decoded:
                close the connection.
        """
        self._bytes += data
        while len(self._bytes) >= _PREFIX:
            start = _PREFIX + int.from_bytes(self._bytes[:_PREFIX], "big")
            if start > _PREFIX + _LONGEST_HEADER:
                raise ContractError("the message does not begin as one of the feed's")
            if len(self._bytes) < start:
                return
            topic, length = _header(bytes(self._bytes[_PREFIX:start]), self._longest)
            if len(self._bytes) < start + length:
                return
            body = bytes(self._bytes[start : start + length])
            del self._bytes[: start + length]
            yield _message(topic, body)


def _header(text: bytes, longest: int) -> tuple[str, int]:
    header = table_of(text)
    length = header.get("length")
    if type(length) is not int or not 0 <= length <= longest:
        raise ContractError(f"the length of a message is from 0 to {longest} bytes")
    return str(header.get("topic")), length


def _message(topic: str, body: bytes) -> Message:
    kind = _KINDS.get(topic)
    if kind is None:
        raise ContractError(f"there is no topic {topic!r} in the feed")
    if issubclass(kind, LivePicture):
        return kind(body)
    return kind() if issubclass(kind, Heartbeat) else kind.from_json(body)
