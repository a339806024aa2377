"""A hall in memory, with example pages, for tests of its pages."""

import threading
import time
from dataclasses import replace
from fractions import Fraction
from typing import Final

from firmware.hall.tournament.codes import (
    HallRefusal,
    PublicForm,
    RoundStage,
    TieBreak,
    UnusualCode,
)
from firmware.hall.tournament.events import RoundClockSet
from firmware.hall.tournament.matches import (
    DrawnMatch,
    DrawnRound,
    Entrant,
    MatchEnd,
    MatchOutcome,
    OutcomeReport,
    RoundWarning,
    Ruling,
    bye,
)
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.standings import RankedPlayer
from firmware.hall.tournament.state import TournamentState
from web.contract import GameKey, Page, PairedPhones, fingerprint
from web.hall.backend import DocumentName, HallDocument, HallNews, PaperName
from web.hall.commands import (
    HallCommand,
    HallReply,
    HallRequest,
    IssueNumber,
)
from web.hall.page import HallPage, HallTable, TableSide, TableState

ORGANISER = "o" * 43
NUMBER = "123456789012"

NAMES = (
    "Anna Kowalski",
    "Björn Ångström",
    "千葉 花子",
    "محمد عبد الله",
    "Maximiliane Freifrau von Hohenstein-",
    "👩‍👩‍👧‍👦 Família",
    "Dee",
    "<script>alert(1)</script>",
    "Eve O'Neil",
    "Frank",
    "Grace",
    "Heidi",
    "Ivan",
)


def players() -> tuple[Entrant, ...]:
    return tuple(
        Entrant(
            f"P{at:02}",
            PublicForm.SHORT,
            is_minor=at == 7,
            from_round=2 if at == 9 else 1,
            withdrawn_from=2 if at == 12 else None,
        )
        for at in range(1, len(NAMES) + 1)
    )


def with_players(page: HallPage, *new: tuple[str, str, str]) -> HallPage:
    """Returns a page with more players: their ids, full names and public names."""
    entered = {one: Entrant(one, PublicForm.SHORT) for one, _, _ in new}
    return replace(
        page,
        state=replace(page.state, players={**page.state.players, **entered}),
        names={**page.names, **{one: name for one, name, _ in new}},
        public_names={**page.public_names, **{one: name for one, _, name in new}},
    )


def with_rounds(page: HallPage, *rounds: DrawnRound) -> HallPage:
    return replace(page, state=replace(page.state, rounds=rounds))


def sides(first: str, second: str) -> tuple[TableSide, ...]:
    return (
        TableSide(first, -32),
        TableSide(second, -12),
    )


def tables(now: float) -> tuple[HallTable, ...]:
    url = "http://192.168.1.17:8080/"
    return (
        HallTable(1, TableState.PLAYING, now, is_online=True, url=url, match="2-01", ply=14),
        HallTable(2, TableState.CALL, now - 42, is_online=True, url=url, match="2-02"),
        HallTable(
            3,
            TableState.REFUSED,
            now - 75,
            is_online=True,
            url=url,
            match="2-03",
        ),
        HallTable(4, TableState.OFFLINE, now - 3900, match="2-04"),
        HallTable(5, TableState.FAULT, now - 5, is_online=True, faults=("camera",)),
        HallTable(6, TableState.UNSURE, now - 12, is_online=True, url=url, match="2-06"),
        HallTable(
            7, TableState.FINISHED, now, is_online=True, sides=sides("Heidi", "Ivan"), url=url
        ),
        HallTable(8, TableState.WAITING, now, is_online=True, match_sent="2-05"),
    )


