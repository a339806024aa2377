"""What the program asks of hardware: small protocols at the lowest seam.

Real ones live in `firmware.drivers`, ones without wires in `firmware.simulator`; both refuse
the same things, with `DeviceError`.
"""

from typing import Protocol


class DeviceError(OSError):
    """A device that is gone, or that was asked for what it cannot do; says which."""


class Strip(Protocol):
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
            pixels: red, green and blue of each LED in the order of the chain, 0 to 255.

        Raises:
            DeviceError: it is closed, or cannot show that, or not yet.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; further calls do nothing."""
        ...


class Buttons(Protocol):
    """One button for each person, by which they end their turn."""

    def pressed(self) -> tuple[int, ...]:
        """The people whose buttons were pressed since the last call, in that order.

        A person is a place in the order of play, from 0.

        Raises:
            DeviceError: the buttons are gone.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; further calls do nothing."""
        ...
