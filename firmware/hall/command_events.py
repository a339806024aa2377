"""Events that a command of an organiser leads to, or the reason for which it is refused. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from firmware.hall.tournament.codes import RoundStage, TieBreak
from firmware.hall.tournament.draw import draw_round, unusual_after_swap
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.events import (
    ByeAsked,
    MatchForfeited,
    MatchMoved,
    MatchResultConfirmed,
    PlayerChanged,
    PlayerEntered,
    PlayerRemoved,
    PlayerReturned,
    PlayersSwapped,
    PlayerWithdrew,
    ResultCorrected,
    RoundClockSet,
    RoundDiscarded,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import PRESETS, TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event, next_player_id
from web.hall.commands import (
    MOST_PLAYERS,
    AskBye,
    ChangePlayer,
    ClockAction,
    ConfirmReport,
    DiscardRound,
    DrawRound,
    EnterPlayers,
    Forfeit,
    HallCommand,
    HallRefusal,
    HallReply,
    LockRound,
    MoveMatch,
    PublishRound,
    Reinstate,
    RemovePlayer,
    RoundCommand,
    SetRoundClock,
    SetUpTournament,
    SwapPlayers,
    TypeResult,
    Withdraw,
)


class CommandRefusedError(Exception):
    """A command cannot be carried out.

    Args:
        reply: the reply that says why.
    """

    def __init__(self, reply: HallReply) -> None:
        super().__init__(str(reply.refused))
        self.reply: Final = reply


@dataclass(frozen=True, slots=True)
class HallMoment:
    """The facts by which commands are judged.

    Attributes:
        state: the tournament.
        names: full names by id of the player.
        tables: numbers of the tables on the roster.
        left_ms: milliseconds left on the clock of the newest published round.
        by: who sends the command.
        at: time of day, for the journal.
        seed: seed of the draws of a tournament that is set up now.
    """

    state: TournamentState
    names: Mapping[str, str] = field(default_factory=dict)
    tables: Sequence[int] = ()
    left_ms: int = 0
    by: str = ""
    at: str = ""
    seed: int = 0

    @property
    def who(self) -> dict[str, str]:
        """Sender and time, as fields of events."""
        return {"by": self.by, "at": self.at}


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
        CommandRefusedError: it cannot be carried out.
        KeyError: the command is not about the tournament.
    """
    planner = _PLANNERS[type(command)]
    _require(
        moment.state.settings is not None or isinstance(command, SetUpTournament),
        HallRefusal.NO_TOURNAMENT,
    )
    if isinstance(command, RoundCommand):
        known = moment.state.revision(command.round)
        _require(command.revision == known, HallRefusal.STALE)
    planned = planner(command, moment)
    return planned if isinstance(planned, PlannedEvents) else PlannedEvents((planned,))


def _require(right: object, refusal: HallRefusal, detail: str = "") -> None:
    if not right:
        raise CommandRefusedError(HallReply(refusal, detail=detail))


def _set_up(command: SetUpTournament, moment: HallMoment) -> TournamentEvent:
    old, chosen = moment.state.settings, command.settings
    _require(command.revision == moment.state.settings_revision, HallRefusal.STALE)
    if old is not None and moment.state.rounds:
        same = (old.game, old.preset) == (chosen.game, chosen.preset)
        _require(same and chosen.rounds >= len(moment.state.rounds), HallRefusal.BEGUN)
    seed = old.seed if old else moment.seed
    breaks = _tie_breaks(chosen, old)
    return SettingsChosen(replace(chosen, tie_breaks=breaks, seed=seed), **moment.who)


def _tie_breaks(chosen: TournamentSettings, old: TournamentSettings | None) -> tuple[TieBreak, ...]:
    """Returns the chosen tie-breaks; none where they are those of the preset, old or new.

    So a preset that is changed brings its own, unless somebody has chosen others.
    """
    presets = {chosen.preset} | ({old.preset} if old and not old.tie_breaks else set())
    is_usual = any(chosen.tie_breaks == PRESETS[one].tie_breaks for one in presets)
    return () if is_usual else chosen.tie_breaks


def _enter(command: EnterPlayers, moment: HallMoment) -> PlannedEvents:
    count = len(moment.state.players) + len(command.players)
    _require(count <= MOST_PLAYERS, HallRefusal.TOO_MANY, str(MOST_PLAYERS))
    taken = {name.casefold() for name in moment.names.values()}
    state, events, names = moment.state, [], {}
    for player in command.players:
        _require(player.name.casefold() not in taken, HallRefusal.SAME_NAME, player.name)
        taken.add(player.name.casefold())
        identity = next_player_id(state)
        event = PlayerEntered(identity, player.form, player.is_minor, **moment.who)
        state = _applied(state, event)
        events.append(event)
        names[identity] = player.name
    detail = command.players[0].name if len(names) == 1 else str(len(names))
    return PlannedEvents(tuple(events), names, detail)


