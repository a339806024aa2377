"""The overlay in a real browser: nothing behind it, and boxes that stay through whole games."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import example_pages
from tests.support.browser import NEEDS_BROWSER, WALL, PageVisit, browser
from tests.support.serving import serving_pages
from web.app import create_app
from web.contract import Page as TablePage
from web.contract import PlayerClock
from web.server import Server
from web.table_client import ConnectionLost, TableClient

pytestmark = [
    pytest.mark.slow,
    NEEDS_BROWSER,
]

LONG = (
    "Maximiliane Freifrau von und zu Hohenstein",
    "山田太郎左衛門尉藤原朝臣" * 3,
    "W" * 90,
    "Jo",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def link(tmp_path: Path) -> Iterator[TableClient]:
    link = TableClient(tmp_path / "table.sock")
    yield link
    link.close()


@contextmanager
def served(link: TableClient) -> Iterator[tuple[str, Server]]:
    with serving_pages(create_app(link, streams=8)) as server:
        yield f"http://127.0.0.1:{server.port}/overlay", server


def boxes(page: Page) -> list[list[float]]:
    # Found and measured in one step: news in between would leave boxes that are no longer shown.
    found: list[list[float]] = page.evaluate(
        """[...document.querySelectorAll("section, .slot")]
            .map(one => one.getBoundingClientRect())
            .map(box => [box.x, box.y, box.width, box.height])"""
    )
    return found


def is_inside(page: Page) -> bool:
    """True if every box lies in the picture, and nothing scrolls."""
    wide = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    fits = all(x >= 0 and y >= 0 and x + w <= 1920 and y + h <= 1080 for x, y, w, h in boxes(page))
    return fits and wide == [1920, 1080]


def named(page: TablePage, *names: str) -> TablePage:
    pairs = zip(page.colours, names * 4, strict=False)
    return replace(page, colours=tuple(replace(one, player=name) for one, name in pairs))


def with_clocks(page: TablePage) -> TablePage:
    clocks = (PlayerClock((0,), 5_000, running=True), PlayerClock((1,), 4_000_000))
    return replace(page, clocks=clocks)


def the_pages(game: str) -> Iterator[TablePage]:
    """Yields the pages of a whole game, some of them refused, with clocks or long names."""
    last = 20 if game == "classic" else 100
    step = 5 if game == "classic" else 1
    for ply in range(0, last * step, step):
        page = example_pages.page_of(example_pages.played(game, ply))
        yield replace(page, revision=ply)
        if ply == 6 * step:
            yield named(replace(page, revision=1000), *LONG)
        if page.finished:
            return
    if game == "duo":
        yield with_clocks(example_pages.duo_refused())


@pytest.mark.parametrize("query", ["", "?lang=de"])
@pytest.mark.parametrize("game", ["duo", "classic"])
def test_boxes_stay_where_they_are_over_a_whole_game(
    chromium: Browser, link: TableClient, game: str, query: str
) -> None:
    context = chromium.new_context(viewport=WALL)
    visit = PageVisit.begin(context)
    with served(link) as (address, _):
        link.hear(example_pages.empty(game))
        visit.page.goto(address + query)
        first = boxes(visit.page)
        assert len(first) == 7 + 12
        for page in the_pages(game):
            link.hear(page)
            expect(visit.page.locator("#overlay-board [data-mark]")).to_have_count(len(page.pieces))
            assert boxes(visit.page) == first
            assert is_inside(visit.page)
        link.hear(example_pages.puzzle_impossible())
        expect(visit.page.locator("#overlay-clock [data-used]")).to_have_count(1)
        assert boxes(visit.page) == first
    assert visit.complaints == []
    context.close()


def test_nothing_is_behind_it(chromium: Browser, link: TableClient, tmp_path: Path) -> None:
    context = chromium.new_context(viewport=WALL)
    page = context.new_page()
    with served(link) as (address, _):
        link.hear(example_pages.duo_refused())
        page.goto(address)
        page.screenshot(path=tmp_path / "overlay.png", omit_background=True)
        clear = page.evaluate(
            "[getComputedStyle(document.documentElement), getComputedStyle(document.body)]"
            ".map(one => one.backgroundColor)"
        )
    assert clear == ["rgba(0, 0, 0, 0)"] * 2
    shot = cv2.imread(str(tmp_path / "overlay.png"), cv2.IMREAD_UNCHANGED)
    assert shot is not None
    assert shot.shape == (1080, 1920, 4)
    for row in (0, -1):
        for column in (0, 960, -1):
            assert shot[row, column, 3] == 0
    assert shot[..., 3].max() == 255
    context.close()


def test_a_lost_table_leaves_a_small_mark_and_comes_back(
    chromium: Browser, link: TableClient
) -> None:
    context = chromium.new_context(viewport=WALL)
    page = context.new_page()
    with served(link) as (address, _):
        link.hear(example_pages.duo_refused())
        page.goto(address)
        link.hear(ConnectionLost("it hung up"))
        page.wait_for_timeout(1000)
        assert page.locator("#mark").is_hidden()
        expect(page.locator("#mark")).to_have_text("No news from the table", timeout=5000)
        expect(page.locator("#overlay-score")).to_contain_text("54")
        link.hear(example_pages.duo_over())
        expect(page.locator("#overlay-last")).to_contain_text("Ben wins")
        expect(page.locator("#mark")).to_be_hidden()
    # Now the server itself is gone.
    expect(page.locator("#mark")).to_be_visible(timeout=14_000)
    expect(page.locator("#overlay-last")).to_contain_text("Ben wins")
    context.close()


def test_it_may_be_opened_before_its_table(chromium: Browser, link: TableClient) -> None:
    context = chromium.new_context(viewport=WALL)
    page = context.new_page()
    with served(link) as (address, _):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200
        empty = boxes(page)
        link.hear(example_pages.duo_over())
        expect(page.locator("#overlay-names")).to_contain_text("Anna")
        assert boxes(page) == empty
    context.close()
