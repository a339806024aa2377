"""A running hall: what its tables get, and that it is the only one on its folder."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.errors import CornerlightError, UnreadableError
from firmware.hall.link.messages import HallStatus, Status, decode, encode
from firmware.hall.link.topics import TableTopic
from firmware.hall.running_hall import RunningHall
from tests.support.free_port import free_port
from tests.support.mqtt_clients import NotingClient
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from web.hall.commands import HallRequest, RemoveTable

HERE = HallStatus(online=True, name="Test")
DOWN = Status(online=False)
UP = Status(online=True, url="http://t1:8000")


def running(folder: Path, port: int | None = None) -> RunningHall:
    hosts = ["localhost", "127.0.0.1"]
    return RunningHall(folder, "Test", hosts, port=port or free_port())


def joined(hall: RunningHall, folder: Path, number: int) -> NotingClient:
    invitation = hall.invitation(number)
    assert invitation is not None
    return NotingClient(
        invitation.port, folder / "authority.pem", invitation.table, invitation.secret
    )


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[RunningHall]:
    made = running(tmp_path)
    made.roster.add()
    with made:
        eventually(lambda: made.client.is_connected)
        yield made


def state(hall: RunningHall) -> tuple[bool, ...]:
    return tuple(one.is_online for one in hall.organiser.monitor.tables())


def test_a_table_that_comes_is_seen_and_reads_the_state_of_the_hall(
    hall: RunningHall, tmp_path: Path
) -> None:
    topics = hall.roster.topics
    with joined(hall, tmp_path, 1) as table:
        table.subscribe(topics.hall_status)
        status = decode(HallStatus, table.wait_for(topics.hall_status)[-1])
        assert status == HERE
        table.publish(topics.table("01", TableTopic.STATUS), encode(UP), retain=True)
        eventually(lambda: state(hall) == (True,))


def test_a_table_that_is_added_while_the_hall_runs_can_join(
    hall: RunningHall, tmp_path: Path
) -> None:
    assert hall.roster.add().number == 2
    eventually(lambda: joins(hall, tmp_path, 2))


def joins(hall: RunningHall, folder: Path, number: int) -> bool:
    with joined(hall, folder, number) as table:
        return table.is_connected


def test_what_a_removed_table_left_is_cleared(hall: RunningHall, tmp_path: Path) -> None:
    topic = hall.roster.topics.table("01", TableTopic.STATUS)
    with joined(hall, tmp_path, 1) as table:
        table.publish(topic, encode(UP), retain=True)
        eventually(lambda: state(hall) == (True,))
    token = hall.organiser.pair(hall.organiser.issue_number())
    reply = hall.organiser.command(token, HallRequest("remove-table-1", RemoveTable(1)))
    assert reply.refused is None
    eventually(lambda: state(hall) == ())
    hall.client.close()  # a user has one connection
    port, secret = hall.broker.port, hall.roster.secret
    with NotingClient(port, tmp_path / "authority.pem", "hall", secret) as organiser:
        organiser.subscribe(hall.roster.topics.hall_status)
        organiser.wait_for(hall.roster.topics.hall_status)
        organiser.subscribe(topic)
        organiser.publish(topic, encode(DOWN))
        assert organiser.wait_for(topic) == [encode(DOWN)]


def test_the_hall_publishes_again_after_its_broker_died(hall: RunningHall, tmp_path: Path) -> None:
    topics = hall.roster.topics
    assert hall.broker.pid is not None
    os.kill(hall.broker.pid, signal.SIGKILL)  # before anything was saved
    eventually(lambda: hall.broker.deaths == 1 and hall.broker.is_ready)
    with joined(hall, tmp_path, 1) as table:
        table.subscribe(topics.hall_status)
        eventually(lambda: b'"online":true' in b"".join(table.messages.get(topics.hall_status, [])))


def test_a_second_hall_on_the_folder_is_one_sentence(
    hall: RunningHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.hall.running_hall._ENDED_S", 0.1)
    with pytest.raises(CornerlightError, match=r"another hall runs on the folder .* --folder"):
        running(tmp_path)


def test_the_next_hall_on_the_folder_has_the_same_invitations(tmp_path: Path) -> None:
    first = running(tmp_path)
    first.roster.add()
    with first:
        before = first.invitation(1)
    second = RunningHall(tmp_path, "Test", ["localhost"])
    with second:
        assert second.invitation(1) == before
    assert second.invitation(2) is None


@WALL_CLOCK
def test_a_hall_ends_within_seconds(tmp_path: Path) -> None:
    with running(tmp_path) as hall:
        eventually(lambda: hall.client.is_connected)
        begun = time.monotonic()
    assert time.monotonic() - begun < 3
    assert hall.broker.pid is None


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnreadableError, match=r"cannot use the folder .* with --folder"):
        running(tmp_path / "file")
