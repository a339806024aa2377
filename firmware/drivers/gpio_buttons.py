"""Push buttons on the pins of a Raspberry Pi, by gpiozero and lgpio.

Each button connects its pin to ground; the chip's own pull-up keeps the pin of an open button
high. lgpio works on every model. It has a pipe in the folder that LG_WD names, and changes the
working directory of the process to it: paths have to be absolute if LG_WD is set.

A contact bounces for some milliseconds when it closes and opens, so a level counts once it is
stable for `BOUNCE_S`. The libraries and the simulated pins of gpiozero differ in this (with
RPi.GPIO edges are lost, the simulated ones do nothing), so it is done here.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from firmware.drivers.interfaces import OFF_S, ButtonPress, DeviceError
from firmware.errors import install_command

BOUNCE_S: Final = 0.02
"""Seconds after which a level is stable: contacts of push buttons bounce for up to 10 ms."""

_MOST_EDGES: Final = 1000
"""Edges of a button in its queue. A contact makes some ten a press; a loose wire makes thousands,
of which the oldest are dropped."""

_CAUSES: Final = {
    "GPIO busy": "another program uses one of them; end it, or choose other pins",
    "can not open gpiochip": "this computer has no pins, or this user may not use them; "
    "put the user into the group gpio",
}
"""Causes with remedy, by a part of the message of lgpio 0.2.2."""

Factory = Any
"""Factory of pins: `gpiozero.Factory`, which has no types."""


TimedPress = tuple[float, ButtonPress]
"""A press, and its time in seconds: of the release or, of a long press, of its recognition."""


class Debouncer:
    """One button.

    Args:
        person: index of the person whose button it is.
        down: True if it is down at the start. Such a button is stuck, or wired to ground: it
            reports nothing until it is released.
        at: time of the start, in seconds.
        hold_s: seconds after which a press is a long one.
    """

    __slots__ = ("_down", "_limits_s", "_person", "_raw", "_reported", "_since", "down_s")

    def __init__(self, person: int, *, down: bool, at: float, hold_s: float) -> None:
        self._person = person
        self._limits_s = (hold_s, OFF_S)
        self._raw = self._down = down
        self._since = self.down_s = at
        self._reported = len(self._limits_s)  # number of limits that were reported

    @property
    def is_down(self) -> bool:
        """True if it is down, after debouncing."""
        return self._down

    def edge(self, *, down: bool, at: float) -> list[TimedPress]:
        """Sets the level from the time `at` on; returns the presses completed by then."""
        presses = self.wait(at)
        if down != self._raw:
            self._raw, self._since = down, at
        return presses

    def wait(self, now: float) -> list[TimedPress]:
        """Returns the presses completed by the time `now`."""
        presses: list[TimedPress] = []
        settled = now - self._since >= BOUNCE_S
        if settled and self._raw and not self._down:
            self._down, self._reported, self.down_s = True, 0, self._since
        if self._down:
            until = now if self._raw else self._since
            for limit_s in self._limits_s[self._reported :]:
                if until - self.down_s >= limit_s:
                    press = ButtonPress(self._person, held=True, off=self._reported > 0)
                    presses.append((self.down_s + limit_s, press))
                    self._reported += 1
        if settled and self._down and not self._raw:
            self._down = False
            if not self._reported:
                presses.append((self._since, ButtonPress(self._person)))
        return presses


class GpioButtons:
    """One button for each person.

    The pins are opened at the first call of `pressed`, and again after a failure.

    Args:
        pins: GPIO numbers of the buttons in the order of play.
        hold_s: seconds after which a press is a long one.
        opener: creates a factory of pins; None for that of lgpio.
        clock: returns monotonic seconds.
    """

    def __init__(
        self,
        pins: Sequence[int],
        hold_s: float = 1.0,
        *,
        opener: Callable[[], Factory] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._numbers: Final = tuple(pins)
        self._hold_s: Final = hold_s
        self._opener: Final = opener or _lgpio
        self._clock: Final = clock
        self._buttons: list[_Button] = []
        self._factory: Factory | None = None
        self._closed = False

    def pressed(self) -> tuple[ButtonPress, ...]:
        """The presses since the last call, in the order of their completion.

        Raises:
            DeviceError: it is closed, or the pins cannot be read; the next call tries again.
        """
        if self._closed:
            raise DeviceError("the buttons are closed; open them again to read them")
        try:
            if self._factory is None:
                self._open()
            now = self._clock()
            presses = [one for button in self._buttons for one in button.take_presses(now)]
        except _faults() as error:
            self._release()
            numbers = ", ".join(f"GPIO{number}" for number in self._numbers)
            why = next((why for text, why in _CAUSES.items() if text in str(error)), error)
            raise DeviceError(f"the buttons on {numbers} cannot be read: {why}") from error
        return tuple(press for _, press in sorted(presses, key=lambda timed: timed[0]))

    def down(self) -> tuple[int, ...]:
        """The people whose buttons are down; before a game these are wired wrongly.

        Raises:
            DeviceError: see `pressed`.
        """
        self.pressed()
        return tuple(person for person, one in enumerate(self._buttons) if one.contact.is_down)

    def close(self) -> None:
        """Closes the pins; further calls do nothing."""
        self._closed = True
        self._release()

    def _open(self) -> None:
        self._factory = self._opener()
        gpiozero = import_module("gpiozero")
        for person, number in enumerate(self._numbers):
            pin = gpiozero.InputDevice(number, pull_up=True, pin_factory=self._factory)
            self._buttons.append(_Button(person, pin, self._hold_s, self._clock))

    def _release(self) -> None:
        buttons, self._buttons = self._buttons, []
        factory, self._factory = self._factory, None
        try:
            for button in buttons:
                button.close()
            if factory is not None:
                factory.close()
        except _faults():
            return  # the chip has failed: there is nothing to close


class _Button:
    """A pin with a queue of its edges, which a thread of gpiozero appends to."""

    def __init__(self, person: int, device: Any, hold_s: float, clock: Callable[[], float]) -> None:
        self._device: Final = device
        self._clock: Final = clock
        self._edges: Final[deque[tuple[float, bool]]] = deque(maxlen=_MOST_EDGES)
        self.contact: Final = Debouncer(person, down=bool(device.value), at=clock(), hold_s=hold_s)
        device.pin.edges = "both"
        device.pin.when_changed = self._changed  # a weak reference, so not a lambda

    def take_presses(self, now: float) -> list[TimedPress]:
        presses = []
        while self._edges:
            at, down = self._edges.popleft()
            presses += self.contact.edge(down=down, at=at)
        # Reads the level itself, in case an edge was lost; raises if the chip has failed.
        return presses + self.contact.edge(down=bool(self._device.value), at=now)

    def close(self) -> None:
        self._device.pin.when_changed = None
        self._device.close()

    def _changed(self, _: object, level: int) -> None:
        self._edges.append((self._clock(), not level))


def _lgpio() -> Factory:
    """The factory of this machine's pins.

    Raises:
        DeviceError: gpiozero or lgpio is not installed, or lgpio cannot make its pipe.
    """
    try:
        return import_module("gpiozero.pins.lgpio").LGPIOFactory()
    except ImportError as error:
        command = install_command("gpiozero", "lgpio")
        message = f"gpiozero and lgpio are not installed; install them with: {command}"
        raise DeviceError(message) from error
    except FileNotFoundError as error:
        folder = os.environ.get("LG_WD") or Path.cwd()
        raise DeviceError(
            f"the buttons need a pipe in the folder {folder}, where this user may not make one; "
            "name another folder by the environment variable LG_WD"
        ) from error


def _faults() -> tuple[type[Exception], ...]:
    """The exceptions of gpiozero and lgpio, as far as they are imported."""
    roots = {"gpiozero": "GPIOZeroError", "lgpio": "error"}
    there = roots.keys() & sys.modules.keys()
    return (OSError, *(getattr(sys.modules[name], roots[name]) for name in there))
