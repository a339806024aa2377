"""The JSON form of events: a line of `watch --json`, of the journal and of a finished game."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from firmware.codes import EndReason, HintStep, Rule
from firmware.game.events import (
    EVENTS,
    Candidate,
    ColouredSquares,
    CoveredBy,
    Event,
    Squares,
)
from firmware.game.reasons import Reason
from firmware.game.reasons import from_json as reason_from_json
from firmware.game.reasons import to_json as reason_to_json
from firmware.rules.board import Board, Move
from firmware.rules.errors import NotationError
from firmware.rules.position import Position
from firmware.rules.variants import Edition, parse_edition
from firmware.rules.violations import Violation

_OPTIONAL: Final = (
    "left_s",
    "turned",
    "edition",
    "provisional_frame",
    "possible_turns",
    "unclear",
    "to_move",
    "caller",
    "reasons",
    "proved",
    "failure",
    "order_seen",
    "by",
    "covered",
)
"""Fields that are omitted if they are None."""

_OMITTED: Final = frozenset(_OPTIONAL) - {"reasons"}
"""Fields that are also omitted if they are empty; a move without a reason is another thing."""

_KEYS: Final = {"provisional_frame": "told_in", "possible_turns": "asked", "covered": "squares"}
"""Keys of optional fields that have another name in JSON."""

_KINDS: Final = {kind.name: kind for kind in EVENTS}
"""Classes of events by the name in JSON."""


def to_json(event: Event, size: int, edition: Edition) -> dict[str, Any]:
    """The JSON form of an event, one line of `watch --json`.

    Args:
        event: the event.
        size: squares along a side of the board.
        edition: names of the colours in the order of play.
    """
    board = Board.of(size)
    line: dict[str, Any] = {"frame": event.frame, "time": event.time, "event": event.name}
    for item in fields(event)[2:]:
        value = getattr(event, item.name)
        if value is not None and not (item.name in _OMITTED and value == ()):
            line |= _field(item.name, value, board, edition)
    return line


def from_json(line: object, size: int, edition: Edition) -> Event:
    """Reads the form that `to_json` writes.

    Raises:
        NotationError: it is not the JSON form of an event of this board and edition.
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
            if item.name not in _OPTIONAL or _KEYS.get(item.name, item.name) in line
        }
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise NotationError(f"this {kind.name} event cannot be read: {error}") from error
    return kind(**values)


def _field(name: str, value: Any, board: Board, edition: Edition) -> dict[str, Any]:
    """One field of an event as keys and values of JSON."""
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


def _write_violation(one: Violation, board: Board) -> dict[str, Any]:
    squares, against = _names(board, one.squares), _names(board, one.against)
    return {"rule": one.rule.value, "squares": squares, "against": against}


def _read_violation(line: Mapping[str, Any], board: Board) -> Violation:
    squares, against = _squares(board, line["squares"]), _squares(board, line["against"])
    return Violation(Rule(line["rule"]), squares, against)


def _write_patch(one: ColouredSquares, board: Board, edition: Edition) -> dict[str, Any]:
    colour = None if one.colour is None else edition[one.colour]
    return {"color": colour, "cells": _names(board, one.squares)}


def _read_patch(line: Mapping[str, Any], board: Board, edition: Edition) -> ColouredSquares:
    colour = None if line["color"] is None else edition.index(line["color"])
    return ColouredSquares(colour, _squares(board, line["cells"]))


def _write_candidate(one: Candidate, board: Board, edition: Edition) -> dict[str, Any]:
    move = _write_move(one.move, board)
    return {"color": edition[one.colour], **move, "confidence": one.confidence}


def _read_candidate(line: Mapping[str, Any], board: Board, edition: Edition) -> Candidate:
    return Candidate(edition.index(line["color"]), _read_move(line, board), line["confidence"])


def _read_reason(row: Mapping[str, Any], board: Board) -> Reason:
    reason = reason_from_json(row)
    _squares(board, list(reason.squares))
    return reason


