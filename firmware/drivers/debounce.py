"""Debouncing of one button: from the edges of its contact to presses. Pure; times are arguments.

A contact bounces for some milliseconds when it closes and opens, so a level counts once it is
stable for `BOUNCE_S`. The libraries and the simulated pins of gpiozero differ in this (with
RPi.GPIO edges are lost, the simulated ones do nothing), so it is done here.
"""

from dataclasses import dataclass

BOUNCE_S = 0.02
"""Seconds after which a level is stable: contacts of push buttons bounce for up to 10 ms."""


@dataclass(frozen=True, slots=True)
class DebouncedPress:
    """A short press that has ended, or a long one.

    Attributes:
        at: time of the release or, of a long press, of its recognition, in seconds.
        held: True if the press is long; its release is not reported.
    """

    at: float
    held: bool


class Debouncer:
    """One button.

    Args:
        down: True if it is down at the start. Such a button is stuck, or wired to ground: it
            reports nothing until it is released.
        at: time of the start, in seconds.
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
        """True if it is down, after debouncing."""
        return self._down

    def edge(self, *, down: bool, at: float) -> list[DebouncedPress]:
        """Sets the level from the time `at` on; returns the presses completed by then."""
        presses = self.wait(at)
        if down != self._raw:
            self._raw, self._since = down, at
        return presses

    def wait(self, now: float) -> list[DebouncedPress]:
        """Returns the presses completed by the time `now`."""
        presses: list[DebouncedPress] = []
        settled = now - self._since >= BOUNCE_S
        if settled and self._raw and not self._down:
            self._down, self._is_reported, self.down_s = True, False, self._since
        if self._down and not self._is_reported:
            until = now if self._raw else self._since
            if until - self.down_s >= self._hold_s:
                presses.append(DebouncedPress(self.down_s + self._hold_s, held=True))
                self._is_reported = True
        if settled and self._down and not self._raw:
            self._down = False
            if not self._is_reported:
                presses.append(DebouncedPress(self._since, held=False))
        return presses
