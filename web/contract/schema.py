"""Messages of the contract as JSON, see `firmware.codec`; each has the version of the contract."""

import json
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

from firmware.codec import Codec, ContractError, json_table

VERSION: Final = 19
"""Version of the messages; any other is refused."""


class OtherVersionError(ContractError):
    """Error of a message of another version of this contract."""

    def __init__(self) -> None:
        super().__init__(
            f"the message is not of version {VERSION}; run the table and the page from the same "
            "release"
        )


def require(holds: bool, rule: str) -> None:  # noqa: FBT001 - reads as an assertion
    """Checks a rule of the contract.

    Raises:
        ContractError: the rule does not hold.
    """
    if not holds:
        raise ContractError(f"the message cannot be used: {rule}")


KEYS: Final = MappingProxyType({"current_squares": "lies", "target_squares": "belongs"})
"""Keys that differ from the names of their fields."""

_CODEC: Final = Codec(KEYS)
"""Codec of all messages."""

plain: Final = _CODEC.plain
"""Returns a value of the contract in types of JSON."""

read: Final = _CODEC.read
"""Converts a JSON value to a value of the contract."""

read_named: Final = _CODEC.read_named
"""Converts a JSON object that names its kind to a value of that kind."""


def line(table: dict[str, Any], version: int = VERSION) -> str:
    """Returns a message of some version as one line of JSON."""
    return json.dumps({"version": version, **table}, ensure_ascii=False, separators=(",", ":"))


def table_of(text: str | bytes, version: int = VERSION, keys: Sequence[str] = ()) -> dict[str, Any]:
    """Parses a message of some version, with `keys` if any are named.

    Raises:
        OtherVersionError: it is of another version.
        ContractError: it is no JSON object, or has other keys.
    """
    table = json_table(text)
    if table.pop("version", None) != version:
        raise OtherVersionError
    if keys and table.keys() != set(keys):
        raise ContractError(f"the message cannot be used: it has the keys {', '.join(keys)}")
    return table


class JsonMessage:
    """Base of the frozen dataclasses that are messages: JSON of their fields and the version."""

    __slots__ = ()
    version: ClassVar[int] = VERSION

    def to_json(self) -> str:
        """Returns the message as one line of JSON."""
        return line(plain(self), self.version)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Parses the message from JSON.

        Raises:
            OtherVersionError: it is of another version.
            ContractError: the text is not of this form.
        """
        message: Self = read(cls, table_of(text, cls.version), cls.__name__)
        return message
