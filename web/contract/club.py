"""A table and the people at it besides the game: seats, a call of the arbiter, the hall.

The table sends a `ClubTable` after each change, also without a hall. People at the table, and the
program that connects the table to a hall (`cornerlight share`), send a `ClubRequest`. Seats are
taken and left as `PlayRequest`, at every table in the same way.

A person is an index in the order of play, a side an index in `Page.sides`.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar, Final, get_args

from firmware.codes import EndReason, GameKey, Scoring
from web.contract.commands import LONGEST_CLOCK_S
from web.contract.page import MOST_PEOPLE
from web.contract.person_names import LONGEST_NAME, clean_name
from web.contract.play import Seat
from web.contract.requests import ActionRequest, fingerprint
from web.contract.schema import JsonMessage, line, plain, require

LONGEST_HALL: Final = 60
"""Characters of the name of a hall."""

LONGEST_LABEL: Final = 20
"""Characters of the label of a table."""

LONGEST_SENTENCE: Final = 200
"""Characters of the reason for which a result is disputed."""

MOST_ROUNDS: Final = 999
"""Number of the last round."""

_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,40}")
"""Id of a match or a player. Ids of players in our halls have at most 32 characters; 40 was chosen
to leave room."""

_TAG: Final = re.compile(r"[0-9a-f]{16}")
"""Tag of a match or a result: the first 16 digits of a SHA-256, as `_tag` makes it."""


def _check_text(text: str, longest: int, thing: str) -> None:
    require(len(text) <= longest, f"{thing} has at most {longest} characters")
    require(text.isprintable(), f"{thing} has no control characters")


def _check_person(person: int) -> None:
    require(0 <= person < MOST_PEOPLE, f"a person or side is from 0 to {MOST_PEOPLE - 1}")


def _tag(content: Any) -> str:
    return fingerprint(line({"content": plain(content)}))[:16]


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """A player of a match.

    Attributes:
        id: id of the player in the event of the hall.
        name: name in the public form, as screens and records show it.
    """

    id: str
    name: str

    def __post_init__(self) -> None:
        require(_ID.fullmatch(self.id) is not None, "an id has 1 to 40 of A-Z, a-z, 0-9, _ . and -")
        fits = 0 < len(self.name) <= LONGEST_NAME and self.name == clean_name(self.name)
        require(fits, f"a player has a name of 1 to {LONGEST_NAME} characters that can be seen")


@dataclass(frozen=True, slots=True)
class OfferedMatch:
    """A match that a hall wants to be played at the table.

    Attributes:
        id: id of the match, for example `2-07`.
        round: number of the round, from 1.
        game: game to play.
        players: the players in the order of play; the first begins.
        clock_s: seconds that each player has for the game; 0 for no clock.
    """

    id: str
    round: int
    game: GameKey
    players: tuple[MatchPlayer, ...]
    clock_s: int = 0

    def __post_init__(self) -> None:
        require(_ID.fullmatch(self.id) is not None, "an id has 1 to 40 of A-Z, a-z, 0-9, _ . and -")
        require(1 <= self.round <= MOST_ROUNDS, f"a round is from 1 to {MOST_ROUNDS}")
        require(2 <= len(self.players) <= MOST_PEOPLE, f"players are 2 to {MOST_PEOPLE}")
        ids = {player.id for player in self.players}
        require(len(ids) == len(self.players), "the players of a match are different people")
        require(0 <= self.clock_s <= LONGEST_CLOCK_S, f"clock_s is from 0 to {LONGEST_CLOCK_S}")

    @property
    def tag(self) -> str:
        """Identifier of all that is offered; another one after each change."""
        return _tag(self)


class OfferState(StrEnum):
    """Things that an offered match waits for."""

    GAME = "game"
    """The end of the game on the table."""

    PEOPLE = "people"
    """The people at the table, who have to agree."""

    BOARD = "board"
    """Everybody has agreed; the pieces of the game before have to be cleared away."""


@dataclass(frozen=True, slots=True)
class MatchOffer:
    """The match that is offered at the table, until it begins or is withdrawn.

    Attributes:
        match: the match.
        state: what it waits for.
        agreed: the players who agree to begin.
        phones: fingerprint of the seat's token of each of them; empty where a paired phone agreed.
    """

    match: OfferedMatch
    state: OfferState = OfferState.PEOPLE
    agreed: tuple[int, ...] = ()
    phones: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require(len(self.agreed) == len(self.phones), "whoever agreed has a phone")
        require(set(self.agreed) <= set(range(len(self.match.players))), "only its players agree")


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of a round of the hall, at the time at which it was sent.

    Attributes:
        round: number of the round, from 1.
        left_ms: milliseconds left; negative after the time ran out.
        running: True if it counts down.
    """

    round: int
    left_ms: int
    running: bool = False

    def __post_init__(self) -> None:
        require(1 <= self.round <= MOST_ROUNDS, f"a round is from 1 to {MOST_ROUNDS}")
        longest_ms = 1000 * LONGEST_CLOCK_S
        require(abs(self.left_ms) <= longest_ms, "the clock of a round has at most a day")

    def aged(self, passed_ms: int) -> "RoundClock":
        """Returns the clock some milliseconds later; it stops a day after the end."""
        if not self.running:
            return self
        return replace(self, left_ms=max(self.left_ms - passed_ms, -1000 * LONGEST_CLOCK_S))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The match of a hall that is played on the table.

    Attributes:
        id: id of the match.
        round: number of the round, from 1.
        players: ids of the players in the order of play.
    """

    id: str
    round: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArbiterCall:
    """A call of the arbiter that lasts.

    Attributes:
        person: the person who calls; None if a paired phone does.
    """

    person: int | None = None


class AnswerKind(StrEnum):
    """Answers of a side to the result of a game."""

    NONE = "none"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class SideAnswer:
    """The answer of a side to the result.

    Attributes:
        people: the persons of the side.
        score: score of the side.
        won: True for a side on the first place, also if others share it.
        answer: its answer.
        sentence: reason for which it disputes the result; may be empty.
    """

    people: tuple[int, ...]
    score: int
    won: bool
    answer: AnswerKind = AnswerKind.NONE
    sentence: str = ""

    def __post_init__(self) -> None:
        _check_text(self.sentence, LONGEST_SENTENCE, "the reason")


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a finished match of a hall, and the answers of its sides.

    Attributes:
        match: the match.
        game: name of the folder with the game's files, as `Page.name`; empty if there is none.
        how: reason for the end.
        sides: score and answer of each side, in the order of `Page.sides`.
        scoring: scoring of the game.
    """

    match: PlayedMatch
    game: str
    how: EndReason
    sides: tuple[SideAnswer, ...]
    scoring: Scoring = Scoring.ADVANCED

    @property
    def tag(self) -> str:
        """Identifier of the result without its answers; another one after a correction."""
        scores = tuple((side.people, side.score, side.won) for side in self.sides)
        return _tag((self.match, self.game, self.how, scores))

    @property
    def key(self) -> tuple[str, str]:
        """Identifies the result: match and game; one with the same key replaces it."""
        return self.match.id, self.game

    @property
    def is_confirmed(self) -> bool:
        """True if all sides have confirmed it."""
        return all(side.answer is AnswerKind.CONFIRMED for side in self.sides)


