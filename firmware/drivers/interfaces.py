"""Protocols of the hardware.

Drivers are in `firmware.drivers`, simulations in `firmware.simulator` and `tests.support`; both
refuse the same input, with `DeviceError`.
"""

from dataclasses import dataclass
from typing import Final, Protocol


class DeviceError(OSError):
    """A device that has failed, or input that it cannot process."""


class LedStrip(Protocol):
    """A chain of coloured LEDs.

    Attributes:
        length: number of LEDs.
    """

    @property
    def length(self) -> int:
        """Number of LEDs."""
        ...

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Args:
            pixels: red, green and blue of each LED in the order of the chain, 0 to 255: the
                duty cycle, to which current and light are proportional.

        Raises:
            DeviceError: it is closed, or cannot show the frame.
        """
        ...

    def close(self) -> None:
        """Closes the device; further calls do nothing."""
        ...


OFF_S: Final = 5.0
"""Seconds after which a button that is still held is reported a second time."""


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button that was pressed and released, or is held.

    Attributes:
        person: index in the order of play, from 0.
        held: True for a long press; its release is not reported.
        off: True if a button that was reported as held is still held after `OFF_S`.
    """

    person: int
    held: bool = False
    off: bool = False


class Buttons(Protocol):
    """One button for each person: pressed to end their turn, held to ask for a hint.

    One that is held for `OFF_S` switches the machine off, where that is offered.
    """

    def pressed(self) -> tuple[ButtonPress, ...]:
        """The presses since the last call, in the order of their completion.

        Raises:
            DeviceError: the buttons have failed; the next call tries again.
        """
        ...

    def close(self) -> None:
        """Closes the device; further calls do nothing."""
        ...


class SpiBus(Protocol):
    """A serial bus of which only the data line is used.

    Attributes:
        largest: bytes of the largest message.
    """

    @property
    def largest(self) -> int:
        """Bytes of the largest message."""
        ...

    def open(self, clock_hz: int) -> None:
        """Opens the bus at a clock, or the nearest lower one of the chip.

        Raises:
            DeviceError: there is no such bus, or no permission to use it.
        """
        ...

    def send(self, message: bytes) -> None:
        """Sends one message without a pause, highest bit first.

        Raises:
            DeviceError: it is closed, or the message is too long.
        """
        ...

    def close(self) -> None:
        """Closes the bus; further calls do nothing."""
        ...
