"""Everything that happens in a tournament, and its JSON form: a row of the hall's journal.

`firmware.hall.tournament.state` folds it. Players, rounds and matches are named by id and number;
no event has a name of a person.
"""

import logging
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from firmware.codec import Codec, ContractError
from firmware.hall.tournament.codes import PublicForm, TieBreak
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """Something that happened.

    Attributes:
        by: who did it: "organiser" or "table 7"; empty if unknown.
        at: time of day, ISO 8601; empty if unknown. Order never depends on it.
    """

    name: ClassVar[str] = ""
    by: str = field(default="", kw_only=True)
    at: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class SettingsChosen(TournamentEvent):
    """The settings were chosen, first or anew; the game stays once a round is drawn."""

    name: ClassVar[str] = "settings"
    settings: TournamentSettings
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayerEntered(TournamentEvent):
    """A player entered, perhaps late: the next round that is drawn is the first one.

    Attributes:
        player: a new id.
        form: form of the public name.
        is_minor: True for a minor, whose public name is short at most.
    """

    name: ClassVar[str] = "entered"
    player: str
    form: PublicForm = PublicForm.SHORT
    is_minor: bool = False


@dataclass(frozen=True, slots=True)
class PlayerChanged(TournamentEvent):
    """The form of a player's public name changed."""

    name: ClassVar[str] = "player-changed"
    player: str
    form: PublicForm
    is_minor: bool = False


@dataclass(frozen=True, slots=True)
class PlayerRemoved(TournamentEvent):
    """A player who was in no round was removed."""

    name: ClassVar[str] = "player-removed"
    player: str


@dataclass(frozen=True, slots=True)
class PlayerWithdrew(TournamentEvent):
    """A player withdrew from the rounds that are not drawn yet."""

    name: ClassVar[str] = "withdrew"
    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayerReturned(TournamentEvent):
    """A player who withdrew is drawn again from the next round."""

    name: ClassVar[str] = "returned"
    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DrawnGroup:
    """The players of one match as drawn.

    Attributes:
        players: ids in the order of play; one for a bye.
        table: number of the table; 0 for a bye, and if there are too few.
    """

    players: tuple[str, ...]
    table: int = 0


@dataclass(frozen=True, slots=True)
class RoundDrawn(TournamentEvent):
    """A round was drawn, first or anew; organisers alone see it."""

    name: ClassVar[str] = "drawn"
    round: int
    groups: tuple[DrawnGroup, ...]


@dataclass(frozen=True, slots=True)
class RoundDiscarded(TournamentEvent):
    """A round was discarded that was drawn and not published."""

    name: ClassVar[str] = "discarded"
    round: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayersSwapped(TournamentEvent):
    """Two players of a round exchanged their places; a bye is a place too."""

    name: ClassVar[str] = "swapped"
    round: int
    one: str
    other: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchMoved(TournamentEvent):
    """A match got another table; the match at that table got the one that became free.

    Attributes:
        match: id of the match; it stays.
        table: number of the table; 0 for none.
    """

    name: ClassVar[str] = "moved"
    match: str
    table: int


@dataclass(frozen=True, slots=True)
class RoundPublished(TournamentEvent):
    """A round was given to tables and spectators."""

    name: ClassVar[str] = "published"
    round: int


@dataclass(frozen=True, slots=True)
class RoundLocked(TournamentEvent):
    """A round is over: its results stay, unless one is corrected."""

    name: ClassVar[str] = "locked"
    round: int


@dataclass(frozen=True, slots=True)
class ResultReported(TournamentEvent):
    """A result was reported; the same one again changes nothing.

    Attributes:
        match: id of the match.
        outcome: the result, in the order of the match's players.
        game: name of the game in the table's archive; empty if typed.
        table: number of the table; 0 if typed.
    """

    name: ClassVar[str] = "reported"
    match: str
    outcome: MatchOutcome
    game: str = ""
    table: int = 0


@dataclass(frozen=True, slots=True)
class MatchResultConfirmed(TournamentEvent):
    """A player, or an organiser, confirmed a report.

    Attributes:
        match: id of the match.
        key: key of the report.
        player: id of the player; empty for an organiser, who decides.
    """

    name: ClassVar[str] = "confirmed"
    match: str
    key: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class MatchResultDisputed(TournamentEvent):
    """A player disputes a report."""

    name: ClassVar[str] = "disputed"
    match: str
    key: str
    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultCorrected(TournamentEvent):
    """An organiser typed the result that counts; where one is known it has a reason."""

    name: ClassVar[str] = "corrected"
    match: str
    outcome: MatchOutcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchForfeited(TournamentEvent):
    """Some players of a match did not play it; the others win."""

    name: ClassVar[str] = "forfeited"
    match: str
    absent: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundClockSet(TournamentEvent):
    """The clock of a round was started, paused or changed.

    Attributes:
        round: number of the round.
        left_ms: milliseconds left at that moment; negative after the end.
        is_running: True if it counts down from then on.
    """

    name: ClassVar[str] = "clock"
    round: int
    left_ms: int
    is_running: bool


EVENTS: Final[tuple[type[TournamentEvent], ...]] = (
    SettingsChosen,
    PlayerEntered,
    PlayerChanged,
    PlayerRemoved,
    PlayerWithdrew,
    PlayerReturned,
    RoundDrawn,
    RoundDiscarded,
    PlayersSwapped,
    MatchMoved,
    RoundPublished,
    RoundLocked,
    ResultReported,
    MatchResultConfirmed,
    MatchResultDisputed,
    ResultCorrected,
    MatchForfeited,
    RoundClockSet,
)
"""Every kind of event, for the codec, which finds one by its name."""

_KINDS: Final = {kind.name: kind for kind in EVENTS}
"""Classes of events by the name in JSON."""

_CODEC: Final = Codec(has_gaps=True)
"""A later release may add fields, with defaults."""

_REMOVED: Final = "bye-asked"
"""Kind of an event that earlier releases wrote."""

_log = logging.getLogger(__name__)


def to_json(event: TournamentEvent) -> dict[str, Any]:
    """The JSON form of an event, `event` names its kind."""
    return {"event": event.name, **_CODEC.plain(event)}


def from_json(line: object) -> TournamentEvent | None:
    """Reads the form that `to_json` writes; a missing field has its default.

    Returns:
        The event; None for one of an earlier release that means nothing any more.

    Raises:
        TournamentError: it is no event of a tournament.
    """
    if isinstance(line, dict) and line.get("event") == _REMOVED:
        _log.warning("a bye that a player of an earlier release asked for counts as a drawn one")
        return None
    try:
        event: TournamentEvent = _CODEC.read_named(_KINDS, "event", _of_now(line), "event")
    except (ContractError, TournamentError) as error:
        raise TournamentError(f"an event of the tournament cannot be read: {error}") from error
    return event


def _of_now(line: object) -> object:
    """Returns the form of an event without what an earlier release wrote besides."""
    if not isinstance(line, dict):
        return line
    match line:
        case {"settings": {"preset": preset, "tie_breaks": list(chosen), **settings}}:
            _log.warning(
                "the tournament has the preset %s of an earlier release; its points and places "
                "are counted as in a new tournament",
                preset,
            )
            known = [one for one in chosen if one in set(TieBreak)]
            return {**line, "settings": {**settings, "tie_breaks": known}}
        case {"form": None}:
            return {**line, "form": PublicForm.SHORT}
        case {"source": _, **rest}:
            return rest
        case {"groups": list(groups)} if all(isinstance(one, dict) for one in groups):
            kept = [{key: one[key] for key in one if key != "is_asked"} for one in groups]
            return {**line, "groups": kept}
    return line
