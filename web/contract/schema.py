"""Frozen dataclasses to JSON and back: keys are the names of the fields, `color` for colour.

A few keys differ from the names of their fields: `_KEYS`. Parsing checks every field against its
annotation: none missing, none unknown, every value of its type. A mismatch is refused with an
error of one sentence that names the field.
"""

import json
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self, Union, get_args, get_origin, get_type_hints

VERSION: Final = 15
"""Version of the messages; any other is refused."""


class ContractError(ValueError):
    """Error of a message that is not of this contract; one sentence that names the cause."""


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


_KEYS: Final = MappingProxyType({"current_squares": "lies", "target_squares": "belongs"})
"""Keys that differ from the name of their field, by that name."""


def key_of(name: str) -> str:
    """Returns the key of a field in JSON: its name, with `color` for colour, or one of `_KEYS`."""
    return _KEYS.get(name, name).replace("colour", "color")


def plain(value: object) -> Any:
    """Returns a value of the contract in types of JSON."""
    if is_dataclass(value):
        return {key_of(item.name): plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def line(table: dict[str, Any], version: int = VERSION) -> str:
    """Returns a message of some version as one line of JSON."""
    return json.dumps({"version": version, **table}, ensure_ascii=False, separators=(",", ":"))


def json_table(text: str | bytes) -> dict[str, Any]:
    """Parses a JSON object.

    Raises:
        ContractError: the text is no JSON object.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"the message is not JSON: {error}") from error
    if not isinstance(table, dict):
        raise ContractError("the message is not a table of keys and values")
    return table


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


class _MisfitError(ValueError):
    """Error of a value that does not fit; `place` is the path to it from the current level."""

    def __init__(self, rule: str, place: str = "") -> None:
        super().__init__(rule)
        self.rule = rule
        self.place = place


_Reader = Callable[[Any], Any]


def read(hint: Any, value: object, where: str) -> Any:
    """Converts a JSON value to a value of the contract.

    Args:
        hint: annotation that it has to fit.
        value: value in types of JSON.
        where: name of its place for error messages.

    Raises:
        ContractError: the value does not fit; the sentence names the place.
    """
    try:
        return _reader(hint)(value)
    except _MisfitError as misfit:
        place = f"{where}{misfit.place}"
        raise ContractError(f"the message cannot be used: {place} {misfit.rule}") from None


def read_named(kinds: Mapping[str, type], tag: str, value: object, where: str) -> Any:
    """Converts a JSON object that names its kind to a value of that kind.

    Args:
        kinds: the kinds by name.
        tag: key of the name in the object.
        value: the object.
        where: word for it in the error message.

    Raises:
        ContractError: it is not an object of one of the kinds.
    """
    table = dict(value) if isinstance(value, dict) else {}
    name = table.pop(tag, None)
    if not isinstance(name, str) or name not in kinds:
        an = "an" if where[0] in "aeiou" else "a"
        raise ContractError(
            f"the message cannot be used: {an} {where} is one of {', '.join(kinds)}"
        )
    return read(kinds[name], table, where)


@cache
def _reader(hint: Any) -> _Reader:
    """Returns the converter of an annotation; cached, as a page has thousands of values."""
    if is_dataclass(hint):
        return _table_reader(hint)
    origin = get_origin(hint)
    if origin is tuple:
        return _list_reader(get_args(hint))
    if origin in (Union, types.UnionType):
        inner = _reader(get_args(hint)[0])
        return lambda value: None if value is None else inner(value)
    if issubclass(hint, StrEnum):
        return _code_reader(hint)
    return _plain_reader(hint)


def _plain_reader(kind: Any) -> _Reader:
    def reader(value: Any) -> Any:
        if type(value) is kind:
            return value
        if kind is float and type(value) is int:
            with suppress(OverflowError):
                return float(value)
        raise _MisfitError(f"is of kind {kind.__name__}, not {value!r:.40}")

    return reader


def _code_reader(codes: type[StrEnum]) -> _Reader:
    known = {code.value: code for code in codes}

    def reader(value: Any) -> Any:
        code = known.get(value) if isinstance(value, str) else None
        if code is None:
            raise _MisfitError(f"is one of {', '.join(codes)}, not {value!r:.40}")
        return code

    return reader


def _table_reader(kind: Any) -> _Reader:
    hints = get_type_hints(kind)
    form = {key_of(item.name): (item.name, _reader(hints[item.name])) for item in fields(kind)}

    def reader(value: Any) -> Any:
        if not isinstance(value, dict) or value.keys() != form.keys():
            raise _MisfitError(f"has the keys {', '.join(form)}")
        read = {}
        for key, (name, reads) in form.items():
            try:
                read[name] = reads(value[key])
            except _MisfitError as misfit:
                raise _MisfitError(misfit.rule, f".{key}{misfit.place}") from None
        return kind(**read)

    return reader


def _list_reader(kinds: tuple[Any, ...]) -> _Reader:
    alike = kinds[-1] is Ellipsis
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def reader(value: Any) -> Any:
        if not isinstance(value, list):
            raise _MisfitError("is a list")
        if not alike and len(value) != len(readers):
            raise _MisfitError(f"has {len(readers)} numbers")
        read = []
        for place, item in enumerate(value):
            try:
                read.append(readers[0 if alike else place](item))
            except _MisfitError as misfit:
                raise _MisfitError(misfit.rule, f"[{place}]{misfit.place}") from None
        return tuple(read)

    return reader
