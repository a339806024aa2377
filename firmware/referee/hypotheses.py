"""Weighs the readings of doubtful pieces by the evidence and by the rules.

A doubtful piece has a few readings. Each choice of readings, one for every doubtful piece, is a
hypothesis: the rules judge it together with all certain pieces, in the order in which they
appeared. The weight of a hypothesis is the evidence for its readings, less a cost for each piece
that is illegal in it. Decisions on which all likely hypotheses agree are made at once; the question
itself is settled when one hypothesis outweighs all the others together.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile
from math import prod
from typing import Final

import numpy as np

from firmware.referee.adjudication import Accepted, Adjudication, Appeared, Refused, judge
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import MARGIN, Explanation, Hypothesis, MatchedPiece
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour

_MOST: Final = 64
"""Greatest number of hypotheses that are tried; above it a person has to settle the doubts."""

_ILLEGAL: Final = 3.5
"""Log odds against a placement being illegal: about one in thirty is, among people who know the
rules; estimated, not measured."""

_UNLIKELY: Final = 5.0
"""Log odds behind the best hypothesis from which a hypothesis is ignored."""


@dataclass(frozen=True, slots=True)
class AmbiguousBoard:
    """A board with something doubtful on it.

    Attributes:
        position: the accepted position.
        explanation: changes against it; its doubtful pieces include `doubts`.
        doubts: the doubtful pieces.
        mapping: from the reader's frame to the game's.
        appeared: the order in which the certain pieces appeared; the doubts came with the first.
    """

    position: Position
    explanation: Explanation
    doubts: tuple[MatchedPiece, ...]
    mapping: FrameMapping
    appeared: Appeared


@dataclass(frozen=True, slots=True)
class _Combination:
    """A hypothesis: one reading of each doubtful piece, and the judgement of the whole.

    Attributes:
        readings: one for each doubtful piece; None for no piece.
        judgement: the judgement by the rules.
        weight: log odds, up to a constant that all hypotheses share.
    """

    readings: tuple[Hypothesis | None, ...]
    judgement: Adjudication
    weight: float

    @property
    def is_legal(self) -> bool:
        """True if every piece is a legal move in its turn."""
        return not (self.judgement.refused or self.judgement.open)

    def has_only_moves(self, mapping: FrameMapping) -> bool:
        """True if every doubtful piece that is read as a piece was a legal move in its turn."""
        moves = {one.move for one in self.judgement.moves}
        return all(one is None or mapping.to_game(one.move) in moves for one in self.readings)

    def moves_after(self, mapping: FrameMapping) -> tuple[Accepted, ...]:
        """Returns the moves that were made after the doubtful pieces, in order."""
        doubtful = {mapping.to_game(one.move) for one in self.readings if one is not None}
        moves = self.judgement.moves
        first = [at for at, move in enumerate(moves) if move.move in doubtful]
        later = moves[first[0] :] if first else ()
        return tuple(move for move in later if move.move not in doubtful)


def weigh(case: AmbiguousBoard, reported: Collection[LaidPiece]) -> Adjudication:
    """Weighs the hypotheses and returns the judgement that is possible.

    A player who plays on has accepted the pieces before, so they were legal. That counts only
    after the doubt was reported, and if the likeliest reading of each doubtful piece was legal.

    Args:
        case: the board.
        reported: the candidates that were reported.
    """
    hypotheses = _hypotheses(case)
    if not hypotheses:
        return Adjudication((), (), case.position)
    if case.position.game.puzzle is not None:
        # Who plays on alone says nothing about the pieces before.
        return _certain_in_puzzle(case, hypotheses)
    known = all(case.mapping.piece(one) in reported for one in case.doubts)
    if not (known and _were_legal(case)):
        return _certain(case, hypotheses)
    best = max(hypotheses, key=lambda one: one.weight)
    likely = [one for one in hypotheses if one.weight > best.weight - _UNLIKELY]
    others = [one.weight for one in hypotheses if one is not best]
    lead = best.weight - float(np.logaddexp.reduce(others)) if others else np.inf
    if lead >= MARGIN and best.is_legal and _played_on(best, case):
        return replace(best.judgement, settled=True)
    if not all(one.has_only_moves(case.mapping) for one in likely):
        return _certain(case, hypotheses)
    pending, to_move = _pending(likely, case.mapping)
    return replace(_agreed(case, likely), pending=pending, to_move=to_move)


def _pending(
    likely: Sequence[_Combination], mapping: FrameMapping
) -> tuple[tuple[Accepted, ...], Colour | None]:
    """Returns the moves after the doubts common to all hypotheses, and the colour to move then."""
    later = [one.moves_after(mapping) for one in likely]
    together = zip(*later, strict=False)
    agreed = takewhile(lambda same: len({(one.colour, one.move) for one in same}) == 1, together)
    pending = tuple(same[0] for same in agreed)
    turns = {one.judgement.after.to_move for one in likely}
    whole = all(len(moves) == len(pending) for moves in later) and len(turns) == 1
    return pending, turns.pop() if whole else None


def _agreed(case: AmbiguousBoard, likely: Sequence[_Combination]) -> Adjudication:
    """Returns the judgement on which all likely hypotheses agree."""
    doubtful = case.mapping.mask(_squares_in_doubt(case))
    moves, after = _first_moves(case, [one.judgement for one in likely])
    refused = [
        _refused_anyway(one, [other.judgement for other in likely])
        for one in likely[0].judgement.refused
        if not one.mask & doubtful
    ]
    return Adjudication(moves, tuple(one for one in refused if one.violations), after)


def _squares_in_doubt(case: AmbiguousBoard) -> int:
    """Returns the mask of all readings of the doubtful pieces, in the reader's frame."""
    mask = 0
    for doubt in case.doubts:
        for reading in doubt.readings:
            mask |= reading.move.mask
    return mask


