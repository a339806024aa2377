"""The feed's form on the wire: framed messages, each a header and a body.

A frame is four bytes with the length of the header (big end first), the header as JSON
(`version`, `topic`, `length` of the body), and the body as it is.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from web.contract.form import OTHER_VERSION, VERSION, ContractError, require
from web.contract.page import Page

LONGEST_BODY: Final = 8 << 20
"""Bytes; a longer one is refused before it is read."""

_LONGEST_HEADER: Final = 200
_PREFIX: Final = 4


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest picture of the camera. Latest wins: pictures are never queued.

    Attributes:
        jpeg: the picture as a JPEG file.

    Raises:
        ContractError: the bytes are not a JPEG.
    """

    jpeg: bytes

    def __post_init__(self) -> None:
        require(self.jpeg.startswith(b"\xff\xd8\xff"), "a picture is a JPEG")


@dataclass(frozen=True, slots=True)
class Alive:
    """A sign of life, sent when there is nothing else to say."""


Message = Page | Picture | Alive
"""What the table says over the feed."""


def encode(message: Message) -> bytes:
    """A message as it goes over the wire."""
    if isinstance(message, Page):
        topic, body = "page", message.to_json().encode()
    elif isinstance(message, Picture):
        topic, body = "picture", message.jpeg
    else:
        topic, body = "alive", b""
    header = json.dumps({"version": VERSION, "topic": topic, "length": len(body)}).encode()
    return len(header).to_bytes(_PREFIX, "big") + header + body


class Decoder:
    """Turns the bytes of a connection back into messages, whatever pieces they come in."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """Takes more bytes and yields the messages they complete.

        Raises:
            ContractError: the bytes are not of this contract. Nothing after them can be read:
                close the connection.
        """
        self._bytes += data
        while len(self._bytes) >= _PREFIX:
            start = _PREFIX + int.from_bytes(self._bytes[:_PREFIX], "big")
            if start > _PREFIX + _LONGEST_HEADER:
                raise ContractError("the message does not begin as one of the feed's")
            if len(self._bytes) < start:
                return
            topic, length = _header(bytes(self._bytes[_PREFIX:start]))
            if len(self._bytes) < start + length:
                return
            body = bytes(self._bytes[start : start + length])
            del self._bytes[: start + length]
            yield _message(topic, body)


def _header(text: bytes) -> tuple[str, int]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"the header of the message is not JSON: {error}") from error
    if not isinstance(header, dict) or header.get("version") != VERSION:
        raise ContractError(OTHER_VERSION)
    length = header.get("length")
    if type(length) is not int or not 0 <= length <= LONGEST_BODY:
        raise ContractError(f"the length of a message is from 0 to {LONGEST_BODY} bytes")
    return str(header.get("topic")), length


def _message(topic: str, body: bytes) -> Message:
    match topic:
        case "page":
            return Page.from_json(body)
        case "picture":
            return Picture(body)
        case "alive":
            return Alive()
    raise ContractError(f"there is no topic {topic!r} in the feed")
