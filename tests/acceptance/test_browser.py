"""A real browser at a whole table: watches a game to its end, and corrects one as arbiter."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from firmware.machine.sysfs import SYSFS_VARIABLE
from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.browser import DESKTOP, NEEDS_BROWSER, PHONE, WALL, PageVisit, browser
from tests.support.fake_game import FakeGame, spent
from tests.support.noisy_board import FIRST, SECOND, THIRD
from tests.support.running_demo import running_demo
from tests.support.stand_in_sysfs import StandInSysfs

PATIENCE_MS = 240_000
HEALTH_MS = 20_000
"""Milliseconds in which a change of the computer is shown: it is looked at every 10 s."""
WATCHERS = {"phone": (PHONE, "de"), "desktop": (DESKTOP, "en"), "wall": (WALL, "ja")}

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


def test_the_demo_is_watched_and_paused_by_a_phone_that_its_own_command_paired(
    chromium: Browser, tmp_path: Path
) -> None:
    # The only refusal comes after 12 s at people's speed: the browser is there before it.
    with running_demo("--autoplay", "--seed", "1", "--folder", str(tmp_path)) as local:
        address = local.replace("localhost", "cornerlight.local")
        context = chromium.new_context(viewport=PHONE)
        visit = PageVisit.begin(context)
        visit.page.goto(address)
        visit.page.wait_for_selector("body[data-state=refused]", timeout=PATIENCE_MS)
        assert "touch" in visit.page.inner_text(".refusal")
        assert visit.page.locator(".piece[data-mark=refused]").count() == 1
        pauses(chromium, address, tmp_path)
        assert visit.complaints == []
        assert all(url.startswith(address) for url in visit.requested)
        context.close()


def test_a_demo_on_a_hot_computer_says_so_on_every_screen_until_it_is_not(
    chromium: Browser, tmp_path: Path
) -> None:
    pi = StandInSysfs(tmp_path / "sys")
    context = chromium.new_context(viewport=WALL)
    with running_demo("--autoplay", env={**os.environ, SYSFS_VARIABLE: str(pi.path)}) as address:
        visits = [PageVisit.begin(context) for _ in range(2)]
        for visit, path in zip(visits, ("/", "/tv"), strict=True):
            visit.page.goto(f"{address}{path}")
            visit.page.wait_for_selector("#connection[data-connection=live]")
            expect(visit.page.locator(".notice")).to_have_count(0)
        pi.temperature.write_text("85000\n", encoding="ascii")
        pi.alarm.write_text("1\n", encoding="ascii")
        for visit in visits:
            expect(visit.page.locator(".notice")).to_have_count(2, timeout=HEALTH_MS)
            assert "hot (85 °C)" in visit.page.inner_text(".notice >> nth=0")
            assert "voltage" in visit.page.inner_text(".notice >> nth=1")
        visits[1].shoot("hot-wall")
        pi.set_celsius(50)
        pi.set_undervoltage(is_low=False)
        for visit in visits:
            expect(visit.page.locator(".notice")).to_have_count(0, timeout=HEALTH_MS)
            assert visit.complaints == []
    context.close()


def pauses(chromium: Browser, address: str, folder: Path) -> None:
    """Pairs a phone with the number of the table's command, pauses and resumes."""
    words = [sys.executable, "-m", "firmware", "pair", "--folder", str(folder), "--json"]
    drawn = json.loads(subprocess.run(words, capture_output=True, check=True, cwd=ROOT).stdout)
    context = chromium.new_context(viewport=PHONE)
    visit = PageVisit.begin(context)
    visit.page.goto(f"{address}/arbiter")
    visit.page.fill("[name=number]", drawn["number"])
    visit.page.click("form.fields button")
    cookies = {cookie["name"]: cookie for cookie in context.cookies()}
    assert cookies["pairing"]["httpOnly"]
    assert cookies["pairing"]["sameSite"] == "Strict"
    visit.page.click("[value=pause]")
    visit.reads("#sentence", "Paused.")
    visit.shoot("live-paused")
    visit.page.click("[value=resume]")
    expect(visit.page.locator("#sentence")).not_to_have_text("Paused.")
    assert visit.complaints == []
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
            for name, visit in visits.items():
                visit.page.wait_for_selector("body[data-state=refused]")
                assert visit.page.locator(".piece[data-mark=refused]").count() == 1
                visit.shoot(f"live-{name}-refused")
            evening.lift("n1,n2")
        evening.lay(colour, squares)
    results = {}
    for name, visit in visits.items():
        visit.page.wait_for_selector("body[data-finished=true]")
        results[name] = visit.page.inner_text("#sentence")
        assert visit.page.locator("#board .piece").count() == ply
        assert visit.page.locator(".piece[data-mark=refused]").count() == 0
        visit.shoot(f"live-{name}-over")
    assert re.match("Spielende: .*gewinn", results["phone"])
    assert re.match("Game over: .* win", results["desktop"])
    assert results["wall"].startswith("ゲーム終了：")
    takes_home(visits["desktop"], evening.address)
    for visit in visits.values():
        assert visit.complaints == []
        assert all(url.startswith(evening.address) for url in visit.requested)
        assert not visit.is_too_wide()
        visit.page.context.close()


def whole_game() -> list[tuple[str, str]]:
    """Returns a whole game of Duo: colour and squares of each piece."""
    page = example_pages.duo_over()
    return [
        (page.colours[move.colour].name, ",".join(map(page.square_name, move.squares)))
        for move in page.moves
        if move.piece
    ]


def takes_home(visit: PageVisit, address: str) -> None:
    """Replays the finished game, and downloads its record and picture."""
    visit.page.goto(f"{address}/games")
    visit.page.click(".past")
    expect(visit.page.locator(".won")).to_contain_text("wins")
    for link, begins in ((".button[href$=sgf]", b"("), (".button[href$=png]", b"\x89PNG")):
        href = visit.page.get_attribute(link, "href")
        # Playwright's own requests do not use the browser's host names.
        direct = address.replace("cornerlight.local", "127.0.0.1")
        assert visit.page.request.get(f"{direct}{href}").body().startswith(begins)
    visit.page.click("#moves [data-kind=refused]")
    visit.page.wait_for_selector(".banner[data-code=refused]")
    assert "touch" in visit.page.inner_text(".refusal")
    visit.shoot("live-replay")


def test_a_paired_phone_corrects_undoes_and_begins_again(
    chromium: Browser, evening: FakeGame
) -> None:
    for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
        evening.lay(colour, move)
    context = chromium.new_context(viewport=PHONE)
    visit = PageVisit.begin(context)
    page = visit.page
    page.goto(f"{evening.address}/arbiter")
    page.fill("[name=number]", "000001")
    page.click("form.fields button")
    visit.reads("#reply", "That is not the number of the table.")
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
    visit.shoot("arbiter-refused")
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
    # The browser reports refused requests as errors; only the number was refused.
    assert visit.complaints == []
    context.close()


def test_a_phone_that_was_forgotten_is_refused_as_such(
    chromium: Browser, evening: FakeGame
) -> None:
    context = chromium.new_context(viewport=PHONE)
    visit = PageVisit.begin(context)
    with evening.lock:
        number = evening.house.pairing.issue_code(time.monotonic())
    visit.page.goto(f"{evening.address}/arbiter")
    visit.page.fill("[name=number]", number)
    visit.page.click("form.fields button")
    visit.page.wait_for_selector("#controls [value=pause]")
    with evening.lock:
        evening.house.pairing.forget()
    visit.page.click("[value=pause]")
    visit.page.wait_for_selector("[name=number]")
    assert evening.house.page.state.code != "paused"
    context.close()
