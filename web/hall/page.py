"""All that the pages of a hall show, as immutable values.

Players are named by their ids, and their names stand in two tables, so that the rule of a player's
public name is applied in one place, `HallPage.public`. Codes stand for sentences, which
`web.i18n` words. Times are seconds of `time.monotonic` of the machine of the hall: a value stays
the same while nothing happens, however long that is.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from firmware.hall.tournament.codes import MatchState, RoundStage
from firmware.hall.tournament.events import RoundClockSet
from firmware.hall.tournament.matches import (
    DrawnMatch,
    DrawnRound,
    Entrant,
    RoundWarning,
    Ruling,
)
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.standings import RankedPlayer
from firmware.hall.tournament.state import TournamentState
from web.contract import GameKey


class TableState(StrEnum):
    """States of a table on the organiser's list, worst first."""

    FAULT = "fault"
    CALL = "call"
    """Somebody at the table calls the arbiter."""
    UNSURE = "unsure"
    """The table waits for an answer to a question."""
    REFUSED = "refused"
    """A refused piece has been lying for long."""
    OFFLINE = "offline"
    PLAYING = "playing"
    FINISHED = "finished"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class TableSide:
    """One side of the game at a table.

    Attributes:
        name: name as the table has it, in its public form.
        score: score now.
    """

    name: str = ""
    score: int = 0


@dataclass(frozen=True, slots=True)
class HallTable:
    """One table of the hall.

    Attributes:
        number: number of the table, from 1.
        state: its place in the list of tables.
        since: time at which `state` began.
        is_online: True if its status is known to be up.
        url: address of the table's own page; empty if unknown.
        faults: faults, as the table sends them.
        match: id of the match that it plays; empty if it plays none.
        match_sent: id of the match that the hall offers it; empty if none.
        game: game on the table; None before the first.
        ply: number of pieces laid.
        sides: the sides of the game.
    """

    number: int
    state: TableState = TableState.WAITING
    since: float = 0.0
    is_online: bool = False
    url: str = ""
    faults: tuple[str, ...] = ()
    match: str = ""
    match_sent: str = ""
    game: GameKey | None = None
    ply: int = 0
    sides: tuple[TableSide, ...] = ()


@dataclass(frozen=True)  # without slots, for what is made once a page
class HallPage:
    """All that the pages of a hall show at one moment.

    Attributes:
        serial: counter, another one after each change of anything here.
        hall: name of the hall.
        is_connected: True while the hall is connected to its broker.
        state: the tournament.
        names: full names of the players by id; without those that are forgotten, and empty for
            spectators.
        public_names: names for everybody by id.
        standings: the standings after all results so far.
        warnings: things that are unusual in a round, by its number.
        playing: ids of the matches that tables play now.
        tables: the tables, by number.
        clock_at: time at which the clock of the round had what `clock` says.
        delay_s: seconds by which spectators see everything later.
        troubles: what the hall's process cannot do, each a sentence in English for the organiser.
    """

    serial: int = 0
    hall: str = ""
    is_connected: bool = False
    state: TournamentState = field(default_factory=TournamentState)
    names: Mapping[str, str] = field(default_factory=dict)
    public_names: Mapping[str, str] = field(default_factory=dict)
    standings: tuple[RankedPlayer, ...] = ()
    warnings: Mapping[int, tuple[RoundWarning, ...]] = field(default_factory=dict)
    playing: frozenset[str] = frozenset()
    tables: tuple[HallTable, ...] = ()
    clock_at: float = 0.0
    delay_s: int = 0
    troubles: tuple[str, ...] = ()

    @property
    def public(self) -> "HallPage":
        """The part for everybody: public names, published rounds, nothing for arbiters alone."""
        rounds = [one for one in self.rounds if one.stage is not RoundStage.DRAWN]
        undecided = {
            match.id
            for one in rounds
            for match in one.played
            if match.outcome is None and match.state is not MatchState.OPEN
        }
        players = {one.id: _public_player(one) for one in self.players}
        state = replace(self.state, players=players, rounds=tuple(map(_public_round, rounds)))
        return replace(
            self,
            state=state,
            names={},
            warnings={},
            playing=self.playing | undecided,
            tables=tuple(map(_public_table, self.tables)),
            troubles=(),
        )

    @property
    def tournament(self) -> TournamentSettings | None:
        """The settings of the tournament; None before it was set up."""
        return self.state.settings

    @property
    def players(self) -> tuple[Entrant, ...]:
        """The players, in the order of entry."""
        return tuple(self.state.players.values())

    @property
    def rounds(self) -> tuple[DrawnRound, ...]:
        """The rounds, the first one first."""
        return self.state.rounds

    @property
    def clock(self) -> RoundClockSet | None:
        """The clock of the newest published round; None without one."""
        clock, newest = self.state.clock, self.state.newest_public
        return clock if clock and newest and clock.round == newest.number else None

    def round(self, number: int) -> DrawnRound | None:
        """Returns a round; None if it is not drawn, or not public."""
        return next((one for one in self.rounds if one.number == number), None)

    def table(self, number: int) -> HallTable | None:
        """Returns a table; None if there is none of that number."""
        return next((one for one in self.tables if one.number == number), None)

    @property
    def event(self) -> str:
        """Name of the tournament; that of the hall before one was set up."""
        return self.tournament.name if self.tournament else self.hall

    def public_name(self, player: str) -> str:
        """Returns the name of a player for everybody; the id if there is none of that id."""
        return self.public_names.get(player, player)

    def shown_name(self, player: str) -> str:
        """Returns the full name of a player, or the public one where the full one is not known.

        Players of the same name are told apart by their ids.
        """
        return self._shown_names.get(player, player)

    @cached_property
    def _shown_names(self) -> dict[str, str]:
        plain = {one: self.names.get(one) or self.public_name(one) for one in self.state.players}
        count = Counter(plain.values())
        return {one: f"{name} ({one})" if count[name] > 1 else name for one, name in plain.items()}

    def match_state(self, match: DrawnMatch) -> MatchState:
        """Returns the state of a match as organisers and spectators see it."""
        if match.is_contradicted:
            return MatchState.CONFLICTING
        is_played = match.state is MatchState.OPEN and match.id in self.playing
        return MatchState.PLAYING if is_played else match.state

    def is_waiting(self, match: DrawnMatch) -> bool:
        """True if a match has not begun, and another game still stands on its table."""
        table = self.table(match.table)
        is_taken = table is not None and table.ply > 0 and table.match != match.id
        return is_taken and self.match_state(match) is MatchState.OPEN


def _public_table(table: HallTable) -> HallTable:
    """A call and a fault concern the organiser alone; the game goes on below them."""
    state = table.state
    if state in (TableState.FAULT, TableState.CALL):
        state = TableState.PLAYING if table.is_online and table.game else TableState.WAITING
    return replace(table, state=state, faults=(), url="", since=0.0)


def _public_player(player: Entrant) -> Entrant:
    return replace(player, form=player.public_form, is_minor=False)


def _public_round(one: DrawnRound) -> DrawnRound:
    return replace(one, matches=tuple(map(_public_match, one.matches)))


def _public_match(match: DrawnMatch) -> DrawnMatch:
    """A report that counts is a result; what is not decided looks like a match at play."""
    ruling = match.ruling
    if ruling is not None:
        ruling = replace(ruling, reason="", known=0)
    elif match.outcome is not None:
        ruling = Ruling(match.outcome)
    return replace(match, reports=(), ruling=ruling)
