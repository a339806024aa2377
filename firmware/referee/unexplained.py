"""Squares that show something which nothing explains, and when it is time to say so.

A decision explains the board by whole pieces, and keeps silent about what is too faint or too odd
to be one. Such a square must not stay unmentioned: after some seconds people are told where it is.
So are squares that were seen for sure before and are not now, as under a piece that hangs over the
rim or burns out in the picture. Where more of them than a piece has cannot be seen at all, a thing
covers the board, which is told in its own way.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from firmware.game.events import ColouredSquares
from firmware.game.state import GameState
from firmware.referee.adjudication import Seen
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.square_timer import SquareTimer
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, mask_of, squares_of
from firmware.rules.variants import Colour

Allowed = NDArray[np.bool_]
"""(squares, 1 + colours): the contents that each square may show, in the reader's frame."""

_PIECE: Final = 5
"""Squares of the largest piece."""


@dataclass(frozen=True, slots=True)
class UnexplainedSettings:
    """When a square that nothing explains is mentioned."""

    odds: Annotated[float, "log odds by which it shows something else than it may"] = 0.7
    sure: Annotated[float, "log odds from which it once was sure to show what it should"] = 2.5
    faded: Annotated[float, "log odds below which it is no longer sure to show it"] = 1.6
    lasts_s: Annotated[float, "seconds for which it shows so in every steady frame"] = 4.0
    beside_s: Annotated[float, "the same while something lies over a part of the board"] = 10.0


class UnexplainedSquares:
    """Follows squares that show something unexplained from one steady board to the next.

    Args:
        settings: when to mention them.

    Attributes:
        waiting: whether a square shows something unexplained that is not to be mentioned yet.
    """

    def __init__(self, settings: UnexplainedSettings) -> None:
        self._settings: Final = settings
        self._timer: Final = SquareTimer()
        self._sure = np.empty(0, np.bool_)
        self.waiting = False

    def forget(self) -> None:
        """Another game, or another position, is on the table."""
        self._timer.reset()
        self._sure, self.waiting = np.empty(0, np.bool_), False

    def mention(
        self,
        evidence: LogProbabilities,
        state: GameState,
        mapping: FrameMapping,
        marks: Iterable[Seen],
        now: float,
        *,
        hidden: frozenset[int] = frozenset(),
        beside: bool = False,
    ) -> tuple[ColouredSquares, ...] | None:
        """The squares to mention, by the colour that they look most like.

        Args:
            evidence: what a steady board shows; equal values where nothing is seen.
            state: the game, told in the mapping.
            mapping: how to read the evidence.
            marks: what is printed on the board.
            now: when, in seconds.
            hidden: squares of the reader's frame of which it is known why they cannot be seen.
            beside: whether something lies over a part of the board.

        Returns:
            The squares; None where those that were mentioned before still say it.
        """
        settings = self._settings
        allowed = _allowed(state, mapping, marks, evidence.shape)
        shows = self._shows(evidence, allowed, hidden, beside=beside)
        limit_s = settings.beside_s if beside else settings.lasts_s
        lasting = self._timer.update(shows, now) >= limit_s
        self.waiting = bool((shows & ~lasting).any())
        found = _patches(evidence, lasting, mapping)
        before, after = _squares(state.unclear), _squares(found)
        same = after <= before and bool(after) == bool(before)
        return None if same else found

    def _shows(
        self, evidence: LogProbabilities, allowed: Allowed, hidden: frozenset[int], *, beside: bool
    ) -> NDArray[np.bool_]:
        """(squares,) those that show something unexplained."""
        settings = self._settings
        if len(self._sure) != len(evidence):
            self._sure = np.zeros(len(evidence), np.bool_)
        against = np.where(allowed, -np.inf, evidence).max(axis=1)
        odds = against - np.where(allowed, evidence, -np.inf).max(axis=1)
        faded = odds > -settings.faded
        faded[list(hidden)] = False
        if beside:
            faded[:] = False
        else:
            faded &= self._sure & ~_under_a_thing(evidence)
            self._sure |= odds < -settings.sure
        # It goes on until the square shows rather what it should.
        goes_on = self._timer.held(len(evidence)) & (odds >= 0.0)
        shows: NDArray[np.bool_] = np.asarray((odds > settings.odds) | faded | goes_on)
        return shows


def _under_a_thing(evidence: LogProbabilities) -> NDArray[np.bool_]:
    """(squares,) unseen squares, where more of them hang together than a piece has."""
    unseen: NDArray[np.bool_] = np.asarray(np.ptp(evidence, axis=1) == 0.0)
    found = np.zeros_like(unseen)
    for group in Board.of(isqrt(len(unseen))).groups(mask_of(np.flatnonzero(unseen).tolist())):
        found[list(squares_of(group))] = group.bit_count() > _PIECE
    return found


def _allowed(
    state: GameState, mapping: FrameMapping, marks: Iterable[Seen], shape: tuple[int, ...]
) -> Allowed:
    """The contents that squares may show: all that was accepted, or people know of."""
    allowed = np.zeros(shape, np.bool_)
    allowed[np.arange(shape[0]), mapping.contents(state.position)] = True

    def allow(colour: Colour | None, squares: Iterable[int]) -> None:
        column = 0 if colour is None else 1 + mapping.plastic[colour]
        allowed[[mapping.seen_at(square) for square in squares], column] = True

    for refused in state.refused:
        allow(refused.colour, refused.squares)
    board, known = state.position.board, 0
    for one in state.candidates:
        # A square beside it may be a part of it.
        known |= one.move.mask | board.edge_neighbours(one.move.mask)
    for dismissed in state.dismissed:
        known |= mask_of(dismissed.squares)
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
    """Squares of the reader's frame as patches of the game's, one for each content they show."""
    contents = np.where(lasting, evidence.argmax(axis=1), -1)
    return tuple(
        ColouredSquares(
            mapping.colour(content - 1) if content else None,
            tuple(squares_of(mapping.mask(mask_of(np.flatnonzero(contents == content).tolist())))),
        )
        for content in range(evidence.shape[1])
        if (contents == content).any()
    )


def _squares(patches: Iterable[ColouredSquares]) -> frozenset[int]:
    return frozenset(square for patch in patches for square in patch.squares)
