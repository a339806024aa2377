"""Trial: integrity of messages with tables and pages that stop reading in the middle of one.

Run it with `python -m tests.evaluation framing`. A page sends requests to a table that repeatedly
stops reading for longer than the timeout of a request; and a table sends large pictures to pages
that do the same. Later the reader continues with the received bytes. They have to be whole
messages, in order, with at most one partial message at the end of a connection.
"""

import argparse
import random
import socket
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from firmware.session import feed_server as feed_module
from tests.support.turning_feed import TurningFeed
from web import table_client as link_module
from web.contract import (
    CommandRequest,
    ContractError,
    FrameDecoder,
    Heartbeat,
    LivePicture,
    PlacedPiece,
    SetPosition,
    encode,
)
from web.table_client import TableClient

SEND_S: Final = 0.05
"""Seconds that sending a request or a picture may take in the trial, shorter than in use."""

ASKERS: Final = 4
"""Threads that send requests."""

HANGS_S: Final = 4 * SEND_S
"""Seconds for which a reader stops."""


def small(link: TableClient) -> None:
    """Makes a link send a request in several parts, as if it were much longer."""
    opened = link._opened

    def smaller(connection: socket.socket) -> None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # the smallest possible
        opened(connection)

    link._opened = smaller  # type: ignore[method-assign]


def long(id_: str) -> CommandRequest:
    """Returns a request of about the maximum length."""
    pieces = tuple(PlacedPiece(n % 4, tuple((n % 20, m) for m in range(5))) for n in range(84))
    return CommandRequest(id_, 7, "", SetPosition(0, pieces))


class HangingTable(threading.Thread):
    """A table that reads requests, and stops reading at random times."""

    def __init__(self, path: Path, seed: int) -> None:
        super().__init__()
        self._listening: Final = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(path))
        self._listening.listen()
        self._listening.settimeout(0.1)
        self._chance: Final = random.Random(seed)  # noqa: S311
        self.over: Final = threading.Event()
        self.connections = self.messages = self.halves = 0
        self.fault: Exception | None = None

    def run(self) -> None:
        while not self.over.is_set() and self.fault is None:
            with suppress(TimeoutError):
                connection, _ = self._listening.accept()
                with connection:
                    self._converse(connection)
        self._listening.close()

    def _converse(self, connection: socket.socket) -> None:
        self.connections += 1
        decoder, last = FrameDecoder(), dict.fromkeys(range(ASKERS), 0)
        connection.settimeout(0.05)
        while not self.over.is_set():
            with suppress(BrokenPipeError):
                connection.send(encode(Heartbeat()))
            if self._chance.random() < 0.02:
                time.sleep(HANGS_S)
            try:
                data = connection.recv(1 << 16)
            except TimeoutError:
                continue
            except ConnectionResetError:
                data = b""  # it closed while a heartbeat was on its way
            try:
                for message in decoder.feed(data):
                    assert isinstance(message, CommandRequest)
                    asker, number = map(int, message.id.split("-")[1:])
                    assert number > last[asker], "it came twice, or late"
                    last[asker] = number
                    self.messages += 1
            except (AssertionError, ContractError) as error:
                self.fault = error
            if not data or self.fault:
                self.halves += decoder.is_halfway
                return


def ask(seconds: float, folder: Path, seed: int) -> str:
    """Sends requests to a hanging table from several threads; returns a report."""
    table = HangingTable(folder / "table.sock", seed)
    table.start()
    until = time.monotonic() + seconds

    def asks(asker: int) -> None:
        number = 0
        while time.monotonic() < until:
            number += 1
            link.ask(long(f"asker-{asker}-{number:09}"), patience_s=0.0)

    link = TableClient(folder / "table.sock")
    small(link)
    with link:
        askers = [threading.Thread(target=asks, args=(n,)) for n in range(ASKERS)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
    table.over.set()
    table.join()
    if table.fault:
        raise table.fault
    return (
        f"a table that hangs read {table.messages} whole questions over {table.connections} "
        f"connections, {table.halves} of which ended in the middle of one"
    )


def show(seconds: float, folder: Path, seed: int) -> str:
    """Sends pictures to pages that stop reading; returns a report."""
    chance = random.Random(seed)  # noqa: S311
    counts = {"pictures": 0, "connections": 0, "halves": 0}
    until = time.monotonic() + seconds
    with TurningFeed(folder / "feed.sock") as feed:

        def show_pictures() -> None:
            number = 0
            while time.monotonic() < until:
                number += 1
                size = 1 + number * 7919 % 700_000
                body = number.to_bytes(4, "big") + bytes([number % 256]) * size
                feed.publish(LivePicture(b"\xff\xd8\xff" + body))
                time.sleep(0.005)

        showing = threading.Thread(target=show_pictures)
        showing.start()
        while time.monotonic() < until:
            watch(folder / "feed.sock", chance, until, counts)
        showing.join()
    return (
        f"pages that hang saw {counts['pictures']} whole pictures over {counts['connections']} "
        f"connections, {counts['halves']} of which ended in the middle of one"
    )


def watch(path: Path, chance: random.Random, until: float, counts: dict[str, int]) -> None:
    """Reads as a page that stops at random times, until the connection is closed."""
    decoder, last = FrameDecoder(), 0
    counts["connections"] += 1
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as page:
        page.connect(str(path))
        page.settimeout(5.0)
        while time.monotonic() < until:
            if chance.random() < 0.002:
                time.sleep(chance.choice((0.01, HANGS_S)))
            data = page.recv(1 << 14)
            for message in decoder.feed(data):
                if isinstance(message, LivePicture):
                    number = int.from_bytes(message.jpeg[3:7], "big")
                    assert message.jpeg[7:].strip(bytes([number % 256])) == b"", "it is mixed up"
                    assert number > last
                    last = number
                    counts["pictures"] += 1
            if not data:
                counts["halves"] += decoder.is_halfway
                return


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation framing")
    parser.add_argument("--seconds", type=float, default=120.0, help="duration of each part")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(words)
    before = link_module.ANSWER_S, feed_module.PATIENCE_S, feed_module.KEEP_ALIVE_S
    link_module.ANSWER_S = SEND_S  # type: ignore[misc]
    feed_module.PATIENCE_S, feed_module.KEEP_ALIVE_S = SEND_S, SEND_S  # type: ignore[misc]
    try:
        with tempfile.TemporaryDirectory() as name:
            print(ask(chosen.seconds, Path(name), chosen.seed), flush=True)  # noqa: T201
            print(show(chosen.seconds, Path(name), chosen.seed), flush=True)  # noqa: T201
    finally:
        link_module.ANSWER_S, feed_module.PATIENCE_S, feed_module.KEEP_ALIVE_S = before  # type: ignore[misc]
