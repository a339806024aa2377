"""Judges an explanation by the rules: legal moves in their order, and pieces to refuse.

The evidence is explained before, without regard to legality.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from typing import Final

from firmware.codes import Rule
from firmware.game.events import MoveRefused
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, MatchedPiece
from firmware.referee.puzzle_pieces import arrange
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.pieces import MONOMINO
from firmware.rules.position import Position
from firmware.rules.scoring import with_monomino_last
from firmware.rules.variants import Colour, Variant
from firmware.rules.violations import Violation, violation

ReaderPiece = tuple[int, int]
"""A piece in the reader's frame: column of the palette, and mask."""

Appeared = tuple[frozenset[int], ...]
"""Undecided pieces in the order in which they appeared. Each set holds the masks, in the reader's
frame, of pieces that appeared together. A piece in no set appeared last."""

_FAINT: Final = 3.5
"""Log odds, 97 %, below which a piece is asked about rather than refused. People lay one piece in
thirty against the rules, so a square that was misread is the likelier reason. A bare square in dim
light between four pieces had 2.6; pieces laid wrongly have 6 and more."""

_MOST_ORDERED: Final = 10
"""Number of pieces that came together up to which their order is searched: at most 500 positions,
where two colours have five each."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A legal move and the margin by which it explains the evidence best.

    `order_seen` is False if it came together with others that are legal in several orders.
    """

    colour: Colour
    move: Move
    margin: float
    order_seen: bool = True


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


def certainly_refused(
    refused: Iterable[Refused], movers: Collection[Colour], game: Variant
) -> list[Refused]:
    """Returns the pieces to refuse although some colours may have made unseen moves."""
    certain = (one.if_moved(movers, game) for one in refused)
    return [one for one in certain if one.violations]


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Judgement of an explanation by the rules.

    Attributes:
        moves: legal moves, in the order in which they were made.
        refused: remaining squares that break rules; in a game at most one entry for each colour.
        after: the position after the moves.
        open: possible next moves, if the score depends on which of them was made first, or if the
            remaining pieces are legal in themselves but in no order of turns.
        pending: further moves, in order, that are legal whichever of these was made first, or
            whatever the doubtful pieces are.
        to_move: the colour to move after all of these; None if that is unknown.
        settled: True if the rest of the board determines the doubtful pieces.
    """

    moves: tuple[Accepted, ...]
    refused: tuple[Refused, ...]
    after: Position
    open: tuple[Accepted, ...] = ()
    pending: tuple[Accepted, ...] = ()
    to_move: Colour | None = None
    settled: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """A way in which the pieces may have been laid.

    Attributes:
        position: the position after its moves.
        moves: the moves, in order.
        waiting: pieces that are legal in no order so far.
    """

    position: Position
    moves: tuple[Accepted, ...] = ()
    waiting: tuple[Accepted, ...] = ()


def judge(
    position: Position,
    explanation: Explanation,
    mapping: FrameMapping,
    appeared: Appeared = (),
) -> Adjudication:
    """Judges the certain pieces of an explanation.

    A single new piece of a colour, legal in its turn, is a move; several colours may have moved,
    each in its turn. Pieces that came together are moves if they are legal in some order of turns:
    all such orders lead to the same position. Only the score can differ, by the piece that a
    colour laid last. In a puzzle every new piece is a move that is legal in some order.

    Args:
        position: the accepted position.
        explanation: changes against it.
        mapping: from the reader's frame to the game's.
        appeared: the order in which the pieces appeared.
    """
    strange, hanging = (
        _of_colours(explanation.strange, mapping),
        _of_colours(explanation.hanging, mapping),
    )
    new = [Accepted(*mapping.piece(one), one.margin) for one in explanation.placed]
    if position.game.puzzle is not None:
        return _judge_puzzle(position, new, strange, hanging)
    came = [_batch(one.move.mask, appeared) for one in explanation.placed]
    lines = [_Line(position)]
    for batch in range(len(appeared) + 1):
        together = [one for one, at in zip(new, came, strict=True) if at == batch]
        lines = [after for line in lines for after in _continued(line, together, strange)]
    return _judge_game(position, lines, strange, hanging, more=explanation.is_full)


def _of_colours(columns: Sequence[int], mapping: FrameMapping) -> list[int]:
    """Returns the masks of an explanation in the game's frame, in the order of play."""
    return [mapping.mask(columns[column]) for column in mapping.plastic]


