"""A paired phone has a photograph judged, over plain http, and sees what stands on the board."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import FilePayload, ViewportSize, expect

from firmware.storage import photograph_judge
from firmware.storage.photograph_judge import PhotographJudge
from tests.support import example_pages
from tests.support.browser import DESKTOP, NEEDS_BROWSER, PATIENCE_MS, PageVisit, browser
from tests.support.drawn_boards import BROKEN_ROWS, CORNERS, flat_board, photograph
from tests.support.serving import serving_pages
from vision.io.image_file import encode_jpeg
from web.app import ProgramFacts, create_app
from web.known_phones import PAIRING_COOKIE
from web.table_client import TableClient

pytestmark = NEEDS_BROWSER

PHONE: ViewportSize = {"width": 390, "height": 664}


@contextmanager
def page_with_judge() -> Iterator[int]:
    """Serves the page of a table in mid-game; yields its port."""
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.duo_refused())
        link.hear(example_pages.PHONES)
        facts = ProgramFacts(judge=PhotographJudge().judge)
        with serving_pages(create_app(link, streams=2, facts=facts)) as server:
            yield server.port


def chosen(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "image/jpeg", "buffer": data}


@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desktop"]
)
def test_a_photograph_is_judged(
    size: ViewportSize, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests load the machine: in time and priority it is as they are.
    monkeypatch.setattr(photograph_judge, "_LOWEST", 0)
    monkeypatch.setattr(photograph_judge, "_LONGEST_S", 19.0)
    board = photograph(flat_board(BROKEN_ROWS), corners=3 * CORNERS, shape=(2160, 2880))
    with page_with_judge() as port, browser() as started:
        context = started.new_context(
            viewport=size, locale="en", color_scheme="dark" if scheme == "dark" else "light"
        )
        url = f"http://127.0.0.1:{port}"
        context.add_cookies([{"name": PAIRING_COOKIE, "value": example_pages.TOKEN, "url": url}])
        visit = PageVisit.begin(context)
        page = visit.page
        page.goto(f"{url}/camera")
        expect(page.locator("#choose")).to_be_visible()
        visit.shoot(f"photograph-before-{scheme}")
        sent = [
            cv2.imencode(".jpg", board[:600, :600])[1].tobytes(),
            b"no photograph",
            encode_jpeg(board, 95),
        ]
        page.set_input_files("#photograph", chosen("a.jpg", sent[0]))
        expect(page.locator("#said")).to_contain_text("board", timeout=PATIENCE_MS)
        visit.shoot(f"photograph-none-{scheme}")
        page.set_input_files("#photograph", chosen("b.jpg", sent[1]))
        visit.reads("#said", "The photograph cannot be read; take it again.")
        page.set_input_files("#photograph", chosen("c.jpg", sent[2]))
        visit.reads("#said", "A rule is broken.")
        judged = page.locator("#judged")
        expect(judged.locator("svg.board .piece")).to_have_count(4)
        expect(judged.locator('.piece[data-mark="refused"]')).to_have_count(1)
        expect(judged.locator(".refusal")).to_contain_text("this one touches none")
        expect(judged.locator('[data-score="purple"]')).to_have_text("83")
        expect(judged.locator('[data-score="orange"]')).to_have_text("85")
        visit.shoot(f"photograph-judged-{scheme}")
        page.locator("#judged").scroll_into_view_if_needed()
        page.locator("svg.board").scroll_into_view_if_needed()
        visit.shoot(f"photograph-judged-board-{scheme}")
        assert not visit.is_too_wide()
        assert visit.faults() == []
        assert visit.complaints == []
        assert all(one.startswith(url) for one in visit.requested)
