"""All that organisers can ask for, and the replies.

A request carries a random id; one that is sent again counts once, and gets the reply of the first.
Whatever changes a round names the round's revision that its sender saw: it is refused as
stale if somebody else has changed that round since.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from firmware.hall.tournament.codes import HallRefusal, PublicForm
from firmware.hall.tournament.events import TournamentEvent
from firmware.hall.tournament.settings import TournamentSettings
from web.contract.person_names import LONGEST_NAME, clean_name
from web.contract.requests import check_request

LONGEST_DELAY_S: Final = 3600
"""Seconds by which spectators see everything later, at most."""

LONGEST_EVENT: Final = 60
"""Characters of the name of a tournament."""

LONGEST_REASON: Final = 200
"""Characters of a reason."""

MOST_PLAYERS: Final = 1000
"""Players of a tournament."""

MOST_POINTS: Final = 999
"""Greatest score, and smallest below zero, that can be typed."""


class HallCommandError(ValueError):
    """A command cannot be meant so; its text says why, for the log."""


def _require(right: object, sentence: str) -> None:
    if not right:
        raise HallCommandError(sentence)


def _check_name(text: str, longest: int) -> None:
    _require(text, "a name is not empty")
    _check_text(text, longest)


def _check_text(text: str, longest: int) -> None:
    _require(len(text) <= longest, f"a text has at most {longest} characters")
    _require(text == clean_name(text), "a text is one line of characters that can be seen")


@dataclass(frozen=True, slots=True)
class SetUpTournament:
    """Sets up the tournament, or changes what was chosen.

    Attributes:
        revision: number of times the settings were chosen that the sender saw; 0 before the first.
        settings: the settings; their seed does not count.
    """

    revision: int
    settings: TournamentSettings

    def __post_init__(self) -> None:
        _check_name(self.settings.name, LONGEST_EVENT)
        for seconds in (self.settings.clock_s, self.settings.round_s):
            _require(seconds <= 86400, "a clock has at most a day")


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player to enter.

    Attributes:
        name: full name.
        form: form of the public name.
        is_minor: True for a minor.
    """

    name: str
    form: PublicForm = PublicForm.SHORT
    is_minor: bool = False

    def __post_init__(self) -> None:
        _check_name(self.name, LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class EnterPlayers:
    """Enters players; after the first round is drawn they are late entries.

    Attributes:
        players: the players.
    """

    players: tuple[NewPlayer, ...]

    def __post_init__(self) -> None:
        _require(self.players, "nobody to enter")
        _require(len(self.players) <= MOST_PLAYERS, f"at most {MOST_PLAYERS} players")


@dataclass(frozen=True, slots=True)
class ChangePlayer:
    """Changes the name of a player, or its public form.

    Attributes:
        player: id of the player.
        new: name and form from now on.
    """

    player: str
    new: NewPlayer


@dataclass(frozen=True, slots=True)
class DrawRound:
    """Draws a round, also again while it is not published.

    Attributes:
        round: number of the round.
        revision: revision of the round that the sender saw; 0 before the first draw.
    """

    round: int
    revision: int


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """Lets something happen in the tournament.

    Attributes:
        event: the event; the hall notes who asked for it, and when.
        round: number of the round that it is about; 0 if it is about none.
        revision: revision of that round that the sender saw; 0 without one.
    """

    event: TournamentEvent
    round: int = 0
    revision: int = 0

    def __post_init__(self) -> None:
        _check_text(getattr(self.event, "reason", ""), LONGEST_REASON)


class ClockAction(StrEnum):
    """Actions on the clock of a round."""

    START = "start"
    PAUSE = "pause"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class SetRoundClock:
    """Starts or pauses the clock of a round, or adds time to it.

    Attributes:
        round: number of the round.
        action: what to do.
        seconds: seconds to add, negative to take away; with `ClockAction.ADD` only.
    """

    round: int
    action: ClockAction
    seconds: int = 0

    def __post_init__(self) -> None:
        _require(-86400 <= self.seconds <= 86400, "at most a day")


@dataclass(frozen=True, slots=True)
class AddTable:
    """Adds a table to the roster."""


@dataclass(frozen=True, slots=True)
class RemoveTable:
    """Removes a table from the roster.

    Attributes:
        table: number of the table.
    """

    table: int


@dataclass(frozen=True, slots=True)
class SetDelay:
    """Chooses by how much later spectators see everything.

    Attributes:
        seconds: 0 to 3,600.
    """

    seconds: int

    def __post_init__(self) -> None:
        _require(0 <= self.seconds <= LONGEST_DELAY_S, f"0 to {LONGEST_DELAY_S} s")


@dataclass(frozen=True, slots=True)
class IssueNumber:
    """Draws a number that pairs one more phone."""


HallCommand = (
    SetUpTournament
    | EnterPlayers
    | ChangePlayer
    | DrawRound
    | RecordEvent
    | SetRoundClock
    | AddTable
    | RemoveTable
    | SetDelay
    | IssueNumber
)
"""All commands."""


@dataclass(frozen=True, slots=True)
class HallRequest:
    """A command as it is sent.

    Attributes:
        id: random id, 8 to 64 of `A-Za-z0-9_-`; one that was used before counts once.
        command: the command.
    """

    id: str
    command: HallCommand

    def __post_init__(self) -> None:
        check_request(self.id)


@dataclass(frozen=True, slots=True)
class HallReply:
    """The reply to a command.

    Attributes:
        refused: reason of the refusal; None if it was carried out.
        number: number that pairs a phone, in reply to `IssueNumber`.
        detail: what a refusal is about, a name or number; empty for nothing.
    """

    refused: HallRefusal | None = None
    number: str = field(default="", repr=False)
    detail: str = ""
