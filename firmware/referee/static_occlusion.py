"""Reads a board over which something lies still: a cup, a sleeve, a resting hand.

It hides a part of the squares. Once it has not moved for `STILL_S` seconds, the other squares can
be decided on, as far as nothing hidden could change the decision.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.referee.steadiness import LogProbabilities, agree, combined

SquareMask = NDArray[np.bool_]
"""(squares,): a set of squares in the reader's frame."""

LONG_S: Final = 6.0
"""Seconds of a moving hand until its squares are reported."""

STILL_S: Final = 3.0
"""Seconds without motion from which something over the board lies still."""

_CLEAR_FRAMES: Final = 4
"""Frames that agree on it."""

_STIRRED: Final = 3
"""Squares that may flicker between covered and not."""


@dataclass(frozen=True, slots=True, eq=False)
class StaticOcclusion:
    """Evidence of a board over which something lies still.

    Attributes:
        evidence: evidence of the squares away from it; equal values for all others.
        covered: the hidden squares.
    """

    evidence: LogProbabilities
    covered: SquareMask


class StaticOcclusionTracker:
    """Gathers the frames since something over the board last moved."""

    def __init__(self) -> None:
        self._frames: list[LogProbabilities] = []
        self._covered: list[SquareMask] = []
        self._since = 0.0

    def reset(self) -> None:
        """Discards the frames, because the thing moved, is gone, or its place is unknown."""
        self._frames.clear()
        self._covered.clear()

    def add(
        self, evidence: LogProbabilities, covered: SquareMask, now: float
    ) -> StaticOcclusion | None:
        """Takes a frame with something over the board.

        Args:
            evidence: evidence of the frame.
            covered: the hidden squares.
            now: time of the frame in seconds.

        Returns:
            The evidence of the rest of the board, once the thing lies still; otherwise None.
        """
        if self._frames and (
            int((covered ^ self._covered[0]).sum()) > _STIRRED
            or not agree(self._frames[-1], evidence)
        ):
            self.reset()
        if not covered.any():
            # Something is over the board at an unknown place.
            self.reset()
            return None
        if not self._frames:
            self._since = now
        self._frames.append(evidence)
        self._covered.append(covered)
        if len(self._frames) < _CLEAR_FRAMES or now - self._since < STILL_S:
            return None
        # The first mask stays, so that a slow creep is noticed.
        del self._frames[:-_CLEAR_FRAMES]
        del self._covered[1:-_CLEAR_FRAMES]
        hidden: SquareMask = np.any(np.stack(self._covered), axis=0)
        visible = combined(self._frames)
        visible[_with_neighbours(hidden)] = 0.0
        return StaticOcclusion(visible, hidden)


def _with_neighbours(squares: SquareMask) -> SquareMask:
    """Returns squares and their neighbours, for shadows and blended edges of the thing."""
    size = round(len(squares) ** 0.5)
    padded = np.pad(squares.reshape(size, size), 1)
    grown = [
        padded[row : row + size, column : column + size] for row in range(3) for column in range(3)
    ]
    near: SquareMask = np.any(grown, axis=0).ravel()
    return near
