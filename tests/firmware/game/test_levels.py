"""Names of levels: all are found by name and number, and a wrong one gets one sentence."""

import pytest

from firmware.game.levels import LEVELS, level_name, parse_level


def test_each_level_has_a_name() -> None:
    assert len(set(LEVELS)) == len(LEVELS) == 12


@pytest.mark.parametrize(("number", "name"), list(enumerate(LEVELS, 1)))
def test_a_level_is_found_by_its_number_and_its_name(number: int, name: str) -> None:
    assert (
        parse_level(str(number)) == parse_level(name) == parse_level(f" {name.upper()} ") == number
    )


@pytest.mark.parametrize("text", ["", "0", "13", "-1", "2.5", "strongest", "9" * 5000])
def test_a_wrong_level_gets_one_sentence_that_names_the_right_ones(text: str) -> None:
    with pytest.raises(ValueError, match=r"use 1 to 12 or a name: newcomer, .*champion$") as error:
        parse_level(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_people_see_the_number_and_the_name() -> None:
    assert level_name(1) == "1 (newcomer)"
    assert level_name(12) == "12 (champion)"
