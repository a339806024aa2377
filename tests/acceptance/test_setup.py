"""A table is set up on a phone, from a stream to the first game, and killed in between."""

import itertools
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from firmware.drivers.wled import DDP_PORT
from firmware.storage.camera_memory import CAMERAS, CameraMemory
from tests.conftest import ROOT
from tests.support.browser import (
    DESKTOP,
    NEEDS_BROWSER,
    PATIENCE_MS,
    PHONE,
    PageVisit,
    browser,
)
from tests.support.drawn_boards import EMPTY_ROWS, LENS_PLACES, flat_board, photograph
from tests.support.free_port import own_host
from tests.support.http_camera import CameraRequest, HttpCameraServer, stream
from tests.support.waiting import eventually
from tests.support.wled_controller import WledController
from tests.vision.setup.test_setup_check import UPRIGHT
from vision.io.image_file import encode_jpeg

pytestmark = NEEDS_BROWSER

SIZE = (960, 720)
BOARD = flat_board(EMPTY_ROWS)
FOCAL = 800.0
"""Focal length of the phone in pixels."""

FAR = 35.0
"""Distance of the board from the phone in squares."""


class RoomWithCamera:
    """A phone that streams a board, which people move about."""

    def __init__(self) -> None:
        self.corners = UPRIGHT
        self._frames = itertools.count()

    def pictures(self) -> Iterator[bytes]:
        """Yields pictures without an end, each with noise of its own."""
        shown: object = None
        pictures: list[bytes] = []
        for number in self._frames:
            corners = self.corners
            if shown is not corners:
                pictures = [
                    encode_jpeg(photograph(BOARD, corners=corners, seed=seed), 92)
                    for seed in range(3)
                ]
                shown = corners
            yield pictures[number % len(pictures)]

    def move(self, x: float, y: float, turn: float, tilt: float) -> None:
        """Moves the board, which is a little further away then, in squares and degrees."""
        camera = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1.0]])
        board = np.array([[-7.0, -7, 0], [7, -7, 0], [7, 7, 0], [-7, 7, 0]])
        turned = np.radians([tilt, tilt / 2, turn])
        away = np.array([x, y, FAR])
        corners, _ = cv2.projectPoints(board, turned, away, camera, None)
        self.corners = corners.reshape(4, 2).astype(np.float64)


@pytest.fixture
def room() -> RoomWithCamera:
    return RoomWithCamera()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


class StreamedTable:
    """`cornerlight run` on a stream, which can be killed and started again at the same port."""

    def __init__(self, url: str, folder: Path) -> None:
        self.folder = folder
        self._url = url
        self._port = 0
        self._process = self._started()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _started(self) -> subprocess.Popen[str]:
        words = ["run", "--camera", self._url, "--folder", str(self.folder)]
        words += ["--config", str(self.folder / "table.toml")]
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words, "--port", str(self._port)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout is not None
        found = (re.search(r"http://localhost:(\d+)/", line) for line in process.stdout)
        match = next(filter(None, found), None)
        assert match, "the table said no address"
        self._port = int(match[1])
        return process

    def kill(self) -> None:
        """Kills the table; its page ends with it."""
        self._process.kill()
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()
        time.sleep(1.0)

    def start(self) -> None:
        self._process = self._started()

    def close(self) -> None:
        self._process.send_signal(signal.SIGINT)
        assert self._process.wait(20) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()

    def number(self) -> str:
        """Returns a number that pairs a phone."""
        words = [sys.executable, "-m", "firmware", "pair", "--folder", str(self.folder)]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        match = re.search(r"\d{4} \d{4} \d{4}", text)
        assert match
        return match[0]


@pytest.fixture
def wled(tmp_path: Path) -> Iterator[WledController]:
    """LEDs in the network, and the settings for them."""
    with closing(WledController(196, host=own_host(), ddp_port=DDP_PORT)) as lights:
        text = f'[lights]\ndriver = "wled"\ndevice = "{lights.address}"\n'
        (tmp_path / "table.toml").write_text(text)
        yield lights


@contextmanager
def running(room: RoomWithCamera, folder: Path) -> Iterator[StreamedTable]:
    def answered(request: CameraRequest, line: socket.socket) -> object:
        return stream(room.pictures(), 0.1)(request, line)

    with HttpCameraServer(answered) as phone:
        table = StreamedTable(phone.url("/video", "ann:secret"), folder)
        try:
            yield table
        finally:
            table.close()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_table_is_set_up_step_by_step(
    chromium: Browser, tmp_path: Path, room: RoomWithCamera, wled: WledController, size: str
) -> None:
    context = chromium.new_context(viewport=PHONE if size == "phone" else DESKTOP)
    with running(room, tmp_path) as table:
        visit = PageVisit.begin(context)
        page = visit.page
        page.goto(f"{table.address}/arbiter")
        page.fill("[name=number]", table.number())
        page.press("[name=number]", "Enter")
        page.wait_for_selector("#controls .bar")
        picture_and_board(visit, table, size)
        check(visit, size)
        table.kill()
        table.start()
        resumed(visit, table)
        lens(visit, table, room, size)
        lights(visit, wled, size)
        game(visit, size)
        assert not [one for one in visit.complaints if "Failed to load resource" not in one]
    memory = CameraMemory(tmp_path / CAMERAS)
    assert "secret" not in (tmp_path / CAMERAS).read_text()
    assert not memory.trouble
    context.close()


def shown(visit: PageVisit, name: str) -> None:
    """Looks at a step: nothing is too wide, everything is accessible."""
    visit.page.mouse.move(0, 0)
    visit.shoot(name)
    assert visit.faults() == []
    assert not visit.is_too_wide()


