"""The rule that says which reasons for a move are given.

Each reason has a number for every legal move. P is the position before a move, Q the one after
it, both exact by the rules; *own* is the colour that moves, the *opponents* are the colours of all
other sides. The numbers of several opponents are added; a shared colour, which scores for nobody,
is never an opponent, and its own moves have no reasons about own placements.

A reason is given only if the move is among the best 5 % of all legal moves in it, equal ones
included. A reason that holds for most moves says nothing about one of them: "opens corners" holds
for 92 % of the best moves and for 88 % of random ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import MoveReasonCode
from firmware.game.reasons import Reason
from firmware.rules.board import Move

Numbers = NDArray[np.int64]
"""(moves,): the number of a reason for each legal move, 0 where the reason does not hold."""


MOST_GIVEN: Final = 2
"""Greatest number of reasons that are given for a move."""

TOP_SHARE: Final = 0.05
"""Largest share of the legal moves that are as good in a reason as a move for which it is given."""

FEW: Final = 8
"""Placements left of a piece of five squares from which on it is not called urgent."""


@dataclass(frozen=True, slots=True)
class ProvedMoves:
    """Proofs of the exact solver about a position, in points for the side that moves.

    Attributes:
        best: exact margin under best play.
        margins: exact margin after each move for which it is known.
        at_most: for every legal move an upper bound of its margin.
    """

    best: int
    margins: Mapping[Move, int]
    at_most: Mapping[Move, int]


def proof_of(move: Move, proved: ProvedMoves) -> Reason | None:
    """The proof for a legal move, or None.

    A margin that all legal moves share is no reason for one of them.
    """
    if proved.margins.get(move) != proved.best:
        return None
    others = [most for other, most in proved.at_most.items() if other != move]
    if proved.best > 0 and others and max(others) <= 0:
        return Reason(MoveReasonCode.ONLY_WINNING, proved.best, ())
    if others and min(others) < proved.best:
        return Reason(MoveReasonCode.PROVEN, proved.best, ())
    return None


def superlatives(
    numbers: Mapping[MoveReasonCode, Numbers],
) -> tuple[tuple[MoveReasonCode, ...], ...]:
    """The reasons in which each legal move is among the best, first those that the fewest have.

    Args:
        numbers: the numbers of each reason that needs no proof.
    """
    shares = {code: _shares(code, values) for code, values in numbers.items()}
    order = list(MoveReasonCode)

    def best(move: int) -> tuple[MoveReasonCode, ...]:
        fit = [code for code in shares if shares[code][move] <= TOP_SHARE]
        return tuple(sorted(fit, key=lambda code: (shares[code][move], order.index(code))))

    return tuple(best(move) for move in range(len(next(iter(shares.values())))))


def _shares(code: MoveReasonCode, numbers: Numbers) -> NDArray[np.float64]:
    """For each legal move the share of them that are as good in a reason; above 1 without it."""
    merits = (
        np.where(numbers > 0, FEW - numbers, 0) if code is MoveReasonCode.LARGE_NOW else numbers
    )
    as_good = len(merits) - np.searchsorted(np.sort(merits), merits, side="left")
    return np.where(merits > 0, as_good / len(merits), 2.0)
