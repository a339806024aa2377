"""The real `share` of tables, and the real hall: roster, rights, and a table that is removed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.hall.link.messages import encode
from firmware.hall.link.topics import TableTopic
from firmware.hall.running_hall import RunningHall
from tests.support import example_pages
from tests.support.free_port import free_port
from tests.support.mqtt_clients import NotingClient
from tests.support.shared_table import SharedTableBench
from tests.support.waiting import eventually
from web.contract import GameKey, MatchPlayer, OfferedMatch

pytestmark = pytest.mark.slow

ANNA, BEN = MatchPlayer("p01", "Anna K."), MatchPlayer("p02", "Ben")
REFUSED = "Not authorized"


class WatchedHall:
    """A hall of two tables, and what it sees of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running = RunningHall(folder, "Spring open", ["localhost"], port=free_port())
        for _ in range(2):
            self.running.roster.add()
        self.monitor = self.running.organiser.monitor

    def table(self, number: int, folder: Path) -> SharedTableBench:
        invitation = self.running.invitation(number)
        assert invitation is not None
        return SharedTableBench(invitation, folder)

    def online(self) -> list[bool]:
        return [table.is_online for table in self.monitor.tables()]

    def games(self) -> list[str | None]:
        return [table.summary.game if table.summary else None for table in self.monitor.tables()]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[WatchedHall]:
    made = WatchedHall(tmp_path / "hall")
    with made.running:
        yield made


def test_tables_are_seen_and_each_is_offered_its_own_match(
    hall: WatchedHall, tmp_path: Path
) -> None:
    topics = hall.running.roster.topics
    with hall.table(1, tmp_path / "one") as one, hall.table(2, tmp_path / "two") as two:
        one.show(example_pages.duo_refused())
        two.show(example_pages.classic_middle())
        eventually(lambda: hall.online() == [True, True])
        eventually(lambda: hall.games() == ["duo", "classic"])
        seat = OfferedMatch("1-02", 1, GameKey.DUO, (ANNA, BEN))
        hall.running.client.publish(topics.seat("02"), encode(seat))
        two.until(lambda: two.offers and two.offers[-1].match)
        one.until(lambda: one.offers)
        assert all(offer.match is None for offer in one.offers)
        assert one.states[-1].hall == two.states[-1].hall == "Spring open"
    eventually(lambda: hall.online() == [False, False])


def test_a_table_writes_nothing_but_its_own(hall: WatchedHall) -> None:
    topics = hall.running.roster.topics
    invitation = hall.running.invitation(1)
    assert invitation is not None
    with NotingClient(
        invitation.port, hall.folder / "authority.pem", invitation.table, invitation.secret
    ) as stranger:
        for topic in (
            topics.table("02", TableTopic.STATUS),
            topics.table("02", TableTopic.RESULTS),
            topics.seat("01"),
            topics.hall_status,
            topics.clock,
            topics.show("standings"),
        ):
            assert stranger.publish(topic, b"mine", retain=True) == REFUSED
        assert stranger.publish(topics.table("01", TableTopic.STATUS), b"own") != REFUSED


def test_a_table_that_is_removed_is_refused_and_told_so(hall: WatchedHall, tmp_path: Path) -> None:
    with hall.table(2, tmp_path / "two") as two:
        two.show(example_pages.empty())
        eventually(lambda: two.share.is_connected)
        hall.running.roster.remove(2)
        eventually(lambda: not two.share.is_connected, 20.0)
        eventually(lambda: two.share.refusal, 20.0)
        assert "does not accept this table" in two.share.refusal
