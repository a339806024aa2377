"""Judges an explanation by the rules: legal moves in their order, and pieces to refuse.

The evidence is explained before, without regard to legality.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Final

from firmware.game.events import MoveRefused
from firmware.referee.any_order import arrange
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, MatchedPiece
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Variant
from firmware.rules.violations import Rule, Violation

Seen = tuple[int, int]
"""A piece in the reader's frame: column of the palette, and mask."""

Appeared = tuple[frozenset[int], ...]
"""Undecided pieces in the order in which they appeared. Each set holds the masks, in the reader's
frame, of pieces that appeared together. A piece in no set appeared last."""

_FAINT: Final = 3.5
"""Log odds, 97 %, below which a piece is asked about rather than refused. People lay one piece in
thirty against the rules, so a square that was misread is the likelier reason. A bare square in dim
light between four pieces had 2.6; pieces laid wrongly have 6 and more."""

_MOST_ORDERED: Final = 6
"""Number of new pieces up to which their order is searched; more are a game already in progress."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A legal move and the margin by which it explains the evidence best."""

    colour: Colour
    move: Move
    margin: float


_OF_TURN: Final = (Rule.WRONG_TURN, Rule.TWO_PIECES)
"""Rules that are not certainly broken while a colour may have made an unseen move. So is the size
of a piece where larger ones come first."""

_OF_REACH: Final = (Rule.MISSES_START, Rule.NO_OWN_CORNER)
"""Further rules that are not certainly broken by the colour that may have made an unseen move."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Squares of one colour that break rules."""

    colour: Colour
    mask: int
    violations: tuple[Violation, ...]

    def if_moved(self, movers: Collection[Colour], game: Variant) -> "Refused":
        """Returns the rules still certainly broken if colours may have made unseen moves.

        Args:
            movers: these colours; at least one.
            game: the variant played.
        """
        pardoned = _OF_TURN if self.colour not in movers else (*_OF_TURN, *_OF_REACH)
        if game.puzzle is not None and game.puzzle.by_size:
            pardoned = (*pardoned, Rule.WRONG_SIZE)
        certain = tuple(one for one in self.violations if one.rule not in pardoned)
        return Refused(self.colour, self.mask, certain)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Judgement of an explanation by the rules.

    Attributes:
        moves: legal moves, in the order in which they were made.
        refused: remaining squares that break rules; in a game at most one entry for each colour.
        after: the position after the moves.
        open: possible next moves, where the remaining pieces are legal in several orders.
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
    """Judges the certain pieces of an explanation.

    A single new piece of a colour, legal in its turn, is a move; several colours may have moved,
    each in its turn. Two new pieces of one colour are not accepted, because either could be the
    move, unless only this colour can still place, or exactly one order makes all new pieces legal.
    In a puzzle every new piece is a move that is legal in some order.

    Args:
        position: the accepted position.
        explanation: changes against it.
        mapping: from the reader's frame to the game's.
        appeared: the order in which the pieces appeared.
    """
    strange = [0] * len(position.game.colours)
    for column, squares in enumerate(explanation.strange):
        if squares:
            strange[mapping.colour(column)] |= mapping.mask(squares)
    new = [
        Accepted(mapping.colour(one.colour), mapping.move(one.move), one.margin)
        for one in explanation.placed
    ]
    if position.game.puzzle is not None:
        return _judge_puzzle(position, new, strange)
    came = [_batch(one.move.mask, appeared) for one in explanation.placed]
    remaining: list[Accepted] = []
    moves: list[Accepted] = []
    for batch in range(len(appeared) + 1):
        remaining += [one for one, at in zip(new, came, strict=True) if at == batch]
        while move := _next(position, remaining, strange):
            position = position.play(move.move)
            remaining.remove(move)
            moves.append(move)
    if len(remaining) > _MOST_ORDERED and not any(strange):
        # Several turns were not observed; a person has to give the order of the pieces.
        return Adjudication(tuple(moves), (), position, tuple(_legal(position, remaining)))
    orders = [] if any(strange) else list(islice(_orders(position, remaining), 2))
    if len(orders) == 1:
        for move in orders[0]:
            position = position.play(move.move)
        return Adjudication((*moves, *orders[0]), (), position)
    if orders:
        first = tuple(one for one in remaining if one in _firsts(position, remaining))
        return Adjudication(tuple(moves), (), position, first)
    return Adjudication(tuple(moves), tuple(_refusals(position, remaining, strange)), position)


def _judge_puzzle(
    position: Position, new: Sequence[Accepted], strange: Sequence[int]
) -> Adjudication:
    """Judges new pieces of a puzzle.

    Next to squares of its colour that are no piece, a piece may be a part of them: it waits.
    """
    of_place = {(one.colour, one.move): one for one in new if not strange[one.colour]}
    found = arrange(position, list(of_place))
    refused = [
        *(
            (colour, group)
            for colour, own in enumerate(strange)
            for group in position.board.groups(own)
        ),
        *((colour, move.mask) for colour, move in found.illegal),
    ]
    return Adjudication(
        tuple(of_place[one] for one in found.legal),
        tuple(
            Refused(colour, mask, found.after.examine(squares_of(mask), colour))
            for colour, mask in refused
        ),
        found.after,
        tuple(of_place[one] for one in found.contested),
    )