def done(page: Page, *steps: str) -> None:
    for step in steps:
        page.wait_for_selector(f"body[data-done~={step}]", timeout=PATIENCE_MS)


def pictured(page: Page, selector: str) -> None:
    """Waits for a picture; the page's policy lets no script wait for it."""
    eventually(lambda: page.evaluate(f"document.querySelector('{selector}')?.naturalWidth > 0"))


def picture_and_board(visit: PageVisit, table: StreamedTable, size: str) -> None:
    page = visit.page
    page.goto(f"{table.address}/arbiter/setup/picture")
    done(page, "picture", "board")
    pictured(page, "#live")
    shown(visit, f"setup-1-picture-{size}")
    page.click("text=Next")
    pictured(page, "#corners img")
    expect(page.locator(".states [data-step=board]").first).to_contain_text("The board is found.")
    # The picture can come before the script that fills the field.
    expect(page.locator("#calibrate [name=corners]")).not_to_have_value("")
    box = page.locator("#corners").bounding_box()
    assert box is not None
    found = [float(one) for one in page.input_value("#calibrate [name=corners]").split(",")]
    assert np.abs(np.reshape(found, (4, 2)) * SIZE - UPRIGHT).max() < 5
    x, y = box["x"] + found[0] * box["width"], box["y"] + found[1] * box["height"]
    page.mouse.move(x + 5, y + 5)
    page.mouse.down()
    page.mouse.move(x + 15, y + 17)
    assert page.locator(".loupe").is_visible()
    shown_while_dragged = page.input_value("#calibrate [name=corners]")
    visit.shoot(f"setup-2-drag-{size}")
    page.mouse.move(x + 5, y + 5)
    page.mouse.up()
    assert shown_while_dragged != page.input_value("#calibrate [name=corners]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    back = [float(one) for one in page.input_value("#calibrate [name=corners]").split(",")]
    assert np.abs(np.subtract(back, found)).max() < 0.003
    page.click("text=The board is here")
    states = page.locator(".states [data-step=board]").first
    expect(states).to_contain_text("where you have set its corners", timeout=PATIENCE_MS)
    shown(visit, f"setup-2-board-{size}")


def check(visit: PageVisit, size: str) -> None:
    page = visit.page
    page.click("text=Next")
    page.click("[value=inspect]")
    page.wait_for_selector("#setup .findings", timeout=PATIENCE_MS)
    done(page, "check")
    shown(visit, f"setup-3-check-{size}")


def resumed(visit: PageVisit, table: StreamedTable) -> None:
    """After a kill everything that was done is done, and the set-up goes on where it was."""
    page = visit.page
    page.goto(f"{table.address}/arbiter/setup")
    done(page, "picture", "board", "check")
    page.goto(f"{table.address}/arbiter/setup")
    assert page.url.endswith("/arbiter/setup/lens")
    page.goto(f"{table.address}/arbiter/setup/board")
    states = page.locator(".states [data-step=board]").first
    expect(states).to_contain_text("where you have set its corners", timeout=PATIENCE_MS)


def lens(visit: PageVisit, table: StreamedTable, room: RoomWithCamera, size: str) -> None:
    page = visit.page
    page.goto(f"{table.address}/arbiter/setup/lens")
    page.click("[value=measure-lens]")
    places = page.locator("#places polygon")
    for count, place in enumerate(LENS_PLACES, 1):
        room.move(*place)
        if count < len(LENS_PLACES):
            expect(places).to_have_count(count, timeout=PATIENCE_MS)
        if count == 5:
            shown(visit, f"setup-4-lens-running-{size}")
    done(page, "lens")
    shown(visit, f"setup-4-lens-{size}")
    room.corners = UPRIGHT
    done(page, "board")


def lights(visit: PageVisit, wled: WledController, size: str) -> None:
    """Looks at the lights, first with a wrong answer."""
    page = visit.page
    page.click("text=Next")
    page.click("[value=check-lights]")
    expect(page.locator(".expected")).to_have_text("Every light is red.")
    eventually(
        lambda: {(red > 0, green, blue) for red, green, blue in wled.shown} == {(True, 0, 0)}
    )
    shown(visit, f"setup-5-lights-red-{size}")
    said = page.locator(".states [data-step=lights]").first
    for number in range(2, 5):
        page.click("[value='check-lights:yes']")
        expect(said).to_contain_text(f"picture {number} of 9")
    eventually(lambda: [any(led) for led in wled.shown] == [True, *[False] * 195])
    shown(visit, f"setup-5-lights-first-{size}")
    page.click("[value='check-lights:no']")
    expect(page.locator(".expected")).to_contain_text("Set lights.first")
    shown(visit, f"setup-5-lights-wrong-{size}")
    page.click("[value=check-lights]")
    for number in range(1, 10):
        expect(said).to_contain_text(f"picture {number} of 9")
        page.click("[value='check-lights:yes']")
    done(page, "lights")
    shown(visit, f"setup-5-lights-{size}")


def game(visit: PageVisit, size: str) -> None:
    page = visit.page
    page.click("text=Next")
    page.fill("[name=name-0]", "Ada")
    page.fill("[name=name-1]", "Ben")
    shown(visit, f"setup-6-game-{size}")
    page.click("[value=new-game]")
    page.wait_for_url("**/arbiter?reply=done")
    expect(page.locator("#scores")).to_contain_text("Ada")
    visit.shoot(f"setup-7-begun-{size}")
