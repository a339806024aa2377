"""A number that the lights show is for who stands at the table, and for nobody else."""

from pathlib import Path

import pytest

from firmware.assembly import simulated as simulated_module
from firmware.assembly.simulated import Acting, simulated
from firmware.publishing.feed_server import Asked
from firmware.session.command_gate import SHOW_AGAIN_S, SHOWN_S
from firmware.session.controller import Table
from firmware.settings import Settings
from tests.support.fake_table import Wire
from web.contract import Answer, Pair, Refusal

pytestmark = pytest.mark.slow


def real(*parts: object, shows_numbers: bool, **others: object) -> Table:
    """A table of the same parts that is not for everybody to play at."""
    assert shows_numbers
    return Table(*parts, **others)  # type: ignore[arg-type]


def test_while_the_lights_of_a_real_table_show_a_number_no_picture_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated_module, "Feed", Wire)
    monkeypatch.setattr(simulated_module, "Table", real)
    with simulated(Settings(), tmp_path, Acting()) as table:
        wire = table.feed
        assert isinstance(wire, Wire)

        def pictured(now: float) -> bool:
            before = len(wire.pictures)
            table.step(0.1, now)
            return len(wire.pictures) > before

        assert pictured(1.0)
        wire.waiting.append(Asked(1, Pair("phone-one")))
        shown = [10.0, 9.9 + SHOWN_S, 11.0 + SHOWN_S, 13.0 + SHOWN_S]
        assert [pictured(now) for now in shown] == [False, False, False, True]
        wire.waiting.append(Asked(1, Pair("phone-two")))
        assert pictured(160.0)
        late = Answer("phone-two", Refusal.WAIT, wait_s=round(SHOW_AGAIN_S - 150))
        assert wire.answers == [Answer("phone-one"), late]
