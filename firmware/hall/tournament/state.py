"""The state of a tournament as its events add up.

`apply_event` refuses an event that cannot follow. An event that repeats what is known returns the
same object, so that whoever stores events can leave it out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

from firmware.hall.tournament.codes import HallRefusal, RoundStage
from firmware.hall.tournament.errors import TournamentError, require
from firmware.hall.tournament.events import (
    DrawnGroup,
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    MatchResultDisputed,
    PlayerChanged,
    PlayerEntered,
    PlayerRemoved,
    PlayerReturned,
    PlayersSwapped,
    PlayerWithdrew,
    ResultCorrected,
    ResultReported,
    RoundClockSet,
    RoundDiscarded,
    RoundDrawn,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
)
from firmware.hall.tournament.matches import (
    DrawnMatch,
    DrawnRound,
    Entrant,
    MatchEnd,
    MatchOutcome,
    OutcomeReport,
    Ruling,
    bye,
    match_id,
)
from firmware.hall.tournament.settings import MOST_TABLES, TournamentSettings, check_player_id


@dataclass(frozen=True, slots=True)
class TournamentState:
    """A tournament at one moment.

    Attributes:
        settings: its settings; None before they are chosen.
        settings_revision: number of times they were chosen.
        players: the players by id, in the order of entry; removed ones are in `removed`.
        removed: ids that were given to players who were removed; none is given again.
        rounds: the rounds, the first one first.
        revisions: for each round number the changes of that round so far; it never falls, also
            when a round is discarded.
        clock: the newest setting of a round's clock; None before the first.
    """

    settings: TournamentSettings | None = None
    settings_revision: int = 0
    players: Mapping[str, Entrant] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    rounds: tuple[DrawnRound, ...] = ()
    revisions: Mapping[int, int] = field(default_factory=dict)
    clock: RoundClockSet | None = None

    @property
    def agreed(self) -> TournamentSettings:
        """The settings.

        Raises:
            TournamentError: none are chosen yet.
        """
        if self.settings is None:
            raise TournamentError(
                "no tournament is set up yet; choose its settings first", HallRefusal.NO_TOURNAMENT
            )
        return self.settings

    @property
    def next_round(self) -> int:
        """Number of the round after the last one that is drawn."""
        return len(self.rounds) + 1

    @property
    def is_finished(self) -> bool:
        """True once the last round is locked."""
        return (
            self.settings is not None
            and len(self.rounds) >= self.settings.rounds
            and self.rounds[-1].stage is RoundStage.LOCKED
        )

    @property
    def next_to_publish(self) -> int:
        """Number of the first round that is not published; it may be drawn already."""
        drawn = bool(self.rounds) and self.rounds[-1].stage is RoundStage.DRAWN
        return len(self.rounds) if drawn else self.next_round

    @property
    def newest_public(self) -> DrawnRound | None:
        """The newest round that tables and spectators have; None before the first."""
        public = (one for one in reversed(self.rounds) if one.stage is not RoundStage.DRAWN)
        return next(public, None)

    def revision(self, number: int) -> int:
        """Number of changes of a round; 0 before it is first drawn."""
        return self.revisions.get(number, 0)

    def round(self, number: int) -> DrawnRound:
        """A round that is drawn.

        Raises:
            TournamentError: it is not.
        """
        if not 1 <= number <= len(self.rounds):
            raise TournamentError(
                f"round {number} is not drawn; draw it first", HallRefusal.NO_SUCH
            )
        return self.rounds[number - 1]

    def player(self, player: str) -> Entrant:
        """A player.

        Raises:
            TournamentError: nobody has that id.
        """
        if player not in self.players:
            raise TournamentError(
                f"no player of this tournament has the id {player!r:.60}", HallRefusal.NO_SUCH
            )
        return self.players[player]

    def match(self, match: str) -> DrawnMatch:
        """A match.

        Raises:
            TournamentError: no match has that id.
        """
        return self._place_of(match)[1]

    def round_of(self, match: str) -> DrawnRound:
        """The round of a match.

        Raises:
            TournamentError: no match has that id.
        """
        return self._place_of(match)[0]

    def _place_of(self, match: str) -> tuple[DrawnRound, DrawnMatch]:
        for one in self.rounds:
            for candidate in one.matches:
                if candidate.id == match:
                    return one, candidate
        raise TournamentError(
            f"no match of this tournament has the id {match!r:.60}", HallRefusal.NO_SUCH
        )

    def active(self, number: int) -> tuple[str, ...]:
        """Ids of the players who take part in a round that is not drawn, byes included."""
        return tuple(one.id for one in self.players.values() if one.plays_in(number))


def apply_event(state: TournamentState, event: TournamentEvent) -> TournamentState:
    """The state after an event; the same object if the event says nothing new.

    Raises:
        TournamentError: the event cannot follow, one sentence.
    """
    step = _STEPS[type(event)]
    if not isinstance(event, SettingsChosen):
        _ = state.agreed
    return step(state, event)


def next_player_id(state: TournamentState) -> str:
    """A new id for a player: "P1", "P2" and so on. None is given twice."""
    used = {*state.players, *state.removed}
    numbers = [int(one[1:]) for one in used if one[:1] == "P" and one[1:].isdecimal()]
    return f"P{max(numbers, default=0) + 1}"


# Settings and players


def _after_choosing(state: TournamentState, event: SettingsChosen) -> TournamentState:
    old, new = state.settings, event.settings
    if old == new:
        return state
    if old is not None and state.rounds:
        same = (old.game, old.seed) == (new.game, new.seed)
        require(same, "a round is drawn already, so game and seed stay", HallRefusal.BEGUN)
        require(
            new.rounds >= len(state.rounds),
            f"{len(state.rounds)} rounds are drawn already; discard the last one first",
            HallRefusal.BEGUN,
        )
    return replace(state, settings=new, settings_revision=state.settings_revision + 1)


def _after_entering(state: TournamentState, event: PlayerEntered) -> TournamentState:
    check_player_id(event.player)
    known = event.player in state.players or event.player in state.removed
    require(not known, f"the id {event.player} was given to another player; take a new one")
    entrant = Entrant(event.player, event.form, event.is_minor, from_round=state.next_to_publish)
    return _with_player(state, entrant)


def _after_changing(state: TournamentState, event: PlayerChanged) -> TournamentState:
    old = state.player(event.player)
    new = replace(old, form=event.form, is_minor=event.is_minor)
    return state if new == old else _with_player(state, new)


def _after_removing(state: TournamentState, event: PlayerRemoved) -> TournamentState:
    state.player(event.player)
    drawn = any(event.player in one.players for one in state.rounds)
    require(
        not drawn,
        f"{event.player} is in a round already; withdraw the player instead",
        HallRefusal.IN_ROUND,
    )
    players = {key: one for key, one in state.players.items() if key != event.player}
    return replace(state, players=players, removed=state.removed | {event.player})


def _after_withdrawal(state: TournamentState, event: PlayerWithdrew) -> TournamentState:
    player = state.player(event.player)
    if player.withdrawn_from is not None:
        return state
    return _with_player(state, replace(player, withdrawn_from=state.next_to_publish))


def _after_return(state: TournamentState, event: PlayerReturned) -> TournamentState:
    player = state.player(event.player)
    if player.withdrawn_from is None:
        return state
    return _with_player(state, replace(player, withdrawn_from=None))


def _with_player(state: TournamentState, player: Entrant) -> TournamentState:
    return replace(state, players={**state.players, player.id: player})


# Rounds


def check_drawable(state: TournamentState, number: int) -> None:
    """Checks that a round can be drawn now: the next one, or one that is not published.

    Raises:
        TournamentError: it cannot.
    """
    before = state.rounds[: number - 1]
    open_ = next((one.number for one in before if one.stage is not RoundStage.LOCKED), None)
    require(open_ is None, f"round {open_} is open; lock it first", HallRefusal.ROUND_OPEN)
    following = state.next_to_publish
    if number < following:
        _require_unpublished(state.round(number))
    sentence = f"round {number} cannot be drawn: the next one is {following}"
    require(number == following, sentence, HallRefusal.ROUND_OPEN)
    require(number <= state.agreed.rounds, "all rounds are drawn; add one in the settings")


def _after_drawing(state: TournamentState, event: RoundDrawn) -> TournamentState:
    number = event.round
    check_drawable(state, number)
    _check_groups(state, event.groups)
    matches = _drawn(number, event.groups)
    rounds = state.rounds[: number - 1]
    return _changed(replace(state, rounds=(*rounds, DrawnRound(number, matches))), number)


def _drawn(number: int, groups: tuple[DrawnGroup, ...]) -> tuple[DrawnMatch, ...]:
    """The matches of a round; one without a table has a number that no table has."""
    further = count(max((one.table for one in groups), default=0) + 1)
    return tuple(
        bye(number, one.players[0])
        if len(one.players) == 1
        else DrawnMatch(match_id(number, one.table or next(further)), one.players, one.table)
        for one in groups
    )


def _check_groups(state: TournamentState, groups: tuple[DrawnGroup, ...]) -> None:
    players = [player for one in groups for player in one.players]
    for player in players:
        require(state.player(player), "")
    require(len(players) == len(set(players)), "a player is in one match of a round")
    sizes = {len(one.players) for one in groups}
    most = state.agreed.seats
    require(sizes and sizes <= set(range(1, most + 1)), f"a match has at most {most} players")
    tables = [one.table for one in groups if one.table and len(one.players) > 1]
    require(len(tables) == len(set(tables)), "a table has one match in a round")
    require(all(0 <= one <= MOST_TABLES for one in tables), f"tables are 1 to {MOST_TABLES}")


def _after_discarding(state: TournamentState, event: RoundDiscarded) -> TournamentState:
    _require_unpublished(state.round(event.round))
    require(event.round == len(state.rounds), "only the last round can be discarded")
    number = event.round
    return _changed(replace(state, rounds=state.rounds[:-1]), number)


def _after_swap(state: TournamentState, event: PlayersSwapped) -> TournamentState:
    one = state.round(event.round)
    require(
        one.stage is not RoundStage.LOCKED,
        f"round {event.round} is locked; nobody is swapped",
        HallRefusal.NOT_DRAWN,
    )
    require(event.one != event.other, "two different players are swapped")
    first, second = one.match_with(event.one), one.match_with(event.other)
    for match in (first, second):
        require(
            not match.reports and match.ruling is None,
            f"match {match.id} has a result already; its players stay",
        )
    if first.is_bye and second.is_bye:
        return state
    matches = tuple(_swapped(match, event, event.round) for match in one.matches)
    return _with_round(state, replace(one, matches=matches))


def _swapped(match: DrawnMatch, event: PlayersSwapped, number: int) -> DrawnMatch:
    places = {event.one: event.other, event.other: event.one}
    players = tuple(places.get(player, player) for player in match.players)
    if players == match.players:
        return match
    return bye(number, players[0]) if match.is_bye else replace(match, players=players)


def _after_moving(state: TournamentState, event: MatchMoved) -> TournamentState:
    one, match = state.round_of(event.match), state.match(event.match)
    require(one.stage is not RoundStage.LOCKED, f"round {one.number} is locked; no match is moved")
    require(not match.is_bye, "a bye needs no table")
    require(0 <= event.table <= MOST_TABLES, f"tables are 1 to {MOST_TABLES}")
    if event.table == match.table:
        return state
    tables = {match.id: event.table}
    other = next((it for it in one.matches if event.table and it.table == event.table), None)
    if other is not None:
        require(not other.has_result, f"match {other.id} has been played at table {event.table}")
        tables[other.id] = match.table
    matches = tuple(replace(it, table=tables.get(it.id, it.table)) for it in one.matches)
    return _with_round(state, replace(one, matches=matches))


def _after_publishing(state: TournamentState, event: RoundPublished) -> TournamentState:
    one = state.round(event.round)
    if one.stage is not RoundStage.DRAWN:
        return state
    return _with_round(state, replace(one, stage=RoundStage.PUBLISHED))


def _after_locking(state: TournamentState, event: RoundLocked) -> TournamentState:
    one = state.round(event.round)
    if one.stage is RoundStage.LOCKED:
        return state
    require(
        one.stage is RoundStage.PUBLISHED,
        f"round {event.round} is not published yet",
        HallRefusal.NOT_DRAWN,
    )
    open_ = [match.id for match in one.matches if not match.has_result]
    names = ", ".join(open_)
    sentence = f"these matches of round {event.round} have no result: {names}"
    require(not open_, sentence, HallRefusal.RESULTS_MISSING, names)
    matches = tuple(map(_settled, one.matches))
    return _with_round(state, replace(one, stage=RoundStage.LOCKED, matches=matches))


def _settled(match: DrawnMatch) -> DrawnMatch:
    """The match with its result ruled, so that no later report changes it."""
    if match.ruling is not None or match.outcome is None:
        return match
    return replace(match, ruling=Ruling(match.outcome, known=len(match.reports)))


def _after_setting_clock(state: TournamentState, event: RoundClockSet) -> TournamentState:
    one = state.round(event.round)
    require(
        one.stage is RoundStage.PUBLISHED,
        f"round {event.round} is not at play: no clock",
        HallRefusal.NO_CLOCK,
    )
    return replace(state, clock=event)


def _require_unpublished(one: DrawnRound) -> None:
    require(
        one.stage is RoundStage.DRAWN,
        f"round {one.number} is published already; its matches can be swapped, not drawn anew",
        HallRefusal.PUBLISHED,
    )


def _with_round(state: TournamentState, one: DrawnRound) -> TournamentState:
    before, after = state.rounds[: one.number - 1], state.rounds[one.number :]
    return _changed(replace(state, rounds=(*before, one, *after)), one.number)


def _changed(state: TournamentState, number: int) -> TournamentState:
    return replace(state, revisions={**state.revisions, number: state.revision(number) + 1})


# Results


def _after_report(state: TournamentState, event: ResultReported) -> TournamentState:
    match = _played(state, event.match)
    _check_outcome(match, event.outcome)
    known = next((one for one in match.reports if one.outcome == event.outcome), None)
    if known is not None:
        return state
    key = str(len(match.reports) + 1)
    report = OutcomeReport(key, event.outcome, event.game, event.table)
    return _with_match(state, replace(match, reports=(*match.reports, report)))


def _after_confirmation(state: TournamentState, event: MatchResultConfirmed) -> TournamentState:
    match = _played(state, event.match)
    report = _report(match, event.key)
    if not event.player:
        ruled = match.ruling is None or match.ruling.outcome == report.outcome
        require(
            ruled,
            f"match {match.id} has another result; type the right one with a reason",
            HallRefusal.REASON_MISSING,
        )
        return _with_ruling(state, match, Ruling(report.outcome, known=len(match.reports)))
    _check_member(match, event.player)
    if event.player in report.confirmed_by:
        return state
    report = replace(
        report,
        confirmed_by=(*report.confirmed_by, event.player),
        disputed_by=tuple(one for one in report.disputed_by if one != event.player),
    )
    match = match.with_report(report)
    everybody = {*report.confirmed_by} >= {*match.players}
    if everybody and len(match.reports) == 1 and match.ruling is None:
        match = replace(match, ruling=Ruling(report.outcome, known=1, is_agreed=True))
    return _with_match(state, match)


def _after_dispute(state: TournamentState, event: MatchResultDisputed) -> TournamentState:
    match = _played(state, event.match)
    report = _report(match, event.key)
    _check_member(match, event.player)
    if event.player in report.disputed_by:
        return state
    report = replace(
        report,
        confirmed_by=tuple(one for one in report.confirmed_by if one != event.player),
        disputed_by=(*report.disputed_by, event.player),
        reason=event.reason,
    )
    match = match.with_report(report)
    open_ = state.round_of(match.id).stage is not RoundStage.LOCKED
    if open_ and match.ruling is not None and match.ruling.is_agreed:
        match = replace(match, ruling=None)
    return _with_match(state, match)


def _after_correction(state: TournamentState, event: ResultCorrected) -> TournamentState:
    match = _played(state, event.match)
    _check_outcome(match, event.outcome)
    ruled = None if match.ruling is None else match.ruling.outcome
    if event.outcome == ruled and not event.reason:
        return state
    return _ruled(state, match, event.outcome, event.reason)


def _after_forfeit(state: TournamentState, event: MatchForfeited) -> TournamentState:
    match = _played(state, event.match)
    require(event.absent, "a forfeit names the players who did not play")
    for player in event.absent:
        _check_member(match, player)
    absent = tuple(player for player in match.players if player in event.absent)
    if match.ruling is not None and match.ruling.absent == absent:
        return state
    first_absent = len(match.players) - len(absent) + 1
    places = tuple(first_absent if one in absent else 1 for one in match.players)
    return _ruled(state, match, MatchOutcome((), places, MatchEnd.FORFEIT), event.reason, absent)


def _ruled(
    state: TournamentState,
    match: DrawnMatch,
    outcome: MatchOutcome,
    reason: str,
    absent: tuple[str, ...] = (),
) -> TournamentState:
    """The state after an organiser's ruling; a correction, as in a locked round, has a reason."""
    is_correction = match.ruling is not None or bool(match.reports)
    require(
        reason or not is_correction,
        "a correction needs a reason; type one",
        HallRefusal.REASON_MISSING,
    )
    return _with_ruling(
        state, match, Ruling(outcome, absent, reason, is_correction, known=len(match.reports))
    )


