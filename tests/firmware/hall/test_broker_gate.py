"""The gate of the broker: strangers keep nobody out, and no client sends more than its share."""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from firmware.hall import broker_gate
from firmware.hall.link.topics import TableTopic
from tests.support.hall_bench import PASSWORDS, HallBench
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK

CROWD = "127.0.0.2"
TABLE = "127.0.0.3"


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HallBench]:
    """A hall that has limits for two addresses of this machine too."""
    limited = CROWD, TABLE
    monkeypatch.setattr(broker_gate, "sender_of", lambda one: one if one.endswith(limited) else "")
    monkeypatch.setattr(broker_gate, "_PLACES", 8)
    with HallBench(tmp_path) as bench:
        yield bench


def strangers(hall: HallBench, count: int, stack: ExitStack) -> list[socket.socket]:
    made = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", hall.broker.port), 2.0, (CROWD, 0))
        made.append(stack.enter_context(closing(one)))
    return made


def is_closed(stranger: socket.socket) -> bool:
    stranger.settimeout(0.0)
    try:
        return stranger.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_stranger_is_disconnected_in_time(hall: HallBench) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with ExitStack() as stack:
        silent, slow = strangers(hall, 2, stack)
        secured = stack.enter_context(context.wrap_socket(slow))
        secured.send(b"\x10\x20\x00\x04MQTT")  # and no more of the packet
        eventually(lambda: is_closed(silent), broker_gate._ACCEPTED_S + 2.0)
        secured.settimeout(2.0)
        assert secured.recv(1) == b""


@WALL_CLOCK
def test_an_address_of_strangers_may_try_seldom_and_others_as_before(hall: HallBench) -> None:
    with ExitStack() as stack:
        crowd = strangers(hall, 60, stack)
        eventually(lambda: sum(map(is_closed, crowd)) >= 60 - broker_gate._PLACES)
        begun = time.monotonic()
        assert hall.join("07", source=TABLE).is_connected
        assert time.monotonic() - begun < 2.0


def test_the_address_of_a_table_stays_open_to_it_beside_strangers(hall: HallBench) -> None:
    assert hall.join("07", source=CROWD).is_connected
    with ExitStack() as stack:
        strangers(hall, 60, stack)
        assert hall.join("07", source=CROWD).is_connected


def test_a_refused_client_is_told_so(hall: HallBench) -> None:
    assert hall.join("07", password=PASSWORDS["08"]).refusal == "Not authorized"


@WALL_CLOCK
def test_a_client_sends_at_its_rate_and_others_are_heard_at_once(hall: HallBench) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    floods, other = hall.join("07", source=CROWD), hall.join("08", source=TABLE)
    topic = hall.topics.table("07", TableTopic.PAGE)
    begun = time.monotonic()
    for _ in range(8):
        floods.publish(topic, bytes(32 * 1024), retain=True)
        asked = time.monotonic()
        other.publish(hall.topics.table("08", TableTopic.PAGE), b"here")
        assert time.monotonic() - asked < 0.5
    assert time.monotonic() - begun > 7 * 32 * 1024 / broker_gate._BYTES_PER_S
    assert len(organiser.wait_for(topic, 8)) == 8


def test_a_packet_over_the_limit_ends_its_client_alone(hall: HallBench) -> None:
    big, other = hall.join("07", source=CROWD), hall.join("08", source=TABLE)
    big.send(hall.topics.table("07", TableTopic.PAGE), bytes(70 * 1024))
    eventually(lambda: big.drops)
    assert other.is_connected
    assert other.drops == 0


@pytest.mark.parametrize(
    "wanted", ["some/{}/where", "cornerlight/1/testhall/seat/+", "cornerlight/1/other/seat/07"]
)
def test_a_table_fills_the_broker_with_no_subscriptions(hall: HallBench, wanted: str) -> None:
    table = hall.join("07", hall.topics.seat("07"), source=TABLE)
    for topic in (hall.topics.hall_status, hall.topics.clock):
        table.subscribe(topic)
    assert table.drops == 0
    filters = [(wanted.format(number), 1) for number in range(100)]
    table._client.subscribe([(hall.topics.clock, 1), *filters])
    eventually(lambda: table.drops)


def test_the_port_is_free_again_at_once(tmp_path: Path) -> None:
    with HallBench(tmp_path) as first:
        assert first.join("07").is_connected
    with socket.create_server(("", first.broker.port)):
        pass
