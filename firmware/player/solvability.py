"""Answers of the solver about the puzzle on the table, without waiting for it.

After each change of the board the solver is asked again, unless an earlier answer decides: a
solution holds for every board that agrees with it, and a board with more pieces than an impossible
one is impossible too.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware.errors import PlayerError
from firmware.game.state import GameState
from firmware.player.solver_client import Answer, Solution, SolverClient
from firmware.rules.board import Move
from firmware.rules.extent import field_of
from firmware.rules.position import LaidPiece, Position
from web.bounded_map import BoundedMap
from web.contract import PlayerStart

if TYPE_CHECKING:
    from firmware.codes import PlayerFailure

SEARCH_S: Final = 10.0
"""Seconds for which the solver examines one board."""

_MOST_SOLUTIONS: Final = 8
"""Number of newest solutions that are kept: people lift a piece and lay it again."""

_MOST_UNSOLVED: Final = 256
"""Number of newest boards without a solution that are kept."""

_log = logging.getLogger(__name__)

Pieces = frozenset[LaidPiece]
"""The pieces of a board, in no order."""


class KnownBoards:
    """Boards of one puzzle whose answers are known, and what follows from them for others."""

    def __init__(self) -> None:
        self._solutions: Final[BoundedMap[Pieces, tuple[LaidPiece, ...]]] = BoundedMap(
            _MOST_SOLUTIONS
        )
        self._unsolved: Final[BoundedMap[Pieces, Solution]] = BoundedMap(_MOST_UNSOLVED)

    def add(self, pieces: Pieces, found: Solution) -> None:
        """Adds the answer about a board; a solution of another board counts as none."""
        if found.answer is not Answer.SOLVABLE:
            self._unsolved[pieces] = found
        elif pieces <= frozenset(found.moves):
            self._solutions[frozenset(found.moves)] = found.moves
        else:
            self._unsolved[pieces] = Solution(Answer.UNKNOWN)

    def forget(self, pieces: Pieces) -> None:
        """Forgets the answer about a board without a solution."""
        self._unsolved.pop(pieces, None)

    def answer(self, pieces: Pieces) -> Answer | None:
        """Returns the answer about a board; None if it is not known."""
        if self.solution(pieces):
            return Answer.SOLVABLE
        found = self._unsolved.get(pieces)
        if found is not None and found.answer is Answer.IMPOSSIBLE:
            return Answer.IMPOSSIBLE
        proved = (board for board, one in self._unsolved.items() if one.answer != Answer.UNKNOWN)
        if any(board < pieces for board in proved):
            return Answer.IMPOSSIBLE
        return None if found is None else found.answer

    def solution(self, pieces: Pieces) -> tuple[LaidPiece, ...]:
        """Returns the newest solution that has these pieces; empty if none is known."""
        agreeing = (moves for whole, moves in reversed(self._solutions.items()) if pieces <= whole)
        return next(agreeing, ())

    def culprit(self, pieces: Pieces) -> LaidPiece | None:
        """Returns the piece whose removal makes an impossible board solvable, if one is known."""
        found = self._unsolved.get(pieces)
        return None if found is None else found.culprit


@dataclass(frozen=True, slots=True)
class Outlook:
    """The knowledge about the board on the table.

    Attributes:
        answer: the answer; None while the solver is at work.
        impossible_since: if it is impossible, number of the placement since which; None if that
            is not known.
        culprit: if it is impossible, the piece whose removal makes it solvable; None if no single
            one is known.
        wanted: the board to ask about next, its pieces in the order laid; None if nothing more is
            to be known.
    """

    answer: Answer | None = None
    impossible_since: int | None = None
    culprit: LaidPiece | None = None
    wanted: tuple[LaidPiece, ...] | None = None


def outlook(order: tuple[LaidPiece, ...], set_up: int, known: KnownBoards) -> Outlook:
    """Returns what known boards say about a board.

    Args:
        order: its pieces in the order laid.
        set_up: number of the first of them that are part of a position set by hand, whose order
            is not known.
        known: the boards whose answers are known.
    """
    answer = known.answer(frozenset(order))
    if answer is not Answer.IMPOSSIBLE:
        return Outlook(answer, wanted=order if answer is None else None)
    boards = {count: frozenset(order[:count]) for count in range(set_up, len(order) + 1)}
    answers = {count: known.answer(board) for count, board in boards.items()}
    # Each puzzle was solved from the empty board.
    solvable = [0, *(count for count, one in answers.items() if one is Answer.SOLVABLE)]
    first = min(count for count, one in answers.items() if one is Answer.IMPOSSIBLE)
    open_ones = [n for n, one in answers.items() if max(solvable) < n < first and one is None]
    since = first if first == max(solvable) + 1 and first > set_up else None
    culprit = known.culprit(frozenset(order))
    if since is not None and known.solution(frozenset(order) - {order[since - 1]}):
        culprit = order[since - 1]
    wanted = order[: open_ones[len(open_ones) // 2]] if open_ones else None
    return Outlook(answer, since, culprit, wanted)


class Solvability:
    """Questions to the solver about the boards of one puzzle.

    Args:
        start: starts the solver; called at the first question, and again after a failure once
            `retry` was called.
        seed: first seed of the solver's random choices.

    Attributes:
        failure: reason that the solver gives no answer; else None.
    """

    def __init__(self, start: Callable[[], SolverClient], seed: int = 0) -> None:
        self._start: Final = start
        self._seed = seed
        self._solver: SolverClient | None = None
        self._search: tuple[int, Pieces] | None = None
        self._known: Final = KnownBoards()
        self._position: Position | None = None
        self._order: tuple[LaidPiece, ...] = ()
        self._set_up = 0
        self._outlook = Outlook()
        self.failure: PlayerFailure | None = None

    @property
    def outlook(self) -> Outlook:
        """The knowledge about the board that was followed last."""
        return self._outlook

    @property
    def starting(self) -> PlayerStart | None:
        """Progress of the start of the solver; None if it does not start."""
        return None if self._solver is None else self._solver.starting

    def follow(self, state: GameState) -> None:
        """Takes an answer that has come, and asks what is not known about the board."""
        changed = self._take()
        if state.position is not self._position:
            self._position, changed = state.position, True
            self._order = laid_in_order(state)
            self._set_up = len(self._order) - len(state.history)
        if changed:
            self._outlook = outlook(self._order, self._set_up, self._known)
        wanted = self._outlook.wanted
        if self._search is not None:
            useful = (frozenset(self._order), None if wanted is None else frozenset(wanted))
            if self._search[1] not in useful:
                self._search = None  # the next request ends it
        if wanted is not None and self._search is None and self.failure is None:
            self._ask(wanted, state.position)

    def retry(self) -> None:
        """Lets the solver try again after a failure, or with other choices if it found nothing."""
        self.failure = None
        if self._outlook.answer is Answer.UNKNOWN:
            self._known.forget(frozenset(self._order))
            self._seed += 1
            self._outlook = outlook(self._order, self._set_up, self._known)

    def next_piece(self) -> LaidPiece | None:
        """Returns the next piece of a solution; None while no solution is known.

        Of the pieces that can be laid it is the one that fits most tightly.
        """
        position, laid = self._position, frozenset(self._order)
        if position is None:
            return None
        able = [
            (colour, move)
            for colour, move in self._known.solution(laid)
            if (colour, move) not in laid and move in position.moves_of(colour)
        ]
        return max(able, key=lambda one: _tightness(position, one[1]), default=None)

    def close(self) -> None:
        """Ends the solver; what is known is kept."""
        solver, self._solver, self._search = self._solver, None, None
        if solver is not None:
            solver.close()

    def _ask(self, order: tuple[LaidPiece, ...], position: Position) -> None:
        board = Position.start(position.game, position.starts).put_all(order)
        try:
            if self._solver is None:
                self._solver = self._start()
            request = self._solver.ask(board, seed=self._seed, seconds=SEARCH_S, order=order)
            self._search = request, frozenset(order)
        except PlayerError as error:
            self._fail(error)

    def _take(self) -> bool:
        """Takes the answer to the running search; returns True if there is something new."""
        if self._search is None or self._solver is None:
            return False
        request, pieces = self._search
        try:
            found = self._solver.answer(request)
        except PlayerError as error:
            self._fail(error)
            return False
        if found is None or found.answer is None:
            return False
        if found.done:
            self._search = None
        elif self._known.answer(pieces):
            return False
        self._known.add(pieces, found)
        return True

    def _fail(self, error: PlayerError) -> None:
        _log.warning("the puzzle has no solver: %s", error)
        self.close()
        self.failure = error.code


def laid_in_order(state: GameState) -> tuple[LaidPiece, ...]:
    """Returns the pieces on the board: those of a position that was set, then the others."""
    later = {(ply.colour, ply.move): None for ply in state.history}
    return (*(one for one in state.position.pieces if one not in later), *later)


def _tightness(position: Position, move: Move) -> float:
    """Returns the part of the squares beside a piece that are covered or outside the field."""
    beside = position.board.edge_neighbours(move.mask)
    free = beside & field_of(position.game) & ~position.occupied
    return 1 - free.bit_count() / max(1, beside.bit_count())
