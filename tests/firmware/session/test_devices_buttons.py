"""Buttons at a whole table: ends of turns, requests for hints, and failures."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import TurnEnd
from firmware.drivers.interfaces import ButtonPress
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.session.devices import FaultTolerantButtons
from firmware.simulator.buttons import SimulatedButtons
from tests.firmware.drivers.test_gpio_buttons import PinBench
from tests.support.fake_table import house
from tests.support.noisy_board import FIRST, SECOND
from web.contract import EndTurn

DUO = GameConfig(GAMES["duo"], turn_end=TurnEnd.BUTTON)


def test_buttons_that_fail_end_no_game_and_are_reported_until_they_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with house(tmp_path, DUO) as table:
        buttons = table.table_factory.buttons
        assert buttons is not None
        assert table.page.buttons
        buttons.broken = "the wire is loose"
        table.lay("purple", FIRST)
        assert not table.page.buttons
        assert caplog.text.count("the wire is loose") == 1
        assert table.asks(EndTurn()) == [None]
        table.look(3)
        assert table.state.piece_count == 1
        buttons.broken = ""
        table.lay("orange", SECOND)
        assert table.page.buttons
        assert "work again" in caplog.text
        buttons.press(1)
        table.look(3)
        assert table.state.piece_count == 2


def test_buttons_that_fail_are_left_alone_for_a_while() -> None:
    buttons = SimulatedButtons(2)
    panel = FaultTolerantButtons(buttons)
    buttons.broken = "the wire is loose"
    assert panel.pressed(10.0) == ()
    buttons.broken = ""
    buttons.press(1)
    assert panel.pressed(11.0) == ()
    assert panel.trouble == "the wire is loose"
    assert panel.pressed(12.0) == (ButtonPress(1),)
    assert not panel.trouble


def test_a_press_ends_no_turn_where_the_piece_does(tmp_path: Path) -> None:
    with house(tmp_path, replace(DUO, turn_end=TurnEnd.ITSELF)) as table:
        assert table.table_factory.buttons is not None
        table.table_factory.buttons.press(0)
        table.look(2)
        table.lay("purple", FIRST)
        assert table.state.piece_count == 1


def test_pins_of_a_chip_end_turns_at_a_whole_table(tmp_path: Path) -> None:
    bench = PinBench()
    with house(tmp_path, DUO) as table:
        fitted = FaultTolerantButtons(bench.buttons())
        table.controller.devices = replace(table.controller.devices, buttons=fitted)
        for person, (colour, squares) in enumerate((("purple", FIRST), ("orange", SECOND))):
            table.lay(colour, squares)
            assert table.state.piece_count == person
            bench.press(1 - person)
            table.look(3)
            assert table.state.piece_count == person, "it is not the turn of the other"
            bench.press(person)
            table.look(3)
            assert table.state.piece_count == person + 1
    for chip in bench.chips:
        chip.reset()
