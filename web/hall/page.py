"""All that the pages of a hall show, as immutable values.

Players are named by their ids everywhere except in `HallPlayer`, so that the rule of a player's
public name is applied in one place, `HallPage.public`. Codes stand for sentences, which
`web.i18n` words. Times are seconds of `time.monotonic` of the machine of the hall: a value stays
the same while nothing happens, however long that is.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from firmware.hall.tournament.codes import Preset, PublicForm, RoundStage, TieBreak, UnusualCode
from web.contract import Colour, GameKey, RefereeState, Rule

MOST_TABLES: Final = 99
"""Number of the last table."""

MOST_ROUNDS: Final = 99
"""Number of the last round."""


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
        colours: its colours in the order of play.
        player: id of its player in the tournament; empty if the table plays no match.
        name: name as the table has it, in its public form.
        score: score now.
        left_ms: milliseconds left on its clock at `HallTable.clocks_at`; None without a clock.
        is_running: True if its clock runs.
    """

    colours: tuple[Colour, ...]
    player: str = ""
    name: str = ""
    score: int = 0
    left_ms: int | None = None
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class HallTable:
    """One table of the hall.

    Attributes:
        number: number of the table, from 1.
        label: text on its card, for example "7" or "Window".
        state: its place in the list of tables.
        since: time at which `state` began.
        is_online: True if its status is known to be up.
        is_on_roster: False for a table that was removed while its match goes on.
        url: address of the table's own page; empty if unknown.
        referee: state of its referee; None before the first summary.
        rule: rule that the refused piece breaks.
        offender: name of whoever laid the refused piece, in its public form.
        caller: name of whoever called the arbiter; empty if nobody or unknown.
        faults: faults, as the table sends them.
        match: id of the match that it plays; empty if it plays none.
        match_sent: id of the match that the hall offers it; empty if none.
        game: game on the table; None before the first.
        ply: number of pieces laid.
        sides: the sides of the game.
        clocks_at: time at which the values of the clocks arrived.
        winners: the sides that won, as indices of `sides`, once the game is finished.
    """

    number: int
    label: str
    state: TableState = TableState.WAITING
    since: float = 0.0
    is_online: bool = False
    is_on_roster: bool = True
    url: str = ""
    referee: RefereeState | None = None
    rule: Rule | None = None
    offender: str = ""
    caller: str = ""
    faults: tuple[str, ...] = ()
    match: str = ""
    match_sent: str = ""
    game: GameKey | None = None
    ply: int = 0
    sides: tuple[TableSide, ...] = ()
    clocks_at: float = 0.0
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HallPlayer:
    """A player of the tournament.

    Attributes:
        id: id in the event; the only thing that journal, results and exports name.
        name: full name; empty once it is forgotten, and for spectators.
        public_name: name for everybody, made from `form`.
        form: form of the public name.
        is_minor: True for a minor, who is `PublicForm.SHORT` at most.
        from_round: first round that the player is drawn in; above 1 for a late entry.
        withdrawn_from: first round that the player is not drawn in; None if there is none.
        byes: rounds for which the player asked to have a bye.
    """

    id: str
    name: str
    public_name: str
    form: PublicForm = PublicForm.SHORT
    is_minor: bool = False
    from_round: int = 1
    withdrawn_from: int | None = None
    byes: tuple[int, ...] = ()


class MatchState(StrEnum):
    """States of a match; the organiser has something to do in the last three of them."""

    OPEN = "open"
    PLAYING = "playing"
    DONE = "done"
    REPORTED = "reported"
    """A result waits for confirmation."""
    DISPUTED = "disputed"
    """A player disputes the result."""
    CONFLICTING = "conflicting"
    """Reports differ; none of them counts until an organiser decides."""


class ReportSource(StrEnum):
    """Those who reported a result."""

    CAMERA = "camera"
    ORGANISER = "organiser"


class ResultKind(StrEnum):
    """Ways in which a match got its result."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Some of the players, `absent`, did not play."""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """One report of a match's result. Reports that agree are one report.

    Attributes:
        key: identifier of the report within its match.
        source: who sent it.
        scores: score of each player, in the order of `HallMatch.players`.
        game: name of the game in the table's archive; empty if typed.
        table: number of the table that sent it; 0 if typed.
        confirmed_by: ids of the players who confirmed it at the table.
        disputed_by: ids of the players who dispute it.
        reason: why they dispute it, as they typed it.
    """

    key: str
    source: ReportSource
    scores: tuple[int, ...]
    game: str = ""
    table: int = 0
    confirmed_by: tuple[str, ...] = ()
    disputed_by: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HallResult:
    """The result of a match that counts.

    Attributes:
        kind: how it came about.
        scores: score of each player; empty for a forfeit.
        points: points of each player for the standings.
        absent: ids of the players who forfeited.
        reason: reason of a correction or forfeit, as it was typed; empty without one.
        is_corrected: True if it replaced another result.
    """

    kind: ResultKind
    scores: tuple[int, ...] = ()
    points: tuple[float, ...] = ()
    absent: tuple[str, ...] = ()
    reason: str = ""
    is_corrected: bool = False


@dataclass(frozen=True, slots=True)
class HallMatch:
    """A match of two to four players.

    Attributes:
        id: id of the match, for example "2-07".
        table: number of its table; 0 if it has none.
        players: ids of the players in the order of play.
        state: what happens with it.
        reports: all different reports, the first one first.
        result: the result that counts; None while there is none.
    """

    id: str
    table: int
    players: tuple[str, ...]
    state: MatchState = MatchState.OPEN
    reports: tuple[MatchReport, ...] = ()
    result: HallResult | None = None


