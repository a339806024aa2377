"""Limit of three changes of the lights a second.

Light that flashes more than three times a second can harm people (WCAG 2.2, success criterion
2.3.1); a flash is a pair of changes, so three changes are half of what is allowed. All changes
share one count: blink patterns, other scenes and dark windows. One change is reserved for going
dark, so that a decision never waits for a blink pattern.
"""

from collections import deque
from typing import Final

MOST: Final = 3
"""Changes allowed within `SECOND`."""

SECOND: Final = 1.0
"""Seconds over which changes are counted."""


class FlashLimiter:
    """Counts the changes of the last second."""

    def __init__(self) -> None:
        self._changes: Final[deque[float]] = deque(maxlen=MOST)

    def allows(self, now: float, *, dark: bool) -> bool:
        """True if the lights may change now; `dark` if they go out for the camera."""
        recent = sum(now - change < SECOND for change in self._changes)
        return recent < (MOST if dark else MOST - 1)

    def note(self, now: float) -> None:
        """Counts a change at the time `now`, in seconds."""
        self._changes.append(now)
