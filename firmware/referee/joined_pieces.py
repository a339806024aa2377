"""Splits new pieces of one colour that share sides, where a puzzle allows that.

Such pieces look like one shape that is larger than any piece. If it splits into pieces in hand in
one way only, they are certain; if in several, every way is a reading of a doubtful piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from firmware.game.events import MoveRefused
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import (
    Explanation,
    Hypothesis,
    MatchedPiece,
)
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.pieces import LARGEST
from firmware.rules.position import Position
from firmware.rules.variants import Contact

_MOST_SPLITS: Final = 4
"""Number of ways to split a shape from which it is left unexplained: people are asked about few."""

_MOST_TRIED: Final = 2000
"""Partial splits that are tried, 20 ms, until a shape is left unexplained."""

_BESIDE: Final = 1.5
"""Log odds against the colour from which a square beside a shape is certainly no part of it."""

_Ways = tuple[tuple[Move, ...], ...]
"""Splits of a shape, each in order of the squares."""


@dataclass(frozen=True, slots=True)
class JoinedPieces:
    """The board on which joined pieces are split.

    Attributes:
        position: the accepted position.
        mapping: from the reader's frame to the game's.
        evidence: evidence of the steady board.
        refused: the refused pieces; those that still lie there are no part of a new piece.
    """

    position: Position
    mapping: FrameMapping
    evidence: LogProbabilities
    refused: Sequence[MoveRefused]

    def separated(self, explanation: Explanation) -> Explanation:
        """Returns an explanation in which joined pieces are placed, doubtful or unexplained."""
        puzzle = self.position.game.puzzle
        may_join = puzzle is not None and puzzle.contact is Contact.ANY
        if not may_join or not any(explanation.strange):
            return explanation
        placed, doubtful, strange = [*explanation.placed], [*explanation.doubtful], []
        for column, squares in enumerate(explanation.strange):
            hanging = explanation.hanging[column]
            known = self._known(column, squares & ~hanging)
            placed += [self._piece(column, one) for one in known]
            rest = squares & ~(mask_of(s for one in known for s in one.squares) | hanging)
            strange.append(hanging)
            for part in self.position.board.groups(rest):
                ways = self._ways(column, part, squares)
                if ways is None:
                    continue
                if not ways:
                    strange[column] |= part
                elif len(ways) == 1:
                    placed += [self._piece(column, one) for one in ways[0]]
                else:
                    doubtful.append(self._doubt(column, ways))
        return replace(
            explanation, placed=tuple(placed), doubtful=tuple(doubtful), strange=tuple(strange)
        )

    def _known(self, column: int, strange: int) -> list[Move]:
        """Returns the refused pieces that are a part of strange squares."""
        board, known = self.position.board, []
        for one in self.refused:
            seen = mask_of(map(self.mapping.seen_at, one.squares))
            index = board.find(squares_of(seen))
            mine = self.mapping.plastic[one.colour] == column
            if mine and index is not None and not seen & ~strange:
                known.append(board.move(index))
        return known

    def _ways(self, column: int, group: int, strange: int) -> _Ways | None:
        """Returns the ways to split a group of strange squares; None if that is unclear."""
        board = self.position.board
        if not self._is_certain(column, group, strange):
            return None
        if group.bit_count() <= LARGEST:
            index = board.find(squares_of(group))
            assert index is not None, "up to five squares joined along sides are a piece"
            return ((board.move(index),),)
        hand = self.position.in_hand(self.mapping.colour(column))
        return splits(board, group, frozenset(piece.index for piece in hand))

    def _is_certain(self, column: int, group: int, strange: int) -> bool:
        """True if no square beside a group, but for known ones, may be a part of it."""
        accepted = self.mapping.contents(self.position)
        beside = [
            square
            for square in squares_of(self.position.board.edge_neighbours(group))
            if accepted[square] != 1 + column and not strange >> square & 1
        ]
        return bool((self._lead(column, beside) < -_BESIDE).all())

    def _piece(self, column: int, move: Move) -> MatchedPiece:
        lead = self._lead(column, move.squares)
        total = float(lead.sum())
        return MatchedPiece(column, move, total, total, float(lead.min()), ())

    def _doubt(self, column: int, ways: _Ways) -> MatchedPiece:
        """Returns the pieces that cover the first square of a group, as readings of one."""
        first, *others = (self._piece(column, one) for one in dict.fromkeys(w[0] for w in ways))
        rivals = tuple(Hypothesis(column, one.move, one.score) for one in others)
        return replace(first, margin=0.0, rivals=rivals)

    def _lead(self, column: int, squares: Sequence[int]) -> LogProbabilities:
        """Returns the log odds of a colour on some squares against the best other content."""
        there = self.evidence[list(squares)]
        others = np.delete(there, 1 + column, axis=1).max(axis=1)
        lead: LogProbabilities = there[:, 1 + column] - others
        return lead


def splits(board: Board, group: int, hand: frozenset[int]) -> _Ways | None:
    """Returns the ways to split squares into different pieces; None if there are too many.

    An exact cover (Knuth, "Dancing Links", 2000): the square that the fewest placements can cover
    is covered first.

    Args:
        board: the tables of the board.
        group: mask of the squares.
        hand: indices of the pieces that may be among them, each once.
    """
    outside = board.covering_any(((1 << board.squares) - 1) & ~group)
    inside = ((1 << board.placements) - 1) & ~outside
    places = board.indices(inside).tolist()
    options = [board.move(index) for index in places if board.piece_of[index] in hand]
    found: list[tuple[Move, ...]] = []
    stack: list[tuple[int, list[Move], tuple[Move, ...]]] = [(group, options, ())]
    for _ in range(_MOST_TRIED):
        if not stack or len(found) > _MOST_SPLITS:
            break
        rest, possible, parts = stack.pop()
        if not rest:
            found.append(tuple(sorted(parts, key=lambda move: move.squares)))
            continue
        on = {square: [m for m in possible if m.mask >> square & 1] for square in squares_of(rest)}
        for move in min(on.values(), key=len):
            fitting = [m for m in possible if m.piece is not move.piece and not m.mask & move.mask]
            stack.append((rest & ~move.mask, fitting, (*parts, move)))
    return None if stack or len(found) > _MOST_SPLITS else tuple(found)
