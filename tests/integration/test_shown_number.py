"""A number that the lights show is visible only at the table."""

from pathlib import Path

import pytest

from firmware.assembly import services
from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.session.command_gate import SHOW_AGAIN_S, SHOWN_S
from firmware.session.feed_server import IncomingRequest
from firmware.session.table_parts import TableParts
from firmware.settings import Settings
from tests.support.fake_table import RecordingFeed
from web.contract import PairRequest, RefusalReason, Reply

pytestmark = pytest.mark.slow


def real(*parts: object, is_simulated: bool, **others: object) -> TableParts:
    """Returns a table of the same parts that is not a public demo."""
    assert is_simulated
    return TableParts(*parts, **others)  # type: ignore[arg-type]


def test_while_the_lights_of_a_real_table_show_a_number_no_picture_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "FeedServer", RecordingFeed)
    monkeypatch.setattr(services, "TableParts", real)
    with simulated(Settings(), tmp_path, SimulationOptions()) as table:
        wire = table.feed
        assert isinstance(wire, RecordingFeed)

        def pictured(now: float) -> bool:
            before = len(wire.pictures)
            table.step(0.1, now)
            return len(wire.pictures) > before

        assert pictured(1.0)
        wire.waiting.append(IncomingRequest(1, PairRequest("phone-one")))
        times = [10.0, 9.9 + SHOWN_S, 11.0 + SHOWN_S, 13.0 + SHOWN_S]
        assert [pictured(now) for now in times] == [False, False, False, True]
        wire.waiting.append(IncomingRequest(1, PairRequest("phone-two")))
        assert pictured(160.0)
        late = Reply("phone-two", RefusalReason.WAIT, wait_s=round(SHOW_AGAIN_S - 150))
        assert wire.answers == [Reply("phone-one"), late]
