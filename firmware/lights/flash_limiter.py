"""At most three changes a second, whatever the reason.

Light that flashes more than three times a second can harm people (WCAG 2.2, success criterion
2.3.1); a flash is a pair of changes, so three changes are half of what is allowed. All reasons
to change share one count: rhythms, news and dark windows. One change is kept in hand for going
dark, so that a decision never waits for a blink.
"""

from collections import deque
from typing import Final

MOST: Final = 3
SECOND: Final = 1.0


class FlashLimiter:
    """Counts the changes of the last second."""

    def __init__(self) -> None:
        self._changes: Final[deque[float]] = deque(maxlen=MOST)

    def allows(self, now: float, *, dark: bool) -> bool:
        """Whether lights may change now; `dark` where they go out, so that the camera can see."""
        recent = sum(now - change < SECOND for change in self._changes)
        return recent < (MOST if dark else MOST - 1)

    def note(self, now: float) -> None:
        """They changed."""
        self._changes.append(now)
