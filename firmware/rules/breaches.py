"""Why not: every rule that a new piece breaks, with the squares that break it.

This is what the table lights and the page says, so it is complete: a piece that touches its own
side in two places and was laid out of turn is told all of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from firmware.rules.errors import NotationError
from firmware.rules.pieces import LARGEST
from firmware.rules.placements import Board, mask_of, squares_of

if TYPE_CHECKING:
    from firmware.rules.games import Colour
    from firmware.rules.position import Position


class Rule(StrEnum):
    """The rules that can be broken, in the order they are reported."""

    OFF_BOARD = "off-board"
    OVERLAP = "overlap"
    NOT_A_PIECE = "not-a-piece"
    TWO_PIECES = "two-pieces"
    PIECE_USED = "piece-used"
    TOUCHES_OWN_SIDE = "touches-own-side"
    NO_OWN_CORNER = "no-own-corner"
    MISSES_START = "misses-start"
    WRONG_TURN = "wrong-turn"
    GAME_OVER = "game-over"


@dataclass(frozen=True, slots=True)
class Breach:
    """One broken rule.

    Attributes:
        rule: which.
        squares: the offending squares of the new piece, ascending.
        against: the squares they touch or miss, ascending.
    """

    rule: Rule
    squares: tuple[int, ...]
    against: tuple[int, ...] = ()


def breach(rule: Rule, squares: int, against: int = 0) -> Breach:
    """A broken rule from masks."""
    return Breach(rule, tuple(squares_of(squares)), tuple(squares_of(against)))


def examine(position: "Position", squares: Iterable[int], colour: "Colour") -> tuple[Breach, ...]:
    """Every rule that `colour` would break by covering `squares`; empty for a legal move.

    Squares are judged one by one where a rule is about squares (`overlap`, `touches-own-side`)
    and as a whole where it is about the piece. Squares that are not one piece are still judged
    by the rules about squares, so that two pieces laid at once are told where each offends.

    Args:
        position: what stands on the board, without the new piece.
        squares: the new squares, each on the board.
        colour: whose piece it is.

    Raises:
        NotationError: there are no squares, or one is not on the board.
    """
    board = position.board
    new = mask_of(squares)
    if not 0 < new < 1 << board.squares:
        raise NotationError("a piece to examine covers at least one square, each on the board")
    return (
        *_overlap(position, new),
        *_shape(position, new, colour),
        *_contact(position, new, colour),
        *_turn(position, new, colour),
    )


def _overlap(position: "Position", new: int) -> Iterator[Breach]:
    if covered := new & position.occupied:
        yield breach(Rule.OVERLAP, covered, covered)


def _shape(position: "Position", new: int, colour: "Colour") -> Iterator[Breach]:
    board = position.board
    groups = board.groups(new)
    for group in groups:
        if group.bit_count() > LARGEST:
            yield breach(Rule.NOT_A_PIECE, group)
    if len(groups) > 1:
        yield breach(Rule.TWO_PIECES, new)
    elif earlier := _same_piece(position, new, colour):
        yield breach(Rule.PIECE_USED, new, earlier)


def _same_piece(position: "Position", new: int, colour: "Colour") -> int:
    index = position.board.find(squares_of(new))
    if index is None:
        return 0
    piece = position.board.move(index).piece
    return mask_of(
        square for move in position.laid[colour] if move.piece is piece for square in move.squares
    )


def _contact(position: "Position", new: int, colour: "Colour") -> Iterator[Breach]:
    board: Board = position.board
    own = position.squares(colour)
    if not position.laid[colour]:
        if not new & position.start_squares(colour):
            yield breach(Rule.MISSES_START, new, position.start_squares(colour))
        return
    # Squares that lie on others break `overlap` alone: beside what they would lie is moot.
    free = new & ~position.occupied
    if touched := board.beside(free) & own:
        yield breach(Rule.TOUCHES_OWN_SIDE, free & board.beside(touched), touched)
    if free and not board.around(free) & own:
        yield breach(Rule.NO_OWN_CORNER, new)


def _turn(position: "Position", new: int, colour: "Colour") -> Iterator[Breach]:
    if position.to_move is None:
        yield breach(Rule.GAME_OVER, new)
    elif position.to_move != colour:
        yield breach(Rule.WRONG_TURN, new)