def _continued(line: _Line, new: Sequence[Accepted], strange: Sequence[int]) -> list[_Line]:
    """Returns a line with pieces that came together; one line for each score they can lead to."""
    position, moves = line.position, line.moves
    # Large pieces are laid early, as a rule.
    waiting = [*line.waiting, *sorted(new, key=lambda one: -one.move.piece.size)]
    while move := _next(position, waiting, strange):
        position = position.play(move.move)
        waiting.remove(move)
        moves = (*moves, move)
    found: list[_Line] = []
    if 0 < len(waiting) <= _MOST_ORDERED and not any(strange):
        lawful = _lawful(position, waiting)
        illegal = [one for one in waiting if one not in lawful]
        for after, order in _orders(position, waiting if line.waiting else lawful):
            # Of two pieces laid in one turn, the legal one is not certainly the move.
            done = {one.colour for one in order if one.colour != after.to_move}
            if done.isdisjoint(one.colour for one in illegal):
                found.append(_Line(after, (*moves, *order), tuple(illegal)))
    return found or [_Line(position, moves, tuple(waiting))]


def _lawful(position: Position, waiting: Sequence[Accepted]) -> list[Accepted]:
    """Returns the pieces that are legal in some order, whosever turn it is."""
    legal = arrange(position, [(one.colour, one.move) for one in waiting]).legal
    return [one for one in waiting if (one.colour, one.move) in legal]


def _judge_game(
    position: Position,
    lines: list[_Line],
    strange: Sequence[int],
    hanging: Sequence[int],
    *,
    more: bool,
) -> Adjudication:
    """Judges the pieces of a game by the lines that they can be; there may be more pieces."""
    first, *others = lines
    if not others:
        if not (first.waiting or any(strange)):
            return Adjudication(first.moves, (), first.position)
        return _judge_waiting(first, strange, hanging, more=more)
    together = zip(*(line.moves for line in lines), strict=True)
    moves = tuple(same[0] for same in takewhile(lambda same: len({*same}) == 1, together))
    for one in moves:
        position = position.play(one.move)
    asked = tuple(dict.fromkeys(line.moves[len(moves)] for line in lines))
    rest = (one for one in first.moves[len(moves) :] if one not in asked)
    return Adjudication(moves, (), position, asked, tuple(rest), first.position.to_move)


def _judge_waiting(
    line: _Line, strange: Sequence[int], hanging: Sequence[int], *, more: bool
) -> Adjudication:
    """Judges pieces that are legal in no order of turns, unless more are needed for it.

    Several pieces that break no rule but those of turns are not refused: a turn between them was
    not observed, or one was laid too early, and a person has to tell which of them counts.
    """
    position, moves, waiting = line.position, line.moves, line.waiting
    if (more or len(waiting) > _MOST_ORDERED) and not any(strange):
        held = list(waiting)
    else:
        lawful = _lawful(position, waiting)
        wrong = {colour for colour, mask in enumerate(strange) if mask}
        wrong.update(one.colour for one in waiting if one not in lawful)
        count = Counter(one.colour for one in lawful)
        held = [one for one in lawful if one.colour not in wrong and count[one.colour] > 1]
        if not wrong and len(waiting) > 1:
            held = lawful
    rest = [one for one in waiting if one not in held]
    refused = _refusals(position, rest, strange, hanging)
    if held:
        movers = {one.colour for one in held}
        refused = (one.if_moved(movers, position.game) for one in refused)
    certain = tuple(one for one in refused if one.violations)
    return Adjudication(moves, certain, position, tuple(_legal(position, held) or held))


def _judge_puzzle(
    position: Position, new: Sequence[Accepted], strange: Sequence[int], hanging: Sequence[int]
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
            refused_piece(found.after, colour, mask, hanging[colour] & mask)
            for colour, mask in refused
        ),
        found.after,
        tuple(of_place[one] for one in found.contested),
    )


