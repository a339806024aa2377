"""A hall in which organisers and tables do anything, and which is killed now and then."""

import itertools
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware.hall.journal import FILE, HallJournal
from firmware.hall.link.messages import TableResults, encode
from firmware.hall.link.topics import TableTopic, table_text
from firmware.hall.organiser import Organiser
from firmware.hall.roster import Roster
from firmware.hall.tournament.codes import HallRefusal, MatchState, PublicForm
from firmware.hall.tournament.events import PlayerRemoved, PlayerReturned, PlayerWithdrew
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound
from firmware.hall.tournament.settings import TournamentSettings
from tests.support.hall_commands import (
    confirm_report,
    discard_round,
    forfeit,
    lock_round,
    move_match,
    publish_round,
    swap_players,
    table_result,
    type_result,
)
from tests.support.typed_tournament import fold
from web.contract import GameKey
from web.hall.commands import (
    AddTable,
    ChangePlayer,
    DrawRound,
    EnterPlayers,
    HallCommand,
    HallReply,
    HallRequest,
    NewPlayer,
    RecordEvent,
    SetUpTournament,
)
from web.hall.page import HallPage

pytestmark = pytest.mark.slow

NUMBER = st.integers(0, 12)
CHOICES = [
    GameKey("duo"),
    GameKey("classic"),
    GameKey("classic-teams"),
]
SECRET = "Geheimnisvoll"  # noqa: S105
"""Family name of everybody whose public name is short."""


def has_matches(hall: "RandomHall") -> bool:
    """True if a match is drawn."""
    return any(one.played for one in hall.page.rounds[-2:])


