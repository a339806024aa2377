"""The organiser: what the hall's pages show and ask for, over journal, roster and tables.

`command` writes the events of a command before it replies. A thread takes what tables send: it
records their results, makes the newest page, and publishes what changed. Nothing waits for the
broker: every topic has one newest value, and all are published again after each connection.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from firmware.errors import CornerlightError
from firmware.hall.command_events import HallMoment, plan
from firmware.hall.documents import Documents
from firmware.hall.hall_phones import HallPhones
from firmware.hall.journal import HallJournal, NotSavedError
from firmware.hall.link.topics import table_text
from firmware.hall.page_parts import at_play, public_names, table_part, tournament_page
from firmware.hall.publisher import HallPublisher, PublishMessage, match_wanted, table_name
from firmware.hall.result_events import events_of_results
from firmware.hall.roster import Roster
from firmware.hall.show_settings import ShowStore
from firmware.hall.table_monitor import TableMonitor, WatchedTable
from firmware.hall.tournament.codes import HallRefusal
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import PlayerRemoved, RoundClockSet
from firmware.hall.tournament.state import TournamentState
from firmware.storage.wall_clock import time_of_day
from web.bounded_map import BoundedMap
from web.contract import Page
from web.contract.commands import LONGEST_CLOCK_S
from web.hall.backend import DocumentName, HallDocument, HallNews, PaperName
from web.hall.commands import (
    AddTable,
    HallCommand,
    HallReply,
    HallRequest,
    IssueNumber,
    RemoveTable,
    SetDelay,
)
from web.hall.page import HallPage, HallTable

_PAUSE_S: Final = 0.2
"""Seconds between two pages at least: 50 tables send up to 100 summaries a second."""

_GLANCE_S: Final = 1.0
"""Seconds after which states that depend on the time are looked at without any message."""

_DAY_S: Final = 24 * 3600.0
"""Seconds after which names that are too old are looked for again; first when the hall begins."""

_MOST_REPLIES: Final = 4096
"""Replies that are kept for requests that are sent again."""

_SEEDS: Final = 10**9
"""Seeds of draws: nobody can know the first round before it is drawn."""

_log = logging.getLogger(__name__)


class Organiser:
    """Implements `web.hall.backend.HallBackend`.

    Args:
        folder: folder of the hall.
        name: name of the hall for people.
        journal: the journal; the caller closes it, after this.
        roster: the tables; the caller made it.
        publish: publishes a retained message.
        invitation: returns the address that connects a table, by its number; empty if there is
            none.

    Attributes:
        monitor: gets every message of a table by `TableMonitor.receive`.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        journal: HallJournal,
        roster: Roster,
        publish: PublishMessage = lambda *_: None,
        invitation: Callable[[int], str] = lambda _: "",
    ) -> None:
        self._name: Final = name
        self._journal: Final = journal
        self._roster: Final = roster
        self._publisher: Final = HallPublisher(roster.topics, name, publish)
        self._phones: Final = HallPhones(folder)
        self._show: Final = ShowStore(folder)
        self._documents: Final = Documents(journal, invitation)
        self.monitor: Final = TableMonitor(roster, time.monotonic, self._on_table)
        self._lock: Final = threading.Lock()
        self._changed: Final = threading.Condition()
        self._due: Final = threading.Event()
        self._replies: Final[BoundedMap[str, HallReply]] = BoundedMap(_MOST_REPLIES)
        self._clock: tuple[RoundClockSet, float] | None = None
        self._resumed_clock()
        self._made_from: tuple[Mapping[str, str], int] = ({}, -1)
        self._is_new_connection = False
        self._results: dict[int, object] = {}
        self._page = HallPage(hall=name)
        self._connected = False
        self._closed = False
        self._troubles: tuple[str, ...] = ()
        self._thread: Final = threading.Thread(target=self._run, name="organiser")
        self._refresh()

    def start(self) -> None:
        """Begins to take what tables send."""
        self._thread.start()

    def close(self) -> None:
        """Ends, and wakes all who wait for changes."""
        self._closed = True
        self._due.set()
        if self._thread.is_alive():
            self._thread.join()
        with self._changed:
            self._changed.notify_all()

    def connection(self, *, is_connected: bool) -> None:
        """Notes that the broker was reached, after which all is published again, or lost."""
        with self._lock:
            self._connected = is_connected
            self._is_new_connection = is_connected
        self._due.set()

    def issue_number(self) -> str:
        """Draws a number that pairs one phone."""
        return self._phones.issue()

    # For the pages

    @property
    def closed(self) -> bool:
        """True if nothing will change any more."""
        return self._closed

    @property
    def news(self) -> HallNews:
        """The newest state."""
        return HallNews(self._page, self._phones.paired())

    def wait(self, serial: int, timeout: float) -> HallNews:
        """Returns the state as soon as its serial differs, or after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._page.serial != serial, timeout)
        return self.news

    def pair(self, number: str) -> str:
        """Exchanges a number for the token of a phone; empty if the number is not valid."""
        return self._phones.pair(number)

    def unpair(self, token: str) -> None:
        """Ends the pairing of the phone with a token, if it has one."""
        self._phones.unpair(token)

    def table_page(self, number: int) -> Page | None:
        """Returns the newest public page of a table's game; None if it has sent none."""
        table = self.monitor.table(number)
        return None if table is None else table.page

    def document(
        self, name: DocumentName, round_: int, language: str, paper: PaperName = PaperName.A4
    ) -> HallDocument | None:
        """Makes a document; None if there is nothing to put into it."""
        return self._documents.make(name, round_, language, paper, self._page)

    def command(self, token: str, request: HallRequest) -> HallReply:
        """Carries out a command of a paired phone; one that was sent before is not repeated."""
        if not self._phones.paired().knows(token):
            return HallReply(HallRefusal.NOT_PAIRED)
        with self._lock:
            known = self._replies.get(request.id)
            if known is not None:
                return known
            reply = self._carried_out(request.command)
            self._replies[request.id] = reply
        self._refresh()
        self._due.set()
        return reply

    # Commands

    def _carried_out(self, command: HallCommand) -> HallReply:
        try:
            own = self._own_command(command)
            return self._recorded(command) if own is None else own
        except TournamentError as error:
            _log.warning("a command is refused: %s", error)
            return HallReply(error.refusal, detail=error.detail)
        except CornerlightError as error:
            self._note_trouble(str(error))
            return HallReply(HallRefusal.NOT_SAVED)

    def _own_command(self, command: HallCommand) -> HallReply | None:
        """Carries out a command about the hall; None if it is about the tournament."""
        reply = HallReply()
        match command:
            case IssueNumber():
                reply = HallReply(number=self._phones.issue())
            case AddTable():
                reply = HallReply(detail=table_text(self._roster.add().number))
            case RemoveTable():
                self._remove_table(command.table)
            case SetDelay():
                self._show.save(command.seconds)
            case _:
                return None
        return reply

    def _recorded(self, command: HallCommand) -> HallReply:
        names = self._journal.names()
        moment = HallMoment(
            state=self._journal.state,
            names=names,
            tables=[one.number for one in self._roster.tables],
            left_ms=self._left_ms(),
            seed=secrets.randbelow(_SEEDS),
        )
        planned = plan(command, moment)
        at = time_of_day().text
        events = [replace(event, by="organiser", at=at) for event in planned.events]
        removed = [one.player for one in events if isinstance(one, PlayerRemoved)]
        self._journal.record(events, planned.names)
        for player in removed:
            self._journal.forget(player)
        self._follow_clock()
        self._troubles = ()
        return HallReply(detail=planned.detail)

    def _remove_table(self, number: int) -> None:
        if not self._roster.remove(number):
            raise TournamentError(f"there is no table {number}", HallRefusal.NO_SUCH)
        self._results.pop(number, None)
        self._publisher.remove_table(number)

    def _note_trouble(self, sentence: str) -> None:
        _log.error("%s", sentence)
        self._troubles = (sentence,)

    # The clock of a round

    def _left_ms(self) -> int:
        """Milliseconds left on the clock of the round, or 0; it stops a day past the end."""
        if self._clock is None:
            return 0
        event, at = self._clock
        gone = 1000 * (time.monotonic() - at) if event.is_running else 0
        return max(round(event.left_ms - gone), -1000 * LONGEST_CLOCK_S)

    def _follow_clock(self) -> None:
        event = self._journal.state.clock
        if event is not None and (self._clock is None or self._clock[0] is not event):
            self._clock = event, time.monotonic()

    def _resumed_clock(self) -> None:
        """Takes a clock up from the journal: it ran on while the hall was away.

        The time of day of this machine is all that tells for how long; one that went backwards
        counts as no time at all.
        """
        event = self._journal.state.clock
        if event is None:
            return
        gone_s = 0.0
        try:
            then = datetime.fromisoformat(event.at)
            gone_s = (datetime.fromisoformat(time_of_day().text) - then).total_seconds()
        except (ValueError, TypeError):
            _log.warning("nobody knows for how long the clock of round %d ran", event.round)
        self._clock = event, time.monotonic() - max(0.0, gone_s)

    # What tables send

    def _on_table(self, _: int) -> None:
        self._due.set()

    def _run(self) -> None:
        forgotten_at = -_DAY_S
        while not self._closed:
            self._due.wait(_GLANCE_S)
            self._due.clear()
            try:
                if time.monotonic() - forgotten_at >= _DAY_S:
                    forgotten_at = time.monotonic()
                    self._journal.forget_old()
                self._take_results()
                self._refresh()
                self._publish_changes()
            except Exception:  # noqa: BLE001 - one bad table or message must not stop the hall
                _log.exception("the hall could not take what a table sent")
            time.sleep(_PAUSE_S)

    def _take_results(self) -> None:
        for table in self.monitor.tables():
            results = table.results
            if results is None or self._results.get(table.number) is results:
                continue
            with self._lock:
                events = events_of_results(
                    self._journal.state,
                    table.number,
                    results.results,
                    time_of_day().text,
                )
                try:
                    if events:
                        self._journal.record(events)
                except NotSavedError as error:
                    self._note_trouble(str(error))
                    return  # tried again at the next glance
            self._results[table.number] = results

    # The page

    def _refresh(self) -> None:
        """Makes the newest page, and wakes all who wait for it if anything has changed."""
        with self._changed:
            page = self._made_page()
            if replace(page, serial=self._page.serial) != self._page:
                self._page = replace(page, serial=self._page.serial + 1)
                self._changed.notify_all()

    def _made_page(self) -> HallPage:
        state, watched = self._journal.state, self.monitor.tables()
        tables = tuple(self._table(state, one) for one in watched)
        return replace(
            self._tournament_page(state, len(watched)),
            hall=self._name,
            is_connected=self._connected,
            playing=at_play(state, tables),
            tables=tables,
            clock_at=self._clock[1] if self._clock else 0.0,
            delay_s=self._show.delay_s,
            troubles=tuple(filter(None, (*self._troubles, self._phones.trouble))),
        )

    def _tournament_page(self, state: TournamentState, tables: int) -> HallPage:
        """Makes what depends on the tournament again only after an event, or a changed name."""
        names = self._journal.names()
        made_from = names, tables
        if self._page.state is not state or self._made_from != made_from:
            self._made_from = made_from
            return tournament_page(state, names, tables)
        return self._page

    def _table(self, state: TournamentState, table: WatchedTable) -> HallTable:
        wanted = match_wanted(state, table.number)
        return table_part(table, wanted.id if wanted else "")

    # Publishing

    def _publish_changes(self) -> None:
        state, tables = self._journal.state, self.monitor.tables()
        names = public_names(state, self._journal.names())
        with self._lock:
            if self._is_new_connection:
                self._publisher.begin_anew()
                self._is_new_connection = False
            event = self._clock[0] if self._clock else None
            self._publisher.tournament(state, names, [one.number for one in self._roster.tables])
            self._publisher.summaries(tables, frozenset(map(table_name, names.values())))
            self._publisher.clock(state, event, self._left_ms())
            self._publisher.send(self._show.delay_s)
