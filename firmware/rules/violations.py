"""The rules that a new piece can break, and one broken rule with its squares."""

from dataclasses import dataclass
from enum import StrEnum

from firmware.rules.board import squares_of


class Rule(StrEnum):
    """The rules that can be broken, in the order they are reported."""

    OFF_BOARD = "off-board"
    OUTSIDE_FIELD = "outside-field"
    OVERLAP = "overlap"
    NOT_A_PIECE = "not-a-piece"
    TWO_PIECES = "two-pieces"
    WRONG_SIZE = "wrong-size"
    PIECE_USED = "piece-used"
    TOUCHES_OWN_SIDE = "touches-own-side"
    NO_OWN_CORNER = "no-own-corner"
    MISSES_START = "misses-start"
    WRONG_TURN = "wrong-turn"
    GAME_OVER = "game-over"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    Attributes:
        rule: the broken rule.
        squares: the squares of the new piece that break it, ascending.
        against: the squares that they touch or miss, ascending.
    """

    rule: Rule
    squares: tuple[int, ...]
    against: tuple[int, ...] = ()


def violation(rule: Rule, squares: int, against: int = 0) -> Violation:
    """A broken rule from masks of squares."""
    return Violation(rule, tuple(squares_of(squares)), tuple(squares_of(against)))
