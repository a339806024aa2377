"""The pages of people in a real browser: sizes, languages and colours, and without scripts."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.support import example_pages
from tests.support.browser import DESKTOP, NEEDS_BROWSER, SMALL, PageVisit, browser
from tests.support.family_month import store_month
from tests.support.serving import serving_pages
from web.app import create_app
from web.table_client import TableClient

pytestmark = [
    pytest.mark.slow,
    NEEDS_BROWSER,
]

SIZES = {"phone": ViewportSize(width=390, height=664), "small": SMALL, "desktop": DESKTOP}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("games")
    store_month(folder, 24)
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.duo_unsure())
        link.hear(example_pages.PHONES)
        with serving_pages(create_app(link, games=folder)) as server:
            yield f"http://127.0.0.1:{server.port}"


@pytest.mark.parametrize("size", SIZES, ids=SIZES)
@pytest.mark.parametrize("locale", ["en", "de", "ja"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_every_screen(
    chromium: Browser, address: str, size: str, locale: str, scheme: Literal["light", "dark"]
) -> None:
    # The pages need no script, so none runs.
    context = chromium.new_context(
        viewport=SIZES[size],
        locale=locale,
        color_scheme=scheme,
        java_script_enabled=scheme == "light",
    )
    context.add_cookies([{"name": "pairing", "value": example_pages.TOKEN, "url": address}])
    visit = PageVisit.begin(context)
    visit.page.goto(f"{address}/people")
    for at, name in enumerate(("everybody", "one")):
        if at:
            visit.page.get_by_role("row").nth(at).get_by_role("link").click()
            visit.page.wait_for_url("**/people/*")
        visit.shoot(f"people-{name}-{size}-{locale}-{scheme}")
        if scheme == "light":
            assert not visit.is_too_wide()
            assert visit.faults() == []
    visit.page.locator("ol.panel a").first.click()
    visit.page.wait_for_url("**/review/*")
    assert visit.complaints == []
    context.close()
