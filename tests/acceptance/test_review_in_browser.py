"""The review in a real browser: graphs, moments, an attempt by touch and one without scripts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.support.browser import DESKTOP, NEEDS_BROWSER, PHONE, SMALL, PageVisit, browser
from tests.support.reviewed_games import random_course
from tests.support.serving import serving_pages
from tests.support.stored_games import store_game
from tests.web.presentation.test_review_view import NAME, reviewed
from web.app import create_app
from web.contract import Square
from web.contract.game_folder import REVIEW
from web.contract.review import StoredReview
from web.table_client import TableClient

pytestmark = [
    pytest.mark.slow,
    NEEDS_BROWSER,
]

CELL = 20
SIZES = {"phone": PHONE, "small": SMALL, "desktop": DESKTOP}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def review() -> StoredReview:
    return reviewed()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, review: StoredReview) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("games")
    store_game(folder, NAME, random_course())
    (folder / NAME / REVIEW).write_text(review.to_json())
    with (
        closing(TableClient(Path("/nowhere"))) as link,
        serving_pages(create_app(link, games=folder)) as server,
    ):
        yield f"http://127.0.0.1:{server.port}/games/{NAME}"


def touch(visit: PageVisit, square: Square) -> None:
    """Touches a square of the board."""
    row, column = square
    at = visit.page.evaluate(
        """([x, y]) => {
          const board = document.querySelector("#lay svg");
          const point = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
          return [point.x, point.y];
        }""",
        [(column + 0.5) * CELL, (row + 0.5) * CELL],
    )
    visit.page.mouse.click(*at)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("locale", ["en", "de", "ja"])
def test_the_review_fits_every_screen(
    chromium: Browser, address: str, size: ViewportSize, locale: str
) -> None:
    context = chromium.new_context(viewport=size, locale=locale)
    visit = PageVisit.begin(context)
    for path in ("", "/1", "/1?show"):
        visit.page.goto(f"{address}/review{path}")
        assert not visit.is_too_wide()
        assert visit.faults() == []
        visit.shoot(f"review{path.replace('/', '-').replace('?', '-')}-{size['width']}-{locale}")
    assert visit.complaints == []
    context.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_moment_is_tried_again_by_touch(
    chromium: Browser, address: str, review: StoredReview, size: ViewportSize
) -> None:
    context = chromium.new_context(viewport=size, locale="en")
    visit = PageVisit.begin(context)
    visit.page.goto(address)
    visit.page.get_by_role("link", name="Review").click()
    visit.page.wait_for_url("**/review")
    assert visit.page.locator(".course").count() == 2
    visit.page.locator("#moment-1").get_by_role("link", name="Find the better move").click()
    # A click does not wait for the page it leads to, which moves until its style is there.
    visit.page.wait_for_url("**/review/1")
    pieces = visit.page.locator("#lay .piece").count()
    moment = review.moments[0]
    wrong, better = review.moves[moment.at].squares, moment.better
    covered = review.moves[0].squares[0]
    touch(visit, covered)
    assert visit.page.locator("[name=pieces]").input_value() == "", "a piece lies there"
    for square in reversed(wrong):
        touch(visit, square)
    visit.shoot(f"review-attempt-{size['width']}")
    visit.page.get_by_role("button", name="Check this move").click()
    visit.reads("#answer", "This is not one of the best moves.")
    assert visit.page.locator("#lay .piece").count() == pieces, "the board stays"
    visit.page.get_by_role("button", name="Take the piece back").click()
    for square in better:
        touch(visit, square)
    visit.page.get_by_role("button", name="Check this move").click()
    visit.reads("#answer", "Right! This move is as good as the best one.")
    visit.shoot(f"review-right-{size['width']}")
    visit.page.get_by_role("link", name="Back").click()
    visit.page.wait_for_url("**/review#moment-1")
    assert visit.complaints == []
    context.close()


def test_a_moment_is_tried_again_without_scripts(
    chromium: Browser, address: str, review: StoredReview
) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto(f"{address}/review/1")
    assert page.locator("svg.moment").is_visible()
    names = " ".join(f"{chr(97 + column)}{14 - row}" for row, column in review.moments[0].better)
    page.locator("[name=pieces]").fill(names)
    page.get_by_role("button", name="Check this move").click()
    assert "Right!" in page.inner_text("#answer")
    context.close()
