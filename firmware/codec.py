"""Dataclasses to JSON and back by their annotations: keys are the names of the fields.

Parsing checks every value against its annotation. A misfit is refused with an error of one sentence
that names its place.
"""

import json
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

_Converter = Callable[[Any], Any]


class ContractError(ValueError):
    """Error of a message that is not of its form; one sentence that names the cause."""


class _MisfitError(ValueError):
    """Error of a value that does not fit; `place` is the path to it from the current level."""

    def __init__(self, rule: str, place: str = "") -> None:
        super().__init__(rule)
        self.rule = rule
        self.place = place


class Form(NamedTuple):
    """The form of an annotation that differs from the usual one.

    Attributes:
        write: returns a value in types of JSON.
        read: returns the value of this form.
        is_flat: True for an object whose keys are among those of the object that it belongs to.
    """

    write: _Converter
    read: _Converter
    is_flat: bool = False


class Codec:
    """JSON of dataclasses.

    Args:
        keys: keys that differ from the names of their fields, by name.
        forms: forms of single annotations.
        has_gaps: True to read a missing key as the default of its field.
        has_more: True to ignore unknown keys.
    """

    def __init__(
        self,
        keys: Mapping[str, str] = types.MappingProxyType({}),
        forms: Mapping[Any, Form] = types.MappingProxyType({}),
        *,
        has_gaps: bool = False,
        has_more: bool = False,
    ) -> None:
        self._keys: Final = keys
        self._forms: Final = forms
        self._has_gaps: Final = has_gaps
        self._has_more: Final = has_more
        # Cached, as a page has thousands of values.
        self._readers: Final[dict[Any, _Converter]] = {}
        self._hints: Final[dict[type, dict[str, Any]]] = {}

    def plain(self, value: object) -> Any:
        """Returns a value in types of JSON, with no regard to the forms."""
        if is_dataclass(value):
            return {
                self.key_of(item.name): self.plain(getattr(value, item.name))
                for item in fields(value)
            }
        if isinstance(value, tuple):
            return [self.plain(item) for item in value]
        return value

    def write(self, hint: Any, value: Any) -> Any:
        """Returns a value of an annotation in types of JSON, in the forms of this codec."""
        if hint in self._forms:
            return self._forms[hint].write(value)
        inner = _optional(hint)
        if inner is not None:
            return None if value is None else self.write(inner, value)
        if get_origin(hint) is tuple:
            kinds = get_args(hint)
            alike = kinds[-1] is Ellipsis
            return [self.write(kinds[0 if alike else at], one) for at, one in enumerate(value)]
        if not is_dataclass(hint):
            return value
        table: dict[str, Any] = {}
        for item in fields(hint):
            table |= self.write_field(hint, item.name, getattr(value, item.name))
        return table

    def write_field(self, kind: Any, name: str, value: object) -> dict[str, Any]:
        """Returns a field of a dataclass as keys and values of JSON, in the form of its kind."""
        hint = self._hints_of(kind)[name]
        written = self.write(hint, value)
        return written if self._is_flat(hint) else {self.key_of(name): written}

    def read(self, hint: Any, value: object, where: str) -> Any:
        """Converts a JSON value to a value that fits an annotation.

        Args:
            hint: the annotation.
            value: value in types of JSON.
            where: name of its place for error messages.

        Raises:
            ContractError: the value does not fit; the sentence names the place.
        """
        try:
            return self._reader(hint)(value)
        except _MisfitError as misfit:
            place = f"{where}{misfit.place}"
            raise ContractError(f"the message cannot be used: {place} {misfit.rule}") from None

    def read_named(self, kinds: Mapping[str, type], tag: str, value: object, where: str) -> Any:
        """Converts a JSON object that names its kind to a value of that kind.

        Args:
            kinds: the kinds by name.
            tag: key of the name in the object.
            value: the object.
            where: word for it in the error message.

        Raises:
            ContractError: it is not an object of one of the kinds.
        """
        table = dict(value) if isinstance(value, Mapping) else {}
        name = table.pop(tag, None)
        if not isinstance(name, str) or name not in kinds:
            an = "an" if where[0] in "aeiou" else "a"
            raise ContractError(
                f"the message cannot be used: {an} {where} is one of {', '.join(kinds)}"
            )
        return self.read(kinds[name], table, where)

    def key_of(self, name: str) -> str:
        """Returns the key of a field, by its name; `color` for colour."""
        return self._keys.get(name, name).replace("colour", "color")

    def _hints_of(self, kind: Any) -> dict[str, Any]:
        if kind not in self._hints:
            self._hints[kind] = get_type_hints(kind, include_extras=True)
        return self._hints[kind]

    def _reader(self, hint: Any) -> _Converter:
        """Returns the converter of an annotation."""
        if hint not in self._readers:
            form = self._forms.get(hint)
            self._readers[hint] = self._usual_reader(hint) if form is None else form.read
        return self._readers[hint]

    def _usual_reader(self, hint: Any) -> _Converter:
        if is_dataclass(hint):
            return self._table_reader(hint)
        if get_origin(hint) is Annotated:
            return self._reader(get_args(hint)[0])
        if get_origin(hint) is tuple:
            return self._list_reader(get_args(hint))
        inner = _optional(hint)
        if inner is not None:
            read = self._reader(inner)
            return lambda value: None if value is None else read(value)
        return _code_reader(hint) if issubclass(hint, StrEnum) else _plain_reader(hint)

    def _table_reader(self, kind: Any) -> _Converter:
        hints = self._hints_of(kind)
        flat = {name for name, hint in hints.items() if self._is_flat(hint)}
        form = {self.key_of(item.name): item.name for item in fields(kind)}
        readers = {name: self._reader(hints[name]) for name in form.values()}
        free = {self.key_of(item.name) for item in fields(kind) if _has_default(item)}
        needed = {*form} - {*flat} - (free if self._has_gaps else set())

        def reader(value: Any) -> Any:
            fits = isinstance(value, dict) and needed <= value.keys()
            if not fits or not (self._has_more or value.keys() <= form.keys()):
                raise _MisfitError(f"has the keys {', '.join(form)}")
            read = {}
            for key, name in form.items():
                if name not in flat and key not in value:
                    continue
                try:
                    read[name] = readers[name](value if name in flat else value[key])
                except _MisfitError as misfit:
                    raise _MisfitError(misfit.rule, f".{key}{misfit.place}") from None
            return kind(**read)

        return reader

    def _is_flat(self, hint: Any) -> bool:
        return hint in self._forms and self._forms[hint].is_flat

    def _list_reader(self, kinds: tuple[Any, ...]) -> _Converter:
        alike = kinds[-1] is Ellipsis
        readers = [self._reader(kind) for kind in kinds if kind is not Ellipsis]

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


def _optional(hint: Any) -> Any:
    """Returns the annotation within `... | None`; None for any other."""
    return get_args(hint)[0] if get_origin(hint) in (Union, types.UnionType) else None


def _has_default(item: Field[Any]) -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _plain_reader(kind: Any) -> _Converter:
    def reader(value: Any) -> Any:
        # JSON may have half a character, and 10**400 as a fraction.
        with suppress(OverflowError, UnicodeEncodeError):
            if type(value) is kind:
                return value.encode().decode() if kind is str else value
            if kind is float and type(value) is int:
                return float(value)
        raise _MisfitError(f"is of kind {kind.__name__}, not {value!r:.40}")

    return reader


def _code_reader(codes: type[StrEnum]) -> _Converter:
    known = {code.value: code for code in codes}

    def reader(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            raise _MisfitError(f"is one of {', '.join(codes)}, not {value!r:.40}")
        return known[value]

    return reader
