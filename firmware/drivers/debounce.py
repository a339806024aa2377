"""One button's contact over time: what its edges mean. Pure; times come in.

A contact bounces for some milliseconds when it closes and opens, so a level counts once it has
stood still for `BOUNCE_S`. Neither the libraries nor the simulated pins of gpiozero do that alike
(with RPi.GPIO edges are lost, the simulated ones do nothing), so it is done here.
"""

from dataclasses import dataclass

BOUNCE_S = 0.02
"""A level that stands so long is meant: contacts of push buttons bounce for up to 10 ms."""


@dataclass(frozen=True, slots=True)
class DebouncedPress:
    """A press that is over, or that has lasted.

    Attributes:
        at: when, in seconds.
        held: whether the button was held; its release then says nothing more.
    """

    at: float
    held: bool


class Debouncer:
    """One button.

    Args:
        down: whether it is down now. One that is down from the beginning is stuck, or wired to
            ground: it says nothing until it was released.
        at: now, in seconds.
        hold_s: seconds after which a press is a long one.
    """

    __slots__ = ("_down", "_hold_s", "_is_reported", "_raw", "_since", "down_s")

    def __init__(self, *, down: bool, at: float, hold_s: float) -> None:
        self._hold_s = hold_s
        self._raw = self._down = down
        self._since = self.down_s = at
        self._is_reported = True

    @property
    def is_down(self) -> bool:
        """Whether it is down, bouncing left out."""
        return self._down

    def edge(self, *, down: bool, at: float) -> list[DebouncedPress]:
        """Takes the level as it is from now on; says what is certain by then."""
        told = self.wait(at)
        if down != self._raw:
            self._raw, self._since = down, at
        return told

    def wait(self, now: float) -> list[DebouncedPress]:
        """Says what has become certain by now."""
        told: list[DebouncedPress] = []
        settled = now - self._since >= BOUNCE_S
        if settled and self._raw and not self._down:
            self._down, self._is_reported, self.down_s = True, False, self._since
        if self._down and not self._is_reported:
            until = now if self._raw else self._since
            if until - self.down_s >= self._hold_s:
                told.append(DebouncedPress(self.down_s + self._hold_s, held=True))
                self._is_reported = True
        if settled and self._down and not self._raw:
            self._down = False
            if not self._is_reported:
                told.append(DebouncedPress(self._since, held=False))
        return told