class RandomHall(RuleBasedStateMachine):
    """An organiser over a journal, without threads and without a broker."""

    def __init__(self) -> None:
        super().__init__()
        self.home = tempfile.TemporaryDirectory()
        self.folder = Path(self.home.name)
        self.published: list[bytes] = []
        self.ids = (f"request-{number}" for number in itertools.count())
        self.begin()

    def begin(self) -> None:
        self.journal = HallJournal(self.folder / FILE)
        self.roster = Roster(self.folder)
        self.organiser = Organiser(
            self.folder,
            "Club",
            self.journal,
            self.roster,
            lambda _, payload: self.published.append(payload),
        )
        self.token = self.organiser.pair(self.organiser.issue_number())

    def teardown(self) -> None:
        self.journal.close()
        self.home.cleanup()

    @property
    def page(self) -> HallPage:
        return self.organiser.news.page

    def send(self, command: HallCommand) -> HallReply:
        request = HallRequest(next(self.ids), command)
        events = self.journal.events
        reply = self.organiser.command(self.token, request)
        if reply.refused is not None:
            assert self.journal.events == events, "a refused command changes nothing"
        after = self.journal.events
        assert self.organiser.command(self.token, request) == reply
        assert self.journal.events == after, "a repeated request counts once"
        return reply

    def somebody(self, number: int) -> str:
        players = self.page.players
        return players[number % len(players)].id if players else "P9"

    def revision(self, one: DrawnRound) -> int:
        return self.journal.state.revision(one.number)

    def some_round(self, number: int) -> DrawnRound | None:
        rounds = self.page.rounds[-2:]
        return rounds[number % len(rounds)] if rounds else None

    def some_match(self, number: int) -> tuple[DrawnRound, DrawnMatch]:
        found = [(one, match) for one in self.page.rounds[-2:] for match in one.played]
        return found[number % len(found)]

    @initialize(choice=st.sampled_from(CHOICES), players=st.integers(2, 9), tables=NUMBER)
    def set_up(self, choice: GameKey, players: int, tables: int) -> None:
        settings = TournamentSettings("Evening", choice, 3)
        assert not self.send(SetUpTournament(0, settings)).refused
        for _ in range(tables % 4):
            assert not self.send(AddTable()).refused
        for number in range(players):
            self.enter(number, full=number == 3, minor=number == 3)

    @rule(number=NUMBER, full=st.booleans(), minor=st.booleans())
    def enter(self, number: int, *, full: bool, minor: bool) -> None:
        is_public = full and not minor
        name = f"Anna{number} {'Offen' if is_public else SECRET}{number}"
        form = PublicForm.FULL if full else PublicForm.SHORT
        command = EnterPlayers((NewPlayer(name, form, is_minor=minor),))
        reply = self.send(command)
        assert reply.refused in (None, HallRefusal.SAME_NAME)

    @rule(number=NUMBER)
    def hide(self, number: int) -> None:
        player = self.somebody(number)
        self.send(ChangePlayer(player, NewPlayer(f"Bert {SECRET} {number}", PublicForm.ID)))

    @rule(number=NUMBER, kind=st.integers(0, 2))
    def come_or_go(self, number: int, kind: int) -> None:
        player = self.somebody(number)
        events = (
            PlayerWithdrew(player),
            PlayerReturned(player),
            PlayerRemoved(player),
        )
        self.send(RecordEvent(events[kind]))

    @rule(back=st.integers(0, 1))
    def draw(self, back: int) -> None:
        drawn = len(self.page.rounds)
        number = max(1, drawn + 1 - back)
        known = self.journal.state.revision(number)
        self.send(DrawRound(number, known))

    @precondition(lambda self: len(self.page.players) > 1)
    @rule()
    def a_round_begins(self) -> None:
        """The last round ends, and the next one is drawn and published, as far as that goes."""
        for one in self.page.rounds[-1:]:
            for match in one.played:
                if match.outcome is None:
                    known = self.journal.state.revision(one.number)
                    scores = tuple(range(len(match.players)))
                    self.send(type_result(one.number, known, match.id, scores, "the end"))
            self.send(lock_round(one.number, self.journal.state.revision(one.number)))
        number = self.journal.state.next_to_publish
        self.send(DrawRound(number, self.journal.state.revision(number)))
        self.send(publish_round(number, self.journal.state.revision(number)))

    @precondition(lambda self: self.page.rounds)
    @rule(kind=st.integers(0, 3))
    def go_on(self, kind: int) -> None:
        one = self.page.rounds[-1]
        kinds = (publish_round, publish_round, lock_round, discard_round)
        self.send(kinds[kind](one.number, self.revision(one)))

    @precondition(lambda self: self.page.rounds)
    @rule(number=NUMBER, one=NUMBER, other=NUMBER)
    def who_acts_on_an_old_page_is_refused(self, number: int, one: int, other: int) -> None:
        found = self.some_round(number)
        players = self.somebody(one), self.somebody(other)
        if found and players[0] != players[1]:
            seen = self.revision(found)
            first = self.send(swap_players(found.number, seen, *players))
            second = self.send(swap_players(found.number, seen, *players))
            changed = self.revision(found) != seen
            assert (second.refused is HallRefusal.STALE) == changed
            assert changed <= (first.refused is None)

    @precondition(has_matches)
    @rule(number=NUMBER, table=st.integers(0, 5))
    def move(self, number: int, table: int) -> None:
        one, match = self.some_match(number)
        self.send(move_match(one.number, self.revision(one), match.id, table))

    @precondition(has_matches)
    @rule(number=NUMBER, scores=st.lists(st.integers(-9, 9), min_size=4, max_size=4))
    def type_a_result(self, number: int, scores: list[int]) -> None:
        one, match = self.some_match(number)
        own = tuple(scores[: len(match.players)])
        reason = "typed wrong" if scores[0] % 2 else ""
        self.send(type_result(one.number, self.revision(one), match.id, own, reason))

    @precondition(has_matches)
    @rule(number=NUMBER, absent=NUMBER)
    def forfeit(self, number: int, absent: int) -> None:
        one, match = self.some_match(number)
        gone = (match.players[absent % len(match.players)],)
        self.send(
            forfeit(one.number, self.revision(one), match.id, gone, "ill" if absent % 2 else "")
        )

    @precondition(has_matches)
    @rule(number=NUMBER, key=NUMBER)
    def confirm(self, number: int, key: int) -> None:
        one, match = self.some_match(number)
        keys = [*(report.key for report in match.reports), "77"]
        command = confirm_report(one.number, self.revision(one), match.id, keys[key % len(keys)])
        self.send(command)

    @precondition(has_matches)
    @rule(
        number=NUMBER,
        scores=st.lists(st.integers(-2, 0), min_size=4, max_size=4),
        answers=st.lists(st.integers(0, 2), min_size=4, max_size=4),
    )
    def a_table_sends_a_result(self, number: int, scores: list[int], answers: list[int]) -> None:
        _, match = self.some_match(number)
        if not match.table:
            return
        self.table_sends(match, scores, answers)
        known = self.journal.events
        for _ in range(3):
            self.table_sends(match, scores, answers)
        assert self.journal.events == known, "a result sent again counts once"

    def table_sends(self, match: DrawnMatch, scores: Sequence[int], answers: Sequence[int]) -> None:
        answered = list(zip(match.players, answers, strict=False))
        result = table_result(
            match,
            scores[: len(match.players)],
            confirmed=tuple(player for player, answer in answered if answer == 1),
            disputed=tuple(player for player, answer in answered if answer == 2),
            sentence="no",
        )
        table = table_text(match.table)
        topic = self.roster.topics.table(table, TableTopic.RESULTS)
        self.organiser.monitor.receive(topic, encode(TableResults((result,))))
        self.organiser._take_results()
        self.organiser._refresh()

    @rule()
    def the_hall_is_killed_and_begins_again(self) -> None:
        before = self.page
        self.journal.close()
        self.begin()
        after = self.page
        assert after.tournament == before.tournament
        assert after.players == before.players
        assert after.rounds == before.rounds
        assert after.standings == before.standings
        assert [one.number for one in after.tables] == [one.number for one in before.tables]

    @invariant()
    def the_journal_adds_up_to_what_is_shown(self) -> None:
        assert fold(self.journal.events) == self.journal.state
        assert [one.id for one in self.page.players] == [*self.journal.state.players]

    @invariant()
    def nobody_outside_learns_a_hidden_name(self) -> None:
        self.organiser._publish_changes()
        assert not any(SECRET.encode() in payload for payload in self.published)
        self.published.clear()
        assert SECRET not in repr(self.page.public)

    @invariant()
    def spectators_see_what_is_published_and_decided_alone(self) -> None:
        public = self.page.public
        assert all(one.stage != "drawn" for one in public.rounds)
        undecided = {MatchState.REPORTED, MatchState.DISPUTED, MatchState.CONFLICTING}
        for one in public.rounds:
            assert not any(
                match.reports or public.match_state(match) in undecided for match in one.played
            )


RandomHall.TestCase.settings = settings(max_examples=15, stateful_step_count=30, deadline=None)
TestRandomHall = RandomHall.TestCase
