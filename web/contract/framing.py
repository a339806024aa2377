"""Wire format of the feed: framed messages, each a header and a body; and its address.

A frame is four bytes with the length of the header (big-endian), the header as JSON
(`version`, `topic`, `length` of the body; of a picture what belongs to it), and the body.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware.codec import ContractError
from web.contract.arbiter_page import Corners
from web.contract.club import ClubRequest, ClubTable
from web.contract.page import Page
from web.contract.play import PlayRequest, SimulatedTable
from web.contract.requests import CommandRequest, PairedPhones, PairRequest, Reply
from web.contract.schema import VERSION, read, require, table_of

LONGEST_BODY: Final = 8 << 20
"""Bytes of a body; a message with a longer one is refused before it is read."""

LONGEST_PICTURE: Final = 1 << 19
"""Bytes of a picture that a phone sends; one of 1920x1080 has 220,000."""

_LONGEST_HEADER: Final = 300
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
        corners: (x, y) of the board's corners, from 0 to 1 of its width and height; empty where
            none was found.

    Raises:
        ContractError: the bytes are not a JPEG.
    """

    jpeg: bytes
    corners: Corners = ()

    def __post_init__(self) -> None:
        require(self.jpeg.startswith(b"\xff\xd8\xff"), "a picture is a JPEG")


@dataclass(frozen=True, slots=True)
class CameraPicture:
    """A picture that a phone has taken, which is the table's camera.

    Attributes:
        token: token that the phone got for it.
        jpeg: bytes of a JPEG file.

    Raises:
        ContractError: the bytes are not a JPEG.
    """

    token: str = field(repr=False)
    jpeg: bytes = field(repr=False)

    def __post_init__(self) -> None:
        require(self.jpeg.startswith(b"\xff\xd8\xff"), "a picture is a JPEG")


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A sign of life of the loop of a table, sent regularly while it turns."""


Request = CommandRequest | PairRequest | PlayRequest | ClubRequest
"""Messages that the page sends; the table replies to each."""

Message = (
    Page
    | LivePicture
    | SimulatedTable
    | ClubTable
    | Heartbeat
    | PairedPhones
    | Reply
    | Request
    | CameraPicture
)
"""Messages of the feed; the table sends all but requests and the pictures of a phone."""

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
    CameraPicture: "camera-picture",
}
"""Topic in the header of a frame, by the class of the message."""

_KINDS: Final = {topic: kind for kind, topic in _TOPICS.items()}
"""Class of the message by the topic, the inverse of `_TOPICS`."""


def encode(message: Message) -> bytes:
    """Returns the frame of a message."""
    topic = _TOPICS[type(message)]
    more: dict[str, object] = {}
    if isinstance(message, LivePicture):
        body = message.jpeg
        more = {"corners": [[round(at, 4) for at in one] for one in message.corners]}
    elif isinstance(message, CameraPicture):
        body, more = message.jpeg, {"token": message.token}
    elif isinstance(message, Heartbeat):
        body = b""
    else:
        body = message.to_json().encode()
    described = {"version": VERSION, "topic": topic, "length": len(body), **more}
    header = json.dumps(described).encode()
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
            header = table_of(bytes(self._bytes[_PREFIX:start]))
            length = _length(header, self._longest)
            if len(self._bytes) < start + length:
                return
            body = bytes(self._bytes[start : start + length])
            del self._bytes[: start + length]
            yield _message(header, body)


def _length(header: Mapping[str, object], longest: int) -> int:
    length = header.get("length")
    if header.get("topic") == _TOPICS[CameraPicture]:
        longest = max(longest, LONGEST_PICTURE)
    if type(length) is not int or not 0 <= length <= longest:
        raise ContractError(f"the length of a message is from 0 to {longest} bytes")
    return length


def _message(header: Mapping[str, object], body: bytes) -> Message:
    topic = str(header.get("topic"))
    kind = _KINDS.get(topic)
    if kind is None:
        raise ContractError(f"there is no topic {topic!r} in the feed")
    if issubclass(kind, LivePicture):
        return kind(body, read(Corners, header.get("corners"), "corners"))
    if issubclass(kind, CameraPicture):
        return kind(read(str, header.get("token"), "token"), body)
    return kind() if issubclass(kind, Heartbeat) else kind.from_json(body)
