"""The one vocabulary of what can happen at a table.

`watch`, the journal and finished files speak it. To the referee a colour is its place in the
order of play and a square is a number in the game's own frame; names come in only where an
event becomes JSON, see `firmware.game.event_codec`. What events add up to is `firmware.game.state`.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Edition
from firmware.rules.violations import Violation

Squares = tuple[int, ...]

ProvisionalFrame = tuple[int, Edition]
"""A frame and an order of colours: the clockwise turn in degrees from the reader's frame, and
the names of the colours in the order of play."""


class EndReason(StrEnum):
    """What ended a game: its rules, or a word of the arbiter."""

    SCORE = "score"
    RESIGNED = "resigned"
    TIME = "time"
    ABANDONED = "abandoned"


class HintStep(StrEnum):
    """How much of a hinted move is told."""

    WHERE = "where"
    """One square: where it touches a corner of one's own, or covers a starting point."""

    REACH = "reach"
    """That square and the farthest from it."""

    WHOLE = "whole"
    """All its squares."""


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
    """Squares of one colour; `colour` is None where they are empty."""

    colour: Colour | None
    squares: Squares


@dataclass(frozen=True, slots=True)
class Candidate:
    """A placement that may have happened.

    Attributes:
        colour: whose.
        move: which.
        confidence: probability among the explanations that were considered, 0 to 1.
    """

    colour: Colour
    move: Move
    confidence: float


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    Attributes:
        frame: number of the picture, from 1, after which the decision stood.
        time: seconds since the recording or the game began.
        left_s: seconds that each person has left after it, in the order of play; None where no
            time is kept.
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
class BoardMoved(Event):
    """Board or camera was moved, the corners by at most `shift_px` pixels."""

    name: ClassVar[str] = "board-moved"
    shift_px: float


@dataclass(frozen=True, slots=True)
class LightChanged(Event):
    """The light on the board changed; `factor` is its brightness now over that before."""

    name: ClassVar[str] = "light-changed"
    factor: float


@dataclass(frozen=True, slots=True)
class HandEntered(Event):
    """A hand came over the board."""

    name: ClassVar[str] = "hand"


@dataclass(frozen=True, slots=True)
class HandLeft(Event):
    """The hand has left the board."""

    name: ClassVar[str] = "clear"


