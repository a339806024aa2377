"""Requests to the table and its replies: commands, pairing, refusals.

A command carries a random id, the revision of the page that its sender saw, and the token of a
paired phone. The table replies to every one: done, or refused with a reason. A command with an
id used before, or with an old revision, is refused; so two phones that undo at the same time undo
one move.

The table sends the page the phones that it knows in advance, see `PairedPhones`. So the page
refuses unknown phones itself, and only paired phones and valid numbers reach the table.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final, Self

from web.contract.codes import Square
from web.contract.commands import Command, command_from_json, command_to_json
from web.contract.page import LARGEST_REVISION
from web.contract.schema import JsonMessage, line, plain, read, read_named, require, table_of

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""Id of a request. Senders make 16 characters; 8 and 64 were chosen without a measurement."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
"""Token of a phone, or empty. The table's have 43 characters: 32 random bytes in base64."""

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")
"""Form of the result of `fingerprint`: SHA-256 in lower case."""

NUMBER_DIGITS: Final = 12
"""Digits of a number for pairing; `web.rate_limit.GuessLimiter` explains the choice."""

_NUMBER: Final = re.compile(f"(?:[0-9]{{{NUMBER_DIGITS}}})?")
"""Number for pairing, or empty: then the table is asked to show one."""


def fingerprint(secret: str) -> str:
    """Returns the SHA-256 of a secret as 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_fingerprint(value: object) -> bool:
    """True if a value has the form of a fingerprint."""
    return isinstance(value, str) and _FINGERPRINT.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command of a paired phone.

    Attributes:
        id: random id chosen by the sender, used once, 8 to 64 of `A-Za-z0-9_-`.
        revision: revision of the page that the sender saw.
        token: token that the phone got when it was paired.
        command: the command.
    """

    id: str
    revision: int
    token: str = field(repr=False)
    command: Command

    def __post_init__(self) -> None:
        check_request(self.id, self.token)
        require(0 <= self.revision <= LARGEST_REVISION, "revision counts up from 0")

    def to_json(self) -> str:
        """Returns the request as one line of JSON."""
        command = command_to_json(self.command)
        table = {"id": self.id, "revision": self.revision, "token": self.token, "wish": command}
        return line(table)

    @staticmethod
    def from_json(text: str | bytes) -> "CommandRequest":
        """Parses a request from JSON.

        Raises:
            ContractError: the text is not a command of this version.
        """
        table = table_of(text, keys=("id", "revision", "token", "wish"))
        return CommandRequest(
            read(str, table["id"], "id"),
            read(int, table["revision"], "revision"),
            read(str, table["token"], "token"),
            command_from_json(table["wish"]),
        )


@dataclass(frozen=True, slots=True)
class PairRequest(JsonMessage):
    """A request of a phone to be paired, or to be the camera.

    Attributes:
        id: id as in `CommandRequest`.
        number: digits that the table shows; empty to have the table show a number.
        camera: True to be the camera, in place of the phone that was it; without a number, to get
            one for another phone.
        token: token of the paired phone that asks for such a number; else empty.
    """

    id: str
    number: str = field(default="", repr=False)
    camera: bool = False
    token: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_request(self.id, self.token)
        require(_NUMBER.fullmatch(self.number) is not None, f"a number has {NUMBER_DIGITS} digits")


