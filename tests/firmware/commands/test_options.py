"""Options that several verbs share."""

from argparse import ArgumentTypeError

import pytest

from firmware.commands.options import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("99999999999", 99999999999)])
def test_a_whole_number_has_no_bound_unless_one_is_named(text: str, number: int) -> None:
    assert whole_number()(text) == number


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "0", "100"])
def test_a_mistake_names_the_bounds_and_what_was_typed(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"^a number of days from 1 to 99, not '{text}'$"):
        whole_number(1, 99, "a number of days")(text)
