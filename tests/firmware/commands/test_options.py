"""Parsers of numbers in the command line: their bounds, and the message of a mistake."""

from argparse import ArgumentTypeError
from collections.abc import Callable

import pytest

from firmware.commands.options import length, level, port, seconds, speed, whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("99999999999", 99999999999)])
def test_a_whole_number_has_no_bound_unless_one_is_named(text: str, number: int) -> None:
    assert whole_number()(text) == number


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "0", "100"])
def test_a_mistake_names_the_bounds_and_what_was_typed(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"^a number of days from 1 to 99, not '{text}'$"):
        whole_number(1, 99, "a number of days")(text)


@pytest.mark.parametrize(
    ("parse", "text", "number"),
    [
        (port, "0", 0),
        (port, "65535", 65535),
        (speed, "1e3", 1000.0),
        (seconds, "0.1", 0.1),
        (length(8, 40), "8", 8.0),
        (level, "strong", 7),
    ],
)
def test_numbers_within_bounds_are_read(
    parse: Callable[[str], float], text: str, number: float
) -> None:
    assert parse(text) == number


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (port, "65536", "a port from 0 to 65535, not '65536'"),
        (speed, "0", "a number above 0 and up to 1000, not '0'"),
        (speed, "nan", "a number above 0 and up to 1000, not 'nan'"),
        (seconds, "3601", "seconds above 0 and up to 3600, not '3601'"),
        (length(8, 40), "x", "8 to 40 mm, not 'x'"),
        (level, "13", "there is no level '13'; use 1 to 12"),
    ],
)
def test_numbers_beyond_bounds_are_refused(
    parse: Callable[[str], float], text: str, message: str
) -> None:
    with pytest.raises(ArgumentTypeError, match=f"^{message}"):
        parse(text)
