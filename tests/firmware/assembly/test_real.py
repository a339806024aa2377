"""One game after another at a real table, with devices that can be opened only once."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware.assembly import real
from firmware.assembly.real import RealTableFactory
from firmware.cameras.interfaces import CameraDriver, CameraError, Picture
from firmware.cameras.live_camera import LiveCamera
from firmware.codes import CameraFault
from firmware.commands.checks.hardware import check_lights
from firmware.drivers.interfaces import ButtonPress, DeviceError
from firmware.drivers.reopened_strip import ReopenedStrip
from firmware.drivers.wled import DDP_PORT
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES, Variant
from firmware.session.controller import Controller
from firmware.session.feed_server import IncomingRequest
from firmware.session.pairing import Pairing
from firmware.session.seats import SeatDesk
from firmware.session.table_parts import TableParts
from firmware.session.table_setup import TableSetup
from firmware.settings import ButtonsSettings, LightsSettings, Settings
from firmware.storage.archive import ArchiveFolder
from firmware.storage.camera_memory import CAMERAS, CameraMemory
from firmware.storage.journal import Journal
from tests.support.fake_table import RecordingFeed
from tests.support.free_port import own_host
from tests.support.waiting import eventually
from tests.support.wled_controller import WledController
from web.contract import (
    Calibrate,
    Command,
    CommandRequest,
    GameKey,
    NewGame,
    RefusalReason,
)

CORNERS = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
SIZE = (160, 120)


class Exclusive:
    """A device of which the system opens only one at a time."""

    opened = 0
    is_open = False

    def __init__(self) -> None:
        if type(self).is_open:
            raise DeviceError("the device is in use; close the other program")
        type(self).is_open = True
        type(self).opened += 1

    def close(self) -> None:
        type(self).is_open = False


class ExclusiveStrip(Exclusive):
    """LEDs; they take no pixels after they were closed."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length
        self.works = True

    def write(self, pixels: bytes) -> None:
        if not self.works:
            raise DeviceError("the strip is closed")
        assert len(pixels) == 3 * self.length

    def close(self) -> None:
        self.works = False
        super().close()


class ExclusiveButtons(Exclusive):
    """Buttons that nobody presses."""

    def __init__(self, people: int) -> None:
        super().__init__()
        self.people = people

    def pressed(self) -> tuple[ButtonPress, ...]:
        return ()


class ExclusiveCamera(Exclusive):
    """A camera with pictures of noise, none like another."""

    name = "the only camera"

    def read(self, timeout_s: float) -> Picture | None:
        time.sleep(0.01)
        noise = np.random.default_rng().integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
        return Picture(time.monotonic(), image=noise)


def opened_camera() -> CameraDriver:
    try:
        return ExclusiveCamera()
    except DeviceError as error:
        raise CameraError(CameraFault.BUSY, str(error)) from error


