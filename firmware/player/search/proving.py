"""The exact endgame as an answer of the player: before a search, within a part of its time."""

import threading
from typing import Final

from firmware.codes import Scoring
from firmware.player.search.endgame import (
    MOST_SECONDS,
    EndgameLimits,
    EndgameSolver,
    ExactMove,
    ExactResult,
)
from firmware.player.search.player import SearchLimits, SearchResult
from firmware.player.searched_move import SearchedMove
from firmware.rules.position import Position
from firmware.rules.variants import Starts

PROVING_LEVEL: Final = 7
"""The lowest level whose moves may be proved; the levels below it are to make mistakes."""

_SHARE: Final = 0.25
"""Largest part of the seconds of a search that a proof may take."""


class EndgameProver:
    """Answers positions near the end of a game of two colours exactly, without a search."""

    def __init__(self) -> None:
        self._solver: Final = EndgameSolver()

    def prove(
        self,
        position: Position,
        budget: SearchLimits,
        scoring: Scoring = Scoring.ADVANCED,
        stopped: threading.Event | None = None,
    ) -> SearchResult | None:
        """Proves the result of a position.

        Args:
            position: the position.
            budget: limits of the whole search; a proof takes at most a quarter of its seconds.
            scoring: the scoring that gives the points.
            stopped: ends the proof when another thread sets it.

        Returns:
            All legal moves without simulations, the best first; None if nothing was proved. The
            value and the margin of a move without a proved margin are upper bounds.
        """
        seconds = MOST_SECONDS
        if budget.seconds is not None:
            seconds = min(seconds, _SHARE * budget.seconds)
        exact = self._solver.solve(position, scoring, EndgameLimits(seconds), stopped)
        return None if exact is None else _answer(exact)

    def warm(self) -> None:
        """Compiles the kernels, or reads them from the cache, by a proof of a last move."""
        before = position = Position.start("duo", Starts.FIXED)
        while not position.is_over:
            before = position
            *_, largest = position.legal_moves
            position = position.play(largest)
        self._solver.solve(before, limits=EndgameLimits(seconds=float("inf")))


def _answer(exact: ExactResult) -> SearchResult:
    choices = tuple(map(_choice, exact.moves))
    return SearchResult(choices, 0, exact.seconds, exact.nodes, exact.margin)


def _choice(one: ExactMove) -> SearchedMove:
    value = 1.0 if one.at_most > 0 else 0.5 if one.at_most == 0 else 0.0
    return SearchedMove(one.move, value, float(one.at_most), 0, one.margin)
