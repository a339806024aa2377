"""The newest state of the tables: what arrives counts, whatever its numbers say."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.hall.link.messages import (
    ClubMessage,
    FaultCode,
    Status,
    Summary,
    encode,
)
from firmware.hall.link.topics import TableTopic
from firmware.hall.roster import Roster
from firmware.hall.table_monitor import TableMonitor, WatchedTable
from web.contract import RefereeState
from web.hall.page import TableState

UP = Status(online=True)
DOWN = Status(online=False)
IDLE = Summary(7, "duo", state=RefereeState.NEW_GAME)
PLAYS = replace(IDLE, state=RefereeState.WAITING, ply=3)
KINDS = {Status: TableTopic.STATUS, Summary: TableTopic.SUMMARY}


class Watched:
    """A monitor of some tables, with a clock that is set by hand."""

    def __init__(self, folder: Path, tables: int = 1) -> None:
        self.now_s = 100.0
        self.roster = Roster(folder)
        for _ in range(tables):
            self.roster.add()
        self.changed: list[int] = []
        self.monitor = TableMonitor(self.roster, lambda: self.now_s, self.changed.append)

    def hear(self, message: ClubMessage, table: str = "01") -> None:
        topic = self.roster.topics.table(table, KINDS[type(message)])
        self.monitor.receive(topic, encode(message))

    @property
    def state(self) -> str:
        return self.first.state

    @property
    def first(self) -> WatchedTable:
        table = self.monitor.table(1)
        assert table is not None
        return table


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


@pytest.mark.parametrize(
    ("summary", "state"),
    [
        (IDLE, TableState.WAITING),
        (PLAYS, TableState.PLAYING),
        (replace(PLAYS, state=RefereeState.GAME_OVER), TableState.FINISHED),
        (replace(PLAYS, state=RefereeState.UNSURE), TableState.UNSURE),
        (replace(PLAYS, state=RefereeState.DISTURBED), TableState.UNSURE),
        (replace(PLAYS, state=RefereeState.REFUSED), TableState.PLAYING),
        (replace(PLAYS, calls=True), TableState.CALL),
        (replace(PLAYS, calls=True, faults=(FaultCode.CAMERA,)), TableState.FAULT),
        (replace(IDLE, calls=True), TableState.CALL),
    ],
)
def test_the_state_follows_the_summary(
    watched: Watched, summary: Summary, state: TableState
) -> None:
    watched.hear(UP)
    watched.hear(summary)
    assert watched.first.state is state


def test_a_table_that_never_came_waits_and_one_that_left_is_offline(watched: Watched) -> None:
    assert watched.state == TableState.WAITING
    assert not watched.first.is_online
    watched.hear(UP)
    watched.hear(PLAYS)
    watched.hear(DOWN)
    assert watched.state == TableState.OFFLINE
    assert watched.first.summary == PLAYS


def test_ages_count_from_the_arrival_of_a_state_not_of_a_message(watched: Watched) -> None:
    watched.hear(UP)
    watched.hear(PLAYS)
    watched.now_s += 10
    watched.hear(replace(PLAYS, ply=4))
    assert watched.first.since_s == 100.0
    watched.now_s += 10
    watched.hear(DOWN)
    assert watched.first.since_s == 120.0


def test_a_piece_is_refused_for_long_after_half_a_minute_without_any_message(
    watched: Watched,
) -> None:
    watched.hear(UP)
    watched.hear(replace(PLAYS, state=RefereeState.REFUSED))
    watched.now_s += 29
    assert watched.state == TableState.PLAYING
    watched.now_s += 2
    assert watched.state == TableState.REFUSED
    watched.hear(PLAYS)
    assert watched.state == TableState.PLAYING


def test_the_last_to_arrive_counts_also_with_a_smaller_revision_of_a_new_run(
    watched: Watched,
) -> None:
    watched.hear(UP)
    watched.hear(PLAYS)
    again = replace(PLAYS, revision=1, ply=1)
    watched.hear(again)
    assert watched.first.summary == again


@pytest.mark.parametrize("table", ["02", "99"])
def test_a_table_that_is_not_on_the_roster_is_ignored(watched: Watched, table: str) -> None:
    watched.hear(UP, table)
    assert watched.changed == []
    assert [one.number for one in watched.monitor.tables()] == [1]


def test_a_table_that_is_removed_is_forgotten(tmp_path: Path) -> None:
    watched = Watched(tmp_path, 2)
    watched.hear(UP, "02")
    watched.roster.remove(2)
    assert watched.monitor.table(2) is None
    watched.roster.add()
    added = watched.monitor.table(2)
    assert added is not None
    assert added.status is None


@pytest.mark.parametrize("payload", [b"no JSON", b"[]", b'{"v":2,"online":true}', b"x" * 600])
def test_a_damaged_message_changes_nothing(watched: Watched, payload: bytes) -> None:
    watched.hear(UP)
    watched.monitor.receive(watched.roster.topics.table("01", TableTopic.STATUS), payload)
    assert watched.first.status == UP


def test_what_is_cleared_is_gone(watched: Watched) -> None:
    watched.hear(UP)
    watched.hear(PLAYS)
    for topic in (TableTopic.SUMMARY, TableTopic.STATUS):
        watched.monitor.receive(watched.roster.topics.table("01", topic), b"")
    assert watched.first.summary is None
    assert watched.first.status is None
    assert watched.state == TableState.WAITING
