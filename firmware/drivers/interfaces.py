"""What the program asks of hardware: small protocols at the lowest seam.

Real ones live in `firmware.drivers`, ones without wires in `firmware.simulator`; both refuse
the same things, with `DeviceError`.
"""

from dataclasses import dataclass
from typing import Protocol


class DeviceError(OSError):
    """A device that is gone, or that was asked for what it cannot do; says which."""


class LedStrip(Protocol):
    """A chain of coloured LEDs.

    Attributes:
        length: how many LEDs there are.
    """

    @property
    def length(self) -> int:
        """How many LEDs there are."""
        ...

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Args:
            pixels: red, green and blue of each LED in the order of the chain, 0 to 255: the
                share of time each is on, which current and light follow evenly.

        Raises:
            DeviceError: it is closed, or cannot show that, or not yet.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; further calls do nothing."""
        ...


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """Somebody's button was pressed and released, or is held.

    Attributes:
        person: their place in the order of play, from 0.
        held: whether it was held down for long; the release then says nothing more.
    """

    person: int
    held: bool = False


class Buttons(Protocol):
    """One button for each person: pressed to end their turn, held to ask for a hint."""

    def pressed(self) -> tuple[ButtonPress, ...]:
        """The presses since the last call, in the order they were told.

        Raises:
            DeviceError: the buttons are gone; the next call tries again.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; further calls do nothing."""
        ...


class SpiBus(Protocol):
    """A serial bus of which only the data line is used.

    Attributes:
        largest: bytes that one message may have.
    """

    @property
    def largest(self) -> int:
        """Bytes that one message may have."""
        ...

    def open(self, clock_hz: int) -> None:
        """Gets ready to send at a clock, or the nearest below it that the chip has.

        Raises:
            DeviceError: there is no such bus, or it may not be used.
        """
        ...

    def send(self, message: bytes) -> None:
        """Sends one message without a pause, highest bit first.

        Raises:
            DeviceError: it is closed, or the message is too long.
        """
        ...

    def close(self) -> None:
        """Lets go of the bus; further calls do nothing."""
        ...