class RealTable:
    """A table of real drivers, and the phone of its arbiter."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.camera = LiveCamera(opened_camera)
        self.cameras = CameraMemory(folder / CAMERAS)
        self.feed = RecordingFeed(folder / "feed.sock")
        self.journal = Journal(folder / "journal.jsonl")
        pairing = Pairing(folder / "paired.json")
        self.token = pairing.verify_code(pairing.issue_code(0.0), 0.0)
        factory = RealTableFactory(settings, self.camera, self.cameras)
        self.archive = ArchiveFolder(folder / "games", game_bytes=10**6, all_bytes=10**8)
        parts = TableParts(
            folder,
            factory,
            self.journal,
            self.archive,
            self.feed,
            pairing,
            SeatDesk(pairing, self.feed),
        )
        services = [TableSetup(self.cameras)]
        self.controller = Controller(parts, services, GameConfig(GAMES["duo"]))

    @property
    def game(self) -> Variant:
        return self.controller.session.config.game

    def look(self) -> None:
        before = self.controller.frames
        eventually(lambda: self.controller.step(0.0) and self.controller.frames > before)

    def asks(self, command: Command) -> RefusalReason | None:
        number = len(self.feed.answers)
        request = CommandRequest(
            f"request-{number}", self.feed.pages[-1].revision, self.token, command
        )
        self.feed.waiting = [IncomingRequest(1, request)]
        self.controller.step(0.0)
        return self.feed.answers[-1].refused

    def close(self) -> None:
        self.controller.close()
        self.archive.close()
        self.journal.close()
        self.feed.close()


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    for kind in (ExclusiveStrip, ExclusiveButtons, ExclusiveCamera):
        monkeypatch.setattr(kind, "opened", 0)
        monkeypatch.setattr(kind, "is_open", False)
    monkeypatch.setattr(
        real,
        "build_reopened_strip",
        lambda _, length: ReopenedStrip(lambda: ExclusiveStrip(length), length),
    )
    monkeypatch.setattr(
        real, "build_buttons", lambda settings, people, lights: ExclusiveButtons(people)
    )
    return replace(
        Settings(),
        lights=LightsSettings(driver="spi"),
        buttons=ButtonsSettings(driver="gpiozero"),
    )


@pytest.fixture
def table(tmp_path: Path, settings: Settings) -> Iterator[RealTable]:
    with closing(RealTable(tmp_path, settings)) as table:
        yield table
    assert not any(kind.is_open for kind in (ExclusiveStrip, ExclusiveButtons, ExclusiveCamera))


def test_lights_that_are_away_stop_no_game_and_are_said(tmp_path: Path) -> None:
    lights = LightsSettings(driver="spi", device=str(tmp_path / "spidev0.0"))
    with closing(RealTable(tmp_path, replace(Settings(), lights=lights))) as table:
        table.look()
        display = table.controller.devices.lights
        assert display is not None
        assert "dtparam=spi=on" in display.trouble
        assert table.feed.pages[-1].lights is False
        assert table.asks(NewGame(GameKey.CLASSIC)) is None


@pytest.mark.slow
def test_lights_of_wled_are_away_come_back_and_go_dark(tmp_path: Path) -> None:
    with closing(WledController(196, host=own_host(), ddp_port=DDP_PORT)) as wled:
        lights = LightsSettings(driver="wled", device=wled.address)
        assert check_lights(replace(Settings(), lights=lights), opens=True).fine is True
        wled.faults.mute = True
        with closing(RealTable(tmp_path, replace(Settings(), lights=lights))) as table:
            table.look()
            display = table.controller.devices.lights
            assert display is not None
            silent = f"WLED at {wled.address} does not answer; look at its power and its WiFi"
            eventually(lambda: table.controller.step(0.0) and silent in display.trouble)
            wled.faults.mute = False
            eventually(lambda: table.controller.step(0.0) and not display.trouble)
            eventually(lambda: not any(map(any, wled.shown)))
            wled.faults.other = "192.168.1.9"
            eventually(lambda: table.controller.step(0.0) and "192.168.1.9" in display.trouble)


@pytest.mark.slow
@pytest.mark.parametrize("between", [GameKey.CLASSIC, GameKey.CLASSIC_2, GameKey.DUO_4])
def test_a_phone_begins_another_game_and_the_first_one_again(
    table: RealTable, between: GameKey
) -> None:
    table.look()
    for game in (between, GameKey.DUO, between, GameKey.DUO):
        assert table.asks(NewGame(game)) is None
        assert table.game == GAMES[game]
        table.look()
        lights, buttons = table.controller.devices.lights, table.controller.devices.buttons
        assert lights is not None
        assert not lights.trouble
        assert buttons is not None
        assert not buttons.trouble
    assert ExclusiveCamera.opened == 1
    assert table.controller.session.camera_fault is None


def test_a_game_for_which_there_are_too_few_buttons_leaves_the_present_one_its_devices(
    tmp_path: Path, settings: Settings
) -> None:
    few = replace(settings, buttons=ButtonsSettings(driver="gpiozero", pins=(5, 6)))
    with closing(RealTable(tmp_path, few)) as table:
        table.look()
        assert table.asks(NewGame(GameKey.CLASSIC)) is RefusalReason.NOT_FITTING
        table.look()
        assert table.game == GAMES["duo"]
        lights = table.controller.devices.lights
        assert lights is not None
        assert not lights.trouble
        assert ExclusiveStrip.opened == 1


@pytest.mark.slow
def test_corners_that_a_phone_sets_are_kept_for_camera_size_and_board(
    table: RealTable, tmp_path: Path
) -> None:
    table.look()
    assert table.asks(Calibrate(CORNERS)) is None
    assert table.asks(NewGame(GameKey.CLASSIC)) is None
    table.look()
    stored = CameraMemory(tmp_path / CAMERAS).of(ExclusiveCamera.name, SIZE)
    assert {size: one.corners for size, one in stored.boards.items()} == {14: CORNERS}
    assert table.asks(NewGame(GameKey.DUO)) is None
    assert table.asks(Calibrate()) is None
    assert not CameraMemory(tmp_path / CAMERAS).of(ExclusiveCamera.name, SIZE).boards
