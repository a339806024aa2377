"""The one vocabulary of what can happen at a table, and its JSON form.

`watch`, the journal and finished files speak it. To the referee a colour is its place in the
order of play and a square is a number in the game's own frame; names come in only where an
event becomes JSON, through an edition and the size of the board. What events add up to is
`firmware.game`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

from firmware.rules.breaches import Breach, Rule
from firmware.rules.errors import NotationError
from firmware.rules.games import Colour, Edition
from firmware.rules.placements import Board, Move
from firmware.rules.position import Position

Squares = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Patch:
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
    """

    name: ClassVar[str] = ""
    frame: int
    time: float


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
class Hand(Event):
    """A hand came over the board."""

    name: ClassVar[str] = "hand"


@dataclass(frozen=True, slots=True)
class Clear(Event):
    """The hand has left the board."""

    name: ClassVar[str] = "clear"


@dataclass(frozen=True, slots=True)
class Standing(Event):
    """A game was taken up whose pieces stood there already; its history is unknown.

    Attributes:
        position: what stands there and whose turn it is.
        turned: see `Moved`.
        edition: see `Moved`.
    """

    name: ClassVar[str] = "standing"
    position: Position
    turned: int
    edition: Edition


@dataclass(frozen=True, slots=True)
class Moved(Event):
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
class Illegal(Event):
    """A piece was refused.

    Attributes:
        colour: whose it is.
        squares: where it lies.
        breaches: all the rules it breaks.
        turned: see `Moved`.
        told_in: where the frame or the order of the colours is not known yet, those in which
            colour and squares are told: the clockwise turn from the reader's frame in degrees,
            and the names of the colours. None once they are those of the game.
    """

    name: ClassVar[str] = "illegal"
    colour: Colour
    squares: Squares
    breaches: tuple[Breach, ...]
    turned: int | None = None
    told_in: tuple[int, Edition] | None = None


