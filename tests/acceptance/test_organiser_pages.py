"""The organiser's pages in a browser: at every size, for everybody, and while things change."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Self

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.browser import CHROMIUM, DESKTOP, PHONE, WALL, browser
from tests.support.fake_hall import ORGANISER, FakeHall, with_rounds
from tests.support.hall_commands import swap_players
from web.hall.app import create_hall_app
from web.hall.page import TableState
from web.server import Server

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

PATHS = (
    "", "/tables/2", "/round/2", "/round/2/swap", "/match/2-03", "/players", "/players/P03",
    "/standings", "/settings",
)  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


class ServedHall(FakeHall):
    """A hall whose pages are served."""

    def __enter__(self) -> Self:
        self.server = Server(create_hall_app(self), "127.0.0.1", 0)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        self.address = f"http://localhost:{self.server.port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True
        self.server.close()
        self.thread.join()


@pytest.fixture
def hall() -> Iterator[ServedHall]:
    with ServedHall() as served:
        yield served


def opened(
    chromium: Browser, hall: ServedHall, size: ViewportSize = DESKTOP, language: str = "en"
) -> Page:
    context = chromium.new_context(viewport=size, locale=language)
    context.add_cookies([{"name": "pairing", "value": ORGANISER, "url": hall.address}])
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return page


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP, WALL], ids=["phone", "desktop", "wall"])
def test_every_page_fits_and_is_for_everybody(
    chromium: Browser, hall: ServedHall, size: ViewportSize, language: str
) -> None:
    page = opened(chromium, hall, size, language)
    for path in PATHS:
        page.goto(f"{hall.address}/organiser{path}")
        expect(page.locator("#connection[data-connection=live]")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], path
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == [], path


def test_a_change_comes_without_loading_and_takes_nothing_typed_away(
    chromium: Browser, hall: ServedHall
) -> None:
    page = opened(chromium, hall)
    page.goto(f"{hall.address}/organiser/match/2-03")
    expect(page.locator("#connection[data-connection=live]")).to_be_visible()
    page.fill("input[name=score-0]", "-7")
    second = hall.page.rounds[1]
    matches = (*second.matches[:2], replace(second.matches[2], reports=()), *second.matches[3:])
    hall.show(with_rounds(hall.page, hall.page.rounds[0], replace(second, matches=matches)))
    expect(page.locator(".report")).to_have_count(0)
    assert page.input_value("input[name=score-0]") == "-7"


def test_a_table_that_calls_comes_first_and_is_read_aloud(
    chromium: Browser, hall: ServedHall
) -> None:
    page = opened(chromium, hall, PHONE)
    page.goto(f"{hall.address}/organiser")
    quiet = tuple(
        replace(one, state=TableState.CALL if one.number == 7 else TableState.WAITING)
        for one in hall.page.tables
    )
    hall.show(replace(hall.page, tables=quiet))
    expect(page.locator(".tables li").first).to_contain_text("Calls the arbiter")
    expect(page.locator("#aloud")).to_contain_text("7: Calls the arbiter.")


def test_two_players_are_swapped(chromium: Browser, hall: ServedHall) -> None:
    page = opened(chromium, hall, PHONE)
    page.goto(f"{hall.address}/organiser/round/2/swap")
    page.select_option("select[name=one]", "P01")
    page.select_option("select[name=other]", "P03")
    page.click("button[value=swap]")
    page.wait_for_url("**/organiser/round/2")
    assert hall.asked == [swap_players(2, 4, "P01", "P03")]


def test_a_lost_connection_is_shown(chromium: Browser, hall: ServedHall) -> None:
    page = opened(chromium, hall)
    page.goto(f"{hall.address}/organiser")
    hall.show(replace(hall.page, is_connected=False))
    expect(page.locator("#connection")).to_have_text("Tables cannot be reached")
    expect(page.locator("#notices")).to_contain_text("results can be typed")


def test_a_name_is_never_run_as_a_script(chromium: Browser, hall: ServedHall) -> None:
    page = opened(chromium, hall)
    page.on("dialog", lambda _: pytest.fail("a name was run"))
    for path in PATHS:
        page.goto(f"{hall.address}/organiser{path}")
    assert page.locator("script:not([src])").count() == 0
