"""The players' buttons without wires."""

from firmware.devices import DeviceError


class SimulatedButtons:
    """One button for each person.

    Args:
        people: how many there are.
    """

    def __init__(self, people: int) -> None:
        self._people = people
        self._pressed: list[int] = []
        self._closed = False

    def press(self, person: int) -> None:
        """Somebody presses their button.

        Raises:
            ValueError: there is no such person.
        """
        if not 0 <= person < self._people:
            raise ValueError(f"{self._people} people have no button {person}")
        self._pressed.append(person)

    def pressed(self) -> tuple[int, ...]:
        """The people whose buttons were pressed since the last call, in that order.

        Raises:
            DeviceError: it is closed.
        """
        if self._closed:
            raise DeviceError("the buttons are closed; open them again to read them")
        pressed, self._pressed = tuple(self._pressed), []
        return pressed

    def close(self) -> None:
        """Lets go of them."""
        self._closed = True
