"""A hall in memory, with example pages, for tests of its pages."""

import threading
import time
from dataclasses import replace
from typing import Final

from firmware.codes import Rule
from firmware.hall.tournament.codes import Preset, PublicForm, RoundStage, TieBreak, UnusualCode
from web.contract import GameKey, Page, PairedPhones, fingerprint
from web.hall.backend import DocumentName, HallDocument, HallPhones, PaperName
from web.hall.commands import (
    FOR_ORGANISERS,
    HallCommand,
    HallRefusal,
    HallReply,
    HallRequest,
    IssueNumber,
    SwapPlayers,
)
from web.hall.page import (
    HallClock,
    HallMatch,
    HallPage,
    HallPlayer,
    HallResult,
    HallRound,
    HallStanding,
    HallTable,
    HallTournament,
    MatchReport,
    MatchState,
    ReportSource,
    ResultKind,
    RoundWarning,
    TableSide,
    TableState,
)

ORGANISER = "o" * 43
HELPER = "h" * 43
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


def players() -> tuple[HallPlayer, ...]:
    return tuple(
        HallPlayer(
            f"P{at:02}",
            name,
            name.split()[0],
            PublicForm.SHORT,
            is_minor=at == 7,
            from_round=2 if at == 9 else 1,
            withdrawn_from=2 if at == 12 else None,
            byes=(3,) if at == 2 else (),
        )
        for at, name in enumerate(NAMES, 1)
    )


def sides(first: str, second: str) -> tuple[TableSide, ...]:
    return (
        TableSide((), name=first, score=-32),
        TableSide((), name=second, score=-12),
    )


def tables(now: float) -> tuple[HallTable, ...]:
    url = "http://192.168.1.17:8080/"
    return (
        HallTable(1, "1", TableState.PLAYING, now, is_online=True, url=url, match="2-01", ply=14),
        HallTable(
            2, "2", TableState.CALL, now - 42, is_online=True, url=url, match="2-02", caller="Dee"
        ),
        HallTable(
            3,
            "3",
            TableState.REFUSED,
            now - 75,
            is_online=True,
            url=url,
            match="2-03",
            rule=Rule.TOUCHES_OWN_SIDE,
            offender="Maximiliane",
        ),
        HallTable(4, "4", TableState.OFFLINE, now - 3900, match="2-04"),
        HallTable(5, "Window", TableState.FAULT, now - 5, is_online=True, faults=("camera",)),
        HallTable(6, "6", TableState.UNSURE, now - 12, is_online=True, url=url, match="2-06"),
        HallTable(
            7, "7", TableState.FINISHED, now, is_online=True, sides=sides("Heidi", "Ivan"), url=url
        ),
        HallTable(8, "8", TableState.WAITING, now, is_online=True, match_sent="2-05"),
    )


def rounds() -> tuple[HallRound, ...]:
    done = HallResult(ResultKind.PLAYED, (-32, -12), (0.0, 1.0))
    corrected = replace(
        done, scores=(5, -12), points=(1.0, 0.0), reason="swapped", is_corrected=True
    )
    forfeit = HallResult(ResultKind.FORFEIT, (), (1.0, 0.0), ("P10",), "ill")
    seen = MatchReport("a1", ReportSource.CAMERA, (-32, -12), "g", 3, ("P05",))
    other = MatchReport("b2", ReportSource.CAMERA, (-12, -32), "h", 4)
    typed = MatchReport("c3", ReportSource.ORGANISER, (-20, -12))
    disputed = replace(seen, disputed_by=("P08",), reason="it was my piece")
    first = HallRound(
        1,
        9,
        RoundStage.LOCKED,
        tuple(
            HallMatch(
                f"1-{at:02}", at, (f"P{2 * at - 1:02}", f"P{2 * at:02}"), MatchState.DONE, (), done
            )
            for at in range(1, 7)
        ),
        ("P13",),
    )
    second = HallRound(
        2,
        4,
        RoundStage.PUBLISHED,
        (
            HallMatch("2-01", 1, ("P02", "P01"), MatchState.PLAYING),
            HallMatch("2-02", 2, ("P03", "P04"), MatchState.REPORTED, (seen,)),
            HallMatch("2-03", 3, ("P05", "P06"), MatchState.CONFLICTING, (seen, other, typed)),
            HallMatch("2-04", 4, ("P08", "P07"), MatchState.DISPUTED, (disputed,)),
            HallMatch("2-05", 8, ("P09", "P10"), MatchState.DONE, (), forfeit),
            HallMatch("2-06", 6, ("P11", "P12"), MatchState.DONE, (seen,), corrected),
        ),
        (),
        (RoundWarning(UnusualCode.REMATCH, ("P03", "P04")),),
    )
    return first, second