_WRITE: Final[dict[str, Callable[[Any, Board, Edition], dict[str, Any]]]] = {
    "colour": lambda value, _, edition: {"color": edition[value]},
    "move": lambda value, board, _: _write_move(value, board),
    "squares": lambda value, board, _: {"cells": _names(board, value)},
    "violations": lambda value, board, _: {"reasons": [_write_violation(o, board) for o in value]},
    "expected": lambda value, board, e: {"expected": [_write_patch(o, board, e) for o in value]},
    "seen": lambda value, board, e: {"seen": [_write_patch(o, board, e) for o in value]},
    "candidates": lambda value, board, e: {
        "candidates": [_write_candidate(o, board, e) for o in value]
    },
    "moves": lambda value, board, e: {
        "moves": [{"color": e[colour], **_write_move(move, board)} for colour, move in value]
    },
    "to_move": lambda value, _, edition: {"to_move": edition[value]},
    "unclear": lambda value, board, e: {"unclear": [_write_patch(o, board, e) for o in value]},
    "points": lambda value, _, edition: {"score": dict(zip(edition, value, strict=True))},
    "edition": lambda value, _board, _edition: {"edition": list(value)},
    "possible_turns": lambda value, _, edition: {"asked": [edition[colour] for colour in value]},
    "provisional_frame": lambda value, _board, _edition: {"told_in": [value[0], list(value[1])]},
    "position": lambda value, _board, _edition: {"position": str(value)},
    "colours": lambda value, _, edition: {"colors": [edition[one] for one in value]},
    "how": lambda value, _board, _edition: {"how": value.value},
    "by": lambda value, _board, _edition: {"by": value.value},
    "covered": lambda value, board, _: {"squares": _names(board, value)},
    "step": lambda value, _board, _edition: {"step": value.value},
    "reasons": lambda value, _board, _edition: {"reasons": list(map(reason_to_json, value))},
    "left_s": lambda value, _board, _edition: {"left_s": [round(one, 3) for one in value]},
}
"""Writers of the fields that have another form or name in JSON."""

_READ: Final[dict[str, Callable[[Mapping[str, Any], Board, Edition], Any]]] = {
    "colour": lambda line, _, edition: edition.index(line["color"]),
    "move": lambda line, board, _: _read_move(line, board),
    "squares": lambda line, board, _: _squares(board, line["cells"]),
    "violations": lambda line, board, _: tuple(_read_violation(o, board) for o in line["reasons"]),
    "expected": lambda line, board, e: tuple(_read_patch(o, board, e) for o in line["expected"]),
    "seen": lambda line, board, e: tuple(_read_patch(o, board, e) for o in line["seen"]),
    "candidates": lambda line, board, e: tuple(
        _read_candidate(o, board, e) for o in line["candidates"]
    ),
    "moves": lambda line, board, e: tuple(
        (e.index(one["color"]), _read_move(one, board)) for one in line["moves"]
    ),
    "to_move": lambda line, _, edition: edition.index(line["to_move"]),
    "unclear": lambda line, board, e: tuple(_read_patch(o, board, e) for o in line["unclear"]),
    "points": lambda line, _, edition: tuple(line["score"][name] for name in edition),
    "edition": lambda line, _, edition: parse_edition(line["edition"], len(edition)),
    "possible_turns": lambda line, _, edition: tuple(map(edition.index, line["asked"])),
    "provisional_frame": lambda line, _, edition: (
        line["told_in"][0],
        parse_edition(line["told_in"][1], len(edition)),
    ),
    "position": lambda line, _board, _edition: Position.parse(line["position"]),
    "colours": lambda line, _, edition: tuple(edition.index(one) for one in line["colors"]),
    "how": lambda line, _board, _edition: EndReason(line["how"]),
    "by": lambda line, _board, _edition: CoveredBy(line["by"]),
    "covered": lambda line, board, _: _squares(board, line["squares"]),
    "step": lambda line, _board, _edition: HintStep(line["step"]),
    "reasons": lambda line, board, _: tuple(_read_reason(one, board) for one in line["reasons"]),
    "levels": lambda line, _board, _edition: tuple(map(int, line["levels"])),
    "players": lambda line, _board, _edition: tuple(map(str, line["players"])),
    "left_s": lambda line, _board, _edition: tuple(map(float, line["left_s"])),
}
"""Readers of the fields that have another form or name in JSON."""