@dataclass(frozen=True, slots=True)
class RoundWarning:
    """One warning.

    Attributes:
        code: what it is about.
        players: ids of the players whom it concerns.
    """

    code: UnusualCode
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HallRound:
    """One round.

    Attributes:
        number: number, from 1.
        revision: counter of the changes of this round; commands name the one they are based on.
        state: how far it is.
        matches: its matches, by table.
        byes: ids of the players who have a bye.
        warnings: what is unusual in it.
    """

    number: int
    revision: int
    state: RoundStage
    matches: tuple[HallMatch, ...] = ()
    byes: tuple[str, ...] = ()
    warnings: tuple[RoundWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class HallStanding:
    """One line of the standings.

    Attributes:
        place: place from 1; players who share one have the same.
        player: id of the player.
        points: points.
        tie_breaks: value of each of `HallTournament.tie_breaks`; None where it decides nothing.
        played: number of rounds that count.
    """

    place: int
    player: str
    points: float
    tie_breaks: tuple[float | None, ...] = ()
    played: int = 0


@dataclass(frozen=True, slots=True)
class HallClock:
    """The clock of a round.

    Attributes:
        round: number of the round.
        left_ms: milliseconds left at the time `at`; negative after the end.
        is_running: True if it counts down since `at`.
        at: time at which `left_ms` was right.
    """

    round: int
    left_ms: int
    is_running: bool
    at: float


@dataclass(frozen=True, slots=True)
class TournamentChoice:
    """All that is chosen of the tournament.

    Attributes:
        revision: counter of the changes of this choice, 0 before the first; in a command that of
            the choice that the sender saw.
        name: name of the event.
        game: game that is played.
        preset: preset of points and size of a match.
        rounds: number of rounds.
        tie_breaks: tie-breaks, the most important one first; empty for those of the preset.
        clock_s: seconds of each player for a game; 0 for no clock.
        round_s: seconds of a round; 0 for no clock of the round.
    """

    revision: int
    name: str
    game: GameKey
    preset: Preset
    rounds: int
    tie_breaks: tuple[TieBreak, ...] = ()
    clock_s: int = 0
    round_s: int = 0


@dataclass(frozen=True, slots=True)
class HallTournament(TournamentChoice):
    """The settings of the tournament.

    Attributes:
        is_finished: True after the last round is locked.
    """

    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class HallPage:
    """All that the pages of a hall show at one moment.

    Attributes:
        serial: counter, another one after each change of anything here.
        hall: name of the hall.
        is_connected: True while the hall is connected to its broker.
        tournament: the tournament; None before it was set up.
        tables: the tables, by number.
        players: the players, in the order of entry.
        rounds: the rounds, the first one first.
        standings: the standings after all results so far.
        clock: the clock of the newest published round; None without one.
        featured: number of the table that streams show; 0 for none.
        delay_s: seconds by which spectators see everything later.
        troubles: what the hall's process cannot do, each a sentence in English for the organiser.
    """

    serial: int = 0
    hall: str = ""
    is_connected: bool = False
    tournament: HallTournament | None = None
    tables: tuple[HallTable, ...] = ()
    players: tuple[HallPlayer, ...] = ()
    rounds: tuple[HallRound, ...] = ()
    standings: tuple[HallStanding, ...] = ()
    clock: HallClock | None = None
    featured: int = 0
    delay_s: int = 0
    troubles: tuple[str, ...] = field(default=())

    @property
    def public(self) -> "HallPage":
        """The part for everybody: public names, published rounds, nothing for arbiters alone."""
        return replace(
            self,
            tables=tuple(map(_public_table, self.tables)),
            players=tuple(map(_public_player, self.players)),
            rounds=tuple(
                _public_round(one) for one in self.rounds if one.state is not RoundStage.DRAWN
            ),
            troubles=(),
        )

    def player(self, identity: str) -> HallPlayer:
        """Returns a player; one whose id is the name if there is none of that id."""
        found = (one for one in self.players if one.id == identity)
        return next(found, HallPlayer(identity, "", identity, PublicForm.ID))

    def round(self, number: int) -> HallRound | None:
        """Returns a round; None if it is not drawn, or not public."""
        return next((one for one in self.rounds if one.number == number), None)

    def table(self, number: int) -> HallTable | None:
        """Returns a table; None if there is none of that number."""
        return next((one for one in self.tables if one.number == number), None)


def _public_player(player: HallPlayer) -> HallPlayer:
    return replace(player, name="", is_minor=False, byes=())


def _public_table(table: HallTable) -> HallTable:
    """A call and a fault concern the organiser alone; the game goes on below them."""
    state = table.state
    if state in (TableState.FAULT, TableState.CALL):
        state = TableState.PLAYING if table.is_online and table.game else TableState.WAITING
    return replace(table, state=state, caller="", faults=(), url="", since=0.0)


def _public_round(one: HallRound) -> HallRound:
    return replace(one, warnings=(), matches=tuple(map(_public_match, one.matches)))


def _public_match(match: HallMatch) -> HallMatch:
    """A report that counts is a result; what is not decided looks like a match at play."""
    waiting = (MatchState.REPORTED, MatchState.DISPUTED, MatchState.CONFLICTING)
    undecided = MatchState.PLAYING if match.result is None else MatchState.DONE
    state = undecided if match.state in waiting else match.state
    result = match.result and replace(match.result, reason="")
    return replace(match, state=state, reports=(), result=result)
