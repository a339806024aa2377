"""A real browser watches a whole game at the simulated table, on a phone-sized screen."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.conftest import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE: ViewportSize = {"width": 390, "height": 844}
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 240_000

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true",
    reason="no Chromium here; apt-get install chromium",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def address() -> Iterator[str]:
    """A demo whose people play much faster than life."""
    words = ["demo", "--autoplay", "--seed", "1", "--speed", "20", "--port", "0"]
    demo = subprocess.Popen(
        [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert demo.stdout is not None
    line = demo.stdout.readline()
    match = re.search(r"http://localhost:\d+/", line)
    assert match, line
    yield match[0]
    demo.send_signal(2)
    assert demo.wait(20) == 0
    demo.stdout.close()


def shoot(page: Page, name: str) -> None:
    """Keeps a picture where CORNERLIGHT_SHOTS says, for people to look at."""
    if folder := os.environ.get("CORNERLIGHT_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def test_a_phone_watches_a_game_to_its_end(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=PHONE, device_scale_factor=2)
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)

    page.wait_for_selector("body[data-state=refused]", timeout=PATIENCE_MS)
    sentence = page.inner_text("#sentence")
    assert "touch" in sentence
    assert page.locator(".piece[data-mark=refused]").count() == 1
    shoot(page, "phone-refused")

    page.wait_for_selector("body[data-finished=true]", timeout=PATIENCE_MS)
    assert page.inner_text("#sentence").startswith("Game over")
    moves = page.locator("#moves [data-ply]").count()
    assert page.locator("#board .piece").count() == moves
    assert page.locator(".piece[data-mark=refused]").count() == 0
    shoot(page, "phone-over")

    assert not complaints
    assert all(url.startswith(address) for url in asked)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"], "the page is wider than a phone"


def test_without_javascript_the_first_paint_has_board_and_sentence(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 800}
    )
    page = context.new_page()
    page.goto(address)
    for _ in range(100):
        if page.locator("#board svg").count():
            break
        page.wait_for_timeout(200)
        page.reload()
    assert page.inner_text("#sentence")
    assert page.locator("#scores [data-score]").count() == 2
    shoot(page, "desktop-first")