def _applied(state: TournamentState, event: TournamentEvent) -> TournamentState:
    try:
        return apply_event(state, event)
    except TournamentError as error:
        raise CommandRefusedError(HallReply(HallRefusal.NOT_POSSIBLE)) from error


def _known(player: str, moment: HallMoment) -> None:
    _require(player in moment.state.players, HallRefusal.NO_SUCH)


def _change(command: ChangePlayer, moment: HallMoment) -> PlannedEvents:
    _known(command.player, moment)
    new = command.new
    others = (name.casefold() for one, name in moment.names.items() if one != command.player)
    _require(new.name.casefold() not in others, HallRefusal.SAME_NAME, new.name)
    event = PlayerChanged(command.player, new.form, new.is_minor, **moment.who)
    return PlannedEvents((event,), {command.player: new.name})


def _remove(command: RemovePlayer, moment: HallMoment) -> TournamentEvent:
    _known(command.player, moment)
    drawn = any(command.player in one.players for one in moment.state.rounds)
    _require(not drawn, HallRefusal.IN_ROUND)
    return PlayerRemoved(command.player, **moment.who)


def _withdraw(command: Withdraw, moment: HallMoment) -> TournamentEvent:
    _known(command.player, moment)
    return PlayerWithdrew(command.player, command.reason, **moment.who)


def _reinstate(command: Reinstate, moment: HallMoment) -> TournamentEvent:
    _known(command.player, moment)
    return PlayerReturned(command.player, **moment.who)


def _ask_bye(command: AskBye, moment: HallMoment) -> TournamentEvent:
    _known(command.player, moment)
    _require(command.round >= moment.state.next_to_publish, HallRefusal.PUBLISHED)
    return ByeAsked(command.player, command.round, command.is_wanted, **moment.who)


def _draw(command: DrawRound, moment: HallMoment) -> TournamentEvent:
    state = moment.state
    stage = _stage(command.round, state)
    _require(stage in (None, RoundStage.DRAWN), HallRefusal.PUBLISHED)
    before = _stage(command.round - 1, state) if command.round > 1 else RoundStage.LOCKED
    _require(before is RoundStage.LOCKED, HallRefusal.ROUND_OPEN)
    byes = {one.id for one in state.players.values() if command.round in one.byes}
    playing = set(state.active(command.round)) - byes
    _require(len(playing) >= 2, HallRefusal.TOO_FEW)
    try:
        return _signed(draw_round(state, command.round, moment.tables), moment)
    except TournamentError as error:
        raise CommandRefusedError(HallReply(HallRefusal.NOT_POSSIBLE)) from error


def _signed(event: Any, moment: HallMoment) -> TournamentEvent:
    return type(event)(event.round, event.groups, **moment.who)  # type: ignore[no-any-return]


def _stage(number: int, state: TournamentState) -> RoundStage | None:
    return state.rounds[number - 1].stage if 1 <= number <= len(state.rounds) else None


def _discard(command: DiscardRound, moment: HallMoment) -> TournamentEvent:
    stage = _stage(command.round, moment.state)
    _require(stage is not None, HallRefusal.NO_SUCH)
    _require(stage is RoundStage.DRAWN, HallRefusal.PUBLISHED)
    return RoundDiscarded(command.round, **moment.who)


def _publish(command: PublishRound, moment: HallMoment) -> PlannedEvents:
    stage = _stage(command.round, moment.state)
    _require(stage is not None, HallRefusal.NO_SUCH)
    _require(stage is RoundStage.DRAWN, HallRefusal.PUBLISHED)
    events: list[TournamentEvent] = [RoundPublished(command.round, **moment.who)]
    if moment.state.agreed.round_s:
        left_ms = 1000 * moment.state.agreed.round_s
        clock = RoundClockSet(command.round, left_ms, is_running=False, **moment.who)
        events.append(clock)
    return PlannedEvents(tuple(events))


def _lock(command: LockRound, moment: HallMoment) -> TournamentEvent:
    stage = _stage(command.round, moment.state)
    _require(stage is RoundStage.PUBLISHED, HallRefusal.NOT_DRAWN)
    matches = moment.state.round(command.round).matches
    missing = [match.id for match in matches if not match.has_result]
    _require(not missing, HallRefusal.RESULTS_MISSING, ", ".join(missing))
    return RoundLocked(command.round, **moment.who)


