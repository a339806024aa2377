"""The rules that a new piece can break, and one broken rule with its squares."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

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
    NOT_CHOSEN = "not-chosen"
    """The computer has chosen another placement; `against` has its squares."""

    STILL_THINKING = "still-thinking"
    """The computer has not chosen yet."""


OF_COMPUTER: Final = frozenset({Rule.NOT_CHOSEN, Rule.STILL_THINKING})
"""Rules for the pieces of the computer, whose choice is laid by people: no rules of the game."""


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
