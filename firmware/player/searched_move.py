"""A move with its results in a search, in the player's process, at the table and in a review."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware.game import reasons
from firmware.game.reasons import Reason
from firmware.rules.board import Move


@dataclass(frozen=True, slots=True)
class SearchedMove:
    """A move with its results in a search.

    Attributes:
        move: the move.
        value: expected result for the side that moves, 0 lost to 1 won; with more than two
            sides the share of the others that it beats.
        margin: expected points ahead of the best other side.
        visits: simulations that began with it; 0 in a proved position.
        proved: exact margin in points after it under best play; None if it is not proved. In a
            proved position `value` and `margin` are then upper bounds.
        reasons: the reasons that are given for it, if they were asked for and the search is over.
        prior: probability before the search, 0 to 1; only the player's process knows it.
    """

    move: Move
    value: float
    margin: float
    visits: int
    proved: int | None = None
    reasons: tuple[Reason, ...] = ()
    prior: float = 0.0


def to_json(one: SearchedMove) -> dict[str, object]:
    """The JSON form, as the player's process sends it and people read it."""
    return {
        "cells": str(one.move).split(","),
        "piece": one.move.piece.name,
        "value": round(one.value, 4),
        "margin": round(one.margin, 2),
        "visits": one.visits,
        "proved": one.proved,
        "reasons": list(map(reasons.to_json, one.reasons)),
    }


def from_json(row: Mapping[str, Any], size: int) -> SearchedMove:
    """Reads the form that `to_json` writes.

    Args:
        row: the JSON.
        size: squares along a side of the board.

    Raises:
        ArithmeticError, LookupError, TypeError, ValueError: it is not that form.
    """
    return SearchedMove(
        Move.parse(",".join(row["cells"]), size),
        float(row["value"]),
        float(row["margin"]),
        int(row["visits"]),
        None if row["proved"] is None else int(row["proved"]),
        tuple(map(reasons.from_json, row["reasons"])),
    )