@dataclass(frozen=True, slots=True)
class PairedPhones(JsonMessage):
    """The phones that the table knows, and the numbers that pair another one.

    Attributes:
        tokens: fingerprint of the token of each paired phone.
        numbers: for each valid number, a salt and the fingerprint of salt and number together.
        camera: fingerprint of the token of the phone that is the camera; empty without one.
        takes_camera: True if a phone can be the camera of the table.
    """

    tokens: tuple[str, ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    camera: str = ""
    takes_camera: bool = False

    def __post_init__(self) -> None:
        camera = (self.camera,) if self.camera else ()
        fingerprints = (*self.tokens, *camera, *(hashed for _, hashed in self.numbers))
        right = all(map(is_fingerprint, fingerprints))
        require(right, "a fingerprint has 64 hexadecimal digits")

    def knows(self, token: str) -> bool:
        """True if a token is that of a paired phone."""
        return fingerprint(token) in self.tokens

    def is_camera(self, token: str) -> bool:
        """True if a token is that of the phone that is the camera."""
        return bool(self.camera) and fingerprint(token) == self.camera

    def takes(self, number: str) -> bool:
        """True if a number pairs a phone now."""
        return any(
            hmac.compare_digest(fingerprint(salt + number), hashed) for salt, hashed in self.numbers
        )


class RefusalReason(StrEnum):
    """Reasons for which a request is refused."""

    NOT_PAIRED = "not-paired"
    """The token is not one of this table."""

    WRONG_NUMBER = "wrong-number"
    """The number pairs no phone now."""

    WAIT = "wait"
    """The lights showed a number recently; they can show the next in `wait_s` seconds."""

    STALE = "stale"
    """The game has changed since the page that the sender saw."""

    REPEATED = "repeated"
    """A request with the same id was answered before."""

    NOT_POSSIBLE = "not-possible"
    """The command is not possible in the current state."""

    NOT_FITTING = "not-fitting"
    """The fields of the command contradict each other or the game."""

    HINTS_SPENT = "hints-spent"
    """The person to move has used all the hints that were agreed on."""

    NO_HINTS_AGREED = "no-hints-agreed"
    """The person to move agreed on no hints."""

    NO_PLAYER = "no-player"
    """No player runs on this table, so there are no hints; the page shows the reason."""

    BUSY = "busy"
    """Too many requests came at once."""

    NO_SEAT = "no-seat"
    """The sender has no seat at the table."""

    SEAT_TAKEN = "seat-taken"
    """The seat is not free."""

    NOT_YOURS = "not-yours"
    """The piece belongs to another seat."""

    NOWHERE = "nowhere"
    """The piece has no legal placement now."""

    OTHER_SEAT = "other-seat"
    """Another seat has to do that."""

    CALL_ENDED = "call-ended"
    """A call of the arbiter has just ended; the next one has to wait for some seconds."""


@dataclass(frozen=True, slots=True)
class Reply(JsonMessage):
    """The table's reply to a command or to a request to be paired.

    Attributes:
        id: id of the request.
        refused: reason of the refusal; None if the request was carried out.
        revision: revision of the newest page after it.
        token: token of a phone that has just been paired, taken a seat or become the camera; else
            empty.
        number: number that makes another phone the camera; else empty.
        wait_s: seconds until the lights can show another number, with the reason WAIT.
        places: for each way round of a piece that may go somewhere its shape, the squares that it
            can cover, and those of them at which it starts.
    """

    id: str
    refused: RefusalReason | None = None
    revision: int = 0
    token: str = field(default="", repr=False)
    number: str = field(default="", repr=False)
    wait_s: int = 0
    places: tuple[tuple[tuple[Square, ...], tuple[Square, ...], tuple[Square, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An action of somebody at the table; base of the requests for each family of actions.

    Attributes:
        id: random id chosen by the sender, as in `CommandRequest`.
        token: token of the sender's seat, or that of `share`; empty if it has none.
        pairing: token that the sender got when it was paired; empty if it is not.
        action: the action, one of `kinds`.
    """

    kinds: ClassVar[Mapping[str, type]]
    id: str
    token: str = field(repr=False)
    pairing: str = field(repr=False)
    action: Any

    def __post_init__(self) -> None:
        check_request(self.id, self.token)
        check_request(self.id, self.pairing)

    def to_json(self) -> str:
        """Returns the request as one line of JSON."""
        action = {"action": self.action.name, **plain(self.action)}
        return line({"id": self.id, "token": self.token, "pairing": self.pairing, "action": action})

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Parses a request from JSON.

        Raises:
            ContractError: the text is not a request of this version.
        """
        table = table_of(text, keys=("id", "token", "pairing", "action"))
        words = [read(str, table[key], key) for key in ("id", "token", "pairing")]
        identity, token, pairing = words
        return cls(identity, token, pairing, cls.action_from_json(table["action"]))

    @classmethod
    def action_from_json(cls, value: object) -> Any:
        """Reads an action alone.

        Raises:
            ContractError: it is not an action of this version.
        """
        return read_named(cls.kinds, "action", value, "action")


def check_request(identity: str, token: str = "") -> None:
    """Checks the id of a request, and the token of its sender.

    Raises:
        ContractError: one of them has another form.
    """
    require(_ID.fullmatch(identity) is not None, "an id has 8 to 64 of A-Z, a-z, 0-9, _ and -")
    require(_TOKEN.fullmatch(token) is not None, "a token has at most 64 characters")