def was_refused(one: MatchedPiece, mapping: FrameMapping, refused: Iterable[MoveRefused]) -> bool:
    """True if a piece lies wholly on squares of its colour that were refused."""
    colour, mask = mapping.colour(one.colour), mapping.move(one.move).mask
    return any(colour == other.colour and not mask & ~mask_of(other.squares) for other in refused)


Framed = tuple[FrameMapping, Adjudication, bool]
"""A mapping, the judgement in it, and True if no other turn of the board fits as well."""


def doubting_faint(
    explanation: Explanation,
    mapping: FrameMapping,
    judgement: Adjudication,
    known: Iterable[MoveRefused],
) -> Explanation:
    """Returns an explanation in which faint pieces that would be refused are doubtful.

    Args:
        explanation: changes against the accepted position; returned itself if there are none.
        mapping: from the reader's frame to the game's.
        judgement: judgement of the certain pieces.
        known: pieces that were refused before; they stay certain.
    """
    refused = dict.fromkeys((one.colour for one in judgement.refused), 0)
    for one in judgement.refused:
        refused[one.colour] |= one.mask
    before = tuple(known)

    def is_faint(one: MatchedPiece) -> bool:
        is_pending = one.score == inf
        if one.margin >= _FAINT or is_pending or was_refused(one, mapping, before):
            return False
        mask = mapping.move(one.move).mask
        return not mask & ~refused.get(mapping.colour(one.colour), 0)

    faint = tuple(one for one in explanation.placed if is_faint(one))
    if not faint:
        return explanation
    placed = tuple(one for one in explanation.placed if one not in faint)
    return replace(explanation, placed=placed, doubtful=(*explanation.doubtful, *faint))


def _orders(position: Position, remaining: Sequence[Accepted]) -> Iterator[tuple[Accepted, ...]]:
    """Yields every order in which all remaining pieces are legal, each in its turn."""
    if not 1 < len(remaining) <= _MOST_ORDERED:
        return
    stack: list[tuple[Position, tuple[Accepted, ...]]] = [(position, ())]
    while stack:
        before, made = stack.pop()
        if len(made) == len(remaining):
            yield made
            continue
        rest = [one for one in remaining if one not in made]
        stack += [(before.play(one.move), (*made, one)) for one in _legal(before, rest)]


def _legal(position: Position, waiting: Iterable[Accepted]) -> list[Accepted]:
    legal = position.legal_moves
    return [one for one in waiting if one.colour == position.to_move and one.move in legal]


def _firsts(position: Position, remaining: Sequence[Accepted]) -> set[Accepted]:
    """Returns the first move of each of the orders."""
    return {order[0] for order in _orders(position, remaining)}


def _batch(mask: int, appeared: Appeared) -> int:
    """Returns the index of the set of `appeared` that a piece belongs to, by its mask.

    Masks need only overlap: a doubtful piece may have been read with another shape.
    """
    places = (came for came, those in enumerate(appeared) if any(mask & one for one in those))
    return next(places, len(appeared))


def _next(
    position: Position, waiting: Sequence[Accepted], strange: Sequence[int]
) -> Accepted | None:
    """Returns the move of the colour to move, if it is unambiguous."""
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
) -> Framed | None:
    """Finds the mapping in which the pieces fit the rules best.

    Args:
        position: the accepted position.
        explanation: changes against it.
        possible: the mappings to choose from.
        appeared: the order in which the pieces appeared.

    Returns:
        Mapping, judgement in it, and True if no other turn of the board fits as well; None if
        two mappings fit: all pieces are legal in both, or as many moves if they are legal in none.
    """
    judged = [(one, judge(position, explanation, one, appeared)) for one in possible]
    most = max(len(judgement.moves) for _, judgement in judged)
    legal = [pair for pair in judged if pair[1].moves and not pair[1].refused]
    best = legal or [pair for pair in judged if len(pair[1].moves) == most]
    # The colour of the piece that appeared first begins, even if that piece was still in doubt.
    best = [pair for pair in best if _came_in_turn(*pair, appeared)] or best
    if most and len(best) > 1:
        return None
    # If no piece is legal in any mapping, take the one with the fewest violations.
    weights = [sum(_weight(one) for one in judgement.refused) for _, judgement in best]
    least = [pair for pair, weight in zip(best, weights, strict=True) if weight == min(weights)]
    mapping, judgement = least[0]
    return mapping, judgement, all(one.turned == mapping.turned for one, _ in least)


def _came_in_turn(mapping: FrameMapping, judgement: Adjudication, appeared: Appeared) -> bool:
    """True if the moves were made in the order in which their pieces appeared."""
    seen = [mapping.seen(one.move).mask for one in judgement.moves]
    came = [_batch(mask, appeared) for mask in seen]
    return came == sorted(came)


def _weight(refused: Refused) -> int:
    return len(refused.violations) + any(one.rule is Rule.WRONG_TURN for one in refused.violations)