def _first_moves(
    case: AmbiguousBoard, judgements: Sequence[Adjudication]
) -> tuple[tuple[Accepted, ...], Position]:
    """Returns the moves before the first doubtful one, the same in all judgements."""
    unsure = {case.mapping.colour(one.colour) for one in case.doubts}
    moves: list[Accepted] = []
    after = case.position
    for same in zip(*(one.moves for one in judgements), strict=False):
        if same[0].colour in unsure or len({(one.colour, one.move) for one in same}) > 1:
            break
        moves.append(same[0])
        after = after.play(same[0].move)
    return tuple(moves), after


def _certain(case: AmbiguousBoard, hypotheses: Sequence[_Combination]) -> Adjudication:
    """Returns the judgement that holds whatever the doubtful pieces are."""
    unsure = {case.mapping.colour(one.colour) for one in case.doubts}
    nothing = _judged(case, (None,) * len(case.doubts))
    if unsure.issuperset(one.colour for part in (nothing.moves, nothing.refused) for one in part):
        return Adjudication((), (), case.position)
    judgements = [nothing, *(one.judgement for one in hypotheses)]
    moves, after = _first_moves(case, judgements)
    refused = [_refused_anyway(one, judgements) for one in nothing.refused]
    if after.to_move in unsure:
        # The doubtful piece may be the move of the colour to move: no piece is certainly early.
        refused = [one.if_moved((after.to_move,), after.game) for one in refused]
    certain = tuple(one for one in refused if one.violations and one.colour not in unsure)
    return Adjudication(moves, certain, after)


def _certain_in_puzzle(case: AmbiguousBoard, hypotheses: Sequence[_Combination]) -> Adjudication:
    """Returns the judgement that holds whatever the doubtful pieces are."""
    columns = {reading.colour for one in case.doubts for reading in one.readings}
    unsure = set(map(case.mapping.colour, columns))
    nothing = _judged(case, (None,) * len(case.doubts))
    judgements = [nothing, *(one.judgement for one in hypotheses)]
    common = set.intersection(*({(o.colour, o.move) for o in one.moves} for one in judgements))
    moves: list[Accepted] = []
    after = case.position
    for one in nothing.moves:
        if (one.colour, one.move) in common and one.move in after.moves_of(one.colour):
            moves.append(one)
            after = after.play(one.move, one.colour)
    refused = [
        _refused_anyway(one, judgements).if_moved(unsure, after.game) for one in nothing.refused
    ]
    certain = tuple(one for one in refused if one.violations and one.colour not in unsure)
    return Adjudication(tuple(moves), certain, after)


