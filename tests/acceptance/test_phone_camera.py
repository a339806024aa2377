"""A phone's browser is the camera: a game over TLS, and all that may come between.

Chromium plays a film as its camera. The film of a game ends with its last picture for a while; a
film of that picture alone lets a page be loaded again without the board being empty.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, Response, ViewportSize, expect, sync_playwright

from tests.conftest import ROOT
from tests.support.browser import CHROMIUM, NEEDS_BROWSER, QUIET, PageVisit
from tests.support.free_port import free_port
from tests.support.process_tree import children
from tests.support.running_table import RunningTable
from tests.support.table_script import ScriptedTable, read
from tests.support.waiting import eventually

SCRIPT = ROOT / "tests" / "games" / "sloppy-piece-hangs-over-its-edge" / "script.jsonl"
FPS = 30
"""Pictures of a film that Chromium plays in a second."""
PHONE: ViewportSize = {"width": 390, "height": 664}
PATIENCE_MS = 30_000
FOUR_CORNERS = re.compile(r"^([\d.]+,[\d.]+ ?){4}$")

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Returns the film of a game, and that of its last picture."""
    setting, actions = read(SCRIPT.read_text(encoding="utf-8"))
    jpegs: list[bytes] = []
    for _ in ScriptedTable(replace(setting), lambda _, jpeg: jpegs.append(jpeg)).play(actions):
        pass
    # At half its pace, after some time to find the board: a busy machine has to keep up.
    folder, times = tmp_path_factory.mktemp("films"), round(2 * FPS / setting.fps)
    game, still = folder / "game.mjpeg", folder / "still.mjpeg"
    with game.open("wb") as film:
        film.writelines([jpegs[0], jpegs[1]] * 5 * FPS)
        for jpeg in jpegs:
            film.writelines([jpeg] * times)
        film.writelines([jpegs[-1]] * 60 * FPS)
    # Two pictures in turn: a camera that sends the same bytes again stands still.
    still.write_bytes((jpegs[-1] * times + jpegs[-2] * times) * 4)
    return game, still


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@contextmanager
def phone(playwright: Playwright, film: Path) -> Iterator[PageVisit]:
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    words = [*QUIET, *fake, f"--use-file-for-fake-video-capture={film}"]
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=words)
    context = browser.new_context(
        viewport=PHONE, locale="en", has_touch=True, is_mobile=True, ignore_https_errors=True
    )
    yield PageVisit.begin(context)
    browser.close()


def camera_number(folder: Path) -> str:
    words = [sys.executable, "-m", "firmware", "pair", "--camera", "--folder", str(folder)]
    found = subprocess.run([*words, "--json"], check=True, capture_output=True, text=True).stdout
    return str(json.loads(found)["number"])


def become(page: Page, port: int, folder: Path) -> None:
    """Makes a phone the camera: by its plain page, past the warning, by the number."""
    page.goto(f"http://cornerlight.local:{port}/camera#{camera_number(folder)}")
    page.click("#secure")
    expect(page).to_have_url(re.compile("^https://"), timeout=PATIENCE_MS)
    page.click("#take button")
    expect(page.locator("#view")).to_be_visible(timeout=PATIENCE_MS)


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def is_taken(response: Response) -> bool:
    return response.url.endswith("/camera/picture") and response.ok


def table_at(folder: Path, port: int) -> RunningTable:
    words = ["--port", str(port), "--no-browser", "--game", "duo", "--edition", "purple-orange"]
    return RunningTable("phone", folder, words, with_page=True)


def test_a_phone_is_the_camera_of_a_game_and_comes_back_by_itself(
    playwright: Playwright, films: tuple[Path, Path], tmp_path: Path
) -> None:
    port = free_port()
    expected = [
        sorted(action["cells"].split(","))
        for action in map(json.loads, SCRIPT.read_text().splitlines())
        if action.get("do") == "lay"
    ]
    with table_at(tmp_path, port) as table:
        table.wait_for("camera-away", fault="no-phone")
        eventually(lambda: listens(port + 1), 60.0)
        with phone(playwright, films[0]) as first:
            become(first.page, port, tmp_path)
            for cells in expected:
                assert sorted(table.wait_for("move")["cells"]) == cells
            expect(first.page.locator("#found")).to_have_attribute("points", FOUR_CORNERS)
            first.shoot("phone-camera")
            assert first.faults() == []
            with phone(playwright, films[1]) as second:
                page = second.page
                become(page, port, tmp_path)
                expect(first.page.locator("#sentence")).to_contain_text(
                    "not the camera any more", timeout=PATIENCE_MS
                )
                page.reload()
                expect(page.locator("#view")).to_be_visible(timeout=PATIENCE_MS)
                page.context.set_offline(True)
                expect(page.locator("#sentence")).to_contain_text(
                    "tries again by itself", timeout=PATIENCE_MS
                )
                table.wait_for("camera-away", fault="no-phone")
                page.context.set_offline(False)
                table.wait_for("camera-back")
                (process,) = children(table.process.pid)
                os.kill(process, signal.SIGKILL)
                eventually(lambda: children(table.process.pid) - {process}, 60.0)
                eventually(lambda: listens(port + 1), 60.0)
                with page.expect_response(is_taken, timeout=PATIENCE_MS):
                    pass
                assert table.end(signal.SIGTERM) == 0
                wrong = {"refused", "overruled", "disturbed", "moved"} & set(table.names())
                assert wrong == set()
                with table_at(tmp_path, port) as again:
                    again.wait_for("board-found")
                    with page.expect_response(is_taken, timeout=PATIENCE_MS):
                        pass
                    expect(page.locator("#sentence")).not_to_contain_text(
                        "again by itself", timeout=PATIENCE_MS
                    )
                assert len([one for one in table.events if one["event"] == "move"]) == 3


def test_a_page_that_no_camera_opens_says_why(playwright: Playwright, tmp_path: Path) -> None:
    port = free_port()
    with table_at(tmp_path, port) as table, phone(playwright, tmp_path / "nothing.mjpeg") as visit:
        table.wait_for("camera-away")
        eventually(lambda: listens(port), 60.0)
        visit.page.goto(f"http://localhost:{port}/camera#{camera_number(tmp_path)}")
        visit.page.click("#take button")
        expect(visit.page.locator("#sentence")).to_contain_text("no camera", timeout=PATIENCE_MS)
        expect(visit.page.locator("#begin")).to_be_visible()
