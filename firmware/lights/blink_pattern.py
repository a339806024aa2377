"""Blink patterns, so that colour is never the only carrier of a meaning.

Every pattern is a sequence of half seconds in which a light is on or off. All patterns are in
phase, so a board with any number of them changes at most twice a second.
"""

from dataclasses import dataclass
from typing import Final

STEP_S: Final = 0.5
"""Seconds of one character of a pattern."""


@dataclass(frozen=True, slots=True)
class BlinkPattern:
    """A repeated sequence of half seconds.

    Attributes:
        steps: for each half second True if the light is on.
    """

    steps: tuple[bool, ...]

    @classmethod
    def of(cls, text: str) -> "BlinkPattern":
        """The pattern with one character for each half second: `#` is on."""
        return cls(tuple(step == "#" for step in text))

    def is_on(self, now: float) -> bool:
        """True if the light is on at the time `now`, in seconds."""
        return self.steps[int(now // STEP_S) % len(self.steps)]


CHOSEN: Final = BlinkPattern.of("######.")
"""The computer's piece, on a panel: somebody has to lay it."""

_WHOLE_STEPS: Final = 4
"""Half seconds for which the whole piece of the computer is lit."""

STEADY: Final = BlinkPattern.of("#")
"""Information that needs no action."""

BLINK: Final = BlinkPattern.of("#.")
"""A player has to act here."""

COUNTER: Final = BlinkPattern.of(".#")
"""In turn with `BLINK`: the squares that belong to a blinking piece."""

WINK: Final = BlinkPattern.of("###.")
"""A hint."""

TWICE: Final = BlinkPattern.of("#.#.....")
"""The computer needs help, which is no matter of the game."""

SLOW: Final = BlinkPattern.of("##..")
"""An open question, the winner, no camera, or a hinted move in turn with its reason."""

SLOW_COUNTER: Final = BlinkPattern.of("..##")
"""In turn with `SLOW`: the squares of a reason, or half of the frame that calls the arbiter."""


def growing(count: int) -> tuple[BlinkPattern, ...]:
    """The patterns of squares that are lit one more each half second, then all, then none.

    Args:
        count: number of squares.
    """
    return tuple(
        BlinkPattern.of("." * before + "#" * (count - before + _WHOLE_STEPS) + ".")
        for before in range(count)
    )