def _refused_anyway(one: Refused, judgements: list[Adjudication]) -> Refused:
    """Returns a refused piece with the rules that it breaks in every hypothesis."""
    violations = one.violations
    for judgement in judgements:
        same = [o for o in judgement.refused if (o.colour, o.mask) == (one.colour, one.mask)]
        found = same[0].violations if same else ()
        violations = tuple(violation for violation in violations if violation in found)
    return replace(one, violations=violations)


def _were_legal(case: AmbiguousBoard) -> bool:
    """True if the likeliest reading of each doubtful piece was legal when it was laid."""
    likeliest = tuple(None if _is_speck(one, case) else _likeliest(one) for one in case.doubts)
    first = case.appeared[0] if case.appeared else frozenset()
    earlier = tuple(o for o in case.explanation.placed if o.move.mask in first)
    before = replace(case.explanation, placed=earlier)
    return not _judged(replace(case, explanation=before), likeliest).refused


def _played_on(found: _Combination, case: AmbiguousBoard) -> bool:
    """True if a player has moved since the doubt, other than by the doubtful piece itself."""
    if not found.judgement.moves:
        return False
    newest = found.judgement.moves[-1]
    doubtful = {case.mapping.to_game(one.move) for one in found.readings if one is not None}
    owners = {case.mapping.colour(one.colour) for one in case.doubts}
    played_on = any(move.colour not in owners for move in found.judgement.moves)
    return played_on and newest.move not in doubtful


def _likeliest(one: MatchedPiece) -> Hypothesis | None:
    return one.readings[0] if one.score > 0 else None


def _is_speck(one: MatchedPiece, case: AmbiguousBoard) -> bool:
    """True if no reading of a doubtful piece is legal, and it touches nothing new.

    A player who plays on has not noticed it.
    """
    board = case.position.board
    near = one.move.mask | board.edge_neighbours(one.move.mask)
    others = [*case.explanation.placed, *(other for other in case.doubts if other is not one)]
    if any(near & other.move.mask for other in others):
        return False
    laid = map(case.mapping.piece, one.readings)
    return not any(move in case.position.moves_of(colour) for colour, move in laid)


def _hypotheses(case: AmbiguousBoard) -> list[_Combination]:
    """Returns every choice of readings that do not overlap; none if there are too many."""
    choices: list[list[Hypothesis | None]] = []
    for one in case.doubts:
        nothing = () if one.score >= MARGIN else (None,)
        choices.append([*one.readings, *nothing])
    if prod(map(len, choices)) > _MOST:
        return []
    return list(_judged_all(case, choices))


def _judged_all(
    case: AmbiguousBoard, choices: list[list[Hypothesis | None]]
) -> Iterator[_Combination]:
    for readings in product(*choices):
        masks = [one.move.mask for one in readings if one is not None]
        if sum(masks).bit_count() == sum(mask.bit_count() for mask in masks):
            judgement = _judged(case, readings)
            evidence = sum(one.score for one in readings if one is not None)
            illegal = len(judgement.refused) + bool(judgement.open)
            yield _Combination(readings, judgement, evidence - _ILLEGAL * illegal)


def _judged(case: AmbiguousBoard, readings: tuple[Hypothesis | None, ...]) -> Adjudication:
    guessed = [
        replace(doubt, colour=one.colour, move=one.move)
        for doubt, one in zip(case.doubts, readings, strict=True)
        if one is not None
    ]
    first, *rest = case.appeared or (frozenset(),)
    together = first | {one.move.mask for one in guessed}
    explanation = replace(case.explanation, placed=(*case.explanation.placed, *guessed))
    return judge(case.position, explanation, case.mapping, (together, *rest))