def _with_ruling(state: TournamentState, match: DrawnMatch, ruling: Ruling) -> TournamentState:
    return state if ruling == match.ruling else _with_match(state, replace(match, ruling=ruling))


def _played(state: TournamentState, match: str) -> DrawnMatch:
    one, found = state.round_of(match), state.match(match)
    require(one.stage is not RoundStage.DRAWN, f"round {one.number} is not published yet")
    require(not found.is_bye, "a bye has no result", HallRefusal.NO_SUCH)
    return found


def _report(match: DrawnMatch, key: str) -> OutcomeReport:
    report = match.report(key)
    if report is None:
        raise TournamentError(f"match {match.id} has no report {key!r:.60}", HallRefusal.NO_SUCH)
    return report


def _check_member(match: DrawnMatch, player: str) -> None:
    require(
        player in match.players,
        f"{player!r:.60} is no player of match {match.id}",
        HallRefusal.NO_SUCH,
    )


def _check_outcome(match: DrawnMatch, outcome: MatchOutcome) -> None:
    count = len(match.players)
    right = len(outcome.places) == count
    require(
        right,
        f"match {match.id} has {count} players, the result {len(outcome.places)}",
        HallRefusal.NO_SUCH,
    )
    require(outcome.end is not MatchEnd.FORFEIT, "a forfeit names the players who did not play")


def _with_match(state: TournamentState, match: DrawnMatch) -> TournamentState:
    one = state.round_of(match.id)
    matches = tuple(match if it.id == match.id else it for it in one.matches)
    return _with_round(state, replace(one, matches=matches))


_STEPS: Final[dict[type[TournamentEvent], Callable[[TournamentState, Any], TournamentState]]] = {
    SettingsChosen: _after_choosing,
    PlayerEntered: _after_entering,
    PlayerChanged: _after_changing,
    PlayerRemoved: _after_removing,
    PlayerWithdrew: _after_withdrawal,
    PlayerReturned: _after_return,
    RoundDrawn: _after_drawing,
    RoundDiscarded: _after_discarding,
    PlayersSwapped: _after_swap,
    MatchMoved: _after_moving,
    RoundPublished: _after_publishing,
    RoundLocked: _after_locking,
    ResultReported: _after_report,
    MatchResultConfirmed: _after_confirmation,
    MatchResultDisputed: _after_dispute,
    ResultCorrected: _after_correction,
    MatchForfeited: _after_forfeit,
    RoundClockSet: _after_setting_clock,
}
"""Transition for each kind of event."""
