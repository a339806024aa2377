"""A real browser at a whole table: a game watched to its end, and corrected by a paired phone."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.browser import CHROMIUM, DESKTOP, PHONE, WALL, PageVisit, browser
from tests.support.fake_game import FakeGame, spent
from tests.support.noisy_board import FIRST, SECOND, THIRD

PATIENCE_MS = 240_000
WATCHERS = {"phone": (PHONE, "de"), "desktop": (DESKTOP, "en"), "wall": (WALL, "ja")}

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true",
    reason="no Chromium here; apt-get install chromium",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@contextmanager
def demo(folder: Path) -> Iterator[int]:
    """A demo whose people play much faster than life; its port."""
    words = ["demo", "--autoplay", "--seed", "1", "--speed", "20", "--port", "0"]
    words += ["--folder", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    found = (re.search(r"http://localhost:(\d+)/", line) for line in process.stdout)
    match = next(filter(None, found), None)
    assert match, "the demo said no address"
    yield int(match[1])
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    process.stdout.close()


def test_the_demo_is_watched_and_paused_by_a_phone_that_its_own_command_paired(
    chromium: Browser, tmp_path: Path
) -> None:
    with demo(tmp_path) as port:
        address = f"http://cornerlight.local:{port}"
        context = chromium.new_context(viewport=PHONE)
        seen = PageVisit.begin(context)
        seen.page.goto(address)
        seen.page.wait_for_selector("body[data-state=refused]", timeout=PATIENCE_MS)
        assert "touch" in seen.page.inner_text("#sentence")
        assert seen.page.locator(".piece[data-mark=refused]").count() == 1
        pauses(chromium, address, tmp_path)
        assert seen.complaints == []
        assert all(url.startswith(address) for url in seen.asked)
        context.close()


def pauses(chromium: Browser, address: str, folder: Path) -> None:
    """Pairs a phone with the number that the table's own command gives, pauses and goes on."""
    words = [sys.executable, "-m", "firmware", "pair", "--folder", str(folder), "--json"]
    drawn = json.loads(subprocess.run(words, capture_output=True, check=True, cwd=ROOT).stdout)
    context = chromium.new_context(viewport=PHONE)
    seen = PageVisit.begin(context)
    seen.page.goto(f"{address}/arbiter")
    seen.page.fill("[name=number]", drawn["number"])
    seen.page.click("form.fields button")
    cookies = {cookie["name"]: cookie for cookie in context.cookies()}
    assert cookies["pairing"]["httpOnly"]
    assert cookies["pairing"]["sameSite"] == "Strict"
    seen.page.click("[value=pause]")
    seen.reads("#sentence", "Paused.")
    seen.shoot("live-paused")
    seen.page.click("[value=resume]")
    expect(seen.page.locator("#sentence")).not_to_have_text("Paused.")
    assert seen.complaints == []
    context.close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[FakeGame]:
    with spent(tmp_path) as evening:
        yield evening


def test_a_game_is_watched_to_its_end_on_every_screen(chromium: Browser, evening: FakeGame) -> None:
    visits = {}
    for name, (size, language) in WATCHERS.items():
        visits[name] = PageVisit.begin(chromium.new_context(viewport=size, locale=language))
        visits[name].page.goto(evening.address + ("/tv" if name == "wall" else "/"))
    for ply, (colour, squares) in enumerate(whole_game(), 1):
        if ply == 9:
            evening.lay(colour, "n1,n2")
            for name, seen in visits.items():
                seen.page.wait_for_selector("body[data-state=refused]")
                assert seen.page.locator(".piece[data-mark=refused]").count() == 1
                seen.shoot(f"live-{name}-refused")
            evening.lift("n1,n2")
        evening.lay(colour, squares)
    said = {}
    for name, seen in visits.items():
        seen.page.wait_for_selector("body[data-finished=true]")
        said[name] = seen.page.inner_text("#sentence")
        assert seen.page.locator("#board .piece").count() == ply
        assert seen.page.locator(".piece[data-mark=refused]").count() == 0
        seen.shoot(f"live-{name}-over")
    assert re.match("Spielende: .*gewinn", said["phone"])
    assert re.match("Game over: .* win", said["desktop"])
    assert said["wall"].startswith("ゲーム終了：")
    takes_home(visits["desktop"], evening.address)
    for seen in visits.values():
        assert seen.complaints == []
        assert all(url.startswith(evening.address) for url in seen.asked)
        assert not seen.is_too_wide()
        seen.page.context.close()


