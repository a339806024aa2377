"""Measures for how long each square of the board has been in some condition."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_NEVER: Final = np.inf


class SquareTimer:
    """Times one condition on every square, in the reader's frame."""

    def __init__(self) -> None:
        self._since = np.empty(0)

    def reset(self) -> None:
        """Starts anew: the condition holds nowhere."""
        self._since = np.empty(0)

    def held(self, squares: int) -> NDArray[np.bool_]:
        """(squares,) squares on which the condition held at the last update.

        Args:
            squares: number of squares of the board.
        """
        if len(self._since) != squares:
            return np.zeros(squares, np.bool_)
        return np.isfinite(self._since)

    def update(self, holds: NDArray[np.bool_], now: float) -> NDArray[np.float64]:
        """(squares,) seconds for which the condition has held; minus infinity where it does not.

        Args:
            holds: (squares,) squares on which the condition holds now.
            now: time in seconds; never less than before.
        """
        before = self._since if len(self._since) == len(holds) else np.full(len(holds), _NEVER)
        self._since = np.where(holds, np.minimum(before, now), _NEVER)
        return now - self._since
