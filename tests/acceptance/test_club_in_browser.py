"""Two phones at a real table of a hall: seats, a call of the arbiter, a match, its result."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page

from firmware.game.config import GameConfig
from firmware.hall.link.share_token import read_share_token
from firmware.rules.variants import GAMES
from firmware.session.feed_server import FeedServer, IncomingRequest, Published
from tests.support.browser import NEEDS_BROWSER, PATIENCE_MS, PHONE, PageVisit, browser
from tests.support.fake_table import FakeTable, RecordingFeed
from tests.support.waiting import eventually
from web.app import create_app
from web.contract import (
    ClubAction,
    ClubRequest,
    ClubTable,
    CommandRequest,
    GameKey,
    HallState,
    MatchPlayer,
    OfferedMatch,
    OfferMatch,
    PairedPhones,
    Reply,
    Resign,
)
from web.contract import Page as TablePage
from web.server import Server
from web.table_client import TableClient

pytestmark = NEEDS_BROWSER

MATCH = OfferedMatch(
    "2-07", 2, GameKey.DUO, (MatchPlayer("p4", "Anna K."), MatchPlayer("p9", "Ben")), 1200
)


class ServedFeed(RecordingFeed):
    """A feed that records its messages and serves them."""

    def publish(self, message: Published) -> None:
        super().publish(message)
        if isinstance(message, TablePage | PairedPhones | ClubTable):
            FeedServer.publish(self, message)

    def take_requests(self) -> list[IncomingRequest]:
        return FeedServer.take_requests(self)

    def answer(self, who: int, answer: Reply) -> None:
        FeedServer.answer(self, who, answer)


class ServedTable:
    """A real table without a camera, its page, and the program of its hall."""

    def __init__(self, folder: Path) -> None:
        config = GameConfig(GAMES["duo"], names=("Ada", "Cleo"))
        self.made = FakeTable(folder, config, wire=ServedFeed)
        self.made.wall_s = iter(time.monotonic, None)  # type: ignore[assignment]
        self.made.feed.start()
        self.client = TableClient(folder / "feed.sock")
        self.client.start()
        self.server = Server(create_app(self.client), "127.0.0.1", 0)
        self._share = read_share_token(folder / "share-token")
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._step), threading.Thread(target=self._serve)]
        for thread in self._threads:
            thread.start()
        eventually(lambda: self.client.news.club)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/"

    def hall(self, action: ClubAction) -> None:
        reply = self.client.ask(ClubRequest(uuid4().hex, self._share, "", action))
        assert reply is not None
        assert reply.refused is None

    def lay(self, colour: str, squares: str) -> None:
        with self._lock:
            self.made.lay(colour, squares)

    def command(self, command: Resign) -> None:
        request = CommandRequest(uuid4().hex, self.made.page.revision, self.made.token, command)
        reply = self.client.ask(request)
        assert reply is not None
        assert reply.refused is None

    def _step(self) -> None:
        while not self._ending.wait(0.05):
            with self._lock:
                self.made.look(1)

    def _serve(self) -> None:
        self.server.run()

    def close(self) -> None:
        self._ending.set()
        self.server.close()
        for thread in self._threads:
            thread.join()
        self.client.close()
        self.made.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    served = ServedTable(tmp_path)
    yield served
    served.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


def visit(chromium: Browser, url: str) -> PageVisit:
    context = chromium.new_context(viewport=PHONE, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    one = PageVisit.begin(context)
    one.page.goto(url)
    return one


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_two_phones_sit_down_call_play_and_confirm(table: ServedTable, chromium: Browser) -> None:
    anna, ben = visit(chromium, table.url), visit(chromium, table.url)
    assert anna.page.get_by_role("button", name="Call the arbiter").count() == 0

    press(anna.page, "I am Ada")
    anna.page.get_by_text("your seat").wait_for()
    press(anna.page, "Call the arbiter")
    ben.page.get_by_text("Ada calls the arbiter.").wait_for()
    assert ben.page.get_by_role("button", name="End the call").count() == 0
    press(anna.page, "End the call")
    ben.page.get_by_text("Ada calls the arbiter.").wait_for(state="detached")

    table.hall(HallState("Town hall", "7"))
    table.hall(OfferMatch(MATCH))
    ben.page.get_by_text("Round 2: Anna K. against Ben, table 7").wait_for()
    press(anna.page, "I am Anna K.: ready")
    ben.page.get_by_text("Anna K. is ready").wait_for()
    press(ben.page, "I am Ben: ready")
    ben.page.get_by_text("your seat").wait_for()
    assert table.made.club.match is not None

    table.lay("purple", "e10,f10,f9,g9,g8")
    table.command(Resign(1))
    press(anna.page, "Yes")
    ben.page.get_by_text("Confirmed.").wait_for()
    ben.page.locator("summary", has_text="No").locator("visible=true").click()
    ben.page.get_by_label("What is wrong?").locator("visible=true").fill("I did not give up.")
    press(ben.page, "Send")
    anna.page.get_by_text("Disputed: I did not give up.").wait_for()
    press(ben.page, "Yes")
    anna.page.get_by_text("Both sides have confirmed the result.").wait_for()
    result = table.made.club.result
    assert result is not None
    assert result.is_confirmed
    assert anna.complaints == ben.complaints == []
