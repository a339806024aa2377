"""Measures the time for which a condition has held on each square of the board."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_NEVER: Final = np.inf
"""Start time, in seconds, of a condition that does not hold."""


class SquareTimer:
    """Times one condition on every square, in the reader's frame."""

    def __init__(self) -> None:
        self._since = np.empty(0)

    def reset(self) -> None:
        """Resets all squares to a condition that does not hold."""
        self._since = np.empty(0)

    def held(self, squares: int) -> NDArray[np.bool_]:
        """Returns (squares,), True where the condition held at the last update.

        Args:
            squares: number of squares of the board.
        """
        if len(self._since) != squares:
            return np.zeros(squares, np.bool_)
        return np.isfinite(self._since)

    def update(self, holds: NDArray[np.bool_], now: float) -> NDArray[np.float64]:
        """Returns (squares,), seconds since the condition began; minus infinity if it is false.

        Args:
            holds: (squares,) True where the condition holds now.
            now: time in seconds; never less than before.
        """
        before = self._since if len(self._since) == len(holds) else np.full(len(holds), _NEVER)
        self._since = np.where(holds, np.minimum(before, now), _NEVER)
        return now - self._since
