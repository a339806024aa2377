"""Connects a table to its hall: from the table's socket to the topics, and back.

One thread does all of it, and waits for neither side: it looks at the newest state of the table
and at the news of the broker, and sends what has changed. The table does not know of it, unless
the hall has something to tell.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from firmware.errors import UnreadableError
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.messages import (
    ClubMessage,
    HallStatus,
    Status,
    TablePage,
    TableResults,
    TooLargeError,
    decode,
    encode,
)
from firmware.hall.link.mqtt import BrokerLogin, Connected, Disconnected, HallConnection, Received
from firmware.hall.link.seat import HallSeat
from firmware.hall.link.summaries import aged, summary_of, with_result
from firmware.hall.link.topics import TableTopic
from web.contract import ClubTable, ContractError, OfferedMatch, RoundClock
from web.table_client import TableClient, TableSnapshot

SUMMARY_S: Final = 0.5
"""Least seconds between two summaries."""

PAGE_S: Final = 1.0
"""Least seconds between two pages."""

_CLOCKS_S: Final = 10.0
"""Seconds after which running clocks are sent again: whoever comes later gets a retained message,
and cannot know its age."""

_TURN_S: Final = 0.1
"""Greatest seconds of a turn of the loop."""

_SEAT_S: Final = 2.0
"""Seconds after a connection in which the broker sends what is retained. Without an offer by then,
there is none."""

_log = logging.getLogger(__name__)

Kind = TypeVar("Kind", bound=ClubMessage)


class Share:
    """The connection of a table to a hall, between `start` and `close`.

    Args:
        client: the table's socket.
        invitation: the hall.
        link: files that remember what was left at the broker.
        token: returns the token by which the table knows this program.
        url: returns the address of the table's page; empty if it is not known.
        on_news: gets the state of the connection: True once connected, else the reason.

    Attributes:
        refusal: reason for which the hall does not accept this table; empty while it does.
    """

    def __init__(
        self,
        client: TableClient,
        invitation: HallInvitation,
        link: LinkFile,
        token: Callable[[], str],
        url: Callable[[], str],
        on_news: Callable[[Connected | Disconnected], None] = lambda _: None,
    ) -> None:
        self._url: Final = url
        self._client: Final = client
        self._invitation: Final = invitation
        self._link: Final = link
        self._on_news: Final = on_news
        self._topics: Final = invitation.topics
        self._number: Final = invitation.table
        self._was_connected = False
        self._serial = -1
        self._news = TableSnapshot()
        self._sent: dict[TableTopic, float] = {}
        self._dirty: set[TableTopic] = set()
        self._results: TableResults = link.left(invitation)
        self._connected_at = 0.0
        self.refusal = ""
        topics = (
            self._topics.seat(self._number),
            self._topics.hall_status,
            self._topics.clock,
        )
        self._hall: Final = HallConnection(
            BrokerLogin.of(invitation),
            (self._topic(TableTopic.STATUS), encode(replace(self._status(), online=False))),
            topics,
        )
        self._seat: Final = HallSeat(client.ask, token, str(int(self._number)), invitation.name)

    @property
    def is_connected(self) -> bool:
        """True while the hall is reached."""
        return self._hall.is_connected

    def start(self) -> None:
        """Begins to connect."""
        self._hall.start()

    def turn(self) -> None:
        """Does what there is to do, and waits at most a tenth of a second for more."""
        self._hear_table(self._client.wait(self._serial, _TURN_S))
        self._hear_hall()
        now = time.monotonic()
        self._refresh_clocks(now)
        self._publish(now)
        self._hall.flush()
        if self._news.connected:
            self._seat.tell()

    def close(self, *, leaves_hall: bool = False) -> None:
        """Says goodbye.

        Args:
            leaves_hall: True if the table no longer belongs to the hall.
        """
        if self._news.connected:
            self._seat.leave(hall_stays=not leaves_hall)
        self._hall.publish(
            self._topic(TableTopic.STATUS), encode(replace(self._status(), online=False))
        )
        self._hall.close()

    # From the table

    def _hear_table(self, news: TableSnapshot) -> None:
        if news.connected and not self._was_connected:
            self._seat.begin_anew()
            self._dirty.update((TableTopic.STATUS, TableTopic.SUMMARY, TableTopic.PAGE))
        if news.connected != self._was_connected:
            self._dirty.add(TableTopic.SUMMARY)
        self._was_connected = news.connected
        if news.serial == self._serial:
            return
        self._serial, self._news = news.serial, news
        if news.page is None:
            return
        self._dirty.update((TableTopic.SUMMARY, TableTopic.PAGE))
        self._note_results(news.club)

    def _note_results(self, club: ClubTable | None) -> None:
        """Keeps the result of the match on the table, and the last answers to earlier ones."""
        if club is None:
            return
        known = {one.key for one in self._results.results}
        told = [one for one in club.earlier if one.key in known]
        if club.result is not None and club.result.game:
            told.append(club.result)
        results = self._results
        for one in told:
            if one not in results.results:
                results = with_result(results, one)
        if results is self._results:
            return
        self._results = results
        self._dirty.add(TableTopic.RESULTS)
        try:
            self._link.write_left(self._invitation, results)
        except UnreadableError as error:
            _log.error("%s; results may be lost when share ends", error)

    # To the hall

    def _publish(self, now: float) -> None:
        if not self._hall.is_connected:
            return
        page = self._news.page if self._news.connected else None
        age_ms = self._news.age_ms()
        if self._is_due(TableTopic.STATUS, 0.0, now):
            self._send(TableTopic.STATUS, self._status())
        if self._is_due(TableTopic.SUMMARY, SUMMARY_S, now):
            summary = summary_of(page, self._news.club, age_ms)
            self._send(TableTopic.SUMMARY, summary)
        if page is not None and self._is_due(TableTopic.PAGE, PAGE_S, now):
            self._send(TableTopic.PAGE, TablePage(aged(page.public, age_ms)))
        if self._is_due(TableTopic.RESULTS, SUMMARY_S, now) and self._results.results:
            self._send(TableTopic.RESULTS, self._results)

    def _is_due(self, topic: TableTopic, gap_s: float, now: float) -> bool:
        """True if a topic has changed and may be sent now; then it is noted as sent."""
        if topic not in self._dirty or now - self._sent.get(topic, -gap_s) < gap_s:
            return False
        self._dirty.discard(topic)
        self._sent[topic] = now
        return True

    def _send(self, topic: TableTopic, message: ClubMessage) -> None:
        try:
            self._hall.publish(self._topic(topic), encode(message))
        except TooLargeError as error:
            _log.warning("not sent: %s", error)

    def _refresh_clocks(self, now: float) -> None:
        page = self._news.page
        runs = page is not None and any(clock.running for clock in page.clocks)
        if runs and now - self._sent.get(TableTopic.SUMMARY, now) >= _CLOCKS_S:
            self._dirty.update((TableTopic.SUMMARY, TableTopic.PAGE))

    def _status(self) -> Status:
        return Status(online=True, url=self._url())

    def _topic(self, topic: TableTopic) -> str:
        return self._topics.table(self._number, topic)

    # From the hall

    def _hear_hall(self) -> None:
        for news in self._hall.poll():
            if isinstance(news, Received):
                self._receive(news)
                continue
            self._on_news(news)
            if isinstance(news, Disconnected):
                self.refusal = news.reason if news.is_refusal else self.refusal
                self._seat.connect(connected=False)
                continue
            self.refusal = ""
            self._connected_at = time.monotonic()
            self._seat.connect(connected=True)
            self._seat.is_known = False
            self._sent.clear()
            self._dirty.update(
                (TableTopic.STATUS, TableTopic.SUMMARY, TableTopic.PAGE, TableTopic.RESULTS)
            )
        if (
            self._hall.is_connected
            and not self._seat.is_known
            and time.monotonic() - self._connected_at > _SEAT_S
        ):
            self._seat.hear_seat(None)

    def _receive(self, message: Received) -> None:
        topics, payload = self._topics, message.payload
        try:
            if message.topic == topics.seat(self._number):
                self._seat.hear_seat(_parsed(OfferedMatch, payload))
            elif message.topic == topics.hall_status:
                self._seat.hear_status(_parsed(HallStatus, payload) or HallStatus(online=False))
            elif message.topic == topics.clock:
                self._seat.hear_clock(_parsed(RoundClock, payload))
        except ContractError as error:
            _log.warning("a message under %s cannot be used: %s", message.topic, error)


def _parsed(kind: type[Kind], payload: bytes) -> Kind | None:
    """Returns a message; None for the empty one that clears a topic."""
    return decode(kind, payload) if payload else None
