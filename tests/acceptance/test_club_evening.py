"""A whole evening of a club: eight tables, three rounds, from the draw to printed standings.

The last table is rendered and read; it has no match in the first round, in which it calls the
arbiter, and plays in the others.
"""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from firmware.assembly.table_places import SOCKET
from firmware.hall.demo import DemoTables
from firmware.hall.link.link_file import LinkFile
from firmware.hall.running_hall import RunningHall
from firmware.hall.tournament.codes import MatchState
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from firmware.hall.tournament.settings import TournamentSettings
from tests.conftest import ROOT
from tests.support.free_port import free_port
from tests.support.hall_commands import lock_round, publish_round, type_result
from tests.support.waiting import eventually
from web.contract import (
    ArbiterCame,
    CallArbiter,
    ClubRequest,
    FrameDecoder,
    GameKey,
    PlayRequest,
    Reply,
    Sit,
    encode,
)
from web.contract.club import PhoneAction
from web.hall.backend import DocumentName
from web.hall.commands import (
    DrawRound,
    EnterPlayers,
    HallCommand,
    HallReply,
    HallRequest,
    NewPlayer,
    SetUpTournament,
)
from web.hall.page import HallPage, TableState

TABLES = 8
ROUNDS = 3
SPEED = 80.0
"""Speed of the tables; a game of Duo takes 8 s so, where the processor has time."""

ROUND_S = 480.0
"""Seconds in which a round is over; the table that is rendered needs 60 s for a game where it has
a core for itself."""

OFFLINE_S = 15.0
"""Seconds in which a killed table is offline: the bar of 7 s on a machine of its own, and some for
one that is shared with other tests."""


class ClubEvening:
    """A hall with tables, and its organiser."""

    def __init__(self, folder: Path, hall: RunningHall, demo: DemoTables) -> None:
        self.folder = folder
        self.dead = 0
        self.organiser = hall.organiser
        self.demo = demo
        self.token = self.organiser.pair(self.organiser.issue_number())
        assert self.token

    @property
    def page(self) -> HallPage:
        return self.organiser.news.page

    def does(self, command: HallCommand) -> HallReply:
        """Carries out a command twice with the same id; both times the answer is the same."""
        request = HallRequest(secrets.token_hex(8), command)
        reply = self.organiser.command(self.token, request)
        assert reply.refused is None, (command, reply)
        assert self.organiser.command(self.token, request) == reply
        return reply

    def round(self, number: int) -> DrawnRound:
        found = self.page.round(number)
        assert found is not None
        return found

    def does_in(self, number: int, make: Callable[[int, int], HallCommand]) -> None:
        """Carries out a command that names the newest revision of a round."""
        self.does(make(number, self.page.state.revision(number)))

    def types(self, number: int, match: DrawnMatch, reason: str, *scores: int) -> None:
        revision = self.page.state.revision(number)
        self.does(type_result(number, revision, match.id, scores, reason))

    def is_done(self, number: int) -> bool:
        return all(one.state is MatchState.DONE for one in self.round(number).played)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[ClubEvening]:
    hall = RunningHall(tmp_path, "Club", ["localhost"], port=free_port())
    folder = tmp_path / "tables"
    with (
        hall,
        DemoTables(hall, folder, TABLES - 1, "", SPEED) as demo,
        rendered_table(hall, folder / f"{TABLES:02d}"),
    ):
        yield ClubEvening(tmp_path, hall, demo)