def whole_game() -> list[tuple[str, str]]:
    """A whole game of Duo: whose each piece is, and what it covers."""
    page = example_pages.duo_over()
    return [
        (page.colours[move.colour].name, ",".join(map(page.square_name, move.squares)))
        for move in page.moves
        if move.piece
    ]


def takes_home(seen: PageVisit, address: str) -> None:
    """The game that is over can be replayed, and its record and picture taken along."""
    seen.page.goto(f"{address}/games")
    seen.page.click(".past")
    expect(seen.page.locator(".won")).to_contain_text("wins")
    for link, begins in ((".button[href$=sgf]", b"("), (".button[href$=png]", b"\x89PNG")):
        href = seen.page.get_attribute(link, "href")
        # Playwright's own requests do not go by the browser's names.
        direct = address.replace("cornerlight.local", "127.0.0.1")
        assert seen.page.request.get(f"{direct}{href}").body().startswith(begins)
    seen.shoot("live-replay")


def test_a_paired_phone_corrects_undoes_and_begins_anew(
    chromium: Browser, evening: FakeGame
) -> None:
    for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
        evening.lay(colour, move)
    context = chromium.new_context(viewport=PHONE)
    seen = PageVisit.begin(context)
    page = seen.page
    page.goto(f"{evening.address}/arbiter")
    page.fill("[name=number]", "000001")
    page.click("form.fields button")
    seen.reads("#said", "That is not the number of the table.")
    with evening.lock:
        number = evening.house.pairing.issue_code(time.monotonic())
    page.fill("[name=number]", number)
    page.click("form.fields button")
    page.wait_for_selector("body[data-ply='3']")

    page.click("summary:text('Undo')")
    page.click("[value=undo]")
    page.wait_for_selector("body[data-ply='2']")
    evening.lift(THIRD)
    page.wait_for_selector("body[data-state=waiting]")

    evening.lay("purple", "a1,a2")
    page.wait_for_selector("body[data-state=refused]")
    seen.shoot("arbiter-refused")
    page.click("summary:text('Let it stand')")
    page.click("[value=overrule]")
    page.wait_for_selector("body[data-ply='3']")
    expect(page.locator("#moves em")).to_have_count(1)

    page.goto(f"{evening.address}/arbiter/new")
    page.fill("[name=name-0]", "Cleo")
    page.fill("[name=name-1]", "Dev")
    page.select_option("[name=timing]", "sudden-death")
    page.click("[value=new-game]")
    page.wait_for_selector("body[data-ply='0']")
    expect(page.locator(".name").first).to_have_text("Cleo")
    expect(page.locator(".time")).to_have_count(2)
    # The browser calls what we refuse a complaint; nothing was refused but the number.
    assert seen.complaints == []
    context.close()


def test_a_phone_that_was_forgotten_is_told_so(chromium: Browser, evening: FakeGame) -> None:
    context = chromium.new_context(viewport=PHONE)
    seen = PageVisit.begin(context)
    with evening.lock:
        number = evening.house.pairing.issue_code(time.monotonic())
    seen.page.goto(f"{evening.address}/arbiter")
    seen.page.fill("[name=number]", number)
    seen.page.click("form.fields button")
    seen.page.wait_for_selector("#controls [value=pause]")
    with evening.lock:
        evening.house.pairing.forget()
    seen.page.click("[value=pause]")
    seen.page.wait_for_selector("[name=number]")
    assert evening.house.page.state.code != "paused"
    context.close()
