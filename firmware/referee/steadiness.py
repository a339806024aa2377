"""Detects a steady board and combines the evidence of its frames.

Steady means: at least two clear frames that agree, and some time since the last frame with a
hand or with motion. A board that changes between two clear frames was touched in between, so
disagreement counts as motion too.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading

LogProbabilities = NDArray[np.float64]
"""(squares, 1 + colours): natural logarithm of the probability that a square is empty, and that it
holds each colour; equal values for a hidden square."""

_NEVER: Final = np.inf
"""Start time, in seconds, of a condition that does not hold."""

_FAINTEST: Final = 0.002
"""Least probability of a content in one frame, one in five hundred: a reader may err although it is
sure."""

_QUIET_S: Final = 0.45
"""Seconds since the last hand or motion from which a board is steady."""

_CLEAR_FRAMES: Final = 2
"""Clear frames that agree on it."""

_COMBINED_FRAMES: Final = 5
"""Newest clear frames that are combined."""

_AGREEMENT: Final = 2.0
"""Log odds from which a frame is sure of a square."""

_FLICKER: Final = 3.0
"""Changes in `_FLICKER_S` from which a square is ignored."""

_FLICKER_S: Final = 5.0
"""Seconds in which the count of changes decays by two thirds."""


class SteadinessTracker:
    """Gathers the clear frames since the board was last touched."""

    def __init__(self) -> None:
        self._frames: list[LogProbabilities] = []
        self._touched: float | None = None
        self._latest: float | None = None
        self._flicker: Final = _Flicker()

    def touch(self, now: float) -> None:
        """Discards the frames after one with a hand, with blur, or without a board."""
        self._frames.clear()
        self._touched = self._latest = now
        self._flicker.interrupt()

    def forget(self) -> None:
        """Discards the frames gathered so far."""
        self._frames.clear()
        self._flicker.interrupt()

    def moved(self) -> None:
        """Notes that board or camera moved between the last frame and the next."""
        if self._latest is not None:
            self._touched = self._latest

    def add(self, evidence: LogProbabilities, now: float) -> LogProbabilities | None:
        """Takes a clear frame.

        Args:
            evidence: evidence of the frame.
            now: time of the frame in seconds.

        Returns:
            The mean of the frames that agree, if the board is steady; otherwise None. A square
            that changes again and again between certain contents, as under a flickering lamp,
            has equal values.
        """
        evidence = self._flicker.hidden(evidence, now)
        if self._frames and not agree(self._frames[-1], evidence):
            self._frames.clear()
            self._touched = self._latest
        self._latest = now
        self._frames = [*self._frames, evidence][-_COMBINED_FRAMES:]
        if len(self._frames) < _CLEAR_FRAMES:
            return None
        if self._touched is not None and now - self._touched < _QUIET_S:
            return None
        return combined(self._frames)

    def differs(self, evidence: LogProbabilities) -> bool:
        """True if a frame that was not added disagrees with the last one that was."""
        frames = self._frames
        return bool(frames) and not agree(frames[-1], evidence)


def agree(one: LogProbabilities, other: LogProbabilities) -> bool:
    """True if no square has different certain contents in two frames."""
    return not len(_disputed(one, other))


def _disputed(one: LogProbabilities, other: LogProbabilities) -> NDArray[np.intp]:
    """Returns the squares with different certain contents in two frames."""
    first, second = one.argmax(axis=1), other.argmax(axis=1)
    places = np.flatnonzero(first != second)
    before = one[places, first[places]] - one[places, second[places]]
    after = other[places, second[places]] - other[places, first[places]]
    disputed: NDArray[np.intp] = places[(before > _AGREEMENT) & (after > _AGREEMENT)]
    return disputed


class _Flicker:
    """Counts the changes of each square between certain contents."""

    def __init__(self) -> None:
        self._before: LogProbabilities | None = None
        self._count = np.empty(0)
        self._flickers = np.empty(0, np.bool_)
        self._latest = 0.0

    def interrupt(self) -> None:
        """Excludes the next frame from the comparison, because the board is touched."""
        self._before = None

    def hidden(self, evidence: LogProbabilities, now: float) -> LogProbabilities:
        """Takes a clear frame; returns its evidence with equal values on flickering squares."""
        if len(self._count) != len(evidence):
            self._count = np.zeros(len(evidence))
            self._flickers = np.zeros(len(evidence), np.bool_)
        self._count *= np.exp((self._latest - now) / _FLICKER_S)
        self._latest = now
        if self._before is not None:
            self._count[_disputed(self._before, evidence)] += 1
        self._before = evidence
        high, low = self._count >= _FLICKER, self._count >= _FLICKER / 3
        self._flickers = high | (self._flickers & low)
        return (
            np.where(self._flickers[:, None], 0.0, evidence) if self._flickers.any() else evidence
        )


def evidence_of(reading: Reading, colours: Sequence[str]) -> LogProbabilities:
    """Returns the evidence of a frame for some of the colours of its palette.

    Args:
        reading: reading of the frame.
        colours: names of the colours that are played, in the order of the columns.

    Raises:
        ValueError: the reader did not consider one of the colours.
    """
    columns = [0, *(1 + reading.palette.index(name) for name in colours)]
    logs: LogProbabilities = np.log(
        np.maximum(reading.probabilities[:, columns].astype(float), _FAINTEST)
    )
    logs[reading.covered] = 0.0
    return logs


def lead_of(evidence: LogProbabilities, column: int) -> NDArray[np.float64]:
    """Returns (squares,) log odds of a content against the best other one; 0 where hidden.

    Args:
        evidence: evidence of some squares.
        column: column of the content: 0 empty, otherwise 1 + that of the colour.
    """
    others = np.delete(evidence, column, axis=1)
    lead: NDArray[np.float64] = evidence[:, column] - others.max(axis=1)
    return lead


def combined(frames: Sequence[LogProbabilities]) -> LogProbabilities:
    """Returns the mean evidence of frames, each square from the frames in which it is visible.

    The mean and not the sum: errors of consecutive frames are strongly correlated, so two frames
    are hardly more certain than one.
    """
    stack = np.stack(frames)
    visible = np.any(stack != 0.0, axis=2)
    counts = np.maximum(visible.sum(axis=0), 1)
    mean: LogProbabilities = stack.sum(axis=0) / counts[:, None]
    return mean


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
