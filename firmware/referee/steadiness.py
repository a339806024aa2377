"""When the board is steady, and what it shows then.

Steady means: at least two clear frames that agree, and some time since the last frame with a
hand or with motion. A board that changes between two clear frames was moved in between, so
disagreement counts as motion too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading

LogProbabilities = NDArray[np.float64]
"""(squares, 1 + colours): the natural logarithm of the probability that a square is empty and
that it holds each colour; equal values where nothing is known."""

_FAINTEST: Final = 0.002
"""No frame is surer of one square than one in five hundred: readers err where they feel sure."""


@dataclass(frozen=True, slots=True)
class SteadinessSettings:
    """When a board counts as steady."""

    quiet_s: Annotated[float, "seconds since the last hand or motion"] = 0.45
    clear_frames: Annotated[int, "clear frames that agree"] = 2
    kept_frames: Annotated[int, "newest clear frames that are combined"] = 5
    agreement: Annotated[float, "log odds from which a frame is sure of a square"] = 2.0
    flicker: Annotated[float, "changes of mind within flicker_s from which a square is unseen"] = (
        3.0
    )
    flicker_s: Annotated[float, "seconds in which a change of mind is forgotten by two thirds"] = (
        5.0
    )


class SteadinessTracker:
    """Gathers the clear frames since the board was last touched."""

    def __init__(self, settings: SteadinessSettings) -> None:
        self._settings: Final = settings
        self._frames: list[LogProbabilities] = []
        self._touched: float | None = None
        self._latest: float | None = None
        self._flicker: Final = _Flicker(settings)

    def touch(self, now: float) -> None:
        """A hand was over the board, or the frame was blurred, or there was no board."""
        self._frames.clear()
        self._touched = self._latest = now
        self._flicker.interrupt()

    def forget(self) -> None:
        """Drops the frames gathered so far."""
        self._frames.clear()
        self._flicker.interrupt()

    def moved(self) -> None:
        """Board or camera moved between the frame before and the one that comes."""
        if self._latest is not None:
            self._touched = self._latest

    def add(self, evidence: LogProbabilities, now: float) -> LogProbabilities | None:
        """Takes a clear frame.

        Args:
            evidence: what the frame shows.
            now: when it was taken, in seconds.

        Returns:
            What the board shows, if it is steady: the mean of the frames that agree. A square
            that keeps changing between sure contents, as under a lamp that flickers, is unseen.
        """
        evidence = self._flicker.hidden(evidence, now)
        if self._frames and not agree(self._frames[-1], evidence, self._settings.agreement):
            self._frames.clear()
            self._touched = self._latest
        self._latest = now
        self._frames = [*self._frames, evidence][-self._settings.kept_frames :]
        if len(self._frames) < self._settings.clear_frames:
            return None
        if self._touched is not None and now - self._touched < self._settings.quiet_s:
            return None
        return combined(self._frames)

    def differs(self, evidence: LogProbabilities) -> bool:
        """Whether a frame that does not count shows something other than those that do."""
        frames = self._frames
        return bool(frames) and not agree(frames[-1], evidence, self._settings.agreement)


def agree(one: LogProbabilities, other: LogProbabilities, sure: float) -> bool:
    """Whether no square is surely one thing in one frame and surely another in the other.

    Args:
        one: what a frame shows.
        other: what another shows.
        sure: log odds from which a frame is sure of a square.
    """
    return not len(_disputed(one, other, sure))


def _disputed(one: LogProbabilities, other: LogProbabilities, sure: float) -> NDArray[np.intp]:
    """The squares that are surely one thing in one frame and surely another in the other."""
    first, second = one.argmax(axis=1), other.argmax(axis=1)
    places = np.flatnonzero(first != second)
    before = one[places, first[places]] - one[places, second[places]]
    after = other[places, second[places]] - other[places, first[places]]
    disputed: NDArray[np.intp] = places[(before > sure) & (after > sure)]
    return disputed


class _Flicker:
    """Counts how often each square changes between sure contents."""

    def __init__(self, settings: SteadinessSettings) -> None:
        self._settings: Final = settings
        self._before: LogProbabilities | None = None
        self._count = np.empty(0)
        self._flickers = np.empty(0, np.bool_)
        self._latest = 0.0

    def interrupt(self) -> None:
        """The next frame is not compared with the one before: the board is being touched."""
        self._before = None

    def hidden(self, evidence: LogProbabilities, now: float) -> LogProbabilities:
        """Takes a clear frame; returns its evidence with the flickering squares unseen."""
        settings = self._settings
        if len(self._count) != len(evidence):
            self._count = np.zeros(len(evidence))
            self._flickers = np.zeros(len(evidence), np.bool_)
        self._count *= np.exp((self._latest - now) / settings.flicker_s)
        self._latest = now
        if self._before is not None:
            self._count[_disputed(self._before, evidence, settings.agreement)] += 1
        self._before = evidence
        high, low = self._count >= settings.flicker, self._count >= settings.flicker / 3
        self._flickers = high | (self._flickers & low)
        return (
            np.where(self._flickers[:, None], 0.0, evidence) if self._flickers.any() else evidence
        )


def evidence_of(reading: Reading, colours: Sequence[str]) -> LogProbabilities:
    """The evidence of a frame for some of the colours of its palette.

    Args:
        reading: the frame.
        colours: names of the colours that are played, in the order wanted.

    Raises:
        ValueError: the reader did not consider one of the colours.
    """
    columns = [0, *(1 + reading.palette.index(name) for name in colours)]
    logs: LogProbabilities = np.log(
        np.maximum(reading.probabilities[:, columns].astype(float), _FAINTEST)
    )
    logs[reading.covered] = 0.0
    return logs


def combined(frames: Sequence[LogProbabilities]) -> LogProbabilities:
    """The mean evidence of frames, each square from the frames that saw it.

    The mean and not the sum: errors of frames a moment apart are much the same, so two frames
    are hardly surer than one.
    """
    stack = np.stack(frames)
    seen = np.any(stack != 0.0, axis=2)
    counts = np.maximum(seen.sum(axis=0), 1)
    mean: LogProbabilities = stack.sum(axis=0) / counts[:, None]
    return mean
