"""A table of a hall without a board: a real feed socket, and a real `Share` on it."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.share import Share
from firmware.session.feed_server import FeedServer
from tests.support.hall_bench import HallBench
from web.contract import ClubRequest, ClubTable, HallState, OfferMatch, Page, Reply
from web.table_client import TableClient

TOKEN = "the-token-of-share"  # noqa: S105


class SharedTableBench:
    """The feed of a table that takes every request of `share`, and the loop of `share` beside it.

    Attributes:
        feed: the feed of the table.
        offers: matches that were offered to it, None for one that was withdrawn.
        states: states of the hall that it was told.
        share: the connection to the hall.
        longest_s: longest turn of the loop of `share` in seconds.
    """

    def __init__(
        self,
        hall: HallBench | HallInvitation,
        folder: Path,
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.feed = FeedServer(folder / "feed.sock")
        self.offers: list[OfferMatch] = []
        self.states: list[HallState] = []
        self.tokens: set[str] = set()
        self.link = LinkFile(folder)
        self.client = TableClient(folder / "feed.sock")
        invitation = hall if isinstance(hall, HallInvitation) else hall.invitation()
        self.share = Share(
            self.client, invitation, self.link, lambda: TOKEN, lambda: "http://t7:8000"
        )
        self.longest_s = 0.0
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._serve), threading.Thread(target=self._run)]

    def show(self, page: Page, club: ClubTable | None = None) -> None:
        """Publishes a page, and the people at the table."""
        if club is not None:
            self.feed.publish(club)
        self.feed.publish(page)

    def until(self, holds: Callable[[], object], within_s: float = 10.0) -> None:
        end = time.monotonic() + within_s
        while not holds():
            assert time.monotonic() < end, (self.offers, self.states)
            time.sleep(0.01)

    def _serve(self) -> None:
        while not self._ending.wait(0.01):
            self.feed.turned()
            for incoming in self.feed.take_requests():
                request = incoming.message
                assert isinstance(request, ClubRequest)
                self.tokens.add(request.token)
                if isinstance(request.action, OfferMatch):
                    self.offers.append(request.action)
                elif isinstance(request.action, HallState):
                    self.states.append(request.action)
                self.feed.answer(incoming.who, Reply(request.id))

    def _run(self) -> None:
        while not self._ending.is_set():
            begun = time.monotonic()
            self.share.turn()
            self.longest_s = max(self.longest_s, time.monotonic() - begun)

    def __enter__(self) -> Self:
        self.feed.start()
        self.client.start()
        self.share.start()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()
        self.share.close()
        self.client.close()
        self.feed.close()


def numbered(page: Page, revision: int) -> Page:
    """Returns a page with another revision."""
    return replace(page, revision=revision)
