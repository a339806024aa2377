"""All events of a table, used by `watch`, the journal and the files of finished games.

A colour is its place in the order of play and a square is a number in the game's own frame; only
the JSON form of an event has names, see `firmware.game.event_codec`. `firmware.game.state`
computes the state of a game from its events.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, Final, NamedTuple, Self

from firmware.codes import EndReason, HintStep
from firmware.game.reasons import Reason
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour, Edition
from firmware.rules.violations import Violation

Squares = Annotated[tuple[int, ...], "squares"]
"""Squares by number, ascending or in the order of records."""

ProvisionalFrame = tuple[int, Edition]
"""A frame and an order of colours: the clockwise turn in degrees from the reader's frame, and
the names of the colours in the order of play."""


class CoveredBy(StrEnum):
    """A thing over the board: one that moves is a hand, one that lies still an object."""

    HAND = "hand"
    OBJECT = "object"


class Moment(NamedTuple):
    """A picture after which something is decided.

    Attributes:
        frame: its number, from 1.
        time: seconds since the recording or the game began.
    """

    frame: int
    time: float


@dataclass(frozen=True, slots=True)
class ColouredSquares:
    """Squares of one colour; `colour` is None if they are empty."""

    colour: Colour | None
    squares: Squares


@dataclass(frozen=True, slots=True)
class Candidate:
    """A placement that may have happened.

    Attributes:
        colour: colour of the piece.
        move: the placement.
        confidence: probability among the explanations that were considered, 0 to 1.
    """

    colour: Colour
    move: Move
    confidence: float


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes:
        frame: number of the frame, from 1, that settled the decision.
        time: seconds since the start of the recording or the game.
        left_s: seconds that each person has left after it, in the order of play; None without a
            clock.
    """

    name: ClassVar[str] = ""
    frame: int
    time: float
    left_s: tuple[float, ...] | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class BoardFound(Event):
    """The board is in view, for the first time or again."""

    name: ClassVar[str] = "board-found"


@dataclass(frozen=True, slots=True)
class BoardLost(Event):
    """The board is no longer in view; `reason` names cause and remedy."""

    name: ClassVar[str] = "board-lost"
    reason: str


@dataclass(frozen=True, slots=True)
class CameraAway(Event):
    """The camera gives no pictures; `reason` names cause and remedy, `fault` is its code."""

    name: ClassVar[str] = "camera-away"
    reason: str
    fault: str


@dataclass(frozen=True, slots=True)
class CameraBack(Event):
    """The camera gives pictures again."""

    name: ClassVar[str] = "camera-back"


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    """The game began at a table that was at play before.

    Attributes:
        begins: name of the colour that is expected to begin; empty if nobody is.
    """

    name: ClassVar[str] = "new-game"
    begins: str


@dataclass(frozen=True, slots=True)
class AnewAsked(Event):
    """People are asked to go on with the game or to begin anew.

    The board is empty though pieces should lie there, or it has another size than the game's.

    Attributes:
        size: squares along a side of the board in view.
    """

    name: ClassVar[str] = "new-game-asked"
    size: int


@dataclass(frozen=True, slots=True)
class BoardMoved(Event):
    """Board or camera was moved, the corners by at most `shift_px` pixels.

    Attributes:
        turned: the new clockwise turn in degrees from the reader's frame to the game's, if the
            board was turned by quarters; otherwise None.
    """

    name: ClassVar[str] = "board-moved"
    shift_px: float
    turned: int | None = None


@dataclass(frozen=True, slots=True)
class LightChanged(Event):
    """The light on the board changed; `factor` is its brightness divided by that before."""

    name: ClassVar[str] = "light-changed"
    factor: float


@dataclass(frozen=True, slots=True)
class HandEntered(Event):
    """A hand came over the board, or a thing was left on it.

    Attributes:
        by: the thing that covers the board; None in journals of earlier versions.
        covered: squares that it covers, as far as they are seen.
    """

    name: ClassVar[str] = "hand"
    by: CoveredBy | None = None
    covered: Squares = ()


@dataclass(frozen=True, slots=True)
class HandLeft(Event):
    """The hand has left the board."""

    name: ClassVar[str] = "clear"


