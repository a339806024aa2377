"""The exact result of the last moves of a game of two colours, or nothing.

The margin is proved by searches with a window of one point, each of which moves a bound (MTD(f),
Plaat 1996), and so is the margin after each move as far as the limits allow. They share a table.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from firmware.codes import ALL_PLACED_BONUS, MONOMINO_LAST_BONUS, Scoring
from firmware.player.search.endgame_bound import Remainder, new_remainder, settle
from firmware.player.search.endgame_moves import COLOURS, Ending, ending_of
from firmware.player.search.endgame_search import (
    DEPTHS,
    NODES,
    Stack,
    advance,
    lay_first,
    new_stack,
    start,
    value_of,
)
from firmware.player.search.endgame_table import ProofTable, new_table
from firmware.player.search.tables import Longs
from firmware.player.search_result import SearchedMove, SearchResult, sure_value
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import Starts

MOST_IN_HAND: Final = 24
"""Pieces that both sides together have in hand at most. In 20 games none was solved in half a
second with more than 22."""

_MOST_SECONDS: Final = 0.5
"""Default limit of time in seconds."""

_SHARE: Final = 0.25
"""Largest part of the seconds of a search that a proof may take."""

_SLICE: Final = 4000
"""Nodes between two checks of the limits: about 4 ms."""

_BONUS: Final = {
    Scoring.ADVANCED: (ALL_PLACED_BONUS, MONOMINO_LAST_BONUS),
    Scoring.BASIC: (0, 0),
}
"""Points for laying all pieces, and further ones if the single square was the last."""


class EndgameSolver:
    """Proves the results of positions; its table of 24 MB is made with the first proof.

    One thread at a time.
    """

    def __init__(self) -> None:
        self._table: ProofTable | None = None
        self._proofs = 0

    def solve(
        self,
        position: Position,
        scoring: Scoring = Scoring.ADVANCED,
        stopped: threading.Event | None = None,
        *,
        seconds: float = _MOST_SECONDS,
        nodes: int | None = None,
    ) -> SearchResult | None:
        """Proves the result of a position, and the margins of its moves as the limits allow.

        Args:
            position: the position.
            scoring: the scoring that gives the points.
            stopped: ends the proof within milliseconds when another thread sets it.
            seconds: limit of wall time.
            nodes: limit of searched positions, or None.

        Returns:
            All legal moves without simulations: those with a proved margin, the best first, then
            the others. None if the game has not two colours or is over, a colour has laid nothing,
            too many pieces or placements are left, or a limit was reached before the margin of
            the position was proved.
        """
        game = position.game
        if game.puzzle is not None or len(game.colours) != COLOURS or position.is_over:
            return None
        if position.count_in_hand > MOST_IN_HAND:
            return None
        begun = time.perf_counter()
        ending = ending_of(position)
        if ending is None:
            return None
        if self._table is None:
            self._table = new_table()
        self._proofs += 1
        proof = _Proof(position, ending, self._table, _BONUS[scoring], self._proofs)
        proof.limit(nodes, begun + seconds, stopped or threading.Event())
        found = proof.run(_lead(position, scoring))
        if found is None:
            return None
        margin, moves = found
        took = time.perf_counter() - begun
        return SearchResult(moves, seconds=took, proved=margin, nodes=proof.nodes)

    def warm(self) -> None:
        """Compiles the kernels, or reads them from the cache, by a proof of a last move."""
        before = position = Position.start("duo", Starts.FIXED)
        while not position.is_over:
            before = position
            *_, largest = position.legal_moves
            position = position.play(largest)
        self.solve(before, seconds=float("inf"))


def proof_seconds(seconds: float | None) -> float:
    """The limit of a proof before a search, by the seconds of the search; None for no limit."""
    return _MOST_SECONDS if seconds is None else min(_MOST_SECONDS, _SHARE * seconds)


class _Proof:
    """The proof of one position."""

    def __init__(
        self,
        position: Position,
        ending: Ending,
        table: ProofTable,
        bonus: tuple[int, int],
        number: int,
    ) -> None:
        assert position.to_move is not None, "the game is not over"
        self._position: Final = position
        self._mover: Final = position.to_move
        self._ending: Final = ending
        self._table: Final = table
        self._stack: Final[Stack] = new_stack(ending.placement.shape[1])
        self._remainder: Final[Remainder] = new_remainder(DEPTHS, ending.now.shape[1], bonus)
        # Entries of an earlier proof have other hashes.
        self._remainder.bonus[2] = number << 32
        self._remainder.now[0] = ending.now
        self._remainder.live[0] = _as_words(ending)
        self._remainder.hand[0] = ending.hand
        for colour in range(COLOURS):
            settle(ending, self._remainder, 0, colour)
        self._nodes: int | None = None
        self._ends_s = float("inf")
        self._stopped = threading.Event()

    def limit(self, nodes: int | None, ends_s: float, stopped: threading.Event) -> None:
        """Sets the limits: number of nodes, time of `time.perf_counter`, and an event."""
        self._nodes, self._ends_s, self._stopped = nodes, ends_s, stopped

    @property
    def nodes(self) -> int:
        """Number of searched positions."""
        return int(self._stack.at[NODES])

    def run(self, lead: int) -> tuple[int, tuple[SearchedMove, ...]] | None:
        """Proves the margin and those of the moves; None if the limits prevent the first.

        Args:
            lead: points that the side to move is ahead now.
        """
        low = lead - int(self._remainder.most[0, 1 - self._mover])
        high = lead + int(self._remainder.most[0, self._mover])
        low, high = _narrowed(lambda least: self._test(0, least, lead), low, high, 0)
        if low < high:
            return None
        placements = self._ending.placement[self._mover, self._legal()].tolist()
        found = [_bounded(self._position.board.move(index), high) for index in placements]
        self._prove_moves(found, lead, high)
        found.sort(key=_rank)
        return high, tuple(found)

    def _legal(self) -> list[int]:
        """The legal placements by their bits."""
        bits = self._ending.now[self._mover].view(np.uint8)
        return np.flatnonzero(np.unpackbits(bits, bitorder="little")).tolist()

    def _prove_moves(self, found: list[SearchedMove], lead: int, best: int) -> None:
        """Narrows the margins of the moves until a limit is reached, in place.

        First, which of them are best; then, if the best one wins, which others do not; then all.
        """
        legal = self._legal()
        order = sorted(range(len(found)), key=lambda i: -found[i].move.piece.size)
        for target in (best, 1, None):
            if target is not None and target > best:
                continue
            for i in order:
                one = found[i]
                if one.proved is not None or (target is not None and one.margin < target):
                    continue
                found[i] = self._proved(one, legal[i], lead, target)
                if self._is_ended():
                    return

    def _proved(
        self, one: SearchedMove, placement: int, lead: int, target: int | None
    ) -> SearchedMove:
        """A move with its bound narrowed: to the exact margin, or below a target."""
        gain = lead + lay_first(self._ending, self._remainder, self._mover, placement)
        low = gain - int(self._remainder.most[1, 1 - self._mover])

        def test(least: int) -> int | None:
            return self._test(1, least, gain)

        if target is None:
            low, high = _narrowed(test, low, int(one.margin), int(one.margin))
            return _bounded(one.move, high, low if low == high else None)
        value = test(target)
        if value is None:
            return one
        if value < target:
            return _bounded(one.move, value)
        return replace(one, proved=value) if value >= one.margin else one

    def _test(self, depth: int, least: int, ahead: int) -> int | None:
        """A bound of the margin that tells if it is at least a number; None at a limit.

        Args:
            depth: 0 for the position, 1 after the move of which the remainder is computed.
            least: the number.
            ahead: points that the mover is ahead there.
        """
        alpha, beta = least - ahead - 1, least - ahead
        if depth:
            start(self._stack, depth, 1 - self._mover, -beta, -alpha)
        else:
            start(self._stack, depth, self._mover, alpha, beta)
        if not self._searched(depth):
            return None
        return ahead + int(value_of(self._stack, depth, self._mover))

    def _searched(self, depth: int) -> bool:
        """Searches in slices; returns False if a limit is reached before the end."""
        while not self._is_ended():
            most = self.nodes + _SLICE
            most = most if self._nodes is None else min(most, self._nodes)
            if advance(self._ending, self._remainder, self._table, self._stack, depth, most):
                return True
        return False

    def _is_ended(self) -> bool:
        if self._nodes is not None and self.nodes >= self._nodes:
            return True
        return self._stopped.is_set() or time.perf_counter() >= self._ends_s


def _narrowed(
    test: Callable[[int], int | None], low: int, high: int, guess: int
) -> tuple[int, int]:
    """Bounds of a value, equal if it was found before a limit.

    Args:
        test: a lower bound of at least its argument, or an upper bound below it, or None.
        low: lower bound.
        high: upper bound.
        guess: where to begin.
    """
    value = min(max(guess, low), high)
    while low < high:
        least = max(value, low + 1)
        found = test(least)
        if found is None:
            break
        if found < least:
            high = found
        else:
            low = found
        value = found
    return low, high


def _as_words(ending: Ending) -> Longs:
    """(colours, words): all placements of each colour as sets."""
    return np.packbits(ending.placement >= 0, axis=1, bitorder="little").view(np.int64)


def _bounded(move: Move, at_most: int, proved: int | None = None) -> SearchedMove:
    """A move with an upper bound of its margin, which is exact if it is proved."""
    return SearchedMove(move, sure_value(at_most), float(at_most), 0, proved)


def _rank(one: SearchedMove) -> tuple[bool, float, int, int]:
    return one.proved is None, -one.margin, -one.move.piece.size, one.move.index


def _lead(position: Position, scoring: Scoring) -> int:
    """Points that the side to move is ahead, by the pieces on the board."""
    side = position.next_side
    assert side is not None, "the game is not over"
    sides = score(position).sides
    own, other = sides[side], sides[1 - side]
    return other.basic - own.basic if scoring is Scoring.BASIC else own.advanced - other.advanced
