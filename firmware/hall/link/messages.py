"""Messages between a table and its hall: frozen dataclasses to JSON and back.

Every message is a JSON object with `"v": 1`. Unknown keys are ignored, and missing ones have their
defaults, so that a later release can add some; a message of another `v` is refused. Each kind has
a greatest size in bytes, which its sender keeps: a broker closes the connection of a client that
sends too much.

No machine compares its clock with that of another one. A running clock is `left_ms` at the time
of sending, and counts down from its arrival.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from firmware.codec import Codec, json_table
from web.contract import (
    ContractError,
    GameResult,
    MatchPlayer,
    MatchResult,
    OfferedMatch,
    Page,
    PlayerClock,
    RefereeState,
    RoundClock,
)
from web.contract.schema import KEYS, require

VERSION: Final = 1
"""Version of the messages, `v` in each; any other is refused."""

_CODEC: Final = Codec(KEYS, has_gaps=True, has_more=True)
"""Codec of all messages."""

_KIB: Final = 1024
"""Bytes of a kibibyte, the unit in which `CAPS` is written."""


class FaultCode(StrEnum):
    """Faults of a table that somebody has to mend."""

    CAMERA = "camera"
    BOARD = "board"
    JOURNAL = "journal"
    LIGHTS = "lights"
    BUTTONS = "buttons"
    RECORDING = "recording"
    HEAT = "heat"
    VOLTAGE = "voltage"
    MOVES_MISSING = "moves-missing"
    NO_TABLE = "no-table"
    """The table's own program does not run; only the link to the hall does."""


@dataclass(frozen=True, slots=True)
class Status:
    """The connection of a table to its hall.

    Attributes:
        online: False once the table said goodbye, or the broker sent its will.
        url: address of the table's own page; empty if it is not known.
    """

    online: bool
    url: str = ""


@dataclass(frozen=True, slots=True)
class ColourSummary:
    """One colour of a game.

    Attributes:
        name: name of the pieces' colour.
        player: name of the person who plays it, as the table shows it.
        score: its current score; None where it has none.
    """

    name: str
    player: str = ""
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The state of a game in short.

    Attributes:
        revision: revision of the page that this was made from.
        game: key of the game.
        pairing: id of the match that is played; empty without one.
        state: state of the referee.
        turn: the colour to move; None if there is none.
        ply: number of pieces laid.
        colours: in the order of play.
        clocks: one for each person with a time control.
        calls: True if somebody at the table calls the arbiter.
        faults: what somebody has to mend.
        result: result of the game; None while it lasts.
    """

    revision: int
    game: str
    pairing: str = ""
    state: RefereeState = RefereeState.SEARCHING
    turn: int | None = None
    ply: int = 0
    colours: tuple[ColourSummary, ...] = ()
    clocks: tuple[PlayerClock, ...] = ()
    calls: bool = False
    faults: tuple[FaultCode, ...] = ()
    result: GameResult | None = None


@dataclass(frozen=True, slots=True)
class TablePage:
    """The public page of a table.

    Attributes:
        page: the page for everybody.

    Raises:
        ContractError: the page has a part for arbiters, or cannot be drawn.
    """

    page: Page

    def __post_init__(self) -> None:
        self.page.check()
        require(self.page.private is None, "only the public page leaves a table")


@dataclass(frozen=True, slots=True)
class TableResults:
    """Results of finished games of matches, oldest first.

    Attributes:
        results: the newest ones, as many as fit.
    """

    results: tuple[MatchResult, ...]


@dataclass(frozen=True, slots=True)
class HallStatus:
    """The state of the hall's program.

    Attributes:
        online: False once it said goodbye, or the broker sent its will.
        name: name of the hall for people.
    """

    online: bool
    name: str = ""


@dataclass(frozen=True, slots=True)
class PairingEntry:
    """A match of a round.

    Attributes:
        pairing: id of the match.
        table: number of the table as text.
        players: in the order of play.
        result: the result in short, for example `1-0`; empty without one.
    """

    pairing: str
    table: str
    players: tuple[MatchPlayer, ...]
    result: str = ""


@dataclass(frozen=True, slots=True)
class Pairings:
    """The matches of a round.

    Attributes:
        round: number of the round, from 1.
        locked: True once nothing about the round changes any more.
        game: key of the game.
        matches: in the order of the tables.
        byes: players without a match.
    """

    round: int
    locked: bool = False
    game: str = ""
    matches: tuple[PairingEntry, ...] = ()
    byes: tuple[MatchPlayer, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsEntry:
    """A row of the standings.

    Attributes:
        place: place from 1; players who are equal share it.
        player: the player.
        points: points won.
        tie_breaks: values in the order of `Standings.tie_breaks`.
        played: number of matches.
    """

    place: int
    player: MatchPlayer
    points: float
    tie_breaks: tuple[float, ...] = ()
    played: int = 0


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings after a round.

    Attributes:
        round: number of the last round that counts.
        tie_breaks: names of the tie-breaks, the most important first.
        rows: the best player first.
    """

    round: int
    tie_breaks: tuple[str, ...] = ()
    rows: tuple[StandingsEntry, ...] = ()


ClubMessage = (
    Status
    | Summary
    | TablePage
    | TableResults
    | OfferedMatch
    | HallStatus
    | RoundClock
    | Pairings
    | Standings
)
"""Every kind of message."""

CAPS: Final[dict[type[Any], int]] = {
    Status: _KIB // 2,
    Summary: 2 * _KIB,
    TablePage: 32 * _KIB,
    TableResults: 16 * _KIB,
    OfferedMatch: _KIB,
    HallStatus: _KIB // 4,
    RoundClock: _KIB // 4,
    Pairings: 64 * _KIB,
    Standings: 64 * _KIB,
}
"""Greatest size of each kind of message in bytes."""

Kind = TypeVar("Kind", bound=ClubMessage)


class TooLargeError(ContractError):
    """Error of a message that is larger than its kind may be; it is not sent."""


def encode(message: ClubMessage) -> bytes:
    """Returns a message as JSON.

    Raises:
        TooLargeError: it is larger than its kind may be.
    """
    table = {"v": VERSION, **_CODEC.plain(message)}
    payload = json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()
    _check_size(type(message), payload)
    return payload


def decode(kind: type[Kind], payload: bytes) -> Kind:
    """Parses a message.

    Args:
        kind: kind of message that its topic carries.
        payload: bytes of the message.

    Raises:
        ContractError: it is not a message of this kind and version.
    """
    _check_size(kind, payload)
    table = json_table(payload)
    if table.get("v") != VERSION or table["v"] is True:
        raise ContractError(f"the message is not of version {VERSION} of a hall's messages")
    message: Kind = _CODEC.read(kind, table, kind.__name__)
    return message


def _check_size(kind: type[Kind], payload: bytes) -> None:
    if len(payload) > CAPS[kind]:
        name = kind.__name__
        raise TooLargeError(f"a {name} has at most {CAPS[kind]} bytes, not {len(payload)}")
