"""How a light behaves in time, so that meaning is never colour alone.

Every rhythm is a row of half seconds in which a light is on or off. All rows begin together, so
however many there are on the board, it changes at most twice a second.
"""

from dataclasses import dataclass
from typing import Final

STEP_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class BlinkPattern:
    """A row of half seconds, over and over.

    Attributes:
        steps: for each half second whether the light is on.
    """

    steps: tuple[bool, ...]

    @classmethod
    def of(cls, text: str) -> "BlinkPattern":
        """The rhythm written as one character a half second, `#` where it is on."""
        return cls(tuple(step == "#" for step in text))

    def is_on(self, now: float) -> bool:
        """Whether the light is on at a moment, in seconds."""
        return self.steps[int(now // STEP_S) % len(self.steps)]


STEADY: Final = BlinkPattern.of("#")
"""Said, not asked for."""

BLINK: Final = BlinkPattern.of("#.")
"""Something is to be done here."""

COUNTER: Final = BlinkPattern.of(".#")
"""In turn with what blinks: the other end of it."""

WINK: Final = BlinkPattern.of("###.")
"""Help that was asked for."""

SLOW: Final = BlinkPattern.of("##..")
"""Somebody has to say what happened."""