def rounds() -> tuple[DrawnRound, ...]:
    done = Ruling(MatchOutcome.by_scores((-32, -12)))
    corrected = Ruling(MatchOutcome.by_scores((5, -12)), reason="swapped", is_correction=True)
    corrected = replace(corrected, known=1)
    forfeit = Ruling(MatchOutcome((), (1, 2), MatchEnd.FORFEIT), ("P10",), "ill")
    seen = OutcomeReport("a1", done.outcome, "g", 3, ("P05",))
    other = OutcomeReport("b2", MatchOutcome.by_scores((-12, -32)), "h", 4)
    typed = OutcomeReport("c3", MatchOutcome.by_scores((-20, -12)))
    disputed = replace(seen, disputed_by=("P08",), reason="it was my piece")
    first = DrawnRound(
        1,
        (
            *(
                DrawnMatch(f"1-{at:02}", (f"P{2 * at - 1:02}", f"P{2 * at:02}"), at, ruling=done)
                for at in range(1, 7)
            ),
            bye(1, "P13"),
        ),
        RoundStage.LOCKED,
    )
    second = DrawnRound(
        2,
        (
            DrawnMatch("2-01", ("P02", "P01"), 1),
            DrawnMatch("2-02", ("P03", "P04"), 2, reports=(seen,)),
            DrawnMatch("2-03", ("P05", "P06"), 3, reports=(seen, other, typed)),
            DrawnMatch("2-04", ("P08", "P07"), 4, reports=(disputed,)),
            DrawnMatch("2-05", ("P09", "P10"), 8, ruling=forfeit),
            DrawnMatch("2-06", ("P11", "P12"), 6, reports=(seen,), ruling=corrected),
        ),
        RoundStage.PUBLISHED,
    )
    return first, second


def standings() -> tuple[RankedPlayer, ...]:
    values = (("1", "6", "33"), ("0", "5.5", "12"), (None, "4", "-8"))
    breaks = [tuple(None if one is None else Fraction(one) for one in row) for row in values]
    places = (1, 2, 2, *range(4, 14))
    return tuple(
        RankedPlayer(place, f"P{at:02}", Fraction(max(0, 5 - at), 2), breaks[min(at, 3) - 1], 2)
        for at, place in enumerate(places, 1)
    )


def example_page(now: float | None = None) -> HallPage:
    now = time.monotonic() if now is None else now
    breaks = (TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.MARGIN)
    state = TournamentState(
        settings=TournamentSettings(
            "Autumn Open", GameKey.DUO, 5, tie_breaks=breaks, clock_s=600, round_s=2400
        ),
        settings_revision=3,
        players={one.id: one for one in players()},
        rounds=rounds(),
        revisions={1: 9, 2: 4},
        clock=RoundClockSet(2, 1_234_000, is_running=True),
    )
    return HallPage(
        1, "Club of the Town", is_connected=True, state=state, tables=tables(now),
        names={f"P{at:02}": name for at, name in enumerate(NAMES, 1)},
        public_names={f"P{at:02}": name.split()[0] for at, name in enumerate(NAMES, 1)},
        warnings={2: (RoundWarning(UnusualCode.REMATCH, ("P03", "P04")),)},
        standings=standings(), playing=frozenset({"2-01"}), clock_at=now,
    )  # fmt: skip


class FakeHall:
    """A hall whose page is set by the test, and which notes the commands it gets."""

    def __init__(self, page: HallPage | None = None) -> None:
        self.page: HallPage = page or example_page()
        self.phones = PairedPhones((fingerprint(ORGANISER),))
        self.asked: list[HallCommand] = []
        self.reply = HallReply()
        self.closed = False
        self.paper = PaperName.A4
        self._changed: Final = threading.Condition()
        self._replies: dict[str, HallReply] = {}

    @property
    def news(self) -> HallNews:
        return HallNews(self.page, self.phones)

    def wait(self, serial: int, timeout: float) -> HallNews:
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self.page.serial != serial, timeout)
        return self.news

    def show(self, page: HallPage) -> None:
        with self._changed:
            self.page = replace(page, serial=self.page.serial + 1)
            self._changed.notify_all()

    def pair(self, number: str) -> str:
        return ORGANISER if number == NUMBER else ""

    def unpair(self, token: str) -> None:
        self.phones = PairedPhones()

    def command(self, token: str, request: HallRequest) -> HallReply:
        if not self.phones.knows(token):
            return HallReply(HallRefusal.NOT_PAIRED)
        if request.id not in self._replies:
            self._replies[request.id] = self._carried_out(request.command)
        return self._replies[request.id]

    def _carried_out(self, command: HallCommand) -> HallReply:
        self.asked.append(command)
        return HallReply(number=NUMBER) if isinstance(command, IssueNumber) else self.reply

    def table_page(self, number: int) -> Page | None:
        return None

    def document(
        self, name: DocumentName, round_: int, language: str, paper: PaperName = PaperName.A4
    ) -> HallDocument | None:
        self.paper = paper
        if name is DocumentName.STANDINGS_PDF:
            return None
        return HallDocument(name.value, "text/csv", f"{name} {round_} {language}".encode())