@contextmanager
def rendered_table(hall: RunningHall, folder: Path) -> Iterator[None]:
    """The last table, which is rendered and read, and the process that connects it."""
    hall.roster.add()
    folder.mkdir(mode=0o700)
    invitation = hall.invitation(TABLES, "localhost")
    assert invitation is not None
    LinkFile(folder).write(invitation)
    modules = "tests.support.rendered_club_table", "firmware"
    words = [str(folder)], ["share", "--wait", "--folder", str(folder)]
    processes = [
        subprocess.Popen([sys.executable, "-m", module, *more], cwd=ROOT)
        for module, more in zip(modules, words, strict=True)
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait(evening: ClubEvening, holds: Callable[[], object], within_s: float) -> None:
    try:
        eventually(holds, within_s, every_s=0.1)
    except AssertionError:
        states = [(one.number, one.state, one.match, one.faults) for one in evening.page.tables]
        rounds = [[(m.id, m.state) for m in one.matches] for one in evening.page.rounds]
        raise AssertionError(f"{states} {rounds}") from None


def test_an_evening_from_the_draw_to_printed_standings(evening: ClubEvening) -> None:
    names = [f"Player{number} Family{number}" for number in range(1, 2 * TABLES)]
    evening.does(SetUpTournament(0, TournamentSettings("ClubEvening", GameKey.DUO, ROUNDS)))
    evening.does(EnterPlayers(tuple(map(NewPlayer, names))))
    wait(evening, lambda: all(one.is_online for one in evening.page.tables), 60)
    for number in range(1, ROUNDS + 1):
        evening.does(DrawRound(number, 0))
        drawn = evening.round(number)
        assert len(drawn.byes) == (1 if number == 1 else 0)
        evening.does_in(number, publish_round)
        if number == 1:
            call_the_arbiter(evening)
        elif number == 2:
            kill_one_table(evening)
        elif number == 3:
            type_for_dead_table(evening, 3)
        wait(evening, partial(evening.is_done, number), ROUND_S)
        if number == 1:
            correct_one_result(evening)
            evening.does(EnterPlayers((NewPlayer("Late Entry"),)))
        evening.does_in(number, lock_round)
    page = evening.page
    assert sum(one.points for one in page.standings) == 8 + 8 + 8
    assert all(one.has_result for drawn in page.rounds for one in drawn.matches)
    met = [frozenset(match.players) for drawn in page.rounds for match in drawn.played]
    assert len(met) == len(set(met))
    was_typed = {match.ruling.is_correction for match in of_last_table(page) if match.ruling}
    assert was_typed == {False}
    assert len(of_last_table(page)) == ROUNDS - 1
    printed = evening.organiser.document(DocumentName.STANDINGS_PDF, ROUNDS, "en")
    assert printed is not None
    assert printed.content.startswith(b"%PDF")


def of_last_table(page: HallPage) -> list[DrawnMatch]:
    """Returns the matches of the table that is rendered."""
    return [one for drawn in page.rounds for one in drawn.played if one.table == TABLES]


def kill_one_table(evening: ClubEvening) -> None:
    """Kills what connects a table in the middle of its match; its result is typed."""
    number = evening.round(2).matches[0].table
    wait(evening, lambda: table_state(evening, number) is TableState.PLAYING, ROUND_S)
    os.kill(evening.demo.shares[number - 1].pid, signal.SIGKILL)
    begun = time.monotonic()
    wait(evening, lambda: table_state(evening, number) is TableState.OFFLINE, OFFLINE_S)
    print(f"offline after {time.monotonic() - begun:.1f} s")  # noqa: T201
    evening.dead = number
    type_for_dead_table(evening, 2)


def type_for_dead_table(evening: ClubEvening, number: int) -> None:
    """Types the result of the match at the table that is gone."""
    for match in evening.round(number).matches:
        if match.table == evening.dead:
            evening.types(number, match, "played without the table", 70, 60)


def call_the_arbiter(evening: ClubEvening) -> None:
    """Somebody sits down at the table without a match, and calls; the arbiter comes."""
    path = evening.folder / "tables" / f"{TABLES:02d}" / SOCKET
    wait(evening, path.exists, ROUND_S)
    phone = SeatedPhone(path)
    phone.say(CallArbiter())
    wait(evening, lambda: table_state(evening, TABLES) is TableState.CALL, ROUND_S)
    phone.say(ArbiterCame())
    wait(evening, lambda: table_state(evening, TABLES) is not TableState.CALL, ROUND_S)


class SeatedPhone:
    """A phone with the first seat of a table."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.token = ""
        self.token = self._asked(PlayRequest(secrets.token_hex(8), "", "", Sit(0))).token

    def say(self, action: PhoneAction) -> None:
        self._asked(ClubRequest(secrets.token_hex(8), self.token, "", action))

    def _asked(self, request: PlayRequest | ClubRequest) -> Reply:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as table:
            table.settimeout(10.0)
            table.connect(str(self.path))
            table.sendall(encode(request))
            decoder = FrameDecoder()
            while True:
                for message in decoder.feed(table.recv(1 << 16)):
                    if isinstance(message, Reply) and message.id == request.id:
                        assert message.refused is None
                        return message


def correct_one_result(evening: ClubEvening) -> None:
    match = evening.round(1).matches[0]
    evening.types(1, match, "counted again", 50, 80)
    corrected = evening.round(1).matches[0].ruling
    assert corrected is not None
    assert corrected.is_correction
    assert corrected.outcome.scores == (50, 80)


def table_state(evening: ClubEvening, number: int) -> TableState:
    table = evening.page.table(number)
    assert table is not None
    return table.state
