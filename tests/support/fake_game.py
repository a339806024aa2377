"""A whole table without pictures and its score page, which go on by themselves while tests look."""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware.game.config import Terms
from firmware.publishing.feed_server import Asked, Feed
from firmware.rules.variants import GAMES
from tests.support.fake_table import House, Wire
from web.app import create_app
from web.contract import Answer, Page, Phones
from web.server import Server
from web.table_client import Link


class Spoken(Wire):
    """The table's side of the feed, heard by us and by the page."""

    def publish(self, page: Page) -> None:
        super().publish(page)
        Feed.publish(self, page)

    def publish_picture(self, jpeg: bytes) -> None:
        Feed.publish_picture(self, jpeg)

    def publish_phones(self, phones: Phones) -> None:
        super().publish_phones(phones)
        Feed.publish_phones(self, phones)

    def asked(self) -> list[Asked]:
        return [*super().asked(), *Feed.asked(self)]

    def answer(self, who: int, answer: Answer) -> None:
        super().answer(who, answer)
        Feed.answer(self, who, answer)


class Evening:
    """A table that goes on by itself while somebody looks at the page."""

    def __init__(self, house: House, port: int) -> None:
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
def spent(folder: Path) -> Iterator[Evening]:
    """A game of Duo that has just begun, in a folder."""
    with closing(House(folder, Terms(GAMES["duo"], names=("Ada", "Ben")), Spoken)) as made:
        made.wall_s = itertools.chain.from_iterable(iter(lambda: [int(time.monotonic())], None))  # type: ignore[assignment]
        made.wire.start()
        with Link(folder / "feed.sock") as link:
            server = Server(create_app(link, games=folder / "games"), "127.0.0.1", 0)
            evening = Evening(made, server.port)
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
