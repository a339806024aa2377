"""Dataclasses to JSON and back."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import pytest

from firmware.codec import Codec, ContractError, Form

Square = Annotated[int, "square"]


class Way(StrEnum):
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True)
class Inner:
    colour: int
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True)
class Outer:
    way: Way
    inner: Inner
    numbers: tuple[float, int] = (0.5, 1)
    second: Inner | None = None


VALUE = Outer(Way.UP, Inner(1, (2, 3)), (1.5, 2), Inner(0))
PLAIN = {
    "way": "up",
    "inner": {"color": 1, "squares": [2, 3]},
    "numbers": [1.5, 2],
    "second": {"color": 0, "squares": []},
}
LETTERS = Codec(
    {"squares": "cells"},
    {Square: Form("abcdef".__getitem__, "abcdef".index)},
    has_gaps=True,
    has_more=True,
)


def test_a_value_is_written_by_its_fields_and_read_by_its_annotations() -> None:
    codec = Codec()
    assert codec.plain(VALUE) == codec.write(Outer, VALUE) == PLAIN
    assert codec.read(Outer, PLAIN, "it") == VALUE


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"way": "left"}, "it.way is one of up, down, not 'left'"),
        ({"inner": {"color": 1, "squares": [2, "3"]}}, "it.inner.squares[1] is of kind int"),
        ({"inner": {"color": True, "squares": []}}, "it.inner.color is of kind int"),
        ({"inner": {"color": 1}}, "it.inner has the keys color, squares"),
        ({"numbers": [1.5]}, "it.numbers has 2 numbers"),
        ({"numbers": 3}, "it.numbers is a list"),
        ({"more": 1}, "it has the keys way, inner, numbers, second"),
    ],
)
def test_a_misfit_is_refused_with_its_place(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ContractError) as caught:
        Codec().read(Outer, PLAIN | change, "it")
    assert says in str(caught.value)


@pytest.mark.parametrize("text", [b'"\\ud800"', b'"\\udc41"', b'"\xed\xa0\x80"'])
def test_half_a_character_is_refused(text: bytes) -> None:
    """JSON has it, but no file and no page can have it."""
    with pytest.raises(ContractError, match="it is of kind str"):
        Codec().read(str, json.loads(text), "it")
    assert Codec().read(str, json.loads(b'"\\ud83c\\udfb2"'), "it") == "🎲"


def test_a_number_of_any_size_is_read() -> None:
    """Else a table would hang up on its page, of which anybody may ask for seat 10**300."""
    assert Codec().read(Inner, {"color": 10**300, "squares": []}, "it").colour == 10**300


def test_gaps_and_more_are_read_where_they_are_allowed() -> None:
    table = {"way": "down", "inner": {"color": 1, "other": 2}, "more": 1}
    assert LETTERS.read(Outer, table, "it") == Outer(Way.DOWN, Inner(1))
    with pytest.raises(ContractError):
        LETTERS.read(Outer, {"way": "down", "inner": {}}, "it")
    with pytest.raises(ContractError):
        Codec(has_gaps=True).read(Outer, table, "it")


def test_an_annotation_may_have_a_form_of_its_own() -> None:
    table = LETTERS.write(Outer, VALUE)
    assert table["inner"] == {"color": 1, "cells": ["c", "d"]}
    assert LETTERS.read(Outer, table, "it") == VALUE


def test_a_flat_form_shares_the_keys_of_what_it_belongs_to() -> None:
    flat = Form(
        lambda one: {"c": one.colour, "s": list(one.squares)},
        lambda table: Inner(table["c"], tuple(table["s"])),
        is_flat=True,
    )
    codec = Codec(forms={Inner: flat}, has_gaps=True, has_more=True)
    table = codec.write(Outer, Outer(Way.UP, Inner(1, (2,))))
    assert table == {"way": "up", "c": 1, "s": [2], "numbers": [0.5, 1], "second": None}
    assert codec.read(Outer, table, "it") == Outer(Way.UP, Inner(1, (2,)))


def test_a_value_names_its_kind() -> None:
    kinds: dict[str, type] = {"inner": Inner}
    table = {"do": "inner", "color": 1, "squares": []}
    assert Codec().read_named(kinds, "do", table, "action") == Inner(1)
    for wrong in (None, {}, {"do": "outer"}, {"do": ["inner"]}):
        with pytest.raises(ContractError, match="an action is one of inner"):
            Codec().read_named(kinds, "do", wrong, "action")