def _swap(command: SwapPlayers, moment: HallMoment) -> TournamentEvent:
    stage = _stage(command.round, moment.state)
    _require(stage in (RoundStage.DRAWN, RoundStage.PUBLISHED), HallRefusal.NOT_DRAWN)
    players = moment.state.round(command.round).players
    _require({command.one, command.other} <= players, HallRefusal.NO_SUCH)
    event = PlayersSwapped(command.round, command.one, command.other, **moment.who)
    try:
        unusual = unusual_after_swap(moment.state, event)
    except TournamentError as error:
        raise CommandRefusedError(HallReply(HallRefusal.NOT_POSSIBLE)) from error
    if unusual and not command.even_so:
        raise CommandRefusedError(HallReply(HallRefusal.WARNED, unusual))
    return event


def _check_match(command: Any, moment: HallMoment) -> None:
    """Checks that a match is of the round whose revision the sender saw."""
    matches = (
        moment.state.round(command.round).matches if _stage(command.round, moment.state) else ()
    )
    found = next((match for match in matches if match.id == command.match), None)
    _require(found is not None and not found.is_bye, HallRefusal.NO_SUCH)


def _move(command: MoveMatch, moment: HallMoment) -> TournamentEvent:
    _check_match(command, moment)
    _require(command.table in (0, *moment.tables), HallRefusal.NO_SUCH)
    return MatchMoved(command.match, command.table, **moment.who)


def _confirm(command: ConfirmReport, moment: HallMoment) -> TournamentEvent:
    _check_match(command, moment)
    match = moment.state.match(command.match)
    known = match.report(command.key)
    _require(known is not None, HallRefusal.NO_SUCH)
    # Another result was ruled before: that is a correction, which is typed with its reason.
    same = match.ruling is None or (known and known.outcome == match.ruling.outcome)
    _require(same, HallRefusal.REASON_MISSING)
    return MatchResultConfirmed(command.match, command.key, **moment.who)


def _type(command: TypeResult, moment: HallMoment) -> TournamentEvent:
    _check_match(command, moment)
    match = moment.state.match(command.match)
    _require(len(command.scores) == len(match.players), HallRefusal.NO_SUCH)
    _require_reason(command, moment)
    outcome = MatchOutcome.by_scores(command.scores)
    return ResultCorrected(command.match, outcome, command.reason, **moment.who)


def _require_reason(command: TypeResult | Forfeit, moment: HallMoment) -> None:
    """A result that replaces what is known, or comes after the lock, needs a reason."""
    match = moment.state.match(command.match)
    known = match.ruling is not None or bool(match.reports)
    locked = _stage(command.round, moment.state) is RoundStage.LOCKED
    _require(command.reason or not (known or locked), HallRefusal.REASON_MISSING)


def _forfeit(command: Forfeit, moment: HallMoment) -> TournamentEvent:
    _check_match(command, moment)
    _require(
        set(command.absent) <= set(moment.state.match(command.match).players), HallRefusal.NO_SUCH
    )
    _require_reason(command, moment)
    return MatchForfeited(command.match, command.absent, command.reason, **moment.who)


def _clock(command: SetRoundClock, moment: HallMoment) -> TournamentEvent:
    clock = moment.state.clock
    _require(_stage(command.round, moment.state) is RoundStage.PUBLISHED, HallRefusal.NO_CLOCK)
    _require(clock is not None and clock.round == command.round, HallRefusal.NO_CLOCK)
    assert clock is not None
    added = 1000 * command.seconds if command.action is ClockAction.ADD else 0
    runs = (
        clock.is_running
        if command.action is ClockAction.ADD
        else (command.action is ClockAction.START)
    )
    return RoundClockSet(command.round, moment.left_ms + added, is_running=runs, **moment.who)


_PLANNERS: Final[dict[type[Any], Callable[[Any, HallMoment], TournamentEvent | PlannedEvents]]] = {
    SetUpTournament: _set_up,
    EnterPlayers: _enter,
    ChangePlayer: _change,
    RemovePlayer: _remove,
    Withdraw: _withdraw,
    Reinstate: _reinstate,
    AskBye: _ask_bye,
    DrawRound: _draw,
    DiscardRound: _discard,
    PublishRound: _publish,
    LockRound: _lock,
    SwapPlayers: _swap,
    MoveMatch: _move,
    ConfirmReport: _confirm,
    TypeResult: _type,
    Forfeit: _forfeit,
    SetRoundClock: _clock,
}
"""Functions that check a command and return its event or events, by class of the command."""
