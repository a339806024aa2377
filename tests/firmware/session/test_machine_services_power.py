"""A table that may be switched off: by whom, what screens say, and when systemd is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.session.machine_services import GIVES_UP_S, SAID_S, PowerSwitch
from tests.support.fake_table import FakeTable, house
from tests.support.noisy_board import FIRST
from web.contract import CommandName, RefereeState, RefusalReason, SwitchOff, Undo

DUO = GameConfig(GAMES["duo"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file for which systemd waits, in a folder of its own."""
    return tmp_path / "run" / "power-off"


@pytest.fixture
def table(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTable]:
    file.parent.mkdir()
    monkeypatch.setattr(FakeTable, "services", [PowerSwitch(file)])
    with house(tmp_path, DUO) as made:
        made.lay("purple", FIRST)
        yield made


def pass_time(table: FakeTable, seconds: float) -> None:
    for _ in range(int(seconds)):
        table.look(1)  # a second each


def test_a_paired_phone_switches_off_after_every_screen_has_said_so(
    table: FakeTable, file: Path
) -> None:
    assert CommandName.SWITCH_OFF in table.page.possible
    assert table.asks(table.command(SwitchOff(), revision=1)) == [None], "it is never stale"
    assert table.page.public.state.code is RefereeState.SWITCHING_OFF
    assert CommandName.SWITCH_OFF not in table.page.possible
    pass_time(table, SAID_S - 1)
    assert not file.exists()
    pass_time(table, 1)
    assert file.exists()
    assert table.journal.saved
    assert table.page.state.code is RefereeState.SWITCHING_OFF


def test_nobody_else_may(table: FakeTable, file: Path) -> None:
    stranger = table.command(SwitchOff(), token="x" * 43)
    assert table.asks(stranger) == [RefusalReason.NOT_PAIRED]
    assert table.asks(SwitchOff(), SwitchOff()) == [None, RefusalReason.NOT_POSSIBLE]
    assert table.asks(Undo()) == [None], "the game goes on until then"


@pytest.mark.parametrize("person", [0, 1])
def test_a_button_that_anybody_holds_for_long_switches_off(
    table: FakeTable, file: Path, person: int
) -> None:
    assert table.table_factory.buttons is not None
    table.table_factory.buttons.press(person, held=True)
    pass_time(table, 2 * SAID_S)
    assert not file.exists()
    table.table_factory.buttons.press(person, off=True)
    pass_time(table, 2 * SAID_S)
    assert file.exists()


def test_where_it_is_not_offered_nothing_switches_off(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        assert CommandName.SWITCH_OFF not in table.page.possible
        assert table.asks(SwitchOff()) == [RefusalReason.NOT_POSSIBLE]
        assert table.table_factory.buttons is not None
        table.table_factory.buttons.press(0, off=True)
        table.look(5)
        assert table.page.state.code is not RefereeState.SWITCHING_OFF
        assert table.controller.enter(SwitchOff()) is None, "a recording is repeated elsewhere"


def test_a_machine_that_stays_on_is_a_table_again_and_can_be_asked_again(
    table: FakeTable, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table.asks(SwitchOff())
    pass_time(table, GIVES_UP_S)
    assert "the machine stays on" in caplog.text
    assert table.page.state.code is not RefereeState.SWITCHING_OFF
    assert table.page.machine.stays_on, "the screens say it too"
    file.unlink()
    assert table.asks(SwitchOff()) == [None]
    assert not table.page.machine.stays_on
    pass_time(table, SAID_S)
    assert file.exists()


def test_a_file_that_cannot_be_written_is_said_in_the_log(
    table: FakeTable, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.rmdir()
    table.asks(SwitchOff())
    pass_time(table, SAID_S)
    assert f"the machine stays on: {file}: No such file or directory" in caplog.text
    assert table.page.state.code is not RefereeState.SWITCHING_OFF
    assert table.page.machine.stays_on