def was_refused(one: MatchedPiece, mapping: FrameMapping, refused: Iterable[MoveRefused]) -> bool:
    """True if a piece lies wholly on squares of its colour that were refused."""
    colour, move = mapping.piece(one)
    return any(
        colour == other.colour and not move.mask & ~mask_of(other.squares) for other in refused
    )


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
        colour, move = mapping.piece(one)
        return not move.mask & ~refused.get(colour, 0)

    faint = tuple(one for one in explanation.placed if is_faint(one))
    if not faint:
        return explanation
    placed = tuple(one for one in explanation.placed if one not in faint)
    return replace(explanation, placed=placed, doubtful=(*explanation.doubtful, *faint))


_Order = tuple[Position, tuple[Accepted, ...]]
"""An order of pieces: the position after it, and the moves."""


def _orders(position: Position, waiting: Sequence[Accepted]) -> list[_Order]:
    """Returns an order in which all pieces are legal, each in its turn, for each possible score.

    Of several, the one is taken that comes closest to the order in which the pieces are given. If
    the score is open, the orders differ as late as possible, so that one answer settles it.
    """
    if not waiting:
        return []
    found = _searched(position, waiting)
    if len(found) > 1:
        plain = found[min(found, key=len)][1]
        last = {one.colour: one for one in plain}.values()
        late = sorted(plain, key=lambda one: 2 * (one in last) or one.move.piece is MONOMINO)
        found = _searched(position, late)
    return list(found.values())


def _searched(position: Position, waiting: Sequence[Accepted]) -> dict[tuple[Colour, ...], _Order]:
    """Returns the first legal order for each score, by the colours that gain from it.

    The pieces on the board determine whose turn it is and what is legal, so no set of them is tried
    twice.
    """
    # A colour that lays its last pieces may lay its single square last, or earlier.
    scores = 1 << sum(
        one.move.piece is MONOMINO and len(position.in_hand(one.colour)) <= len(waiting)
        for one in waiting
    )
    found: dict[tuple[Colour, ...], _Order] = {}
    tried: set[tuple[int, tuple[Colour, ...]]] = set()
    one_order = True
    stack: list[_Order] = [(position, ())]
    while stack and len(found) < scores:
        before, made = stack.pop()
        after = before.play(made[-1].move) if made else before
        last = with_monomino_last(after)
        if (after.occupied, last) in tried:
            continue
        tried.add((after.occupied, last))
        if len(made) == len(waiting):
            found[last] = after, made
        options = _legal(after, waiting)
        one_order &= len(options) < 2
        stack += [(after, (*made, one)) for one in reversed(options)]
    return {
        last: (after, tuple(replace(one, order_seen=one_order) for one in made))
        for last, (after, made) in found.items()
    }


def _legal(position: Position, waiting: Iterable[Accepted]) -> list[Accepted]:
    legal = position.legal_moves
    return [one for one in waiting if one.colour == position.to_move and one.move in legal]


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
    return own[0] if len(own) == 1 and own[0].move in position.legal_moves else None


def _refusals(
    position: Position,
    waiting: Iterable[Accepted],
    strange: Sequence[int],
    hanging: Sequence[int],
) -> Iterable[Refused]:
    masks = list(strange)
    for one in waiting:
        masks[one.colour] |= one.move.mask
    for colour, mask in enumerate(masks):
        if mask:
            yield refused_piece(position, colour, mask, hanging[colour])


def refused_piece(position: Position, colour: Colour, mask: int, hanging: int = 0) -> Refused:
    """Examines squares of one colour; of a piece over the border the rest is not known."""
    if hanging:
        return Refused(colour, mask, (violation(Rule.OFF_BOARD, hanging),))
    return Refused(colour, mask, position.examine(squares_of(mask), colour))


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
    legal = [pair for pair in judged if pair[1].moves and not (pair[1].refused or pair[1].open)]
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
    seen = [mapping.to_reader(one.move).mask for one in judgement.moves]
    came = [_batch(mask, appeared) for mask in seen]
    return came == sorted(came)


def _weight(refused: Refused) -> int:
    return len(refused.violations) + any(one.rule is Rule.WRONG_TURN for one in refused.violations)
