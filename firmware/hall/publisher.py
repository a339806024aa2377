"""Messages of the hall to its tables and to the public: one newest value a topic.

Names are in their public form in every message. What spectators get is a copy under `show/`.

What costs time is made again only after a change: the messages of the tournament after an event,
the public copy of a summary after a message of its table.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from firmware.hall.link.messages import (
    ClubMessage,
    HallStatus,
    PairingEntry,
    Pairings,
    Standings,
    StandingsEntry,
    Summary,
    TooLargeError,
    encode,
)
from firmware.hall.link.topics import HallTopics, table_text
from firmware.hall.names import short_name
from firmware.hall.table_monitor import WatchedTable
from firmware.hall.tournament.codes import MatchState, RoundStage
from firmware.hall.tournament.draw import game_of
from firmware.hall.tournament.events import RoundClockSet
from firmware.hall.tournament.matches import DrawnMatch
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState
from web.contract import ContractError, GameKey, MatchPlayer, OfferedMatch, RoundClock
from web.contract.person_names import LONGEST_NAME, clean_name

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
        name: name of the hall for people.
        publish: publishes a retained message.
    """

    def __init__(self, topics: HallTopics, name: str, publish: PublishMessage) -> None:
        self._topics: Final = topics
        self._status: Final = encode(HallStatus(online=True, name=name))
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
        self._messages = {self._topics.hall_status: self._status}
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
        """Clears what was published for a table that is gone, and what it left itself."""
        for topic in self._topics.retained(table_text(number)):
            self._publish(topic, b"")
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


def match_wanted(state: TournamentState, table: int) -> DrawnMatch | None:
    """Returns the match that is to be played at a table; None if there is none.

    It is wanted until its result is decided, so that people at the table can confirm it.
    """
    one = state.newest_public
    if one is None or one.stage is RoundStage.LOCKED:
        return None
    matches = (match for match in one.matches if match.table == table and not match.is_bye)
    return next((match for match in matches if match.state is not MatchState.DONE), None)


def seat_message(
    state: TournamentState, names: Mapping[str, str], table: int
) -> OfferedMatch | None:
    """Returns the match for a table; None if none is wanted there.

    Args:
        state: the tournament.
        names: public names by id of the player.
        table: number of the table.
    """
    one, match = state.newest_public, match_wanted(state, table)
    if one is None or match is None:
        return None
    game = GameKey(game_of(state, len(match.players)))
    players = _people(match.players, names)
    return OfferedMatch(match.id, one.number, game, players, state.agreed.clock_s)


def tournament_messages(
    state: TournamentState,
    names: Mapping[str, str],
    tables: tuple[int, ...],
    topics: HallTopics,
) -> dict[str, ClubMessage | None]:
    """Returns the newest message of each topic that depends on the tournament.

    Args:
        state: the tournament.
        names: public names by id of the player.
        tables: numbers of the tables on the roster.
        topics: topics of the hall.

    Returns:
        The message by topic; None for a topic that is to be cleared.
    """
    return {
        **{topics.seat(table_text(one)): seat_message(state, names, one) for one in tables},
        topics.show("pairings"): _pairings(state, names),
        topics.show("standings"): _standings(state, names),
    }


def clock_message(state: TournamentState, left_ms: int) -> RoundClock | None:
    """Returns the clock of the round that is played; None if it has none."""
    one, clock = state.newest_public, state.clock
    if one is None or clock is None or clock.round != one.number:
        return None
    running = clock.is_running and one.stage is RoundStage.PUBLISHED
    return RoundClock(round=one.number, left_ms=left_ms, running=running)


def shown_summary(summary: Summary, known: frozenset[str]) -> Summary:
    """Returns the public copy of a table's summary.

    Names of a match are public forms already; any other name, of a game by the way, is made short.

    Args:
        summary: what the table sent.
        known: public names of the players of the tournament.
    """
    colours = tuple(replace(one, player=_shown(one.player, known)) for one in summary.colours)
    return replace(summary, colours=colours, faults=(), calls=False)


def _shown(name: str, known: frozenset[str]) -> str:
    words = name.split()
    return name if name in known or not words else short_name(words)


def _people(players: tuple[str, ...], names: Mapping[str, str]) -> tuple[MatchPlayer, ...]:
    return tuple(MatchPlayer(one, table_name(names.get(one, one)) or one) for one in players)


def table_name(name: str) -> str:
    """Returns a name as tables take it: at most 40 characters that can be seen."""
    return clean_name(name[:LONGEST_NAME])


def _pairings(state: TournamentState, names: Mapping[str, str]) -> Pairings | None:
    one = state.newest_public
    if one is None:
        return None
    return Pairings(
        round=one.number,
        locked=one.stage is RoundStage.LOCKED,
        game=state.agreed.game,
        matches=tuple(
            PairingEntry(
                pairing=match.id,
                table=table_text(match.table) if match.table else "",
                players=_people(match.players, names),
                result=_result(match),
            )
            for match in one.matches
            if not match.is_bye
        ),
        byes=_people(tuple(m.players[0] for m in one.matches if m.is_bye), names),
    )


def _result(match: DrawnMatch) -> str:
    """The result in short: scores, or the places where there are none."""
    outcome = match.outcome
    if outcome is None:
        return ""
    return ":".join(map(str, outcome.scores or outcome.places))


def _standings(state: TournamentState, names: Mapping[str, str]) -> Standings | None:
    one = state.newest_public
    if one is None:
        return None
    return Standings(
        round=one.number,
        tie_breaks=tuple(state.agreed.order),
        rows=tuple(
            StandingsEntry(
                place=row.place,
                player=_people((row.player,), names)[0],
                points=round(float(row.points), 3),
                tie_breaks=tuple(round(float(value or 0), 3) for value in row.tie_breaks),
                played=row.played,
            )
            for row in standings(state)
        ),
    )
