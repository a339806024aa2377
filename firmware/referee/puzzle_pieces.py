"""New and lifted pieces of a puzzle, which come in any order of colours.

All new pieces count that are legal in some order; so do those of a game apart from turns. Two of
one colour may exclude each other, as two that touch at their sides: then either could be the one to
refuse, and nobody guesses which.

Where pieces of one colour may share sides, they can look like one shape that is larger than any
piece. If it splits into pieces in hand in one way only, they are certain; if in several, every way
is a reading of a doubtful piece.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from firmware.codes import Rule, Takeback
from firmware.game.events import ColouredSquares, Moment, MoveRefused, Undone
from firmware.game.state import GameState
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, Hypothesis, MatchedPiece
from firmware.referee.steadiness import LogProbabilities, lead_of
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.extent import pieces_of
from firmware.rules.pieces import LARGEST
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults_of
from firmware.rules.splits import Split, splits
from firmware.rules.variants import Colour, Contact, Variant

_BESIDE: Final = 1.5
"""Log odds against the colour from which a square beside a shape is certainly no part of it."""


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """Judgement of new pieces.

    Attributes:
        legal: the pieces that count whatever the others are, in a legal order.
        contested: pieces of which some exclude others.
        illegal: pieces that are illegal in every order that was tried.
        after: the position after the legal ones.
    """

    legal: tuple[LaidPiece, ...]
    contested: tuple[LaidPiece, ...]
    illegal: tuple[LaidPiece, ...]
    after: Position


def arrange(position: Position, new: Sequence[LaidPiece]) -> AnyOrder:
    """Finds the new pieces that are legal in some order.

    A piece that is legal only after a contested one is in no list: it waits for the answer.

    Args:
        position: the position before them.
        new: its new pieces.
    """
    legal, after = _laid(position, new)
    illegal = [one for one in new if one not in legal]
    contested: set[LaidPiece] = set()
    for one in illegal:
        # The other pieces of its colour come last, as only those can exclude it.
        first = [other for other in new if other[0] != one[0]]
        last = [other for other in new if other[0] == one[0] and other != one]
        instead, _ = _laid(position, [one, *first, *last])
        if one in instead:
            excluded = (other for other in last if other in legal and other not in instead)
            contested.update([one, *excluded])
    if contested:
        legal, after = _laid(position, [one for one in new if one not in contested])
    return AnyOrder(
        tuple(legal),
        tuple(one for one in new if one in contested and one[1] in after.moves_of(one[0])),
        tuple(one for one in illegal if one not in contested),
        after,
    )


def _laid(position: Position, new: Iterable[LaidPiece]) -> tuple[list[LaidPiece], Position]:
    """Returns the pieces that become legal one after another, the first in the list first."""
    waiting, laid = list(new), []
    while ready := next((one for one in waiting if one[1] in position.moves_of(one[0])), None):
        position = position.put(ready[1], ready[0])
        waiting.remove(ready)
        laid.append(ready)
    return laid, position


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
            move = board.find_move(squares_of(seen))
            mine = self.mapping.plastic[one.colour] == column
            if mine and move is not None and not seen & ~strange:
                known.append(move)
        return known

    def _ways(self, column: int, group: int, strange: int) -> tuple[Split, ...] | None:
        """Returns the ways to split a group of strange squares; None if that is unclear."""
        board = self.position.board
        if not self._is_certain(column, group, strange):
            return None
        if group.bit_count() <= LARGEST:
            move = board.find_move(squares_of(group))
            assert move is not None, "up to five squares joined along sides are a piece"
            return ((move,),)
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
        return bool((lead_of(self.evidence[beside], 1 + column) < -_BESIDE).all())

    def _piece(self, column: int, move: Move) -> MatchedPiece:
        lead = lead_of(self.evidence[list(move.squares)], 1 + column)
        total = float(lead.sum())
        return MatchedPiece(column, move, total, total, float(lead.min()), ())

    def _doubt(self, column: int, ways: tuple[Split, ...]) -> MatchedPiece:
        """Returns the pieces that cover the first square of a group, as readings of one."""
        first, *others = (self._piece(column, one) for one in dict.fromkeys(w[0] for w in ways))
        rivals = tuple(Hypothesis(column, one.move, one.score) for one in others)
        return replace(first, margin=0.0, rivals=rivals)


def puzzle_position(game: Variant, squares: Sequence[int]) -> Position | None:
    """Returns the only right position of a puzzle with these squares; None if there is none.

    Args:
        game: the puzzle.
        squares: for each colour the mask of its squares.
    """
    position = Position.start(game)
    new: list[LaidPiece] = []
    for colour, own in enumerate(squares):
        pieces = _only_pieces(position, own)
        if pieces is None:
            return None
        new += [(colour, move) for move in pieces]
    found = arrange(position, new)
    return found.after if len(found.legal) == len(new) else None


def _only_pieces(position: Position, own: int) -> tuple[Move, ...] | None:
    """Returns the pieces of one colour of a puzzle if its squares allow no others."""
    board, puzzle = position.board, position.game.puzzle
    if not own:
        return ()
    if puzzle is not None and puzzle.contact is Contact.ANY:
        hand = frozenset(piece.index for piece in pieces_of(position.game))
        ways = splits(board, own, hand)
        return ways[0] if ways is not None and len(ways) == 1 else None
    moves = [board.find_move(squares_of(group)) for group in board.groups(own)]
    pieces = tuple(move for move in moves if move is not None)
    return pieces if len(pieces) == len(moves) else None


def may_lift_any(game: Variant, takeback: Takeback) -> bool:
    """True if any piece of a puzzle may be lifted at any time, as in a filling always."""
    puzzle = game.puzzle
    if puzzle is None:
        return False
    return puzzle.contact is not Contact.AT_CORNERS or takeback is Takeback.ANY


def pieces_on(position: Position, places: Collection[ColouredSquares]) -> list[LaidPiece]:
    """Returns the pieces of a position that lie exactly on some squares."""
    wanted = {(one.colour, mask_of(one.squares)) for one in places}
    return [(colour, move) for colour, move in position.pieces if (colour, move.mask) in wanted]


def without(position: Position, lifted: Collection[LaidPiece]) -> Position:
    """Returns a position without some of its pieces."""
    rest = (one for one in position.pieces if one not in lifted)
    return Position.start(position.game, position.starts).put_all(rest)


def leaves_faults(position: Position, rest: Position) -> bool:
    """True if a piece of the rest of a position breaks a rule that it did not break before."""
    return bool(_faults(rest) and not _faults(rest) <= _faults(position))


@lru_cache(maxsize=4)
def _faults(position: Position) -> frozenset[tuple[Colour, tuple[int, ...], Rule]]:
    """Returns the pieces that break rules; the last positions are asked about in every frame."""
    return frozenset(
        (one.colour, one.squares, each.rule)
        for one in faults_of(position)
        for each in one.violations
    )


def explains(lifted: Collection[LaidPiece], instead: Explanation, mapping: FrameMapping) -> bool:
    """True if the lifting of some pieces leaves nothing unexplained.

    Args:
        lifted: the pieces.
        instead: changes against the position without them.
        mapping: from the reader's frame to the game's.
    """
    if instead.missing or any(instead.strange):
        return False
    # A remaining part of a piece is no new piece.
    return not any(
        colour == own and not part.mask & ~move.mask
        for colour, part in map(mapping.piece, instead.placed)
        for own, move in lifted
    )


def undoing(state: GameState, lifted: Collection[LaidPiece], moment: Moment) -> list[Undone]:
    """Returns the events that take pieces back, the last one first."""
    before = state.piece_count - len(state.history)
    numbers = {
        (ply.colour, ply.move): before + number for number, ply in enumerate(state.history, 1)
    }
    events = [
        Undone(*moment, numbers.get((colour, move), 0), colour, move) for colour, move in lifted
    ]
    return sorted(events, key=lambda event: -event.ply)
