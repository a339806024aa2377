"""Publishes what the hall has to say: one newest value a topic, sent when it has changed.

What costs time is made again only after a change: the messages of the tournament after an event,
the public copy of a summary after a message of its table.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from firmware.hall.link.messages import ClubMessage, HallStatus, Summary, TooLargeError, encode
from firmware.hall.link.topics import HallTopics, table_text
from firmware.hall.publications import clock_message, shown_summary, tournament_messages
from firmware.hall.table_monitor import WatchedTable
from firmware.hall.tournament.events import RoundClockSet
from firmware.hall.tournament.state import TournamentState
from web.contract import ContractError

_CLOCK_S: Final = 10.0
"""Seconds after which a running clock is sent again: a table that connects gets the retained
message, and counts from its arrival, so it is wrong by as much until the next one."""

_log = logging.getLogger(__name__)

PublishMessage = Callable[[str, bytes], None]
"""Publishes a retained message under a topic; an empty one clears it. Never waits."""


class HallPublisher:
    """Publishes the messages of one hall; for one thread at a time.

    Args:
        topics: topics of the hall.
        status: state of the hall's program.
        publish: publishes a retained message.
    """

    def __init__(self, topics: HallTopics, status: HallStatus, publish: PublishMessage) -> None:
        self._topics: Final = topics
        self._status: Final = status
        self._publish: Final = publish
        self._sent: Final[dict[str, bytes]] = {}
        self._waiting: list[tuple[float, str, bytes]] = []
        self._tournament: tuple[object, ...] = ()
        self._messages: dict[str, bytes] = {}
        self._summaries: Final[dict[int, tuple[Summary | None, bytes]]] = {}
        self._clock: tuple[RoundClockSet | None, float] = (None, 0.0)

    def begin_anew(self) -> None:
        """Sends all once more: the broker was reached again."""
        self._sent.clear()
        self._clock = (None, 0.0)

    def tournament(
        self, state: TournamentState, names: Mapping[str, str], tables: Sequence[int]
    ) -> None:
        """Takes the tournament.

        Args:
            state: the tournament.
            names: public names by id of the player.
            tables: numbers of the tables on the roster.
        """
        made_from = state, names, tuple(tables)
        if self._tournament and self._tournament[0] is state and self._tournament == made_from:
            return
        gone = set(self._messages)
        found = tournament_messages(state, names, tuple(tables), self._topics)
        self._messages = {self._topics.hall_status: encode(self._status)}
        for topic, message in found.items():
            payload = _encoded(topic, message)
            if payload is not None:
                self._messages[topic] = payload
        for topic in gone - set(self._messages):
            self._messages[topic] = b""
        self._tournament = made_from
        self._summaries.clear()

    def summaries(self, tables: Sequence[WatchedTable], known: frozenset[str]) -> None:
        """Takes what the tables sent.

        Args:
            tables: the tables.
            known: public names of the players of the tournament.
        """
        for table in tables:
            before = self._summaries.get(table.number)
            if before is not None and before[0] is table.summary:
                continue
            shown = None if table.summary is None else shown_summary(table.summary, known)
            payload = _encoded(self._shown_topic(table.number), shown)
            if payload is not None:
                self._summaries[table.number] = table.summary, payload

    def remove_table(self, number: int) -> None:
        """Clears what was published for a table that is no longer there."""
        self._summaries.pop(number, None)
        for topic in (self._topics.seat(table_text(number)), self._shown_topic(number)):
            self._messages[topic] = b""

    def clock(self, state: TournamentState, event: RoundClockSet | None, left_ms: int) -> None:
        """Publishes the clock of the round after a change, and now and then while it runs.

        Args:
            state: the tournament.
            event: the newest setting of the clock; None without one.
            left_ms: milliseconds left now.
        """
        message = clock_message(state, left_ms)
        now = time.monotonic()
        is_old = message is not None and message.running and now - self._clock[1] >= _CLOCK_S
        if self._clock[1] and self._clock[0] is event and not is_old and message is not None:
            return
        self._clock = event, now
        payload = _encoded(self._topics.clock, message)
        if payload is not None:
            for topic in (self._topics.clock, self._topics.show("clock")):
                self._messages[topic] = payload

    def send(self, delay_s: int) -> None:
        """Publishes what has changed, public copies after a delay in seconds."""
        now = time.monotonic()
        shown = self._topics.show("")
        copies = {self._shown_topic(number): one[1] for number, one in self._summaries.items()}
        for topic, payload in {**self._messages, **copies}.items():
            if self._sent.get(topic) == payload:
                continue
            self._sent[topic] = payload
            if delay_s and topic.startswith(shown):
                self._waiting.append((now + delay_s, topic, payload))
            else:
                self._publish(topic, payload)
        due = [one for one in self._waiting if one[0] <= now or not delay_s]
        self._waiting = [one for one in self._waiting if one not in due]
        for _, topic, payload in due:
            self._publish(topic, payload)

    def _shown_topic(self, number: int) -> str:
        return self._topics.show(f"table/{table_text(number)}/summary")


def _encoded(topic: str, message: ClubMessage | None) -> bytes | None:
    """Returns a message as bytes; None if it cannot be sent."""
    try:
        return b"" if message is None else encode(message)
    except (TooLargeError, ContractError) as error:
        _log.warning("%s is not published: %s", topic, error)
        return None
