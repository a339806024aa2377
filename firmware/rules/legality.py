"""Every rule that a new piece breaks, with the squares that break it.

The table lights all of it and the page says it, so it is complete: a piece that touches its
own side in two places and was laid out of turn is told all of it.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from firmware.rules.board import Board, mask_of, squares_of
from firmware.rules.errors import NotationError
from firmware.rules.pieces import LARGEST
from firmware.rules.violations import Breach, Rule, breach

if TYPE_CHECKING:
    from firmware.rules.position import Position
    from firmware.rules.variants import Colour


def examine(position: "Position", squares: Iterable[int], colour: "Colour") -> tuple[Breach, ...]:
    """Every rule that `colour` would break by covering `squares`; empty for a legal move.

    Each rule is judged by itself and to the letter: a piece that lies on another and beside its
    own side is told both. Squares that hang together in several groups are several pieces laid
    at once, and each is judged; one may touch another of them at a corner.

    Args:
        position: what stands on the board, without the new piece.
        squares: the new squares, each on the board.
        colour: whose piece it is.

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
        *_overlap(position, new),
        *_shape(new, groups),
        *_used(position, groups, colour),
        *_contact(position, groups, new, colour),
        *_turn(position, new, colour),
    )


def _overlap(position: "Position", new: int) -> Iterator[Breach]:
    if covered := new & position.occupied:
        yield breach(Rule.OVERLAP, covered, covered)


def _shape(new: int, groups: list[int]) -> Iterator[Breach]:
    for group in groups:
        if group.bit_count() > LARGEST:
            yield breach(Rule.NOT_A_PIECE, group)
    if len(groups) > 1:
        yield breach(Rule.TWO_PIECES, new)


def _used(position: "Position", groups: list[int], colour: "Colour") -> Iterator[Breach]:
    board = position.board
    for group in groups:
        index = board.find(squares_of(group))
        if index is None:
            continue
        piece = board.move(index).piece
        earlier = [move.mask for move in position.laid[colour] if move.piece is piece]
        if earlier:
            yield breach(Rule.PIECE_USED, group, sum(earlier))


def _contact(
    position: "Position", groups: list[int], new: int, colour: "Colour"
) -> Iterator[Breach]:
    board: Board = position.board
    own = position.squares(colour)
    if touched := board.next_to(new) & own:
        yield breach(Rule.TOUCHES_OWN_SIDE, new & board.next_to(touched), touched)
    if not position.laid[colour]:
        starts = position.start_squares(colour)
        if not new & starts:
            yield breach(Rule.MISSES_START, new, starts)
        return
    for group in groups:
        if not board.around(group) & (own | new & ~group):
            yield breach(Rule.NO_OWN_CORNER, group)


def _turn(position: "Position", new: int, colour: "Colour") -> Iterator[Breach]:
    if position.to_move is None:
        yield breach(Rule.GAME_OVER, new)
    elif position.to_move != colour:
        yield breach(Rule.WRONG_TURN, new)
