"""The connection to a real broker: newest values, refusals, wills, a broker that dies or hangs."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.errors import CornerlightError
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.mqtt import (
    WILL_DELAY_S,
    BrokerLogin,
    BrokerNews,
    Connected,
    Disconnected,
    HallConnection,
    Received,
    connect_once,
)
from firmware.hall.link.topics import TableTopic
from tests.support.free_port import free_port
from tests.support.hall_bench import HallBench
from tests.support.wall_clock import WALL_CLOCK

WILL = b'{"v":1,"online":false}'


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallBench]:
    with HallBench(tmp_path) as bench:
        yield bench


class Driver:
    """A connection of table 7, and the loop around it."""

    def __init__(self, hall: HallBench, invitation: HallInvitation | None = None) -> None:
        self.topics = hall.topics
        self.news: list[BrokerNews] = []
        self.link = HallConnection(
            BrokerLogin.of(invitation or hall.invitation()),
            (self.topic(TableTopic.STATUS), WILL),
            (self.topics.seat("07"),),
        )
        self.longest_s = 0.0

    def topic(self, topic: TableTopic) -> str:
        return self.topics.table("07", topic)

    def turn(self) -> None:
        begun = time.monotonic()
        self.news += self.link.poll()
        self.link.flush()
        self.longest_s = max(self.longest_s, time.monotonic() - begun)
        time.sleep(0.005)

    def until(self, holds: Callable[[], object], within_s: float = 10.0) -> None:
        end = time.monotonic() + within_s
        while not holds():
            assert time.monotonic() < end, self.news
            self.turn()

    def count(self, kind: type[BrokerNews]) -> int:
        return sum(isinstance(one, kind) for one in self.news)


@contextmanager
def driven(hall: HallBench, invitation: HallInvitation | None = None) -> Iterator[Driver]:
    driver = Driver(hall, invitation)
    driver.link.start()
    try:
        yield driver
    finally:
        driver.link.close()


def test_values_reach_who_comes_later(hall: HallBench) -> None:
    with driven(hall) as table:
        table.link.publish(table.topic(TableTopic.SUMMARY), b"old")
        table.link.publish(table.topic(TableTopic.SUMMARY), b"new")
        table.until(lambda: table.link.is_settled)
        organiser = hall.join("hall", hall.topics.all_of_tables)
        assert organiser.wait_for(table.topic(TableTopic.SUMMARY)) == [b"new"]


def test_of_many_values_the_newest_arrives_and_no_queue_grows(hall: HallBench) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    with driven(hall) as table:
        table.until(lambda: table.link.is_connected)
        topic = table.topic(TableTopic.SUMMARY)
        with hall.stopped():
            for number in range(500):
                table.link.publish(topic, b"%d" % number)
                table.link.flush()
            assert len(table.link._in_flight) <= 1
        table.until(lambda: table.link.is_settled)
        table.until(lambda: b"499" in organiser.messages.get(topic, []))
        assert len(organiser.messages[topic]) <= 3


def test_the_same_value_is_sent_once(hall: HallBench) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    with driven(hall) as table:
        for _ in range(3):
            table.link.publish(table.topic(TableTopic.PAGE), b"same")
            table.until(lambda: table.link.is_settled)
        assert organiser.wait_for(table.topic(TableTopic.PAGE)) == [b"same"]


def test_the_seat_is_heard(hall: HallBench) -> None:
    hall.join().publish(hall.topics.seat("07"), "sit", retain=True)
    with driven(hall) as table:
        table.until(lambda: Received(hall.topics.seat("07"), b"sit") in table.news)


def test_a_wrong_secret_is_a_refusal(hall: HallBench) -> None:
    with driven(hall, hall.invitation("07", "wrong-secret")) as table:
        table.until(lambda: table.count(Disconnected))
        first = next(one for one in table.news if isinstance(one, Disconnected))
        assert first.is_refusal
        assert "does not accept this table" in first.reason
        assert not table.link.is_connected


def test_the_secret_of_another_table_is_a_refusal(hall: HallBench) -> None:
    with driven(hall, hall.invitation("08", "seven-seven")) as table:
        table.until(lambda: any(isinstance(n, Disconnected) and n.is_refusal for n in table.news))


def test_another_hall_is_told_no_secret(hall: HallBench) -> None:
    with driven(hall, hall.invitation(fingerprint="0" * 64)) as table:
        table.until(lambda: table.count(Disconnected))
        first = next(one for one in table.news if isinstance(one, Disconnected))
        assert first == Disconnected(
            "another hall answers there: its authority has another fingerprint", is_refusal=True
        )


def test_no_broker_is_tried_again_until_there_is_one(hall: HallBench) -> None:
    nobody = HallInvitation("localhost", free_port(), "testhall", "07", "seven-seven", "0" * 64)
    with driven(hall, nobody) as table:
        table.until(lambda: table.count(Disconnected) >= 2)
        first = next(one for one in table.news if isinstance(one, Disconnected))
        assert "does not answer" in first.reason
        assert not first.is_refusal


def test_topics_of_others_are_refused_and_nothing_else_suffers(
    hall: HallBench, caplog: pytest.LogCaptureFixture
) -> None:
    foreign = hall.topics.table("08", TableTopic.SUMMARY)
    with driven(hall) as table:
        table.link.publish(foreign, b"mine")
        table.link.publish(table.topic(TableTopic.SUMMARY), b"own")
        table.until(lambda: table.link.is_settled)
        assert [one.split(":")[0] for one in caplog.messages] == [f"the hall refuses {foreign}"]
        organiser = hall.join("hall", hall.topics.all_of_tables)
        assert organiser.wait_for(table.topic(TableTopic.SUMMARY)) == [b"own"]
        assert foreign not in organiser.messages


@WALL_CLOCK
def test_after_the_broker_died_the_newest_values_are_there_again(hall: HallBench) -> None:
    with driven(hall) as table:
        topic = table.topic(TableTopic.SUMMARY)
        table.link.publish(topic, b"before")
        table.until(lambda: table.link.is_settled)
        hall.signal(signal.SIGKILL)
        table.until(lambda: table.count(Disconnected))
        table.link.publish(topic, b"meanwhile")
        table.link.publish(topic, b"newest")
        table.until(lambda: table.count(Connected) == 2, 20.0)
        table.until(lambda: table.link.is_settled)
        assert table.longest_s < 0.2
        organiser = hall.join("hall", hall.topics.all_of_tables)
        assert organiser.wait_for(topic) == [b"newest"]


def test_a_goodbye_is_no_will(hall: HallBench) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    with driven(hall) as table:
        table.link.publish(table.topic(TableTopic.STATUS), b"here")
        table.until(lambda: table.link.is_settled)
        table.link.publish(table.topic(TableTopic.STATUS), b"goodbye")
    time.sleep(0.5)
    assert organiser.messages[table.topic(TableTopic.STATUS)] == [b"here", b"goodbye"]


def test_after_a_connection_for_one_piece_of_work_the_other_one_returns(hall: HallBench) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    with driven(hall) as table:
        table.until(lambda: table.link.is_connected)
        connect_once(hall.invitation()).close()
        table.until(lambda: table.count(Connected) == 2, 3.0)
        time.sleep(WILL_DELAY_S + 1.0)
        table.turn()
        assert table.count(Disconnected) == 1
    assert WILL not in organiser.messages.get(table.topic(TableTopic.STATUS), [])


def test_a_hall_that_does_not_answer_or_accept_is_one_sentence(hall: HallBench) -> None:
    with pytest.raises(CornerlightError, match=r"does not accept this table.*new invitation"):
        connect_once(hall.invitation("07", "wrong-secret"))
    with pytest.raises(CornerlightError, match="another hall answers there"):
        connect_once(hall.invitation("07", fingerprint="0" * 64))
    nobody = HallInvitation("localhost", free_port(), "testhall", "07", "seven-seven", "0" * 64)
    with pytest.raises(CornerlightError, match="does not answer"):
        connect_once(nobody, 0.5)
