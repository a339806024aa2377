"""A hall's evening as its organisers and tables see it, without a broker."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.hall.journal import FILE, HallJournal
from firmware.hall.link.messages import (
    ColourSummary,
    Status,
    Summary,
    TableResults,
    decode,
    encode,
)
from firmware.hall.organiser import Organiser
from firmware.hall.roster import Roster
from firmware.hall.tournament.codes import HallRefusal, MatchState, PublicForm, TieBreak
from firmware.hall.tournament.events import PlayerRemoved, PlayerWithdrew
from firmware.hall.tournament.matches import DrawnMatch
from firmware.hall.tournament.settings import TournamentSettings
from tests.support.hall_commands import (
    confirm_report,
    forfeit,
    lock_round,
    move_match,
    publish_round,
    swap_players,
    table_result,
    type_result,
)
from web.contract import GameKey, OfferedMatch, RefereeState
from web.hall.backend import DocumentName, PaperName
from web.hall.commands import (
    AddTable,
    ChangePlayer,
    ClockAction,
    DrawRound,
    EnterPlayers,
    HallCommand,
    HallReply,
    HallRequest,
    NewPlayer,
    RecordEvent,
    RemoveTable,
    SetDelay,
    SetRoundClock,
    SetUpTournament,
)
from web.hall.page import HallPage, TableState

NAMES = ("Anna Kern", "Ben Lind", "Cleo Moor", "Dan Noll", "Eva Ott")


class OrganisedHall:
    """An organiser with its files, and what it has published."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent: dict[str, bytes] = {}
        self.open()

    def open(self) -> None:
        self.journal = HallJournal(self.folder / FILE)
        self.roster = Roster(self.folder)
        self.organiser = Organiser(
            self.folder,
            "Club",
            self.journal,
            self.roster,
            self.sent.__setitem__,
            lambda number: f"cornerlight://{number}",
        )
        self.organiser.start()
        self.token = self.organiser.pair(self.organiser.issue_number())
        self.other = self.organiser.pair(self.organiser.issue_number())

    def close(self) -> None:
        self.organiser.close()
        self.journal.close()

    def say(self, command: HallCommand, token: str = "") -> HallReply:
        number = threading.get_ident() + time.monotonic_ns()
        return self.organiser.command(token or self.token, HallRequest(f"id-{number}", command))

    def do(self, command: HallCommand) -> HallReply:
        reply = self.say(command)
        assert reply.refused is None, reply
        return reply

    @property
    def page(self) -> HallPage:
        return self.organiser.news.page

    def revision(self, number: int = 1) -> int:
        return self.page.state.revision(number)

    def match(self, at: int = 0, number: int = 1) -> DrawnMatch:
        one = self.page.round(number)
        assert one is not None
        return one.matches[at]

    def state(self, at: int = 0) -> MatchState:
        return self.page.match_state(self.match(at))

    def receive(self, table: int, kind: str, message: Any) -> None:
        topic = self.roster.topics.root + f"/table/{table:02}/{kind}"
        self.organiser.monitor.receive(topic, encode(message))

    def report(self, match: DrawnMatch, scores: tuple[int, ...], **more: Any) -> None:
        result = table_result(match, scores, **more)
        self.receive(match.table, "results", TableResults((result,)))

    def until(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + 5
        while not holds():
            assert time.monotonic() < end, "it did not come about"
            time.sleep(0.02)

    def set_up(self, players: int = 4, tables: int = 2, rounds: int = 3) -> None:
        for _ in range(tables):
            self.do(AddTable())
        self.do(
            SetUpTournament(
                0, TournamentSettings("Open", GameKey.DUO, rounds, clock_s=600, round_s=1800)
            )
        )
        self.do(EnterPlayers(tuple(NewPlayer(name) for name in NAMES[:players])))

    def play(self) -> None:
        self.set_up()
        self.do(DrawRound(1, 0))
        self.do(publish_round(1, self.revision()))


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[OrganisedHall]:
    made = OrganisedHall(tmp_path)
    yield made
    made.close()


def test_a_round_goes_from_the_draw_to_the_standings(hall: OrganisedHall) -> None:
    hall.play()
    assert [hall.state(0), hall.state(1)] == [MatchState.OPEN] * 2
    hall.do(type_result(1, hall.revision(), "1-01", (10, -4)))
    first = hall.match(1)
    hall.report(first, (-20, -3))
    hall.until(lambda: hall.state(1) is MatchState.REPORTED)
    report = hall.match(1).reports[0]
    assert report.outcome.scores == (-20, -3)
    hall.do(confirm_report(1, hall.revision(), first.id, report.key))
    hall.do(lock_round(1, hall.revision()))
    winners = {hall.match(0).players[0], hall.match(1).players[1]}
    assert {one.player for one in hall.page.standings if one.points == 1} == winners
    hall.do(DrawRound(2, 0))
    assert hall.page.public.round(2) is None


def test_a_table_gets_its_match_with_public_names(hall: OrganisedHall) -> None:
    hall.play()
    topic = hall.roster.topics.seat("01")
    hall.until(lambda: hall.sent.get(topic))
    seat = decode(OfferedMatch, hall.sent[topic])
    assert seat.id == "1-01"
    assert seat.clock_s == 600
    assert {player.name for player in seat.players} <= {*hall.page.public_names.values()}
    assert not any(name.encode() in payload for payload in hall.sent.values() for name in NAMES)
    hall.do(type_result(1, hall.revision(), "1-01", (1, 0)))
    hall.until(lambda: hall.sent[topic] == b"")


def test_the_usual_tie_breaks_count_unless_others_were_chosen(hall: OrganisedHall) -> None:
    hall.set_up()
    assert hall.page.tournament is not None
    assert list(hall.page.tournament.order) == ["direct", "buchholz", "margin"]
    wins = TournamentSettings("Open", GameKey.DUO, 3, tie_breaks=(TieBreak.WINS,))
    hall.do(SetUpTournament(1, wins))
    assert list(hall.page.tournament.order) == ["wins"]


def test_a_name_of_emoji_reaches_the_tables(hall: OrganisedHall) -> None:
    hall.set_up(players=3)
    hall.do(EnterPlayers((NewPlayer("👩‍👩‍👧‍👦", PublicForm.FULL),)))
    hall.do(DrawRound(1, 0))
    hall.do(publish_round(1, hall.revision()))
    hall.until(lambda: hall.sent.get(hall.roster.topics.show("pairings")))
    assert "👩‍👩‍👧‍👦" in hall.sent[hall.roster.topics.show("pairings")].decode()
    assert hall.page.public_name("P4") == "👩‍👩‍👧‍👦"


def test_a_result_sent_three_times_counts_once(hall: OrganisedHall) -> None:
    hall.play()
    match = hall.match()
    for _ in range(3):
        hall.report(match, (3, 4), confirmed=match.players)
    hall.until(lambda: hall.state() is MatchState.DONE)
    events = len(hall.journal.events)
    hall.report(match, (3, 4), confirmed=match.players)
    time.sleep(0.5)
    assert len(hall.journal.events) == events
    assert len(hall.match().reports) == 1


def test_reports_that_differ_are_shown_and_none_counts(hall: OrganisedHall) -> None:
    hall.play()
    match = hall.match()
    hall.report(match, (3, 4))
    hall.until(lambda: hall.match().reports)
    hall.report(match, (9, 4), game="game-2")
    hall.until(lambda: len(hall.match().reports) == 2)
    assert hall.state() is MatchState.CONFLICTING
    assert hall.match().outcome is None
    hall.do(confirm_report(1, hall.revision(), match.id, "2"))
    outcome = hall.match().outcome
    assert outcome is not None
    assert outcome.scores == (9, 4)


def test_a_player_disputes_with_a_reason(hall: OrganisedHall) -> None:
    hall.play()
    match = hall.match()
    hall.report(match, (3, 4), disputed=match.players[:1], sentence="my piece")
    hall.until(lambda: hall.state() is MatchState.DISPUTED)
    assert hall.match().reports[0].reason == "my piece"


def test_a_table_reports_its_own_matches_alone(hall: OrganisedHall) -> None:
    hall.play()
    match = hall.match()
    hall.receive(2, "results", TableResults((table_result(match, (2, 1)),)))
    time.sleep(0.5)
    assert not hall.match().reports


def test_the_second_of_two_organisers_is_refused(hall: OrganisedHall) -> None:
    hall.set_up()
    hall.do(DrawRound(1, 0))
    seen = hall.revision()
    one, other = hall.match(0).players[0], hall.match(1).players[0]
    hall.do(swap_players(1, seen, one, other))
    assert hall.say(publish_round(1, seen)).refused is HallRefusal.STALE
    assert hall.say(swap_players(1, seen, one, other)).refused is HallRefusal.STALE
    again = SetUpTournament(0, TournamentSettings("Other", GameKey.DUO, 3))
    assert hall.say(again).refused is HallRefusal.STALE


def test_a_request_that_is_sent_again_counts_once(hall: OrganisedHall) -> None:
    hall.set_up(players=2)
    request = HallRequest("request-1", EnterPlayers((NewPlayer("Fay Roe"),)))
    replies = {hall.organiser.command(hall.token, request) for _ in range(3)}
    assert len(replies) == 1
    assert len(hall.page.players) == 3


def test_a_swap_that_makes_a_rematch_is_warned_of(hall: OrganisedHall) -> None:
    hall.play()
    for at in (0, 1):
        hall.do(type_result(1, hall.revision(), hall.match(at).id, (1, 0)))
    hall.do(lock_round(1, hall.revision()))
    hall.do(DrawRound(2, 0))
    met = {frozenset(hall.match(at).players) for at in (0, 1)}
    second = hall.page.round(2)
    assert second is not None
    one = second.matches[0].players[0]
    partner = next(next(iter(pair - {one})) for pair in met if one in pair)
    place = second.matches[0].players[1]
    assert not hall.page.warnings[2]
    hall.do(swap_players(2, hall.revision(2), place, partner))
    assert any(set(warning.players) == {one, partner} for warning in hall.page.warnings[2])


def test_a_phone_that_leaves_is_unknown(hall: OrganisedHall) -> None:
    assert hall.organiser.news.phones.knows(hall.other)
    hall.organiser.unpair(hall.other)
    assert not hall.organiser.news.phones.knows(hall.other)
    assert hall.organiser.news.phones.knows(hall.token)
    assert hall.say(AddTable(), hall.other).refused is HallRefusal.NOT_PAIRED
    assert hall.say(AddTable(), "stranger").refused is HallRefusal.NOT_PAIRED
    assert hall.organiser.pair("0" * 12) == ""


def test_corrections_and_forfeits_have_reasons(hall: OrganisedHall) -> None:
    hall.play()
    match = hall.match()
    hall.do(type_result(1, hall.revision(), match.id, (5, 4)))
    again = type_result(1, hall.revision(), match.id, (4, 5))
    assert hall.say(again).refused is HallRefusal.REASON_MISSING
    hall.do(type_result(1, hall.revision(), match.id, (4, 5), "counted again"))
    ruling = hall.match().ruling
    assert ruling is not None
    assert (ruling.is_correction, ruling.reason) == (True, "counted again")
    absent = hall.match(1).players[:1]
    hall.do(forfeit(1, hall.revision(), hall.match(1).id, absent))
    assert hall.match(1).ruling.absent == absent  # type: ignore[union-attr]


def test_late_entries_and_withdrawals_count_from_the_next_round(hall: OrganisedHall) -> None:
    hall.play()
    reply = hall.do(EnterPlayers((NewPlayer("Eva Ott"),)))
    assert reply.detail == "Eva Ott"
    assert hall.page.state.player("P5").from_round == 2
    hall.do(RecordEvent(PlayerWithdrew("P1", "ill")))
    for at in (0, 1):
        hall.do(type_result(1, hall.revision(), hall.match(at).id, (1, 0)))
    hall.do(lock_round(1, hall.revision()))
    hall.do(DrawRound(2, 0))
    second = hall.page.round(2)
    assert second is not None
    assert "P1" not in second.players
    assert "P5" in second.players


def test_what_cannot_be_is_refused_with_its_reason(hall: OrganisedHall) -> None:
    assert hall.say(DrawRound(1, 0)).refused is HallRefusal.NO_TOURNAMENT
    hall.set_up(players=1)
    assert hall.say(DrawRound(1, 0)).refused is HallRefusal.TOO_FEW
    for name in ("ANNA KERN", "\u0410nna Kern"):
        reply = hall.say(EnterPlayers((NewPlayer(name),)))
        assert (reply.refused, reply.detail) == (HallRefusal.SAME_NAME, "Anna Kern")
    hall.do(EnterPlayers((NewPlayer("Ben Lind"),)))
    hall.do(DrawRound(1, 0))
    assert hall.say(lock_round(1, hall.revision())).refused is HallRefusal.NOT_DRAWN
    hall.do(publish_round(1, hall.revision()))
    assert hall.say(DrawRound(1, hall.revision())).refused is HallRefusal.PUBLISHED
    assert hall.say(DrawRound(2, 0)).refused is HallRefusal.ROUND_OPEN
    assert hall.say(lock_round(1, hall.revision())).refused is HallRefusal.RESULTS_MISSING
    assert hall.say(RecordEvent(PlayerRemoved("P1"))).refused is HallRefusal.IN_ROUND
    assert hall.say(RecordEvent(PlayerRemoved("P9"))).refused is HallRefusal.NO_SUCH
    assert hall.say(RemoveTable(9)).refused is HallRefusal.NO_SUCH
    assert hall.say(move_match(1, hall.revision(), "1-01", 77)).refused is HallRefusal.NO_SUCH
    assert hall.say(confirm_report(1, hall.revision(), "1-01", "1")).refused is HallRefusal.NO_SUCH


def test_the_clock_of_a_round_runs_pauses_and_gets_more_time(hall: OrganisedHall) -> None:
    hall.play()
    assert hall.page.clock is not None
    assert (hall.page.clock.left_ms, hall.page.clock.is_running) == (1_800_000, False)
    hall.do(SetRoundClock(1, ClockAction.START))
    time.sleep(0.1)
    hall.do(SetRoundClock(1, ClockAction.ADD, 60))
    hall.do(SetRoundClock(1, ClockAction.PAUSE))
    assert not hall.page.clock.is_running
    assert 1_850_000 < hall.page.clock.left_ms < 1_860_000


def test_the_clock_of_a_round_that_was_left_running_stops_a_day_past_its_end(
    hall: OrganisedHall,
) -> None:
    hall.play()
    hall.do(SetRoundClock(1, ClockAction.START))
    assert hall.organiser._clock is not None
    event, at = hall.organiser._clock
    hall.organiser._clock = event, at - 9 * 86_400
    assert hall.organiser._left_ms() == -86_400_000


def test_all_is_the_same_after_the_hall_was_killed(hall: OrganisedHall) -> None:
    hall.play()
    match = hall.match()
    hall.report(match, (3, 4), confirmed=match.players)
    hall.until(lambda: hall.state() is MatchState.DONE)
    hall.do(SetRoundClock(1, ClockAction.START))
    hall.do(SetDelay(30))
    before = hall.page
    hall.close()
    hall.open()
    after = hall.page
    assert (after.rounds, after.standings, after.players) == (
        before.rounds, before.standings, before.players,
    )  # fmt: skip
    assert after.delay_s == 30
    assert after.clock is not None
    assert after.clock.is_running
    again = hall.match()
    hall.report(again, (3, 4), confirmed=again.players)
    time.sleep(0.5)
    assert hall.page.rounds == before.rounds


def test_a_table_shows_its_state_and_is_removed_when_dead(hall: OrganisedHall) -> None:
    hall.play()
    hall.receive(1, "status", Status(online=True, url="http://192.168.1.2:8080/"))
    colours = (ColourSummary("purple", "Anna K.", -10),)
    hall.receive(
        1, "summary",
        Summary(1, "duo", state=RefereeState.WAITING, ply=3, colours=colours, pairing="1-01"),
    )  # fmt: skip
    hall.until(lambda: hall.page.tables[0].state is TableState.PLAYING)
    assert hall.page.tables[0].sides[0].name == "Anna K."
    assert hall.state(0) is MatchState.PLAYING
    hall.receive(1, "status", Status(online=False))
    hall.until(lambda: hall.page.tables[0].state is TableState.OFFLINE)
    hall.do(RemoveTable(1))
    assert [one.number for one in hall.page.tables] == [2]
    hall.do(type_result(1, hall.revision(), "1-01", (3, 2)))
    hall.do(move_match(1, hall.revision(), "1-02", 0))


def test_minors_are_short_and_a_name_can_be_changed(hall: OrganisedHall) -> None:
    hall.set_up()
    hall.do(ChangePlayer("P1", NewPlayer("Anna Kern-Otto", PublicForm.FULL, is_minor=True)))
    assert hall.page.public_name("P1") == "Anna K."
    hall.do(ChangePlayer("P1", NewPlayer("Anna Kern", PublicForm.FULL)))
    assert hall.page.public_name("P1") == "Anna Kern"
    assert not hall.page.public.names


def test_a_deleted_player_leaves_no_name(hall: OrganisedHall) -> None:
    hall.set_up()
    hall.do(RecordEvent(PlayerRemoved("P4")))
    assert "P4" not in hall.journal.names()
    hall.close()
    assert b"Dan Noll" not in (hall.folder / FILE).read_bytes()
    hall.open()


def test_only_documents_of_that_name_have_full_names(hall: OrganisedHall) -> None:
    make = hall.organiser.document
    assert make(DocumentName.STANDINGS_CSV, 1, "en") is None
    hall.play()
    hall.do(type_result(1, hall.revision(), "1-01", (3, 2)))
    for name in DocumentName:
        made = make(name, 1, "de")
        assert made is not None, name
        is_named = "with-names" in name
        assert all((full.encode() in made.content) is is_named for full in NAMES[:4])
        assert is_named is made.content.startswith(b"\xef\xbb\xbf")
        assert made.content.startswith(b"%PDF") is (made.media_type == "application/pdf")
    sheet = make(DocumentName.PAIRINGS_PDF, 1, "en", PaperName.LETTER)
    assert sheet is not None
    assert b"/MediaBox [ 0 0 612 792 ]" in sheet.content


def test_nothing_is_announced_that_the_disk_refused(
    hall: OrganisedHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.set_up()
    before = hall.page.rounds
    hall.journal._file.execute("PRAGMA query_only=ON")
    assert hall.say(DrawRound(1, 0)).refused is HallRefusal.NOT_SAVED
    assert hall.page.rounds == before
    assert hall.page.troubles
    hall.journal._file.execute("PRAGMA query_only=OFF")
    hall.do(DrawRound(1, 0))
    assert not hall.page.troubles


def test_public_copies_come_later_by_the_delay(hall: OrganisedHall) -> None:
    hall.do(SetDelay(3600))
    hall.play()
    topics = hall.roster.topics
    hall.until(lambda: topics.seat("01") in hall.sent)
    assert topics.show("pairings") not in hall.sent
    hall.do(SetDelay(0))
    hall.until(lambda: topics.show("pairings") in hall.sent)


def test_all_is_published_again_after_a_connection(hall: OrganisedHall) -> None:
    hall.play()
    topic = hall.roster.topics.show("pairings")
    hall.until(lambda: topic in hall.sent)
    hall.sent.clear()
    hall.organiser.connection(is_connected=True)
    hall.until(lambda: topic in hall.sent and hall.page.is_connected)
    hall.organiser.connection(is_connected=False)
    hall.until(lambda: not hall.page.is_connected)
