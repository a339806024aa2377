"""A number that the lights show is for who stands at the table, and for nobody else."""

from pathlib import Path

import pytest

from firmware import assembly
from firmware.assembly import Acting, simulated
from firmware.feed import Asked
from firmware.settings import Settings
from tests.house import Wire
from web.contract import Answer, Pair, Refusal


class Seen(Wire):
    """Counts the pictures that everybody gets."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.pictures = 0

    def publish_picture(self, jpeg: bytes) -> None:
        super().publish_picture(jpeg)
        self.pictures += 1


def test_while_the_lights_show_a_number_no_picture_leaves_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "Feed", Seen)
    with simulated(Settings(), tmp_path, Acting()) as table:
        wire = table.feed
        assert isinstance(wire, Seen)

        def pictured(now: float) -> bool:
            before = wire.pictures
            table.step(0.1, now)
            return wire.pictures > before

        assert pictured(1.0)
        wire.waiting.append(Asked(1, Pair("phone-one")))
        assert [pictured(now) for now in (10.0, 39.9, 41.0, 43.0)] == [False, False, False, True]
        wire.waiting.append(Asked(1, Pair("phone-two")))
        assert pictured(60.0)
        late = Answer("phone-two", Refusal.WAIT, wait_s=70)
        assert wire.answers == [Answer("phone-one"), late]