@dataclass(frozen=True, slots=True)
class PositionSet(Event):
    """Pieces stand there whose history is unknown: found so, or set so by a person.

    Attributes:
        position: what stands there and whose turn it is.
        turned: see `MoveAccepted`.
        edition: see `MoveAccepted`.
        asked: the colours whose turn it may be, where nobody can tell from the board. A person
            answers by setting the position again, or the next piece does.
    """

    name: ClassVar[str] = "standing"
    position: Position
    turned: int | None = None
    edition: Edition | None = None
    asked: tuple[Colour, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoveAccepted(Event):
    """A legal move was accepted.

    Attributes:
        ply: number of the placement, from 1.
        colour: who moved.
        move: the placement, in the game's frame.
        confidence: probability of this explanation against the next best, 0 to 1.
        turned: with the first event that depends on it, the clockwise turn in degrees from the
            reader's frame to the game's; None otherwise.
        edition: with the move that settles it, the names of the colours in the order of play;
            None otherwise.
    """

    name: ClassVar[str] = "move"
    ply: int
    colour: Colour
    move: Move
    confidence: float
    turned: int | None = None
    edition: Edition | None = None


@dataclass(frozen=True, slots=True)
class MoveRefused(Event):
    """A piece was refused.

    Attributes:
        colour: whose it is.
        squares: where it lies.
        breaches: all the rules it breaks.
        turned: see `MoveAccepted`.
        told_in: where the frame or the order of the colours is not known yet, those in which
            colour and squares are told: the clockwise turn from the reader's frame in degrees,
            and the names of the colours. None once they are those of the game.
    """

    name: ClassVar[str] = "illegal"
    colour: Colour
    squares: Squares
    breaches: tuple[Violation, ...]
    turned: int | None = None
    told_in: ProvisionalFrame | None = None


@dataclass(frozen=True, slots=True)
class Withdrawn(Event):
    """A refused piece was taken back.

    Attributes:
        colour: whose it is.
        squares: where it lay.
        told_in: see `MoveRefused`.
    """

    name: ClassVar[str] = "withdrawn"
    colour: Colour
    squares: Squares
    told_in: ProvisionalFrame | None = None


@dataclass(frozen=True, slots=True)
class Overruled(Event):
    """A person lets a piece stand that breaks rules.

    Attributes:
        ply: number of the placement, from 1.
        colour: whose it is.
        move: the placement, in the game's frame.
        breaches: all the rules it breaks.
        turned: see `MoveAccepted`.
        edition: see `MoveAccepted`.
    """

    name: ClassVar[str] = "overruled"
    ply: int
    colour: Colour
    move: Move
    breaches: tuple[Violation, ...]
    turned: int | None = None
    edition: Edition | None = None


@dataclass(frozen=True, slots=True)
class Dismissed(Event):
    """A person says that what lies there counts nothing, until it is lifted.

    Attributes:
        colour: whose it seems to be.
        squares: where it lies.
        told_in: see `MoveRefused`.
    """

    name: ClassVar[str] = "dismissed"
    colour: Colour
    squares: Squares
    told_in: ProvisionalFrame | None = None


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """What was dismissed lies there no longer.

    Attributes:
        colour: whose it seemed to be.
        squares: where it lay.
        told_in: see `MoveRefused`.
    """

    name: ClassVar[str] = "lifted"
    colour: Colour
    squares: Squares
    told_in: ProvisionalFrame | None = None


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last placement that stood was taken back; `ply` is the number it had."""

    name: ClassVar[str] = "undone"
    ply: int
    colour: Colour
    move: Move


@dataclass(frozen=True, slots=True)
class Disturbed(Event):
    """Accepted pieces were moved or are missing.

    Attributes:
        expected: the pieces that are not as they were accepted, whole.
        seen: what is seen instead: the accepted squares that are empty, and whatever lies
            there that is new, a piece that was moved whole where it lies now.
    """

    name: ClassVar[str] = "disturbed"
    expected: tuple[ColouredSquares, ...]
    seen: tuple[ColouredSquares, ...]


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """The board is again as it was accepted."""

    name: ClassVar[str] = "restored"


@dataclass(frozen=True, slots=True)
class Unsure(Event):
    """Several explanations are too close to tell, or something lies there that nothing explains.

    Attributes:
        candidates: the explanations, the likeliest first; none where there are none.
        turned: see `MoveAccepted`.
        told_in: see `MoveRefused`.
        unclear: squares that have shown something else than they should for some seconds, and
            that no candidate explains: by the colour that they look most like.
    """

    name: ClassVar[str] = "unsure"
    candidates: tuple[Candidate, ...]
    turned: int | None = None
    told_in: ProvisionalFrame | None = None
    unclear: tuple[ColouredSquares, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending(Event):
    """The moves that follow a question and are legal whatever its answer is; none for no more.

    They count once the question is settled, and then come as events of their own.

    Attributes:
        moves: colour and placement of each, in order.
        to_move: whose turn it is after them; None where that depends on the answer.
    """

    name: ClassVar[str] = "pending"
    moves: tuple[tuple[Colour, Move], ...]
    to_move: Colour | None = None


@dataclass(frozen=True, slots=True)
class Resolved(Event):
    """What was unsure is settled; what follows from it comes as events of its own."""

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
class Hinted(Event):
    """Somebody asked for a hint, or for more of it, and was told.

    Attributes:
        person: who, by their place in the order of play; a first step costs them a hint.
        colour: whose move it is.
        move: the move that is hinted at.
        step: how much of it is told.
    """

    name: ClassVar[str] = "hint"
    person: int
    colour: Colour
    move: Move
    step: HintStep


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The arbiter stopped clocks and referee."""

    name: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """A game that was paused, or ended by a word, goes on."""

    name: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """Somebody gave up; `colours` are theirs, and are played no more."""

    name: ClassVar[str] = "resigned"
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class TimedOut(Event):
    """Somebody's time ran out, which is for the arbiter to judge; `colours` are theirs."""

    name: ClassVar[str] = "timed-out"
    colours: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class EndedByArbiter(Event):
    """A word of the arbiter ended the game."""

    name: ClassVar[str] = "ended"
    how: EndReason


EVENTS: Final[tuple[type[Event], ...]] = (
    BoardFound,
    BoardLost,
    BoardMoved,
    LightChanged,
    HandEntered,
    HandLeft,
    PositionSet,
    MoveAccepted,
    MoveRefused,
    Withdrawn,
    Overruled,
    Dismissed,
    Lifted,
    Undone,
    Disturbed,
    Restored,
    Unsure,
    Pending,
    Resolved,
    Passed,
    NoMovesLeft,
    Hinted,
    Paused,
    Resumed,
    Resigned,
    TimedOut,
    EndedByArbiter,
)
"""Every kind of event."""
