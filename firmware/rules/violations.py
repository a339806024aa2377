"""The rules that a new piece can break, and one broken rule with its squares."""

from dataclasses import dataclass
from typing import Final

from firmware.codes import Rule
from firmware.rules.board import squares_of

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
