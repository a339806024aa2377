"""The set-up is checked during the game, and arbiters get the report."""

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import PHONE_CAMERA
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from tests.support.fake_table import FakeTable, house
from tests.vision.setup.test_setup_check import PICTURE
from vision.camera import Image
from vision.setup.rating import Rating
from web.contract import Inspect, SetupEntry

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"])
PATIENCE_S = 30


def found(table: FakeTable) -> SetupEntry:
    """Returns the set-up entry of the arbiter's page after a check."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        table.look(1)
        assert table.page.private is not None
        if not table.page.private.setup.looking:
            return table.page.private.setup
        time.sleep(0.02)
    pytest.fail("the table did not find out in time")


def inspected(table: FakeTable, image: Image) -> SetupEntry:
    table.table_factory.camera.image = image
    assert table.asks(Inspect()) == [None]
    assert table.page.private is not None
    assert table.page.private.setup.looking
    return found(table)


def test_the_set_up_is_looked_at_when_an_arbiter_asks_and_again_when_asked_again(
    tmp_path: Path,
) -> None:
    with house(tmp_path, DUO) as table:
        assert table.page.private is not None
        assert table.page.private.setup.points == ()
        fine = inspected(table, PICTURE)
        assert {one.code: one.level for one in fine.points}["board"] is Rating.FINE
        assert fine.checked
        dark = inspected(table, (PICTURE * 0.08).astype(PICTURE.dtype))
        faults = {one.code: one.fault for one in dark.points}
        assert faults["exposure"] == "dark"
        assert not dark.checked


def test_a_phone_is_checked_while_it_is_mounted_and_no_other_camera(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.table_factory.camera.image = PICTURE
        table.look(6)
        assert found(table).points == ()
        table.controller.devices = replace(
            table.controller.devices, camera_name=lambda: PHONE_CAMERA
        )
        table.look(6)
        assert {one.code: one.level for one in found(table).points}["board"] is Rating.FINE
        table.table_factory.camera.image = (PICTURE * 0.08).astype(PICTURE.dtype)
        table.table_factory.camera.now += 61.0
        table.look(6)
        assert {one.code: one.fault for one in found(table).points}["exposure"] == "dark"


def test_a_look_for_which_there_is_no_thread_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with house(tmp_path, DUO) as table:
        with monkeypatch.context() as refused:
            refused.setattr(threading.Thread, "start", refuse)
            table.asks(Inspect())
            table.look(6)
        assert found(table).points == ()
        assert inspected(table, PICTURE).points


def test_a_game_continues_while_its_set_up_is_looked_at(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        assert table.asks(Inspect()) == [None]
        table.lay("purple", "e10,f10,f9")
        assert table.state.piece_count == 1
