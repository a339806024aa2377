"""The solver of puzzles: completes a begun board, or proves that nobody can."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, Protocol

from firmware.player.search.exact_cover import FOUND, NONE, STOPPED
from firmware.player.search.filling import Filling
from firmware.player.search.laying import improve, laid_of, new_laying
from firmware.player.search.mirrored import has_mirrored, mirrored
from firmware.player.search.reach import is_out_of_reach
from firmware.player.search.stored import varied
from firmware.player.search.tables import tables
from firmware.player.solver_client import Answer, Solution
from firmware.rules.errors import IllegalMoveError
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults_of
from firmware.rules.variants import Contact

_LAYING_STEPS: Final = 25
"""Steps of laying between two looks at the clock: some 10 ms."""

_LONGEST_LAYING: Final = 400
"""Looks at the clock until laying begins again with other random choices."""

_STORED: Final = 600
"""Looks at the clock after which an empty board is given a stored solution, varied; one search in
ten takes longer. By size it is given at once."""

_FIRST_ROUND: Final = 8
"""Looks at the clock in the first search for each piece that may be the culprit."""

_NEXT_ROUND: Final = 8
"""Factor from the searches of a round to those of the next."""


class _Attempt(Protocol):
    def step(self) -> int:
        """Searches for some milliseconds; returns `FOUND`, `NONE` or `STOPPED`."""
        ...

    def found(self) -> list[LaidPiece]:
        """The pieces that complete the board."""
        ...


def solve(
    position: Position,
    *,
    seed: int,
    seconds: float,
    order: Sequence[LaidPiece] = (),
    stopped: threading.Event | None = None,
    report: Callable[[Solution], None] = lambda _: None,
) -> Solution:
    """Completes a begun board of a puzzle.

    Args:
        position: the board.
        seed: seed of the random choices.
        seconds: limit of time.
        order: its pieces in the order laid, if it is known.
        stopped: ends the search when another thread sets it.
        report: called with the state at every look at the clock.
    """
    laid = tuple(order)
    if sorted(map(_key, laid)) != sorted(map(_key, _in_turn(position))):
        laid = tuple(_in_turn(position))
    search = _Search(seed, seconds, stopped or threading.Event(), report)
    found = search.completed(position)
    if found is not None:
        moves = tuple(legal_order(position, laid, found))
        return replace(search.state, answer=Answer.SOLVABLE, moves=moves, done=True)
    if not search.is_proved:
        return replace(search.state, answer=Answer.UNKNOWN, done=True)
    search.state = replace(search.state, answer=Answer.IMPOSSIBLE)
    culprit = search.culprit(position, laid)
    return replace(search.state, culprit=culprit, done=True)


class _Search:
    """A search with its limit of time.

    Attributes:
        state: the state of the search.
        is_proved: True if the last look for a solution tried everything.
    """

    def __init__(
        self,
        seed: int,
        seconds: float,
        stopped: threading.Event,
        report: Callable[[Solution], None],
    ) -> None:
        self._seed: Final = seed
        self._begun: Final = time.perf_counter()
        self._until: Final = self._begun + seconds
        self._stopped: Final = stopped
        self._report: Final = report
        self.state = Solution(None, done=False)
        self.is_proved = False

    def completed(self, position: Position, most: float = float("inf")) -> list[LaidPiece] | None:
        """The pieces that complete a board, or None; see `is_proved`.

        Args:
            position: the board.
            most: limit of looks at the clock.
        """
        self.is_proved = bool(faults_of(position))
        if self.is_proved:
            return None
        if position.is_over:
            return []
        if not position.occupied and has_mirrored(position.game):
            found = mirrored(position.game, self._seed)
            self._look()
            return found
        attempt, looks = _attempt(position, self._seed), 0
        # A search that is late already makes one step, which also compiles it.
        while looks == 0 or (looks < most and not self._is_late()):
            state = attempt.step()
            looks += 1
            self._look()
            if state == FOUND:
                return attempt.found()
            if state == NONE:
                self.is_proved = True
                return None
        return None

    def culprit(self, position: Position, laid: Sequence[LaidPiece]) -> LaidPiece | None:
        """The piece laid last of those whose removal is found to make a board solvable."""
        suspects, most = list(reversed(laid)), _FIRST_ROUND
        while suspects and not self._is_late():
            remaining = []
            for colour, move in suspects:
                if self.completed(position.lift(move, colour), most) is not None:
                    return colour, move
                if not self.is_proved:
                    remaining.append((colour, move))
            suspects, most = remaining, most * _NEXT_ROUND
        return None

    def _look(self) -> None:
        """Counts a look at the clock, and reports it."""
        seconds = time.perf_counter() - self._begun
        self.state = replace(self.state, seconds=seconds, tried=self.state.tried + 1)
        self._report(self.state)

    def _is_late(self) -> bool:
        return self._stopped.is_set() or time.perf_counter() > self._until


class _LayingAttempt:
    def __init__(self, position: Position, seed: int) -> None:
        self._position: Final = position
        self._seed = seed
        self._looks = 0
        puzzle = position.game.puzzle
        by_size = puzzle is not None and puzzle.by_size
        # A solution by size is one in any order, too.
        self._stored_at = -1 if position.occupied else 0 if by_size else _STORED
        self._laying = None if is_out_of_reach(position) else new_laying(position, seed)

    def step(self) -> int:
        if self._laying is None:
            return NONE
        if self._looks == self._stored_at:
            self._laying = varied(self._position.game, self._seed)
            return FOUND
        self._looks += 1
        if self._looks % _LONGEST_LAYING == 0:
            self._seed += 1 << 32
            self._laying = new_laying(self._position, self._seed)
            assert self._laying is not None, "the board has not changed"
        left = improve(tables(self._position.game.size), self._laying, _LAYING_STEPS)
        return FOUND if left == 0 else STOPPED

    def found(self) -> list[LaidPiece]:
        assert self._laying is not None, "all pieces were laid"
        return laid_of(self._position, self._laying)


def _attempt(position: Position, seed: int) -> _Attempt:
    puzzle = position.game.puzzle
    assert puzzle is not None, "only puzzles are solved"
    if puzzle.contact is Contact.AT_CORNERS:
        return _LayingAttempt(position, seed)
    return Filling(position, seed)


def legal_order(
    position: Position, laid: Iterable[LaidPiece], new: Iterable[LaidPiece]
) -> list[LaidPiece]:
    """All pieces of a solution in an order that the rules allow, laid ones first.

    Raises:
        IllegalMoveError: there is no such order.
    """
    replayed, ordered = Position.start(position.game, position.starts), []
    for group in (laid, sorted(new, key=lambda one: -one[1].piece.size)):
        rest = list(group)
        while rest:
            able = (one for one in rest if one[1] in replayed.moves_of(one[0]))
            one = next(able, None)
            if one is None:
                raise IllegalMoveError("the pieces of the board have no legal order")
            replayed = replayed.play(one[1], one[0])
            rest.remove(one)
            ordered.append(one)
    return ordered


def _in_turn(position: Position) -> Iterator[LaidPiece]:
    """The laid pieces as if the colours had been laid in turn."""
    for number in range(max(map(len, position.laid))):
        for colour, moves in enumerate(position.laid):
            if number < len(moves):
                yield colour, moves[number]


def _key(one: LaidPiece) -> tuple[int, int]:
    return one[0], one[1].index
