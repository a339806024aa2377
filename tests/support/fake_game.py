"""A whole table without pictures and its score page, running in a thread during tests."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.session.feed_server import FeedServer, IncomingRequest, Published
from tests.support.fake_table import FakeTable, RecordingFeed
from web.app import create_app
from web.contract import LivePicture, Page, PairedPhones, Reply
from web.server import Server
from web.table_client import TableClient


class SharedFeed(RecordingFeed):
    """The table's side of the feed, which records messages and sends them to the page."""

    def publish(self, message: Published) -> None:
        if not isinstance(message, LivePicture):
            super().publish(message)
        if isinstance(message, Page | PairedPhones | LivePicture):
            FeedServer.publish(self, message)

    def take_requests(self) -> list[IncomingRequest]:
        return [*super().take_requests(), *FeedServer.take_requests(self)]

    def answer(self, who: int, answer: Reply) -> None:
        super().answer(who, answer)
        FeedServer.answer(self, who, answer)


class FakeGame:
    """A table that runs in a thread."""

    def __init__(self, house: FakeTable, port: int) -> None:
        self.house = house
        self.address = f"http://cornerlight.local:{port}"
        self.lock = threading.Lock()
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.02):
            with self.lock:
                self.house.look(1)

    def lay(self, colour: str, squares: str) -> None:
        with self.lock:
            self.house.lay(colour, squares)

    def lift(self, squares: str) -> None:
        with self.lock:
            self.house.lift(squares)


@contextmanager
def spent(folder: Path) -> Iterator[FakeGame]:
    """Runs a new game of Duo in a folder."""
    with closing(
        FakeTable(folder, GameConfig(GAMES["duo"], names=("Ada", "Ben")), SharedFeed)
    ) as made:
        made.wall_s = itertools.chain.from_iterable(iter(lambda: [int(time.monotonic())], None))  # type: ignore[assignment]
        made.feed.start()
        with TableClient(folder / "feed.sock") as link:
            server = Server(create_app(link, games=folder / "games"), "127.0.0.1", 0)
            evening = FakeGame(made, server.port)
            threads = [threading.Thread(target=one) for one in (server.run, evening.run)]
            for thread in threads:
                thread.start()
            try:
                yield evening
            finally:
                evening.over.set()
                server.close()
                for thread in threads:
                    thread.join()
