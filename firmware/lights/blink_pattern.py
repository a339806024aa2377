"""Blink patterns, so that colour is never the only carrier of a meaning.

Every pattern is a sequence of half seconds in which a light is on or off. All patterns are in
phase, so a board with any number of them changes at most twice a second.
"""

from typing import Final

STEP_S: Final = 0.5
"""Seconds of one character of a pattern."""


BlinkPattern = str
"""A repeated sequence of half seconds, one character each: `#` is on."""


def is_on(pattern: BlinkPattern, now: float) -> bool:
    """True if a light of a pattern is on at the time `now`, in seconds."""
    return pattern[int(now // STEP_S) % len(pattern)] == "#"


CHOSEN: Final[BlinkPattern] = "######."
"""The computer's piece, on a panel: somebody has to lay it."""

_WHOLE_STEPS: Final = 4
"""Half seconds for which the whole piece of the computer is lit."""

STEADY: Final[BlinkPattern] = "#"
"""Information that needs no action."""

BLINK: Final[BlinkPattern] = "#."
"""A player has to act here."""

COUNTER: Final[BlinkPattern] = ".#"
"""In turn with `BLINK`: the squares that belong to a blinking piece."""

WINK: Final[BlinkPattern] = "###."
"""A hint."""

TWICE: Final[BlinkPattern] = "#.#....."
"""The computer needs help, which is no matter of the game."""

SLOW: Final[BlinkPattern] = "##.."
"""An open question, the winner, no camera, or a hinted move in turn with its reason."""

SLOW_COUNTER: Final[BlinkPattern] = "..##"
"""In turn with `SLOW`: the squares of a reason, or half of the frame that calls the arbiter."""


def growing(count: int) -> tuple[BlinkPattern, ...]:
    """The patterns of squares that are lit one more each half second, then all, then none.

    Args:
        count: number of squares.
    """
    return tuple(
        "." * before + "#" * (count - before + _WHOLE_STEPS) + "." for before in range(count)
    )
