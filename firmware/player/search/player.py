"""The player: searches a position within limits of time, simulations and memory.

Each thread searches its own tree and the results are added, so threads share nothing, and one
thread with a fixed seed and number of simulations always gives the same answer.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.player.search.network import Network, network_of
from firmware.player.search.nodes import (
    CHILDREN,
    FIRST,
    MARGIN,
    MOVE,
    NODE_BYTES,
    PRIOR,
    VISITS,
    WINS,
    keep_only,
    keep_subtree,
    make_equal,
    plant,
    thin,
)
from firmware.player.search.scoring import sides_of, state_of
from firmware.player.search.tables import tables
from firmware.player.search.tree import (
    EXPECTING,
    PLAYING,
    PLAYING_CLASSIC,
    Search,
    SearchParameters,
    new_search,
    simulate,
)
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from firmware.rules.errors import IllegalMoveError
from firmware.rules.position import Position
from firmware.rules.variants import GAMES

MEMORY_MB: Final = 64
"""Default memory of all trees together, in units of 2**20 bytes."""

MOST_THREADS: Final = 4
"""Limit of the threads of one search, each with a tree of its own."""

_BEAT_S: Final = 0.004
"""Seconds of search between two checks of the limits."""

_FIRST_BEAT: Final = 8
"""Simulations before the first check."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of a search; the first one reached ends it.

    Attributes:
        seconds: seconds of wall time, or None.
        simulations: simulations of each thread, or None.
        only: the moves that are searched; none for all.
    """

    seconds: float | None = None
    simulations: int | None = None
    only: frozenset[Move] = frozenset()


class SearchPlayer:
    """Searches positions, and reuses the subtree of a position that follows.

    Args:
        threads: parallel searches, 1 to 4.
        seed: seed of the random numbers.
        memory_mb: limit for the trees, in units of 2**20 bytes.
        rates: parameters of the search; by default the best ones for the game.
        network: the network; by default that of the package for the game.

    Attributes:
        threads: number of parallel searches.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        seed: int = 1,
        memory_mb: float = MEMORY_MB,
        rates: SearchParameters | None = None,
        network: Network | None = None,
    ) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"1 to {MOST_THREADS} threads, not {threads}")
        self.threads: Final = threads
        self._seed = seed
        self._nodes: Final = int(memory_mb * 2**20 / NODE_BYTES / threads)
        self._rates: Final = rates
        self._network: Final = network
        self._position: Position | None = None
        self._only: frozenset[Move] = frozenset()
        self._searches: list[Search] = []

    def think(
        self, position: Position, budget: SearchLimits, stopped: threading.Event | None = None
    ) -> SearchResult:
        """Searches a position.

        Args:
            position: the position.
            budget: limits of the search.
            stopped: ends the search at once when another thread sets it, also before its start.

        Raises:
            IllegalMoveError: none of the moves that shall be searched is legal.
        """
        begun = time.perf_counter()
        stopped = stopped or threading.Event()
        if position.is_over:
            return SearchResult(())
        self._set(position, budget.only)
        until = None if budget.seconds is None else begun + budget.seconds
        if self.threads == 1:
            made = self._search(self._searches[0], until, budget.simulations, stopped)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                jobs = [
                    pool.submit(self._search, search, until, budget.simulations, stopped)
                    for search in self._searches
                ]
                made = sum(job.result() for job in jobs)
        nodes = sum(int(search.tree.used[0]) for search in self._searches)
        took = time.perf_counter() - begun
        return SearchResult(self._choices(position), made, took, nodes=nodes)

    def forget(self, seed: int) -> None:
        """Begins the next search with empty trees, and with random numbers of this seed."""
        self._position, self._seed = None, seed

    def compare(
        self, position: Position, moves: Collection[Move], simulations: int
    ) -> tuple[SearchedMove, ...]:
        """Searches some legal moves of a position, each with the same prior.

        Args:
            position: the position, which must not be over.
            moves: the moves.
            simulations: simulations for all of them together.

        Returns:
            The moves, the most visited one first.
        """
        self._position = None
        self._set(position, frozenset(moves))
        search = self._searches[0]
        make_equal(search.tree)
        self._simulations(position)(search, simulations)
        self._searches, self._position = [search], None
        return self._choices(position)

    def _simulations(self, position: Position) -> Callable[[Search, int], None]:
        """Makes a number of simulations of a position in one of the trees."""
        game = position.game
        board, sides = tables(game.size), sides_of(position)
        network = self._network or network_of(game.size, len(game.colours))
        rates = self._steering(position)
        return lambda search, count: simulate(board, search, sides, network, rates, count)

    def _steering(self, position: Position) -> SearchParameters:
        if self._rates is not None:
            return self._rates
        if len(position.game.colours) == 2:
            return EXPECTING
        is_large = position.game.size == GAMES["classic"].size
        return PLAYING_CLASSIC if is_large else PLAYING

    def _set(self, position: Position, only: frozenset[Move]) -> None:
        """Makes a position the root, and retains its subtree if there is one.

        A tree of chosen moves lacks others, so it serves the same request alone.
        """
        if only and not any(move in position.legal_moves for move in only):
            raise IllegalMoveError("none of the moves to search is legal")
        board, sides = tables(position.game.size), sides_of(position)
        root = state_of(position)
        between = None if self._position is None else _moves_between(self._position, position)
        if only != self._only or (only and between):
            between = None
        if between is None:
            self._searches = [
                new_search(board, root, sides, self._nodes, self._seed + index)
                for index in range(self.threads)
            ]
            if only:
                self._restrict(position, frozenset(move.index for move in only))
        else:
            self._searches = [
                _moved_on(search._replace(root=root), between) for search in self._searches
            ]
        self._position, self._only = position, only

    def _restrict(self, position: Position, placements: frozenset[int]) -> None:
        """Grows the roots of new trees, and removes the moves that are not searched."""
        grow = self._simulations(position)
        for search in self._searches:
            grow(search, 0)
            keep_only(search.tree, placements)

    def _search(
        self,
        search: Search,
        until: float | None,
        simulations: int | None,
        stopped: threading.Event,
    ) -> int:
        """Searches in one thread; returns the number of simulations."""
        position = self._position
        assert position is not None, "a position was set"
        make = self._simulations(position)
        made, beat = 0, _FIRST_BEAT
        # A search that is stopped before its start has an answer, too.
        while not (made and stopped.is_set()):
            if simulations is not None:
                beat = min(beat, simulations - made)
            if beat <= 0:
                break
            begun = time.perf_counter()
            if until is not None and begun >= until and made:
                break
            make(search, beat)
            thin(search.tree)
            made += beat
            took = time.perf_counter() - begun
            beat = max(1, min(2 * beat, int(beat * _BEAT_S / took)))
        return made

    def _choices(self, position: Position) -> tuple[SearchedMove, ...]:
        sums: dict[int, np.ndarray] = {}
        for search in self._searches:
            for placement, stat in _children(search):
                sums[placement] = sums.get(placement, 0) + stat
        choices = [
            _choice(position.board.move(placement), stat, self.threads)
            for placement, stat in sums.items()
        ]
        choices.sort(key=lambda one: (-one.visits, -one.prior, one.move.index))
        return tuple(choices)


