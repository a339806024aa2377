"""What people ask of the table, and what it answers: commands, pairing, refusals.

A command carries an id that its sender drew for it, the revision of the page it was made
against, and the token of a paired phone. The table answers every one of them: done, or refused
with a reason. A command that comes again under the same id, or was made against a game that has
gone on since, is refused; so two phones that undo at once undo once.

The table tells the page which phones it knows before anybody asks, see `PairedPhones`. So the page
refuses strangers by itself, and only paired phones and right numbers reach the table.
"""

import hashlib
import hmac
import json
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from web.contract.commands import COMMANDS, Command
from web.contract.page import LARGEST_REVISION
from web.contract.schema import VERSION, ContractError, OtherVersionError, plain, read, require

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")

NUMBER_DIGITS: Final = 12
"""Digits of every number that pairs a phone; `web.security.rate_limit.GuessLimiter` says why."""

_NUMBER: Final = re.compile(f"(?:[0-9]{{{NUMBER_DIGITS}}})?")


def fingerprint(secret: str) -> str:
    """The SHA-256 of a secret as 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_fingerprint(value: object) -> bool:
    """Whether a value has the form of a fingerprint."""
    return isinstance(value, str) and _FINGERPRINT.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A wish of a paired phone.

    Attributes:
        id: drawn by the sender for this wish alone, 8 to 64 of `A-Za-z0-9_-`.
        revision: of the page that the sender saw when it was made.
        token: what the phone got when it was paired.
        command: what is asked for.
    """

    id: str
    revision: int
    token: str = field(repr=False)
    command: Command

    def __post_init__(self) -> None:
        _check_id(self.id)
        require(0 <= self.revision <= LARGEST_REVISION, "revision counts up from 0")
        require(_TOKEN.fullmatch(self.token) is not None, "a token has at most 64 characters")

    def to_json(self) -> str:
        """The command as one line of JSON."""
        wish = {"word": self.command.name, **plain(self.command)}
        table = {"id": self.id, "revision": self.revision, "token": self.token, "wish": wish}
        return _line(table)

    @staticmethod
    def from_json(text: str | bytes) -> "CommandRequest":
        """The way back from `to_json`.

        Raises:
            ContractError: the text is not a command of this version.
        """
        table = _table(text, ("id", "revision", "token", "wish"))
        wish = table["wish"]
        word = wish.pop("word", None) if isinstance(wish, dict) else None
        if not isinstance(word, str) or word not in COMMANDS:
            raise ContractError(
                f"the message cannot be used: a wish is one of {', '.join(COMMANDS)}"
            )
        return CommandRequest(
            read(str, table["id"], "id"),
            read(int, table["revision"], "revision"),
            read(str, table["token"], "token"),
            read(COMMANDS[word], wish, "wish"),
        )


@dataclass(frozen=True, slots=True)
class PairRequest:
    """A phone wants to be paired.

    Attributes:
        id: as that of a command.
        number: the digits that the table shows; empty to have it show some.
    """

    id: str
    number: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        _check_id(self.id)
        require(_NUMBER.fullmatch(self.number) is not None, f"a number has {NUMBER_DIGITS} digits")

    def to_json(self) -> str:
        """The wish as one line of JSON."""
        return _line(plain(self))

    @staticmethod
    def from_json(text: str | bytes) -> "PairRequest":
        """The way back from `to_json`.

        Raises:
            ContractError: the text is not of this version and form.
        """
        pair: PairRequest = read(PairRequest, _table(text, ("id", "number")), "pair")
        return pair


@dataclass(frozen=True, slots=True)
class PairedPhones:
    """Which phones the table knows now, and which numbers pair another one.

    Attributes:
        tokens: fingerprint of the token of each paired phone.
        numbers: a salt for each number that is good now, and the fingerprint of the salt
            followed by the number.
    """

    tokens: tuple[str, ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        shown = (*self.tokens, *(hashed for _, hashed in self.numbers))
        require(all(map(is_fingerprint, shown)), "a fingerprint has 64 hexadecimal digits")

    def knows(self, token: str) -> bool:
        """Whether a token is that of a paired phone."""
        return fingerprint(token) in self.tokens

    def takes(self, number: str) -> bool:
        """Whether a number pairs a phone now."""
        return any(
            hmac.compare_digest(fingerprint(salt + number), hashed) for salt, hashed in self.numbers
        )

    def to_json(self) -> str:
        """All of it as one line of JSON."""
        return _line(plain(self))

    @staticmethod
    def from_json(text: str | bytes) -> "PairedPhones":
        """The way back from `to_json`.

        Raises:
            ContractError: the text is not of this version and form.
        """
        phones: PairedPhones = read(PairedPhones, _table(text, ("tokens", "numbers")), "phones")
        return phones


class RefusalReason(StrEnum):
    """Why a command was refused."""

    NOT_PAIRED = "not-paired"
    """The token is none of this table's."""

    WRONG_NUMBER = "wrong-number"
    """It is no number that pairs a phone now."""

    WAIT = "wait"
    """The lights showed a number not long ago; they can show the next in `wait_s` seconds."""

    STALE = "stale"
    """The game has gone on since the page that it was made against."""

    REPEATED = "repeated"
    """It came before under the same id, and was answered then."""

    NOT_POSSIBLE = "not-possible"
    """There is nothing now that it could be done to."""

    NOT_FITTING = "not-fitting"
    """Its parts do not fit each other or the game."""

    HINTS_SPENT = "hints-spent"
    """Whoever has to move has asked for all the hints that were agreed on."""

    NO_PLAYER = "no-player"
    """No player runs on this table, so nobody can give hints; the page says why."""

    BUSY = "busy"
    """Too many came at once."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The table's answer to a command or to a phone that wants to be paired.

    Attributes:
        id: of what is answered.
        refused: why it was not done; None when it was.
        revision: of the newest page after it.
        token: for a phone that has just been paired; else empty.
        wait_s: seconds until the lights can show another number, where that is why.
    """

    id: str
    refused: RefusalReason | None = None
    revision: int = 0
    token: str = field(default="", repr=False)
    wait_s: int = 0

    def to_json(self) -> str:
        """The answer as one line of JSON."""
        return _line(plain(self))

    @staticmethod
    def from_json(text: str | bytes) -> "Reply":
        """The way back from `to_json`.

        Raises:
            ContractError: the text is not an answer of this version.
        """
        table = _table(text, ("id", "refused", "revision", "token", "wait_s"))
        answer: Reply = read(Reply, table, "answer")
        return answer


def _check_id(text: str) -> None:
    require(_ID.fullmatch(text) is not None, "an id has 8 to 64 of A-Z, a-z, 0-9, _ and -")


def _line(table: dict[str, Any]) -> str:
    return json.dumps({"version": VERSION, **table}, ensure_ascii=False, separators=(",", ":"))


def _table(text: str | bytes, keys: tuple[str, ...]) -> dict[str, Any]:
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"the message is not JSON: {error}") from error
    if not isinstance(table, dict) or table.pop("version", None) != VERSION:
        raise OtherVersionError
    if table.keys() != set(keys):
        raise ContractError(f"the message cannot be used: it has the keys {', '.join(keys)}")
    return table