@dataclass(frozen=True, slots=True)
class HallState:
    """The hall that the table belongs to; an action of `share`.

    It is sent after each change, and at least every 10 s: after 30 s without it the table says that
    the hall is not reached.

    Attributes:
        hall: name of the hall; empty if the table left it.
        table: label of the table in the hall, for example `7`.
        connected: True while the hall is reached.
        clock: the clock of the round; None if there is none.
    """

    name: ClassVar[str] = "hall"
    hall: str
    table: str = ""
    connected: bool = True
    clock: RoundClock | None = None

    def __post_init__(self) -> None:
        _check_text(self.hall, LONGEST_HALL, "the name of a hall")
        _check_text(self.table, LONGEST_LABEL, "the label of a table")


@dataclass(frozen=True, slots=True)
class ClubTable(JsonMessage):
    """All that happens at a table besides its game.

    Attributes:
        seats: the seats in the order of play.
        call: the call of the arbiter; None if nobody calls.
        hall: the hall; None without one.
        offer: the offered match; None if there is none, or it has begun.
        match: the match of the game on the table; None if that is no match of a hall.
        result: the result of that match; None while it lasts, and after it was abandoned.
        earlier: the results of matches before it, oldest first.
        invited: name of another hall whose invitation is under the camera; empty without one.
        invitation: tag of that invitation.
    """

    seats: tuple[Seat, ...] = ()
    call: ArbiterCall | None = None
    hall: HallState | None = None
    offer: MatchOffer | None = None
    match: PlayedMatch | None = None
    result: MatchResult | None = None
    earlier: tuple[MatchResult, ...] = ()
    invited: str = ""
    invitation: str = ""

    def __post_init__(self) -> None:
        require(len(self.seats) <= MOST_PEOPLE, f"seats are at most {MOST_PEOPLE}")
        require(self.result is None or self.match is not None, "a result is that of a match")