def _children(search: Search) -> Iterator[tuple[int, np.ndarray]]:
    tree = search.tree
    first = int(tree.link[0, FIRST])
    if first < 0:
        return
    for node in range(first, first + int(tree.link[0, CHILDREN])):
        yield int(tree.link[node, MOVE]), tree.stat[node].astype(np.float64)


def _choice(move: Move, stat: np.ndarray, threads: int) -> SearchedMove:
    visits = float(stat[VISITS])
    return SearchedMove(
        move,
        float(stat[WINS]) / visits if visits else 0.0,
        float(stat[MARGIN]) / visits if visits else 0.0,
        round(visits),
        prior=float(stat[PRIOR]) / threads,
    )


def _moves_between(before: Position, after: Position) -> list[int] | None:
    """The moves that lead from one position to another, or None if none do."""
    if (before.game, before.starts) != (after.game, after.starts):
        return None
    moves = []
    wanted = sum(map(len, after.laid))
    while sum(map(len, before.laid)) < wanted:
        colour = before.to_move
        if colour is None or len(before.laid[colour]) >= len(after.laid[colour]):
            return None
        move = after.laid[colour][len(before.laid[colour])]
        if move not in before.legal_moves:
            return None
        before = before.play(move)
        moves.append(move.index)
    return moves if before.laid == after.laid and before.to_move == after.to_move else None


def _moved_on(search: Search, moves: list[int]) -> Search:
    tree = search.tree
    for move in moves:
        first = int(tree.link[0, FIRST])
        last = first + int(tree.link[0, CHILDREN])
        found = [n for n in range(first, last) if first >= 0 and tree.link[n, MOVE] == move]
        if not found:
            plant(tree)
            break
        keep_subtree(tree, found[0], 0.0)
    return search
