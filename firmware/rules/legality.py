"""Every rule that a new piece breaks, with the squares that break it.

The list is complete, for the lights and the page show all of it: a piece that touches its own
side in two places and was laid out of turn gets every violation.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from firmware.codes import Rule
from firmware.rules.board import Board, mask_of, squares_of
from firmware.rules.errors import NotationError
from firmware.rules.extent import field_of
from firmware.rules.pieces import LARGEST
from firmware.rules.variants import Contact
from firmware.rules.violations import Violation, violation

if TYPE_CHECKING:
    from firmware.rules.position import Position
    from firmware.rules.variants import Colour


def examine(
    position: "Position", squares: Iterable[int], colour: "Colour"
) -> tuple[Violation, ...]:
    """Every rule that `colour` would break by covering `squares`; empty for a legal move.

    Each rule is checked independently: a piece that overlaps another and touches its own side
    breaks both rules. Squares in several connected groups are several pieces laid at once, and
    each is checked; one may touch another of them at a corner.

    Args:
        position: the position without the new piece.
        squares: the new squares, each on the board.
        colour: colour of the new piece.

    Raises:
        NotationError: there are no squares, one is not on the board, or there is no such colour.
    """
    board = position.board
    places = tuple(squares)
    if not places or not all(0 <= square < board.squares for square in places):
        raise NotationError("a piece to examine covers at least one square, each on the board")
    if colour not in position.game.colours:
        raise NotationError(f"{position.game.title} has no colour {colour}")
    new = mask_of(places)
    groups = board.groups(new)
    return (
        *_field(position, new),
        *_overlap(position, new),
        *_shape(new, groups),
        *_size(position, groups),
        *_used(position, groups, colour),
        *_contact(position, groups, new, colour),
        *_turn(position, new, colour),
    )


def _field(position: "Position", new: int) -> Iterator[Violation]:
    if outside := new & ~field_of(position.game):
        yield violation(Rule.OUTSIDE_FIELD, outside)


def _overlap(position: "Position", new: int) -> Iterator[Violation]:
    if covered := new & position.occupied:
        yield violation(Rule.OVERLAP, covered, covered)


def _shape(new: int, groups: list[int]) -> Iterator[Violation]:
    for group in groups:
        if group.bit_count() > LARGEST:
            yield violation(Rule.NOT_A_PIECE, group)
    if len(groups) > 1:
        yield violation(Rule.TWO_PIECES, new)


def _size(position: "Position", groups: list[int]) -> Iterator[Violation]:
    puzzle = position.game.puzzle
    if puzzle is None:
        return
    sizes = {position.largest_in_hand} if puzzle.by_size else puzzle.sizes
    for group in groups:
        if group.bit_count() <= LARGEST and group.bit_count() not in sizes:
            yield violation(Rule.WRONG_SIZE, group)


def _used(position: "Position", groups: list[int], colour: "Colour") -> Iterator[Violation]:
    board = position.board
    for group in groups:
        new = board.find_move(squares_of(group))
        if new is None:
            continue
        earlier = [move.mask for move in position.laid[colour] if move.piece is new.piece]
        if earlier:
            yield violation(Rule.PIECE_USED, group, sum(earlier))


def _contact(
    position: "Position", groups: list[int], new: int, colour: "Colour"
) -> Iterator[Violation]:
    board: Board = position.board
    own = position.squares(colour)
    puzzle = position.game.puzzle
    if puzzle is not None and puzzle.contact is Contact.ANY:
        return
    if touched := board.next_to(new) & own:
        yield violation(Rule.TOUCHES_OWN_SIDE, new & board.next_to(touched), touched)
    if puzzle is not None and puzzle.contact is Contact.NOT_AT_SIDES:
        return
    if not position.laid[colour]:
        starts = position.start_squares(colour)
        if not new & starts:
            yield violation(Rule.MISSES_START, new, starts)
        return
    for group in groups:
        if not board.corner_neighbours(group) & (own | new & ~group):
            yield violation(Rule.NO_OWN_CORNER, group)


def _turn(position: "Position", new: int, colour: "Colour") -> Iterator[Violation]:
    if position.to_move is None:
        yield violation(Rule.GAME_OVER, new)
    elif not position.may_lay(colour):
        yield violation(Rule.WRONG_TURN, new)