def standings() -> tuple[HallStanding, ...]:
    values = ((1.0, 4.5, 6.0, 33.0), (0.0, 4.5, 5.5, 12.0), (None, 3.0, 4.0, -8.0))
    places = (1, 2, 2, *range(4, 14))
    return tuple(
        HallStanding(place, f"P{at:02}", max(0.0, 2.5 - at * 0.5), values[min(at, 3) - 1], 2)
        for at, place in enumerate(places, 1)
    )


def example_page(now: float | None = None) -> HallPage:
    now = time.monotonic() if now is None else now
    breaks = (
        TieBreak.DIRECT,
        TieBreak.MEDIAN_BUCHHOLZ,
        TieBreak.BUCHHOLZ,
        TieBreak.MARGIN,
    )
    chosen = HallTournament(3, "Autumn Open", GameKey.DUO, Preset.TWO_PLAYERS, 5, breaks, 600, 2400)
    return HallPage(
        1, "Club of the Town", is_connected=True, tournament=chosen, tables=tables(now),
        players=players(), rounds=rounds(), standings=standings(),
        clock=HallClock(2, 1_234_000, is_running=True, at=now), featured=1,
    )  # fmt: skip


class FakeHall:
    """A hall whose page is set by the test, and which notes the commands it gets."""

    def __init__(self, page: HallPage | None = None) -> None:
        self.page: HallPage = page or example_page()
        self.roles = HallPhones(
            PairedPhones((fingerprint(ORGANISER),)), PairedPhones((fingerprint(HELPER),))
        )
        self.asked: list[HallCommand] = []
        self.reply = HallReply()
        self.warns = False
        self.closed = False
        self.paper = PaperName.A4
        self._changed: Final = threading.Condition()
        self._replies: dict[str, HallReply] = {}

    def snapshot(self) -> HallPage:
        return self.page

    def wait(self, serial: int, timeout: float) -> HallPage:
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self.page.serial != serial, timeout)
            return self.page

    def show(self, page: HallPage) -> None:
        with self._changed:
            self.page = replace(page, serial=self.page.serial + 1)
            self._changed.notify_all()

    def phones(self) -> HallPhones:
        return self.roles

    def pair(self, number: str) -> str:
        return ORGANISER if number == NUMBER else ""

    def command(self, token: str, request: HallRequest) -> HallReply:
        role = self.roles.role(token)
        if role is None:
            return HallReply(HallRefusal.NOT_PAIRED)
        if role == "helper" and isinstance(request.command, FOR_ORGANISERS):
            return HallReply(HallRefusal.NOT_ALLOWED)
        if request.id not in self._replies:
            self._replies[request.id] = self._carried_out(request.command)
        return self._replies[request.id]

    def _carried_out(self, command: HallCommand) -> HallReply:
        if self.warns and isinstance(command, SwapPlayers) and not command.even_so:
            warning = RoundWarning(UnusualCode.REMATCH, (command.one, command.other))
            return HallReply(HallRefusal.WARNED, (warning,))
        self.asked.append(command)
        return HallReply(number=NUMBER) if isinstance(command, IssueNumber) else self.reply

    def table_page(self, number: int) -> Page | None:
        return None

    def document(
        self, name: DocumentName, round_: int, language: str, paper: PaperName = PaperName.A4
    ) -> HallDocument | None:
        self.paper = paper
        if name is DocumentName.RECORDS_ZIP:
            return None
        return HallDocument(name.value, "text/csv", f"{name} {round_} {language}".encode())