@dataclass(frozen=True, slots=True)
class PositionSet(Event):
    """A position without known history: found on the board, or set by a person.

    Attributes:
        position: the pieces and the turn.
        turned: see `MoveAccepted`.
        edition: see `MoveAccepted`.
        possible_turns: the colours whose turn it may be, if the board does not tell. A person
            answers by setting the position again, or the next piece decides it.
    """

    name: ClassVar[str] = "standing"
    position: Position
    turned: int | None = None
    edition: Edition | None = None
    possible_turns: tuple[Colour, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoveAccepted(Event):
    """A legal move was accepted.

    Attributes:
        ply: number of the placement, from 1.
        colour: colour of the piece.
        move: the placement, in the game's frame.
        confidence: probability of this explanation against the next best, 0 to 1.
        turned: with the first event that depends on it, the clockwise turn in degrees from the
            reader's frame to the game's; None otherwise.
        edition: with the move that settles it, the names of the colours in the order of play;
            None otherwise.
        order_seen: False if it came together with others that are legal in several orders, all
            with the same position and score; None otherwise.
    """

    name: ClassVar[str] = "move"
    ply: int
    colour: Colour
    move: Move
    confidence: float
    turned: int | None = None
    edition: Edition | None = None
    order_seen: bool | None = None


@dataclass(frozen=True, slots=True)
class MoveRefused(Event):
    """A piece was refused.

    Attributes:
        colour: colour of the piece.
        squares: squares of the piece.
        violations: all rules it breaks.
        turned: see `MoveAccepted`.
        provisional_frame: frame of `colour` and `squares`, while that of the game or the order of
            the colours is unknown: the clockwise turn from the reader's frame in degrees, and the
            names of the colours. None once these are known.
    """

    name: ClassVar[str] = "illegal"
    colour: Colour
    squares: Squares
    violations: tuple[Violation, ...]
    turned: int | None = None
    provisional_frame: ProvisionalFrame | None = None


@dataclass(frozen=True, slots=True)
class LyingPiece(Event):
    """Something that happened to a piece that is not accepted.

    Attributes:
        colour: colour of the piece, or the colour most similar to an object.
        squares: its squares.
        provisional_frame: see `MoveRefused`.
    """

    colour: Colour
    squares: Squares
    provisional_frame: ProvisionalFrame | None = None

    @classmethod
    def of(cls, one: "MoveRefused | LyingPiece", moment: Moment) -> Self:
        """Returns an event of this kind about the piece of another event."""
        return cls(*moment, one.colour, one.squares, one.provisional_frame)


@dataclass(frozen=True, slots=True)
class Withdrawn(LyingPiece):
    """A refused piece was taken back; its former squares."""

    name: ClassVar[str] = "withdrawn"


@dataclass(frozen=True, slots=True)
class Overruled(Event):
    """A person accepted a piece that breaks rules.

    Attributes:
        ply: number of the placement, from 1.
        colour: colour of the piece.
        move: the placement, in the game's frame.
        violations: all rules it breaks.
        turned: see `MoveAccepted`.
        edition: see `MoveAccepted`.
    """

    name: ClassVar[str] = "overruled"
    ply: int
    colour: Colour
    move: Move
    violations: tuple[Violation, ...]
    turned: int | None = None
    edition: Edition | None = None


@dataclass(frozen=True, slots=True)
class Dismissed(LyingPiece):
    """A person ruled that an object is not a piece; holds until it is lifted."""

    name: ClassVar[str] = "dismissed"


@dataclass(frozen=True, slots=True)
class ToLift(LyingPiece):
    """A piece that does not count lies on the board; nothing is judged until it is lifted.

    Its move was taken back by a person, or it is a dismissed object in the way of the computer.
    """

    name: ClassVar[str] = "to-lift"


@dataclass(frozen=True, slots=True)
class Lifted(LyingPiece):
    """A piece to lift, or a dismissed object, was lifted; its former squares."""

    name: ClassVar[str] = "lifted"


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """An accepted placement was taken back: in a game the last one, in a puzzle any.

    Attributes:
        ply: its former number; 0 for a piece of a position that was set.
        colour: colour of the piece.
        move: the placement.
    """

    name: ClassVar[str] = "undone"
    ply: int
    colour: Colour
    move: Move


@dataclass(frozen=True, slots=True)
class Disturbed(Event):
    """Accepted pieces were moved or are missing.

    Attributes:
        expected: all squares of each accepted piece that was moved or is missing.
        seen: observed differences: accepted squares that are empty, and unexpected patches; a
            piece that was moved whole is one patch at its current squares.
    """

    name: ClassVar[str] = "disturbed"
    expected: tuple[ColouredSquares, ...]
    seen: tuple[ColouredSquares, ...]


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """The board matches the accepted position again."""

    name: ClassVar[str] = "restored"


@dataclass(frozen=True, slots=True)
class Unsure(Event):
    """Several explanations are almost equally probable, or an observation has none.

    Attributes:
        candidates: the explanations, the most probable first; may be empty.
        turned: see `MoveAccepted`.
        provisional_frame: see `MoveRefused`.
        unclear: squares that have differed from the accepted position for some seconds and that
            no candidate explains, by the most similar colour.
    """

    name: ClassVar[str] = "unsure"
    candidates: tuple[Candidate, ...]
    turned: int | None = None
    provisional_frame: ProvisionalFrame | None = None
    unclear: tuple[ColouredSquares, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending(Event):
    """Moves made after an open question that are legal for every answer to it.

    Each is accepted by an event of its own once the question is settled. An event without moves
    clears the list.

    Attributes:
        moves: colour and placement of each, in order.
        to_move: the colour to move after them; None if that depends on the answer.
    """

    name: ClassVar[str] = "pending"
    moves: tuple[LaidPiece, ...]
    to_move: Colour | None = None


@dataclass(frozen=True, slots=True)
class Resolved(Event):
    """The open question is settled; its consequences are events of their own."""

    name: ClassVar[str] = "resolved"


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A colour is for the first time without a placement at its turn."""

    name: ClassVar[str] = "pass"
    colour: Colour
    after_ply: int


@dataclass(frozen=True, slots=True)
class NoMovesLeft(Event):
    """No colour can place any more.

    Attributes:
        points: by colour in the order of play; None for a shared colour.
    """

    name: ClassVar[str] = "game-over"
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Solved(Event):
    """All pieces of a puzzle are laid, and none breaks a rule."""

    name: ClassVar[str] = "solved"


@dataclass(frozen=True, slots=True)
class Hinted(Event):
    """A person asked for a hint, or for its next step, and received it.

    Attributes:
        person: index in the order of play; a first step costs one hint.
        colour: colour of the move.
        move: the suggested move.
        step: the part of it that is revealed.
        reasons: the reasons that are given for the move, none if none stands out; None if nobody
            looked for any, as in a puzzle and in journals of earlier versions.
        proved: exact margin in points of the side to move under best play, if it is proved.
    """

    name: ClassVar[str] = "hint"
    person: int
    colour: Colour
    move: Move
    step: HintStep
    reasons: tuple[Reason, ...] | None = None
    proved: int | None = None


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The arbiter stopped clocks and referee."""

    name: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """A game that was paused, or ended by the arbiter, continues."""

    name: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A side resigned; its `colours` are not played any more."""

    name: ClassVar[str] = "resigned"
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class TimedOut(Event):
    """The time of the side with these `colours` ran out; the arbiter decides what follows."""

    name: ClassVar[str] = "timed-out"
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class EndedByArbiter(Event):
    """A command of the arbiter ended the game."""

    name: ClassVar[str] = "ended"
    how: EndReason


@dataclass(frozen=True, slots=True)
class MatchBegun(Event):
    """The game is a match of a hall, on which the people at the table agreed.

    Attributes:
        match: id of the match.
        round: number of the round, from 1.
        players: ids of the players in the order of play.
    """

    name: ClassVar[str] = "match"
    match: str
    round: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArbiterCalled(Event):
    """Somebody called the arbiter; the game goes on.

    Attributes:
        caller: index of the person in the order of play; None if a paired phone called.
    """

    name: ClassVar[str] = "arbiter-called"
    caller: int | None = None


@dataclass(frozen=True, slots=True)
class CallEnded(Event):
    """The call of the arbiter ended."""

    name: ClassVar[str] = "arbiter-came"


@dataclass(frozen=True, slots=True)
class ResultConfirmed(Event):
    """A side confirmed the result of a match of a hall.

    Attributes:
        side: index in the sides of the game.
    """

    name: ClassVar[str] = "result-confirmed"
    side: int


@dataclass(frozen=True, slots=True)
class ResultDisputed(Event):
    """A side disputed the result of a match of a hall.

    Attributes:
        side: index in the sides of the game.
        sentence: its reason.
    """

    name: ClassVar[str] = "result-disputed"
    side: int
    sentence: str


@dataclass(frozen=True, slots=True)
class SeatsAssigned(Event):
    """Other seats are the computer's from now on.

    Attributes:
        levels: level of the computer for each person in the order of play, 0 for a human being.
        failure: code of the reason for which the computer gave a seat up; None if people asked.
    """

    name: ClassVar[str] = "seats"
    levels: tuple[int, ...]
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class ComputerMove(Event):
    """The computer has chosen its move in this position; somebody has to lay it.

    Attributes:
        colour: colour of the piece.
        move: the placement.
    """

    name: ClassVar[str] = "computer-move"
    colour: Colour
    move: Move


@dataclass(frozen=True, slots=True)
class ComputerPreparing(Event):
    """The computer has to move and its player is not ready; its clock stands."""

    name: ClassVar[str] = "computer-preparing"


@dataclass(frozen=True, slots=True)
class ComputerReady(Event):
    """The player of the computer that has to move is ready."""

    name: ClassVar[str] = "computer-ready"


TableEvent = (
    SeatsAssigned
    | ComputerPreparing
    | ComputerReady
    | MatchBegun
    | ArbiterCalled
    | CallEnded
    | ResultConfirmed
    | ResultDisputed
)
"""Something that happens at the table; it changes neither board nor turn."""

EVENTS: Final[tuple[type[Event], ...]] = tuple(
    kind
    for kind in globals().values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.name
)
"""Every kind of event."""
