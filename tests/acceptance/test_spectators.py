"""The pages of a hall for everybody in a real browser: accessible to all, on every screen."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import pytest
from playwright.sync_api import Browser, expect

from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from firmware.hall.tournament.standings import RankedPlayer
from tests.support.browser import DESKTOP, NEEDS_BROWSER, PHONE, WALL, PageVisit, browser
from tests.support.fake_hall import with_players, with_rounds
from tests.support.serving import serving_pages
from tests.web.hall.test_spectators import GamesHall
from web.hall.app import create_hall_app

pytestmark = [
    pytest.mark.slow,
    NEEDS_BROWSER,
]

SIZES = {"phone": PHONE, "desktop": DESKTOP, "wall": WALL}
LANGUAGES = {"phone": "de-DE", "desktop": "en-GB", "wall": "ja-JP"}


SEEN = """[...document.querySelectorAll("#wallpairings bdi, #wallranks bdi")].filter(one => {
  const box = one.getBoundingClientRect();
  const list = one.closest(".turning").getBoundingClientRect();
  const across = box.left >= list.left - 1 && box.right <= list.right + 1;
  return across && box.bottom <= 1080;
}).map(one => one.closest("section").id + one.textContent)"""
"""The names that can be seen, each after the name of its list."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@contextmanager
def served(hall: GamesHall) -> Iterator[str]:
    app = create_hall_app(hall, addresses=lambda: ("http://192.168.1.2:8010/",))
    with serving_pages(app) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_pages_are_accessible_and_fit(chromium: Browser, size: str, dark: bool) -> None:  # noqa: FBT001
    context = chromium.new_context(
        viewport=SIZES[size],
        locale=LANGUAGES[size],
        color_scheme="dark" if dark else "light",
    )
    visit = PageVisit.begin(context)
    with served(GamesHall()) as address:
        for path in ("/", "/?who=e", "/player/P01", "/standings", "/board/1", "/board/2", "/tv"):
            visit.page.goto(address + path)
            assert visit.faults() == [], path
            assert not visit.is_too_wide(), path
            visit.shoot(
                f"hall-{size}-{'dark' if dark else 'light'}{re.sub('[^a-z0-9]', '-', path)}"
            )
        assert all(one.startswith(address) for one in visit.requested)
    assert visit.complaints == []
    context.close()


def test_a_result_comes_without_loading_again(chromium: Browser) -> None:
    hall = GamesHall()
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    with served(hall) as address:
        page.goto(f"{address}/player/P03")
        expect(page.locator("#mine .table")).to_have_text(re.compile("2$"))
        first, second = hall.page.rounds
        third = DrawnRound(3, (DrawnMatch("3-01", ("P03", "P11"), 6),), RoundStage.PUBLISHED)
        hall.show(with_rounds(hall.page, first, second, third))
        expect(page.locator("#mine .table")).to_have_text(re.compile("6$"))
        expect(page.locator("#mine")).to_contain_text("You begin.")
    context.close()


def test_the_screen_on_the_wall_shows_all_of_100_players_in_turn(chromium: Browser) -> None:
    hall = GamesHall()
    players = [(f"P{k:03}", "", f"Player {k:03}.") for k in range(100)]
    matches = tuple(
        DrawnMatch(f"1-{k + 1:02}", (f"P{2 * k:03}", f"P{2 * k + 1:03}"), k + 1) for k in range(50)
    )
    standings = tuple(
        RankedPlayer(k + 1, one[0], Fraction(1), (), 0) for k, one in enumerate(players)
    )
    page = with_players(replace(hall.page, standings=standings), *players)
    hall.show(with_rounds(page, DrawnRound(1, matches, RoundStage.PUBLISHED)))
    context = chromium.new_context(viewport=WALL)
    visit = PageVisit.begin(context)
    visit.page.clock.install()
    seen: set[str] = set()
    with served(hall) as address:
        visit.page.goto(f"{address}/tv")
        for _ in range(12):
            seen |= {*visit.page.evaluate(SEEN)}
            visit.page.clock.fast_forward(10_000)
    for _, _, name in players:
        assert f"wallpairings{name}" in seen
        assert f"wallranks{name}" in seen
    context.close()
