"""Events that a command of an organiser leads to, or the reason for which it is refused. Pure.

What the state of the tournament does not allow is refused when the events are recorded; here are
the checks that need more: names, tables, and the page that the sender saw.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from firmware.hall.tournament.codes import HallRefusal, RoundStage
from firmware.hall.tournament.draw import draw_round
from firmware.hall.tournament.errors import TournamentError, require
from firmware.hall.tournament.events import (
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    PlayerChanged,
    PlayerEntered,
    ResultCorrected,
    RoundClockSet,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
)
from firmware.hall.tournament.state import TournamentState, apply_event, next_player_id
from web.contract.person_names import UnfitNameError, check_names
from web.hall.commands import (
    MOST_PLAYERS,
    ChangePlayer,
    ClockAction,
    DrawRound,
    EnterPlayers,
    HallCommand,
    RecordEvent,
    SetRoundClock,
    SetUpTournament,
)


@dataclass(frozen=True, slots=True)
class HallMoment:
    """The facts by which commands are judged.

    Attributes:
        state: the tournament.
        names: full names by id of the player.
        tables: numbers of the tables on the roster.
        left_ms: milliseconds left on the clock of the newest published round.
        seed: seed of the draws of a tournament that is set up now.
    """

    state: TournamentState
    names: Mapping[str, str] = field(default_factory=dict)
    tables: Sequence[int] = ()
    left_ms: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PlannedEvents:
    """The events that a command leads to.

    Attributes:
        events: events to record.
        names: names that belong to them, by id of the player.
        detail: what the reply says, a name or number; empty for nothing.
    """

    events: tuple[TournamentEvent, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    detail: str = ""


def plan(command: HallCommand, moment: HallMoment) -> PlannedEvents:
    """Returns the events of a command that is about the tournament.

    Raises:
        TournamentError: it cannot be carried out.
        KeyError: the command is not about the tournament.
    """
    planner = _PLANNERS[type(command)]
    if not isinstance(command, SetUpTournament):
        _ = moment.state.agreed
    if isinstance(command, DrawRound | RecordEvent):
        is_newest = command.revision == moment.state.revision(command.round)
        require(is_newest, "the round has changed since the sender saw it", HallRefusal.STALE)
    planned = planner(command, moment)
    return planned if isinstance(planned, PlannedEvents) else PlannedEvents((planned,))


def _set_up(command: SetUpTournament, moment: HallMoment) -> TournamentEvent:
    old = moment.state.settings
    is_newest = command.revision == moment.state.settings_revision
    require(is_newest, "the settings have changed since the sender saw them", HallRefusal.STALE)
    return SettingsChosen(replace(command.settings, seed=old.seed if old else moment.seed))


def _enter(command: EnterPlayers, moment: HallMoment) -> PlannedEvents:
    count = len(moment.state.players) + len(command.players)
    sentence = f"a tournament has at most {MOST_PLAYERS} players"
    require(count <= MOST_PLAYERS, sentence, HallRefusal.TOO_MANY, str(MOST_PLAYERS))
    _check_new((player.name for player in command.players), moment.names.values())
    state, events, names = moment.state, [], {}
    for player in command.players:
        identity = next_player_id(state)
        event = PlayerEntered(identity, player.form, player.is_minor)
        state = apply_event(state, event)
        events.append(event)
        names[identity] = player.name
    detail = command.players[0].name if len(names) == 1 else str(len(names))
    return PlannedEvents(tuple(events), names, detail)


def _check_new(names: Iterable[str], taken: Iterable[str]) -> None:
    try:
        check_names(names, taken)
    except UnfitNameError as error:
        raise TournamentError(str(error), HallRefusal.SAME_NAME, error.name) from None


def _change(command: ChangePlayer, moment: HallMoment) -> PlannedEvents:
    moment.state.player(command.player)
    new = command.new
    _check_new([new.name], (name for one, name in moment.names.items() if one != command.player))
    event = PlayerChanged(command.player, new.form, new.is_minor)
    return PlannedEvents((event,), {command.player: new.name})


def _draw(command: DrawRound, moment: HallMoment) -> TournamentEvent:
    return draw_round(moment.state, command.round, moment.tables)


def _record(command: RecordEvent, moment: HallMoment) -> PlannedEvents:
    event, state = command.event, moment.state
    match event:
        case RoundPublished():
            return PlannedEvents((event, *_published(event, state)))
        case MatchMoved() | MatchResultConfirmed() | ResultCorrected() | MatchForfeited():
            # It is of the round whose revision the sender saw.
            found = [one for one in state.round(command.round).played if one.id == event.match]
            require(found, f"the round has no match {event.match!r:.60}", HallRefusal.NO_SUCH)
    if isinstance(event, MatchMoved):
        is_known = event.table in (0, *moment.tables)
        require(is_known, f"there is no table {event.table}", HallRefusal.NO_SUCH)
    return PlannedEvents((event,))


def _published(event: RoundPublished, state: TournamentState) -> tuple[TournamentEvent, ...]:
    """Returns what follows a round that is published: its clock, if it has one."""
    is_drawn = state.round(event.round).stage is RoundStage.DRAWN
    require(is_drawn, f"round {event.round} is published already", HallRefusal.PUBLISHED)
    left_ms = 1000 * state.agreed.round_s
    return (RoundClockSet(event.round, left_ms, is_running=False),) if left_ms else ()


def _clock(command: SetRoundClock, moment: HallMoment) -> TournamentEvent:
    clock = moment.state.clock
    if clock is None or clock.round != command.round:
        raise TournamentError(f"round {command.round} has no clock", HallRefusal.NO_CLOCK)
    is_adding = command.action is ClockAction.ADD
    left_ms = moment.left_ms + (1000 * command.seconds if is_adding else 0)
    runs = clock.is_running if is_adding else command.action is ClockAction.START
    return RoundClockSet(command.round, left_ms, is_running=runs)


_PLANNERS: Final[dict[type[Any], Callable[[Any, HallMoment], TournamentEvent | PlannedEvents]]] = {
    SetUpTournament: _set_up,
    EnterPlayers: _enter,
    ChangePlayer: _change,
    DrawRound: _draw,
    RecordEvent: _record,
    SetRoundClock: _clock,
}
"""Functions that check a command and return its event or events, by class of the command."""