@dataclass(frozen=True, slots=True)
class OfferMatch:
    """Offers a match at the table; an action of `share`. Repeating it has no effect.

    Attributes:
        match: the match; None to withdraw the one that was offered.
    """

    name: ClassVar[str] = "offer"
    match: OfferedMatch | None = None


@dataclass(frozen=True, slots=True)
class AgreeToBegin:
    """Agrees to begin the offered match, as one of its players, or as arbiter for all of them.

    A paired phone agrees in the same way to join another hall.

    Attributes:
        tag: tag of the match, or of the invitation, that the sender saw.
        person: the player; None for all, which only a paired phone may.
    """

    name: ClassVar[str] = "agree"
    tag: str
    person: int | None = None

    def __post_init__(self) -> None:
        require(_TAG.fullmatch(self.tag) is not None, "a tag has 16 hexadecimal digits")
        _check_person(self.person or 0)


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """Confirms the result for a side, in which the sender has a seat.

    Attributes:
        tag: tag of the result that the sender saw.
        side: the side.
    """

    name: ClassVar[str] = "confirm"
    tag: str
    side: int

    def __post_init__(self) -> None:
        require(_TAG.fullmatch(self.tag) is not None, "a tag has 16 hexadecimal digits")
        _check_person(self.side)


@dataclass(frozen=True, slots=True)
class DisputeResult:
    """Disputes the result for a side, in which the sender has a seat.

    Attributes:
        tag: tag of the result that the sender saw.
        side: the side.
        sentence: reason, at most `LONGEST_SENTENCE` characters.
    """

    name: ClassVar[str] = "dispute"
    tag: str
    side: int
    sentence: str

    def __post_init__(self) -> None:
        require(_TAG.fullmatch(self.tag) is not None, "a tag has 16 hexadecimal digits")
        _check_person(self.side)
        require(bool(self.sentence.strip()), "whoever disputes a result says why")
        _check_text(self.sentence, LONGEST_SENTENCE, "the reason")


@dataclass(frozen=True, slots=True)
class CallArbiter:
    """Calls the arbiter to the table; for whoever has a seat, and for paired phones."""

    name: ClassVar[str] = "call"


@dataclass(frozen=True, slots=True)
class ArbiterCame:
    """Ends a call: for whoever called, for paired phones, and for the hall."""

    name: ClassVar[str] = "came"


HallAction = HallState | OfferMatch
"""An action of `share` alone; it may also send `ArbiterCame`."""

PhoneAction = AgreeToBegin | ConfirmResult | DisputeResult | CallArbiter | ArbiterCame
"""An action of people at the table."""

ClubAction = HallAction | PhoneAction
"""Any action."""


@dataclass(frozen=True, slots=True)
class ClubRequest(ActionRequest):
    """An action of somebody at the table, or of `share`."""

    kinds: ClassVar = {kind.name: kind for kind in get_args(ClubAction)}
    action: ClubAction
