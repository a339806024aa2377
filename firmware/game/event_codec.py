"""The JSON form of events: a line of `watch --json`, of the journal and of a finished game.

Colours and squares have names there, see `firmware.codec` for the rest.
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, Final

from firmware.codec import Codec, Form
from firmware.codes import Rule
from firmware.game.events import EVENTS, Event, Squares
from firmware.game.reasons import Reason
from firmware.game.reasons import from_json as reason_from_json
from firmware.game.reasons import to_json as reason_to_json
from firmware.rules.board import Board, Move
from firmware.rules.errors import NotationError
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour, Edition, parse_edition
from firmware.rules.violations import Violation

_KINDS: Final = {kind.name: kind for kind in EVENTS}
"""Classes of events by the name in JSON."""

_KEYS: Final = {
    "squares": "cells",
    "covered": "squares",
    "violations": "reasons",
    "points": "score",
    "possible_turns": "asked",
    "provisional_frame": "told_in",
}
"""Keys that differ from the names of their fields."""

_KEPT: Final = "reasons"
"""Optional field that is written if it is empty: a move without a reason is another thing."""


def to_json(event: Event, size: int, edition: Edition) -> dict[str, Any]:
    """The JSON form of an event, one line of `watch --json`; without optional fields of no value.

    Args:
        event: the event.
        size: squares along a side of the board.
        edition: names of the colours in the order of play.
    """
    codec = _codec(size, tuple(edition))
    line: dict[str, Any] = {"frame": event.frame, "time": event.time, "event": event.name}
    for item in fields(event)[2:]:
        value = getattr(event, item.name)
        is_left_out = value is None or (value == () and item.name != _KEPT)
        if item.default is MISSING or not is_left_out:
            line |= codec.write_field(type(event), item.name, value)
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
    try:
        event: Event = _codec(size, tuple(edition)).read(kind, line, "it")
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise NotationError(f"this {kind.name} event cannot be read: {error}") from error
    return event


@cache
def _codec(size: int, edition: Edition) -> Codec:
    """Returns the codec of events on a board of some size in some edition."""
    board = Board.of(size)

    def names(squares: Iterable[int]) -> list[str]:
        return [board.format_square(square) for square in squares]

    def squares(names: list[str]) -> Squares:
        return tuple(board.parse_squares(",".join(names))) if names else ()

    def written_move(move: Move) -> dict[str, Any]:
        return {"piece": move.piece.name, "cells": names(move.squares)}

    def read_move(line: Mapping[str, Any]) -> Move:
        return Move.parse(",".join(line["cells"]), size)

    def written_violation(one: Violation) -> dict[str, Any]:
        against = names(one.against)
        return {"rule": one.rule.value, "squares": names(one.squares), "against": against}

    def read_violation(line: Mapping[str, Any]) -> Violation:
        return Violation(Rule(line["rule"]), squares(line["squares"]), squares(line["against"]))

    def read_reason(row: Mapping[str, Any]) -> Reason:
        reason = reason_from_json(row)
        squares(list(reason.squares))
        return reason

    forms = {
        Colour: Form(edition.__getitem__, edition.index),
        Squares: Form(names, squares),
        Move: Form(written_move, read_move, is_flat=True),
        LaidPiece: Form(
            lambda laid: {"color": edition[laid[0]], **written_move(laid[1])},
            lambda line: (edition.index(line["color"]), read_move(line)),
        ),
        Violation: Form(written_violation, read_violation),
        Reason: Form(reason_to_json, read_reason),
        Edition: Form(list, lambda names: parse_edition(names, len(edition))),
        Position: Form(str, Position.parse),
        tuple[float, ...]: Form(
            lambda left_s: [round(one, 3) for one in left_s],
            lambda left_s: tuple(map(float, left_s)),
        ),
        tuple[int | None, ...]: Form(
            lambda points: dict(zip(edition, points, strict=True)),
            lambda score: tuple(score[name] for name in edition),
        ),
    }
    return Codec(_KEYS, forms, has_gaps=True, has_more=True)
