"""Simulated buttons of the players."""

from firmware.drivers.interfaces import ButtonPress, DeviceError


class SimulatedButtons:
    """One button for each person.

    Args:
        people: number of people.

    Attributes:
        broken: message of the `DeviceError` that reading raises; empty if the buttons work.
    """

    def __init__(self, people: int) -> None:
        self._people = people
        self._pressed: list[ButtonPress] = []
        self._closed = False
        self.broken = ""

    def press(self, person: int, *, held: bool = False, off: bool = False) -> None:
        """Presses the button of a person, holds it, or holds it until that switches off.

        Raises:
            ValueError: there is no such person.
        """
        if not 0 <= person < self._people:
            raise ValueError(f"{self._people} people have no button {person}")
        self._pressed.append(ButtonPress(person, held or off))
        self._pressed += [ButtonPress(person, held=True, off=True)] if off else []

    def pressed(self) -> tuple[ButtonPress, ...]:
        """The presses since the last call, in that order.

        Raises:
            DeviceError: it is closed, or broken.
        """
        if self._closed:
            raise DeviceError("the buttons are closed; open them again to read them")
        if self.broken:
            raise DeviceError(self.broken)
        pressed, self._pressed = tuple(self._pressed), []
        return pressed

    def close(self) -> None:
        """Closes the buttons; further calls do nothing."""
        self._closed = True
