"""A table that dies or hangs, and a broker that does, as a hall sees it."""

import json
import logging
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.messages import Status, Summary, decode
from firmware.hall.link.topics import TableTopic
from firmware.session.feed_server import FeedServer
from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.hall_bench import HallBench
from tests.support.mqtt_clients import NotingClient
from tests.support.turning_feed import TurningFeed
from tests.support.wall_clock import WALL_CLOCK

_log = logging.getLogger(__name__)

KILLED_S = 7.0
STOPPED_S = 25.0
RETURNS_S = 10.0


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallBench]:
    with HallBench(tmp_path / "hall") as bench:
        yield bench


@pytest.fixture
def feed(tmp_path: Path) -> Iterator[FeedServer]:
    (tmp_path / "table").mkdir()
    with TurningFeed(tmp_path / "table" / "feed.sock") as made:
        made.publish(example_pages.empty())
        yield made


@contextmanager
def sharing(hall: HallBench, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Runs the verb `share` until it is connected, and then for the block."""
    LinkFile(folder).write(hall.invitation())
    words = [sys.executable, "-m", "firmware", "share", "--json", "--folder", str(folder)]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert json.loads(process.stdout.readline())["event"] == "connected"
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.communicate()


def is_online(organiser: NotingClient, hall: HallBench) -> bool:
    payloads = organiser.messages.get(hall.topics.table("07", TableTopic.STATUS), [])
    return bool(payloads) and decode(Status, payloads[-1]).online


def seconds_until(holds: Callable[[], bool], most_s: float) -> float:
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun <= most_s, f"not within {most_s:g} s"
        time.sleep(0.02)
    return time.monotonic() - begun


@pytest.mark.parametrize(
    ("number", "most_s"), [(signal.SIGKILL, KILLED_S), (signal.SIGSTOP, STOPPED_S)]
)
def test_a_share_that_dies_or_hangs_is_offline(
    hall: HallBench, feed: FeedServer, tmp_path: Path, number: int, most_s: float
) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    with sharing(hall, tmp_path / "table") as process:
        seconds_until(lambda: is_online(organiser, hall), 10.0)
        os.kill(process.pid, number)
        passed_s = seconds_until(lambda: not is_online(organiser, hall), most_s)
    _log.info("offline after %.1f s", passed_s)
    assert passed_s > 4.0, "a connection that returns at once is never shown as offline"


def test_a_share_that_returns_at_once_is_never_offline(
    hall: HallBench, feed: FeedServer, tmp_path: Path
) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    for _ in range(2):
        with sharing(hall, tmp_path / "table"):
            seconds_until(lambda: is_online(organiser, hall), 10.0)
    with sharing(hall, tmp_path / "table"):
        time.sleep(7.0)
        topic = hall.topics.table("07", TableTopic.STATUS)
        assert all(decode(Status, one).online for one in organiser.messages[topic])


@WALL_CLOCK
def test_a_broker_that_hangs_or_dies_delays_no_step_of_the_table(
    hall: HallBench, feed: FeedServer, tmp_path: Path
) -> None:
    revisions = iter(range(1, 1_000_000))

    def steps(seconds: float) -> list[float]:
        """Publishes twenty pages a second; returns how long each took."""
        took, until = [], time.monotonic() + seconds
        page = example_pages.classic_middle()
        while time.monotonic() < until:
            next_page = replace(page, revision=next(revisions))
            begun = time.monotonic()
            feed.publish(next_page)
            took.append(time.monotonic() - begun)
            time.sleep(0.05)
        return took

    with sharing(hall, tmp_path / "table"):
        quiet = steps(3.0)
        with hall.stopped():
            hung = steps(20.0)
        hall.signal(signal.SIGKILL)
        dead = steps(3.0)
        newest = next(revisions) - 1
        organiser: list[NotingClient] = []

        def is_back() -> bool:
            if hall.broker.is_ready and not organiser:
                organiser.append(hall.join("hall", hall.topics.all_of_tables))
            payloads = organiser[0].messages if organiser else {}
            summaries = payloads.get(hall.topics.table("07", TableTopic.SUMMARY), [])
            return bool(summaries) and decode(Summary, summaries[-1]).revision == newest

        back_s = seconds_until(is_back, RETURNS_S)
    _log.info("newest state %.1f s after the end", back_s)
    for name, took in (("quiet", quiet), ("hung", hung), ("dead", dead)):
        middle_ms, most_ms = 1000 * statistics.median(took), 1000 * max(took)
        _log.info("%s: a step took %.2f ms, at most %.2f ms", name, middle_ms, most_ms)
        assert max(took) < 0.5, "whoever waits for a broker waits for seconds"
    assert statistics.median(hung) < statistics.median(quiet) + 0.005
    assert statistics.median(dead) < statistics.median(quiet) + 0.005
