"""The squares that a piece in the hand may cover, in a browser: by keys, aloud, on both boards."""

from collections.abc import Iterator

import pytest

from tests.support.browser import DESKTOP, NEEDS_BROWSER, PageVisit, browser
from tests.support.played_table import BrowserPlayer
from tests.support.running_demo import running_demo

pytestmark = NEEDS_BROWSER


@pytest.fixture
def desktop() -> Iterator[PageVisit]:
    with browser() as chromium:
        yield PageVisit.begin(chromium.new_context(viewport=DESKTOP))


def dots(visit: PageVisit, place: str) -> list[int]:
    """Returns the number of dots on the squares that may be covered, and on the starts."""
    paths = visit.page.locator(f"{place} .may-go").all()
    return [(one.get_attribute("d") or "").count("M") for one in paths]


def test_a_piece_in_the_hand_shows_its_places_as_it_lies(desktop: PageVisit) -> None:
    page = desktop.page
    with running_demo("--fresh") as address:
        BrowserPlayer(page).begin(address, "here")
        page.focus('.pieces [data-color="0"][data-piece="I5"]')
        page.keyboard.press("Enter")
        page.locator("#landing .may-go").first.wait_for(state="attached")
        assert dots(desktop, "#landing") == [18, 2]
        assert dots(desktop, "#board") == [18, 2]
        flat = "a10, b10, c10, d10, e10, f10, g10, h10, i10, f5, g5, h5, i5, j5, k5, l5, m5, n5"
        said = page.locator("#may").inner_text
        assert said() == f"Where I5 may go: from e10, j5, over {flat}."
        page.keyboard.press("r")
        assert said().startswith("Where I5 may go: from e10, j5, over e14, e13, e12, e11, e10,")
        assert dots(desktop, "#landing") == [18, 2]
        desktop.shoot("play-places")
        assert desktop.faults() == []
        page.keyboard.press("Escape")
        assert (said(), dots(desktop, "#landing"), dots(desktop, "#board")) == ("", [], [])
        page.focus('.pieces [data-color="1"][data-piece="I5"]')
        page.keyboard.press("Enter")
        page.wait_for_timeout(1500)
        assert (said(), dots(desktop, "#landing")) == ("", []), "it is not its turn"
    assert desktop.complaints == []
