"""What the rules say of an explanation: moves in their order, and what is to be refused.

Here legality comes in, after the evidence has been explained without it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation
from firmware.rules.board import Move, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from firmware.rules.violations import Rule, Violation

Seen = tuple[int, int]
"""A piece as it was seen: column of the palette, mask in the reader's frame."""

Appeared = tuple[frozenset[int], ...]
"""Pieces in the order in which they came, though nothing was decided of them: the masks, in the
reader's frame, of those that came together are one set. What is in none came last."""

_MOST_ORDERED: Final = 6
"""New pieces that are put into an order; more than that is a game that stands there."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A legal move and the margin by which it explains the evidence best."""

    colour: Colour
    move: Move
    margin: float


_OF_TURN: Final = (Rule.WRONG_TURN, Rule.TWO_PIECES)
_OF_REACH: Final = (Rule.MISSES_START, Rule.NO_OWN_CORNER)
"""Rules that nothing breaks for sure while somebody may have moved unseen, and those that a colour
does not break for sure while it may have itself."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Squares of one colour that break rules."""

    colour: Colour
    mask: int
    breaches: tuple[Violation, ...]

    def if_moved(self, mover: Colour) -> "Refused":
        """What they break even if a colour has moved unseen."""
        pardoned = _OF_TURN if mover != self.colour else (*_OF_TURN, *_OF_REACH)
        kept = tuple(one for one in self.breaches if one.rule not in pardoned)
        return Refused(self.colour, self.mask, kept)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What the rules say.

    Attributes:
        moves: legal moves, in the order in which they were made.
        refused: what is left and breaks rules, at most one for each colour.
        after: the position with the moves.
        open: the moves that may have come next, where what is left is legal in several orders.
    """

    moves: tuple[Accepted, ...]
    refused: tuple[Refused, ...]
    after: Position
    open: tuple[Accepted, ...] = ()


def judge(
    position: Position,
    explanation: Explanation,
    mapping: FrameMapping,
    appeared: Appeared = (),
) -> Adjudication:
    """Judges what certainly lies on the board.

    A colour that laid one piece, legal in its turn, has moved; several colours may have, each in
    its turn. Of a colour with two new pieces nothing is accepted, unless it is the only one that
    can still place, or all that is new was laid in turns and in one order only: which of the two
    would be the move?

    Args:
        position: what was accepted.
        explanation: what is new.
        mapping: how to read it.
        appeared: the order in which the pieces came.
    """
    strange = [0] * len(position.game.colours)
    for column, squares in enumerate(explanation.strange):
        if squares:
            strange[mapping.colour(column)] |= mapping.mask(squares)
    left: list[Accepted] = []
    moves: list[Accepted] = []
    for came in range(len(appeared) + 1):
        left += [
            Accepted(mapping.colour(one.colour), mapping.move(one.move), one.margin)
            for one in explanation.placed
            if _batch(one.move.mask, appeared) == came
        ]
        while move := _next(position, left, strange):
            position = position.play(move.move)
            left.remove(move)
            moves.append(move)
    if len(left) > _MOST_ORDERED and not any(strange):
        # Several turns went by unseen: which piece came when is for a person to say.
        return Adjudication(tuple(moves), (), position, tuple(_legal(position, left)))
    orders = [] if any(strange) else list(islice(_orders(position, left), 2))
    if len(orders) == 1:
        for move in orders[0]:
            position = position.play(move.move)
        return Adjudication((*moves, *orders[0]), (), position)
    if orders:
        first = tuple(one for one in left if one in _firsts(position, left))
        return Adjudication(tuple(moves), (), position, first)
    return Adjudication(tuple(moves), tuple(_refusals(position, left, strange)), position)


def _orders(position: Position, left: Sequence[Accepted]) -> Iterator[tuple[Accepted, ...]]:
    """Every order in which all that is left is legal, each piece in its turn."""
    if not 1 < len(left) <= _MOST_ORDERED:
        return
    stack: list[tuple[Position, tuple[Accepted, ...]]] = [(position, ())]
    while stack:
        before, made = stack.pop()
        if len(made) == len(left):
            yield made
            continue
        rest = [one for one in left if one not in made]
        stack += [(before.play(one.move), (*made, one)) for one in _legal(before, rest)]


def _legal(position: Position, waiting: Iterable[Accepted]) -> list[Accepted]:
    legal = position.legal_moves
    return [one for one in waiting if one.colour == position.to_move and one.move in legal]


def _firsts(position: Position, left: Sequence[Accepted]) -> set[Accepted]:
    """What each of the orders begins with."""
    return {order[0] for order in _orders(position, left)}


def _batch(mask: int, appeared: Appeared) -> int:
    """With which of the others a piece came, by its mask in the reader's frame.

    What was in doubt may have had another shape, but it lay there.
    """
    places = (came for came, those in enumerate(appeared) if any(mask & one for one in those))
    return next(places, len(appeared))


def _next(
    position: Position, waiting: Sequence[Accepted], strange: Sequence[int]
) -> Accepted | None:
    """The move that the colour to move has made, if it is one beyond dispute."""
    colour = position.to_move
    if colour is None or strange[colour]:
        return None
    own = [one for one in waiting if one.colour == colour]
    others_are_out = not any(
        position.moves_of(other) for other in position.game.colours if other != colour
    )
    if len(own) > 1 and not others_are_out:
        return None
    return next((one for one in own if one.move in position.legal_moves), None)


def _refusals(
    position: Position, waiting: Iterable[Accepted], strange: Sequence[int]
) -> Iterable[Refused]:
    masks = list(strange)
    for one in waiting:
        masks[one.colour] |= one.move.mask
    for colour, mask in enumerate(masks):
        if mask:
            yield Refused(colour, mask, position.examine(squares_of(mask), colour))


def frame_of(
    position: Position,
    explanation: Explanation,
    possible: Sequence[FrameMapping],
    appeared: Appeared = (),
) -> tuple[FrameMapping, Adjudication, bool] | None:
    """The mapping that makes the best sense of the first pieces, and the judgement in it.

    Args:
        position: what was accepted.
        explanation: what is new.
        possible: the mappings to choose from.
        appeared: the order in which the pieces came.

    Returns:
        Framing and judgement, and whether no other turn of the board makes as much sense; None
        if two mappings make moves of the pieces, so that nobody can tell yet.
    """
    judged = [(one, judge(position, explanation, one, appeared)) for one in possible]
    most = max(len(judgement.moves) for _, judgement in judged)
    best = [pair for pair in judged if len(pair[1].moves) == most]
    # The colour that was laid first begins, even if nobody could tell yet what lay there.
    best = [pair for pair in best if _came_in_turn(*pair, appeared)] or best
    if most and len(best) > 1:
        return None
    # Where no piece is legal whichever way, tell of the least that is wrong.
    weights = [sum(_weight(one) for one in judgement.refused) for _, judgement in best]
    least = [pair for pair, weight in zip(best, weights, strict=True) if weight == min(weights)]
    mapping, judgement = least[0]
    return mapping, judgement, all(one.turned == mapping.turned for one, _ in least)


def _came_in_turn(mapping: FrameMapping, judgement: Adjudication, appeared: Appeared) -> bool:
    """Whether the moves were made in the order in which their pieces appeared."""
    seen = [mapping.seen(one.move).mask for one in judgement.moves]
    came = [_batch(mask, appeared) for mask in seen]
    return came == sorted(came)


def _weight(refused: Refused) -> int:
    return len(refused.breaches) + any(one.rule is Rule.WRONG_TURN for one in refused.breaches)