@dataclass(frozen=True, slots=True)
class Withdrawn(Event):
    """A refused piece was taken back."""

    name: ClassVar[str] = "withdrawn"
    colour: Colour
    squares: Squares


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last accepted piece was taken back; `ply` is the number it had."""

    name: ClassVar[str] = "undone"
    ply: int
    colour: Colour
    move: Move


@dataclass(frozen=True, slots=True)
class Disturbed(Event):
    """Accepted pieces were moved or are missing.

    Attributes:
        expected: the pieces that are not as they were accepted, whole.
        seen: what is seen instead: accepted squares that are empty or of another colour, and
            new squares.
    """

    name: ClassVar[str] = "disturbed"
    expected: tuple[Patch, ...]
    seen: tuple[Patch, ...]


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """The board is again as it was accepted."""

    name: ClassVar[str] = "restored"


@dataclass(frozen=True, slots=True)
class Unsure(Event):
    """Several explanations are too close to tell; the likeliest first."""

    name: ClassVar[str] = "unsure"
    candidates: tuple[Candidate, ...]


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
class GameOver(Event):
    """No colour can place any more.

    Attributes:
        points: by colour in the order of play; None for a shared colour.
    """

    name: ClassVar[str] = "game-over"
    points: tuple[int | None, ...]


EVENTS: Final[tuple[type[Event], ...]] = (
    BoardFound,
    BoardLost,
    BoardMoved,
    LightChanged,
    Hand,
    Clear,
    Standing,
    Moved,
    Illegal,
    Withdrawn,
    Undone,
    Disturbed,
    Restored,
    Unsure,
    Resolved,
    Passed,
    GameOver,
)
"""Every kind of event."""

_OPTIONAL: Final = ("turned", "edition", "told_in")
"""Fields that are left out where they are None."""

_KINDS: Final = {kind.name: kind for kind in EVENTS}


def to_json(event: Event, size: int, edition: Edition) -> dict[str, Any]:
    """The JSON form of an event, one line of `watch --json`.

    Args:
        event: what happened.
        size: squares along a side of the board.
        edition: names of the colours in the order of play.
    """
    board = Board.of(size)
    line: dict[str, Any] = {"frame": event.frame, "time": event.time, "event": event.name}
    for item in fields(event)[2:]:
        value = getattr(event, item.name)
        if value is not None:
            line |= _field(item.name, value, board, edition)
    return line


def from_json(line: object, size: int, edition: Edition) -> Event:
    """The way back from `to_json`.

    Raises:
        NotationError: it is not the JSON form of an event of such a board and edition.
    """
    if not isinstance(line, Mapping):
        raise NotationError("an event is a table of keys and values")
    name = line.get("event")
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise NotationError(f"{name!r} is no event; they are {', '.join(_KINDS)}")
    board = Board.of(size)
    try:
        values = {
            item.name: _value(item.name, line, board, edition)
            for item in fields(kind)
            if item.name not in _OPTIONAL or item.name in line
        }
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotationError(f"this {kind.name} event cannot be read: {error}") from error
    return kind(**values)


def _field(name: str, value: Any, board: Board, edition: Edition) -> dict[str, Any]:
    """One field of an event as the keys it has in JSON."""
    write = _WRITE.get(name)
    return {name: value} if write is None else write(value, board, edition)


def _value(name: str, line: Mapping[str, Any], board: Board, edition: Edition) -> Any:
    """One field of an event from its keys in JSON."""
    read = _READ.get(name)
    return line[name] if read is None else read(line, board, edition)


def _names(board: Board, squares: Squares) -> list[str]:
    return [board.format_square(square) for square in squares]


def _squares(board: Board, names: list[str]) -> Squares:
    return tuple(board.parse_squares(",".join(names))) if names else ()


def _write_move(move: Move, board: Board) -> dict[str, Any]:
    return {"piece": move.piece.name, "cells": _names(board, move.squares)}


def _read_move(line: Mapping[str, Any], board: Board) -> Move:
    return Move.parse(",".join(line["cells"]), board.size)


def _write_breach(one: Breach, board: Board) -> dict[str, Any]:
    squares, against = _names(board, one.squares), _names(board, one.against)
    return {"rule": one.rule.value, "squares": squares, "against": against}


def _read_breach(line: Mapping[str, Any], board: Board) -> Breach:
    squares, against = _squares(board, line["squares"]), _squares(board, line["against"])
    return Breach(Rule(line["rule"]), squares, against)


def _write_patch(one: Patch, board: Board, edition: Edition) -> dict[str, Any]:
    colour = None if one.colour is None else edition[one.colour]
    return {"color": colour, "cells": _names(board, one.squares)}


def _read_patch(line: Mapping[str, Any], board: Board, edition: Edition) -> Patch:
    colour = None if line["color"] is None else edition.index(line["color"])
    return Patch(colour, _squares(board, line["cells"]))


def _write_candidate(one: Candidate, board: Board, edition: Edition) -> dict[str, Any]:
    move = _write_move(one.move, board)
    return {"color": edition[one.colour], **move, "confidence": one.confidence}


def _read_candidate(line: Mapping[str, Any], board: Board, edition: Edition) -> Candidate:
    return Candidate(edition.index(line["color"]), _read_move(line, board), line["confidence"])


_WRITE: Final[dict[str, Callable[[Any, Board, Edition], dict[str, Any]]]] = {
    "colour": lambda value, _, edition: {"color": edition[value]},
    "move": lambda value, board, _: _write_move(value, board),
    "squares": lambda value, board, _: {"cells": _names(board, value)},
    "breaches": lambda value, board, _: {"reasons": [_write_breach(o, board) for o in value]},
    "expected": lambda value, board, e: {"expected": [_write_patch(o, board, e) for o in value]},
    "seen": lambda value, board, e: {"seen": [_write_patch(o, board, e) for o in value]},
    "candidates": lambda value, board, e: {
        "candidates": [_write_candidate(o, board, e) for o in value]
    },
    "points": lambda value, _, edition: {"score": dict(zip(edition, value, strict=True))},
    "edition": lambda value, _board, _edition: {"edition": list(value)},
    "told_in": lambda value, _board, _edition: {"told_in": [value[0], list(value[1])]},
    "position": lambda value, _board, _edition: {"position": str(value)},
}
"""How a field is written where JSON has another form or name for it."""

_READ: Final[dict[str, Callable[[Mapping[str, Any], Board, Edition], Any]]] = {
    "colour": lambda line, _, edition: edition.index(line["color"]),
    "move": lambda line, board, _: _read_move(line, board),
    "squares": lambda line, board, _: _squares(board, line["cells"]),
    "breaches": lambda line, board, _: tuple(_read_breach(o, board) for o in line["reasons"]),
    "expected": lambda line, board, e: tuple(_read_patch(o, board, e) for o in line["expected"]),
    "seen": lambda line, board, e: tuple(_read_patch(o, board, e) for o in line["seen"]),
    "candidates": lambda line, board, e: tuple(
        _read_candidate(o, board, e) for o in line["candidates"]
    ),
    "points": lambda line, _, edition: tuple(line["score"][name] for name in edition),
    "edition": lambda line, _board, _edition: tuple(line["edition"]),
    "told_in": lambda line, _board, _edition: (line["told_in"][0], tuple(line["told_in"][1])),
    "position": lambda line, _board, _edition: Position.parse(line["position"]),
}
"""How a field is read where JSON has another form or name for it."""
