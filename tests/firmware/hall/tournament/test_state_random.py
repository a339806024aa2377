"""Tournaments in which anybody does anything: what always holds."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware.hall.documents import (
    number_text,
    results_csv,
    standings_csv,
)
from firmware.hall.tournament.codes import MatchState, RoundStage
from firmware.hall.tournament.draw import draw_round, unusual
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    MatchResultDisputed,
    PlayerEntered,
    PlayerRemoved,
    PlayerReturned,
    PlayersSwapped,
    PlayerWithdrew,
    ResultCorrected,
    ResultReported,
    RoundDiscarded,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
    from_json,
    to_json,
)
from firmware.hall.tournament.matches import DrawnMatch, MatchEnd, MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState, apply_event, next_player_id
from tests.support.typed_tournament import fold

pytestmark = pytest.mark.slow

GAMES = ["duo", "classic", "classic-3", "classic-teams"]
SCORES = st.lists(st.integers(-3, 1), min_size=4, max_size=4)
NUMBER = st.integers(0, 30)


class RandomTournament(RuleBasedStateMachine):
    """Commands in any order; each is carried out, or refused and without effect."""

    def __init__(self) -> None:
        super().__init__()
        self.state = TournamentState()
        self.events: list[TournamentEvent] = []

    def happens(self, event: TournamentEvent) -> bool:
        before = self.state
        try:
            self.state = apply_event(self.state, event)
        except TournamentError:
            return False
        if self.state is not before:
            self.events.append(event)
            numbers = {*before.revisions, *self.state.revisions}
            assert all(self.state.revision(one) >= before.revision(one) for one in numbers)
        return True

    def somebody(self, number: int) -> str:
        return [*self.state.players, "P77"][number % (len(self.state.players) + 1)]

    def some_match(self, number: int) -> DrawnMatch | None:
        matches = [match for one in self.state.rounds[-2:] for match in one.matches]
        return matches[number % len(matches)] if matches else None

    @initialize(chosen=st.sampled_from(GAMES), players=st.integers(0, 9), seed=NUMBER)
    def set_up(self, chosen: str, players: int, seed: int) -> None:
        self.happens(SettingsChosen(TournamentSettings("Any", chosen, 4, seed=seed)))
        for _ in range(players):
            self.enter()
        self.draw([])
        if seed % 2:
            self.happens(RoundPublished(1))

    @rule()
    def enter(self) -> None:
        assert self.happens(PlayerEntered(next_player_id(self.state)))

    @rule(number=NUMBER)
    def withdraw(self, number: int) -> None:
        self.happens(PlayerWithdrew(self.somebody(number)))

    @rule(number=NUMBER)
    def come_back(self, number: int) -> None:
        self.happens(PlayerReturned(self.somebody(number)))

    @rule(number=NUMBER)
    def remove(self, number: int) -> None:
        self.happens(PlayerRemoved(self.somebody(number)))

    @rule(tables=st.lists(st.integers(1, 9), unique=True, max_size=4))
    def draw_at(self, tables: list[int]) -> None:
        self.draw(tables)

    def draw(self, tables: list[int]) -> None:
        number = self.state.next_to_publish
        try:
            drawn = draw_round(self.state, number, tables)
        except TournamentError:
            return
        assert drawn == draw_round(self.state, number, tables)
        assert self.happens(drawn), "what is drawn can be applied"

    @rule(publish=st.booleans())
    def publish_or_discard(self, *, publish: bool) -> None:
        number = len(self.state.rounds)
        self.happens(RoundPublished(number) if publish else RoundDiscarded(number))

    @rule()
    def lock(self) -> None:
        self.happens(RoundLocked(len(self.state.rounds)))

    @rule(one=NUMBER, other=NUMBER)
    def swap(self, one: int, other: int) -> None:
        number = len(self.state.rounds)
        if self.happens(PlayersSwapped(number, self.somebody(one), self.somebody(other))):
            unusual(self.state, number)

    @rule(number=NUMBER, table=st.integers(0, 9))
    def move(self, number: int, table: int) -> None:
        if match := self.some_match(number):
            self.happens(MatchMoved(match.id, table))

    @rule(number=NUMBER, scores=SCORES, times=st.integers(1, 3))
    def report(self, number: int, scores: list[int], times: int) -> None:
        if (match := self.some_match(number)) and not match.is_bye:
            event = ResultReported(match.id, self.outcome(match, scores), "game", 1)
            if self.happens(event):
                known = self.state
                for _ in range(times):
                    assert self.happens(event)
                assert self.state is known

    @rule(number=NUMBER, player=NUMBER, key=st.sampled_from("123"), kind=st.integers(0, 2))
    def confirm_or_dispute(self, number: int, player: int, key: str, kind: int) -> None:
        if match := self.some_match(number):
            who = match.players[player % len(match.players)]
            event: TournamentEvent = MatchResultDisputed(match.id, key, who, "no")
            if kind:
                event = MatchResultConfirmed(match.id, key, who if kind == 1 else "")
            self.happens(event)

    @rule(number=NUMBER, scores=SCORES, reason=st.sampled_from(["", "typed wrong"]))
    def correct(self, number: int, scores: list[int], reason: str) -> None:
        if (match := self.some_match(number)) and not match.is_bye:
            self.happens(ResultCorrected(match.id, self.outcome(match, scores), reason))

    @rule(number=NUMBER, absent=st.sets(st.integers(0, 3)), reason=st.sampled_from(["", "ill"]))
    def forfeit(self, number: int, absent: set[int], reason: str) -> None:
        if match := self.some_match(number):
            gone = tuple(player for seat, player in enumerate(match.players) if seat in absent)
            self.happens(MatchForfeited(match.id, gone, reason))

    @precondition(lambda self: self.state.rounds)
    @rule(number=NUMBER)
    def finish_the_round(self, number: int) -> None:
        one = self.state.rounds[-1]
        self.happens(RoundPublished(one.number))
        for place, match in enumerate(one.matches):
            if not match.has_result and not match.is_bye:
                scores = [-((number * (seat + 3) + place) % 7) for seat in range(4)]
                self.happens(ResultCorrected(match.id, self.outcome(match, scores), "finished"))
        assert self.happens(RoundLocked(one.number))
        if number % 4 and len(self.state.active(one.number + 1)) > 3 and one.number < 4:
            self.draw([])
            self.happens(RoundPublished(one.number + 1))

    def outcome(self, match: DrawnMatch, scores: Sequence[int]) -> MatchOutcome:
        end = MatchEnd.RESIGNED if scores[0] == scores[1] else MatchEnd.SCORE
        return MatchOutcome.by_scores(scores[: len(match.players)], end)

    @invariant()
    def events_survive_json_and_add_up_to_the_state(self) -> None:
        lines = json.loads(json.dumps([to_json(event) for event in self.events]))
        assert [from_json(line) for line in lines] == self.events
        assert fold(self.events) == self.state

    @invariant()
    def a_player_is_once_in_a_round(self) -> None:
        for one in self.state.rounds:
            players = [player for match in one.matches for player in match.players]
            assert len(players) == len(set(players)) > 0
            ids = [match.id for match in one.matches]
            assert len(ids) == len(set(ids))
            tables = [match.table for match in one.matches if match.table]
            assert len(tables) == len(set(tables))
            assert one.players <= self.state.players.keys()

    @invariant()
    def only_the_last_round_is_open(self) -> None:
        stages = [one.stage for one in self.state.rounds]
        assert all(stage is RoundStage.LOCKED for stage in stages[:-1])
        for one in self.state.rounds:
            if one.stage is RoundStage.LOCKED:
                assert all(match.has_result for match in one.matches)
            if one.stage is RoundStage.DRAWN:
                assert not any(match.reports or match.ruling for match in one.matches)

    @invariant()
    def a_conflict_counts_for_nobody(self) -> None:
        for one in self.state.rounds:
            for match in one.matches:
                outcomes = [report.outcome for report in match.reports]
                assert len(outcomes) == len(set(outcomes))
                if match.state in (MatchState.CONFLICTING, MatchState.DISPUTED):
                    assert match.outcome is None
                if match.state is MatchState.CONFLICTING:
                    assert len(outcomes) > 1

    @invariant()
    def standings_are_in_order_and_complete(self) -> None:
        if self.state.settings is None:
            return
        rows = standings(self.state)
        assert sorted(row.player for row in rows) == sorted(self.state.players)
        places = [row.place for row in rows]
        assert places == sorted(places)
        for at, place in enumerate(places):
            assert place in (at + 1, places[at - 1] if at else 1)
        assert all(number_text(row.points) for row in rows)

    @invariant()
    def everything_can_be_shown_and_exported(self) -> None:
        if self.state.settings is None:
            return
        standings_csv(self.state)
        results_csv(self.state)
        for one in self.state.rounds:
            unusual(self.state, one.number)


RandomTournament.TestCase.settings = settings(
    max_examples=25, stateful_step_count=40, deadline=None
)
TestRandomTournament = RandomTournament.TestCase
