"""The players' buttons without wires."""

from firmware.drivers.interfaces import ButtonPress, DeviceError


class SimulatedButtons:
    """One button for each person.

    Args:
        people: how many there are.

    Attributes:
        broken: what they say instead of who pressed; empty where they work.
    """

    def __init__(self, people: int) -> None:
        self._people = people
        self._pressed: list[ButtonPress] = []
        self._closed = False
        self.broken = ""

    def press(self, person: int, *, held: bool = False) -> None:
        """Somebody presses their button, or holds it.

        Raises:
            ValueError: there is no such person.
        """
        if not 0 <= person < self._people:
            raise ValueError(f"{self._people} people have no button {person}")
        self._pressed.append(ButtonPress(person, held))

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
        """Lets go of them."""
        self._closed = True
