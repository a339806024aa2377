"""Frozen dataclasses to JSON and back: keys are the names of the fields, `color` for colour.

What comes back is checked field by field against the annotations: nothing missing, nothing
unknown, every value of its kind. What does not fit is refused with one sentence that names the
place, and never guessed at.
"""

import types
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

VERSION: Final = 4
"""Version of the messages; a reader refuses any other."""

OTHER_VERSION: Final = (
    f"the message is not of version {VERSION}; run the table and the page from the same release"
)


class ContractError(ValueError):
    """A message that is not of this contract; one sentence that names what is wrong."""


def require(holds: bool, rule: str) -> None:  # noqa: FBT001 - reads as an assertion
    """Refuses a message in which a rule of the contract does not hold.

    Raises:
        ContractError: it does not.
    """
    if not holds:
        raise ContractError(f"the message cannot be used: {rule}")


def _key(name: str) -> str:
    return name.replace("colour", "color")


def plain(value: object) -> Any:
    """A value of the contract as JSON knows it."""
    if is_dataclass(value):
        return {_key(item.name): plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


@cache
def _form(kind: Any) -> dict[str, tuple[str, Any]]:
    """Fields of a dataclass by their JSON keys: (name, what it may be)."""
    hints = get_type_hints(kind)
    return {_key(item.name): (item.name, hints[item.name]) for item in fields(kind)}


def read(hint: Any, value: object, where: str) -> Any:
    """A value of the contract from JSON, refused where it has another form."""
    if is_dataclass(hint):
        return _read_table(hint, value, where)
    origin = get_origin(hint)
    if origin is tuple:
        return _read_list(get_args(hint), value, where)
    if origin in (Union, types.UnionType):
        return None if value is None else read(get_args(hint)[0], value, where)
    if issubclass(hint, StrEnum):
        require(value in list(hint), f"{where} is one of {', '.join(hint)}, not {value!r:.40}")
        return hint(value)
    if hint is float and type(value) is int:
        value = float(value)
    require(type(value) is hint, f"{where} is of kind {hint.__name__}, not {value!r:.40}")
    return value


def _read_table(kind: Any, value: object, where: str) -> Any:
    form = _form(kind)
    if not isinstance(value, dict) or value.keys() != form.keys():
        raise ContractError(f"the message cannot be used: {where} has the keys {', '.join(form)}")
    return kind(
        **{name: read(hint, value[key], f"{where}.{key}") for key, (name, hint) in form.items()}
    )


def _read_list(kinds: tuple[Any, ...], value: object, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ContractError(f"the message cannot be used: {where} is a list")
    if kinds[-1] is Ellipsis:
        return tuple(read(kinds[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    require(len(value) == len(kinds), f"{where} has {len(kinds)} numbers")
    return tuple(
        read(kind, item, f"{where}[{i}]")
        for i, (kind, item) in enumerate(zip(kinds, value, strict=True))
    )
