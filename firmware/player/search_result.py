"""The result of a search, in the player's process, at the table and in a review."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.game import reasons
from firmware.game.reasons import Reason
from firmware.rules.board import Move
from firmware.rules.position import Position


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


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        choices: the examined moves, the best first; none if no colour can move.
        simulations: number of simulations.
        seconds: duration of the search so far.
        done: True if the search has ended.
        proved: exact margin in points of the side to move, under best play; None if it is not
            proved, as always with more than two colours.
        highest_level: highest level, 1 to 12, that this machine plays within 6 s a move in such
            a position; None if the search was too short to tell.
        nodes: number of nodes of its trees, or of positions searched for a proof; only the
            player's process knows it.
    """

    choices: tuple[SearchedMove, ...]
    simulations: int = 0
    seconds: float = 0.0
    done: bool = True
    proved: int | None = None
    highest_level: int | None = None
    nodes: int = 0

    @property
    def best(self) -> SearchedMove | None:
        """The first choice."""
        return self.choices[0] if self.choices else None

    def choice(self, move: Move) -> SearchedMove | None:
        """The results of a move; None if the search did not name it."""
        return next((one for one in self.choices if one.move == move), None)

    def best_legal_move(self, position: Position) -> Move:
        """Returns the first choice that the rules allow.

        Raises:
            PlayerError: no choice is a legal move.
        """
        for one in self.choices:
            if one.move in position.legal_moves:
                return one.move
        raise PlayerError(PlayerFailure.NO_MOVE, "the player named no move that the rules allow")


def sure_value(margin: float) -> float:
    """The value of a proved difference in points."""
    return 0.5 if margin == 0 else float(margin > 0)


def to_json(result: SearchResult) -> dict[str, Any]:
    """The JSON form of a result, as the player's process sends it."""
    return {
        "size": result.choices[0].move.board.size if result.choices else 0,
        "choices": list(map(move_to_json, result.choices)),
        "simulations": result.simulations,
        "seconds": round(result.seconds, 3),
        "done": result.done,
        "proved": result.proved,
        "highest_level": result.highest_level,
    }


def from_json(row: Mapping[str, Any]) -> SearchResult:
    """Reads the form that `to_json` writes.

    Raises:
        ArithmeticError, LookupError, TypeError, ValueError: it is not that form.
    """
    return SearchResult(
        tuple(_move_from_json(one, row["size"]) for one in row["choices"]),
        int(row["simulations"]),
        float(row["seconds"]),
        bool(row["done"]),
        _number(row["proved"]),
        _number(row["highest_level"]),
    )


def move_to_json(one: SearchedMove) -> dict[str, object]:
    """The JSON form of a move, which people read too."""
    return {
        "cells": str(one.move).split(","),
        "piece": one.move.piece.name,
        "value": round(one.value, 4),
        "margin": round(one.margin, 2),
        "visits": one.visits,
        "proved": one.proved,
        "reasons": list(map(reasons.to_json, one.reasons)),
    }


def _move_from_json(row: Mapping[str, Any], size: int) -> SearchedMove:
    return SearchedMove(
        Move.parse(",".join(row["cells"]), size),
        float(row["value"]),
        float(row["margin"]),
        int(row["visits"]),
        _number(row["proved"]),
        tuple(map(reasons.from_json, row["reasons"])),
    )


def _number(value: Any) -> int | None:
    return None if value is None else int(value)
