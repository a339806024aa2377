"""Doubts held against the rest of the board: what the next move tells, and what holds anyway.

A doubtful piece has a few readings. Each choice of readings is a hypothesis, judged by the rules
together with all that certainly lies there, in the order in which it came.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

from firmware.referee.framing import Framing
from firmware.referee.judging import Appeared, Judgement, Refused, judge
from firmware.referee.matching import Explanation, Guess, Placed
from firmware.rules.games import Colour
from firmware.rules.placements import Move
from firmware.rules.position import Position

_MOST: int = 32
"""Hypotheses that are tried; more doubts than that are for a person to settle."""


@dataclass(frozen=True, slots=True)
class Case:
    """A board with something doubtful on it.

    Attributes:
        position: what was accepted.
        explanation: what is new; its doubtful pieces are the doubts, or more.
        doubts: the pieces in doubt.
        framing: how to read it.
        appeared: the order in which the certain pieces came; the doubts came with the first.
    """

    position: Position
    explanation: Explanation
    doubts: tuple[Placed, ...]
    framing: Framing
    appeared: Appeared


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """One reading of each doubt, None for one that is nothing, and what the rules say then."""

    readings: tuple[Guess | None, ...]
    judgement: Judgement


def resolved_by_next(
    case: Case, told: Collection[tuple[Colour, Move]], margin: float
) -> Judgement | None:
    """What the next player's piece tells of a doubt that was told and that nobody settled.

    Whoever plays on has accepted what lay there, so it was legal. That counts where its
    likeliest reading was legal, or a speck apart that is no move at all, and where exactly one
    reading makes everything legal that lies on the board now.

    Args:
        case: the board.
        told: the candidates that were told.
        margin: log odds from which something certainly lies there.
    """
    if not all(_is_told(one, case.framing, told) for one in case.doubts):
        return None
    likeliest = tuple(None if _is_speck(one, case) else _likeliest(one) for one in case.doubts)
    first = case.appeared[0] if case.appeared else frozenset()
    earlier = tuple(o for o in case.explanation.placed if o.move.mask in first)
    before = replace(case.explanation, placed=earlier)
    if _judged(replace(case, explanation=before), likeliest).refused:
        return None
    legal = [one for one in _all(case, margin) if not (one.judgement.refused or one.judgement.open)]
    if len(legal) != 1 or not legal[0].judgement.moves:
        return None
    found = legal[0]
    # Only somebody who plays on settles it, and not the doubtful piece itself.
    newest = found.judgement.moves[-1]
    doubtful = {case.framing.move(one.move) for one in found.readings if one is not None}
    owners = {case.framing.colour(one.colour) for one in case.doubts}
    played_on = any(move.colour not in owners for move in found.judgement.moves)
    return found.judgement if played_on and newest.move not in doubtful else None


def whatever_it_is(case: Case, margin: float) -> Judgement:
    """What can be said whatever the doubtful pieces turn out to be.

    Args:
        case: the board.
        margin: log odds from which something certainly lies there.
    """
    unsure = {case.framing.colour(one.colour) for one in case.doubts}
    nothing = _judged(case, (None,) * len(case.doubts))
    if unsure.issuperset(one.colour for said in (nothing.moves, nothing.refused) for one in said):
        return Judgement((), (), case.position)
    judgements = [nothing, *(one.judgement for one in _all(case, margin))]
    moves = []
    after = case.position
    for same in zip(*(one.moves for one in judgements), strict=False):
        if same[0].colour in unsure or len({(one.colour, one.move) for one in same}) > 1:
            break
        moves.append(same[0])
        after = after.play(same[0].move)
    refused = [_refused_anyway(one, judgements) for one in nothing.refused]
    if after.to_move in unsure:
        # Whatever its piece is, the colour to move may have laid it: nobody is early for sure.
        refused = [one.if_moved(after.to_move) for one in refused]
    kept = tuple(one for one in refused if one.breaches and one.colour not in unsure)
    return Judgement(tuple(moves), kept, after)


def _refused_anyway(one: Refused, judgements: list[Judgement]) -> Refused:
    """A refused piece with the rules that it breaks in every hypothesis."""
    breaches = one.breaches
    for judgement in judgements:
        same = [o for o in judgement.refused if (o.colour, o.mask) == (one.colour, one.mask)]
        found = same[0].breaches if same else ()
        breaches = tuple(breach for breach in breaches if breach in found)
    return replace(one, breaches=breaches)


def _likeliest(one: Placed) -> Guess | None:
    return Guess(one.colour, one.move, one.score) if one.score > 0 else None


def _is_told(one: Placed, framing: Framing, told: Collection[tuple[Colour, Move]]) -> bool:
    return (framing.colour(one.colour), framing.move(one.move)) in told


def _is_speck(one: Placed, case: Case) -> bool:
    """Whether a doubtful piece is no move however it is read, and touches nothing new.

    Whoever plays on has not seen it.
    """
    board = case.position.board
    near = one.move.mask | board.beside(one.move.mask)
    others = [*case.explanation.placed, *(other for other in case.doubts if other is not one)]
    if any(near & other.move.mask for other in others):
        return False
    readings = [Guess(one.colour, one.move, one.score), *one.rivals]
    return not any(
        case.framing.move(guess.move) in case.position.moves_of(case.framing.colour(guess.colour))
        for guess in readings
    )


def _all(case: Case, margin: float) -> Iterator[_Hypothesis]:
    """Every choice of readings, as far as they do not lie on each other."""
    choices: list[list[Guess | None]] = []
    for one in case.doubts:
        pieces: list[Guess | None] = [Guess(one.colour, one.move, one.score), *one.rivals]
        choices.append(pieces if one.score >= margin else [*pieces, None])
    for readings in islice(product(*choices), _MOST):
        masks = [one.move.mask for one in readings if one is not None]
        if sum(masks).bit_count() == sum(mask.bit_count() for mask in masks):
            yield _Hypothesis(readings, _judged(case, readings))


def _judged(case: Case, readings: tuple[Guess | None, ...]) -> Judgement:
    guessed = [
        replace(doubt, colour=one.colour, move=one.move)
        for doubt, one in zip(case.doubts, readings, strict=True)
        if one is not None
    ]
    first, *rest = case.appeared or (frozenset(),)
    together = first | {one.move.mask for one in guessed}
    explanation = replace(case.explanation, placed=(*case.explanation.placed, *guessed))
    return judge(case.position, explanation, case.framing, (together, *rest))
