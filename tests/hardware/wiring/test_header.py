"""The table of the header is that of the boards."""

import pytest
from gpiozero.pins.pi import PiBoardInfo

from hardware.wiring.header import GROUNDS, NAMES, PIN_OF_GPIO, ground_pins

REVISIONS = {"Zero 2 W": 0x902120, "3B": 0xA02082, "4B": 0xC03111, "5B": 0xC04170}
"""Revision codes of boards, as Raspberry Pi documents them."""


@pytest.mark.parametrize("board", REVISIONS)
def test_every_pin_is_what_gpiozero_knows_of_the_board(board: str) -> None:
    info = PiBoardInfo.from_revision(REVISIONS[board])
    assert board.replace(" ", "") == info.model.replace(" ", "")
    header = info.headers["J8"]
    assert len(header.pins) == len(NAMES)
    for pin, name in enumerate(NAMES, 1):
        assert header.pins[pin].name == name


def test_a_gpio_has_the_pin_that_has_its_name() -> None:
    assert len(PIN_OF_GPIO) == 28
    assert all(NAMES[pin - 1] == f"GPIO{gpio}" for gpio, pin in PIN_OF_GPIO.items())


def test_each_signal_has_a_ground_of_its_own_near_it() -> None:
    chosen = ground_pins([19, 29, 31, 36, 11])
    assert chosen == {11: 9, 19: 20, 29: 30, 31: 34, 36: 39}


def test_as_many_signals_as_grounds_have_one_each() -> None:
    signals = [29, 31, 32, 33, 35, 36, 37, 38]
    chosen = ground_pins(signals)
    assert sorted(chosen) == signals
    assert sorted(chosen.values()) == sorted(GROUNDS)
