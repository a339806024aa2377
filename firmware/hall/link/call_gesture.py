"""The gesture with which a player calls the arbiter by a button.

One button is pressed five times within three seconds. A turn is ended by one press, and a hint or a
number for pairing is asked for by holding the button, so nobody does this by accident. Each press
also does what it always does: where a button ends the turn, the first one ends it.
"""

from collections import deque
from typing import Final

PRESSES: Final = 5
"""Presses of one button that call the arbiter; one ends a turn, so nobody does it by accident."""

WITHIN_S: Final = 3.0
"""Seconds from the first of these presses to the last."""


class CallGesture:
    """Counts the presses of each player's button."""

    def __init__(self) -> None:
        self._presses: Final[dict[int, deque[float]]] = {}

    def pressed(self, person: int, now: float) -> bool:
        """Counts a short press; returns True if it completes the gesture.

        Args:
            person: index of the person in the order of play.
            now: monotonic seconds.
        """
        presses = self._presses.setdefault(person, deque(maxlen=PRESSES))
        presses.append(now)
        if len(presses) < PRESSES or now - presses[0] > WITHIN_S:
            return False
        presses.clear()
        return True
