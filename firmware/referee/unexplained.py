"""Finds squares that no piece explains and decides when to report them.

A decision explains the board by whole pieces and ignores evidence that is too faint or too odd for
a piece. Squares with such evidence are reported after some seconds. So are squares that were
certain before and are not any more, as under a piece that hangs over the rim or is overexposed. If
a group of hidden squares is larger than a piece, a thing covers the board; that is reported
elsewhere.
"""

from collections.abc import Iterable
from math import isqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.game.events import ColouredSquares
from firmware.game.state import GameState
from firmware.referee.adjudication import ReaderPiece
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.steadiness import LogProbabilities, SquareTimer
from firmware.rules.board import Board, mask_of, mask_where, squares_of
from firmware.rules.pieces import LARGEST
from firmware.rules.variants import Colour

Allowed = NDArray[np.bool_]
"""(squares, 1 + colours): the contents that each square may show, in the reader's frame."""

_ODDS: Final = 0.7
"""Log odds in favour of a content that is not allowed, from which a square is unexplained."""

_SURE: Final = 2.5
"""Log odds from which an allowed content is certain."""

_FADED: Final = 1.0
"""Log odds below which a certain content is so no longer."""

LASTS_S: Final = 4.0
"""Seconds for which a square is unexplained in every steady frame until it is reported."""

_BESIDE_S: Final = 10.0
"""The same while something lies over a part of the board."""


class UnexplainedSquares:
    """Follows unexplained squares from one steady board to the next.

    Attributes:
        waiting: True if a square is unexplained, but not yet for long enough to be reported.
    """

    def __init__(self) -> None:
        self._timer: Final = SquareTimer()
        self._sure = np.empty(0, np.bool_)
        self.waiting = False

    def forget(self) -> None:
        """Discards all squares, because another position is on the table."""
        self._timer.reset()
        self._sure, self.waiting = np.empty(0, np.bool_), False

    def mention(
        self,
        evidence: LogProbabilities,
        state: GameState,
        mapping: FrameMapping,
        marks: Iterable[ReaderPiece],
        now: float,
        *,
        hidden: frozenset[int] = frozenset(),
        occluded: bool = False,
    ) -> tuple[ColouredSquares, ...] | None:
        """Returns the squares to report, by their likeliest colour.

        Args:
            evidence: evidence of a steady board; equal values for a hidden square.
            state: the state of the game, expressed in `mapping`.
            mapping: from the reader's frame to the game's.
            marks: printed marks of the board.
            now: time in seconds.
            hidden: squares of the reader's frame that are hidden for a known reason.
            occluded: True if something lies over a part of the board.

        Returns:
            The squares; None if those of the last report still cover them.
        """
        allowed = _allowed(state, mapping, marks, evidence.shape)
        shows = self._shows(evidence, allowed, hidden, occluded=occluded)
        limit_s = _BESIDE_S if occluded else LASTS_S
        lasting = self._timer.update(shows, now) >= limit_s
        self.waiting = bool((shows & ~lasting).any())
        found = _patches(evidence, lasting, mapping)
        before, after = _squares(state.unclear), _squares(found)
        same = after <= before and bool(after) == bool(before)
        return None if same else found

    def _shows(
        self,
        evidence: LogProbabilities,
        allowed: Allowed,
        hidden: frozenset[int],
        *,
        occluded: bool,
    ) -> NDArray[np.bool_]:
        """Returns (squares,), True for those that show something unexplained."""
        if len(self._sure) != len(evidence):
            self._sure = np.zeros(len(evidence), np.bool_)
        against = np.where(allowed, -np.inf, evidence).max(axis=1)
        odds = against - np.where(allowed, evidence, -np.inf).max(axis=1)
        faded = odds > -_FADED
        faded[list(hidden)] = False
        if occluded:
            faded[:] = False
        else:
            faded &= self._sure
            if faded.any():
                faded &= ~_covered(evidence)
            self._sure |= odds < -_SURE
        # It lasts until an allowed content is the likeliest again.
        lasts = self._timer.held(len(evidence)) & (odds >= 0.0)
        shows: NDArray[np.bool_] = np.asarray((odds > _ODDS) | faded | lasts)
        return shows


def _covered(evidence: LogProbabilities) -> NDArray[np.bool_]:
    """Returns (squares,), True for hidden squares in groups larger than a piece."""
    unseen: NDArray[np.bool_] = np.asarray(np.ptp(evidence, axis=1) == 0.0)
    found = np.zeros_like(unseen)
    for group in Board.of(isqrt(len(unseen))).groups(mask_where(unseen)):
        found[list(squares_of(group))] = group.bit_count() > LARGEST
    return found


def _allowed(
    state: GameState, mapping: FrameMapping, marks: Iterable[ReaderPiece], shape: tuple[int, ...]
) -> Allowed:
    """Returns the allowed contents: those accepted, or already reported to people."""
    allowed = np.zeros(shape, np.bool_)
    allowed[np.arange(shape[0]), mapping.contents(state.position)] = True

    def allow(colour: Colour | None, squares: Iterable[int]) -> None:
        column = 0 if colour is None else 1 + mapping.plastic[colour]
        allowed[[mapping.seen_at(square) for square in squares], column] = True

    for refused in state.refused:
        allow(refused.colour, refused.squares)
    board, known = state.position.board, 0
    for one in state.candidates:
        # A square beside a candidate may be a part of it.
        known |= one.move.mask | board.edge_neighbours(one.move.mask)
    for other in state.not_counted:
        known |= mask_of(other.squares)
    allowed[[mapping.seen_at(square) for square in squares_of(known)]] = True
    for colour, move in state.pending:
        allow(colour, move.squares)
    for patch in (*state.disturbed, *state.displaced):
        allow(None, patch.squares)
        allow(patch.colour, patch.squares)
    for column, mask in marks:
        allowed[list(squares_of(mask)), 1 + column] = True
    return allowed


def _patches(
    evidence: LogProbabilities, lasting: NDArray[np.bool_], mapping: FrameMapping
) -> tuple[ColouredSquares, ...]:
    """Converts squares of the reader's frame to patches of the game's, one for each content."""
    contents = np.where(lasting, evidence.argmax(axis=1), -1)
    return tuple(
        ColouredSquares(
            mapping.colour(content - 1) if content else None,
            tuple(squares_of(mapping.mask(mask_where(contents == content)))),
        )
        for content in range(evidence.shape[1])
        if (contents == content).any()
    )


def _squares(patches: Iterable[ColouredSquares]) -> frozenset[int]:
    return frozenset(square for patch in patches for square in patch.squares)
