"""Evidence on doubtful squares, averaged over steady boards and added up over different light.

A single board may show more certainty than it has, and many boards are read while a question is
open: deciding by the first that is certain enough would be deciding by noise. So boards in one
light are averaged. Errors in another light, when a shadow has gone or a lamp was switched, are
partly independent: there evidence adds up. Once a question is settled, the evidence that the
squares showed while it was open does not raise it again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.referee.steadiness import LogProbabilities

Lightness = NDArray[np.float32]
"""(squares,): measured CIE L* of each square, 0 to 100, in the reader's frame."""

_OTHER_LIGHT: Final = 5.0
"""Difference of L* from which a square counts as seen in another light. Noise and a camera's
automatic exposure change it by up to 3 in the recorded games."""

_INDEPENDENT: Final = 0.7
"""Weight, 0 to 1, of evidence in each further light; glare and wear are common to all."""

_MOST_LIGHTS: Final = 4
"""Number of different lights in which the evidence of a square is stored."""

_MOST_BOARDS: Final = 60
"""Number of steady boards averaged in one light; older ones then fade exponentially."""

_SAME: Final = 2.0
"""Log odds up to which a square counts as unchanged: the noise of a steady board is below 1."""

_OTHER: Final = 3.2
"""Log odds from which a square has certainly changed."""

_LEANS: Final = 1.0
"""Lead in log odds from which two boards with the same likeliest content are no change."""

_CONFIRMING: Final = 3
"""Number of steady boards that confirm a change before the earlier evidence is discarded."""

_FAINT: Final = 4.5
"""Log odds behind the likeliest content at which evidence is clipped before a comparison."""

_SETTLED: Final = 4.0
"""Log odds added to the answer of a settled question, on squares that are unchanged."""


@dataclass(slots=True)
class _LightEvidence:
    """Evidence of a square in one light.

    Attributes:
        lightness: L* of the square in this light.
        mean: (1 + colours,) mean evidence.
        boards: number of steady boards averaged.
    """

    lightness: float
    mean: LogProbabilities
    boards: int = 1

    def add(self, evidence: LogProbabilities) -> None:
        """Adds the evidence of another steady board to the mean."""
        self.boards = min(self.boards + 1, _MOST_BOARDS)
        self.mean = self.mean + (evidence - self.mean) / self.boards


class _Square:
    """Evidence of a doubtful square since the question was asked."""

    def __init__(self) -> None:
        self._lights: list[_LightEvidence] = []
        self._change: _LightEvidence | None = None

    def add(
        self, evidence: LogProbabilities, lightness: float, *, touched: bool
    ) -> LogProbabilities | None:
        """Adds the evidence of a steady board.

        Args:
            evidence: (1 + colours,) the evidence.
            lightness: L* of the square.
            touched: True if a hand was over the board since the board before.

        Returns:
            The combined evidence. If the square seems to have changed: the newest evidence if the
            change is certain, otherwise None until more boards confirm it.
        """
        newest = _LightEvidence(lightness, evidence.copy())
        here = [one for one in self._lights if abs(one.lightness - lightness) <= _OTHER_LIGHT]
        compared = self._lights if touched else here
        apart = min((_apart(evidence, one.mean) for one in compared), default=0.0)
        if apart > _SAME and not self._is_confirmed(newest):
            return evidence if apart > _OTHER else None
        if apart <= _SAME:
            self._change = None
            if here:
                here[0].add(evidence)
            elif len(self._lights) < _MOST_LIGHTS:
                self._lights.append(newest)
        count = len(self._lights)
        scale = (1 + _INDEPENDENT * (count - 1)) / count
        total: LogProbabilities = np.sum([one.mean for one in self._lights], axis=0)
        return scale * total

    def is_unchanged(self, evidence: LogProbabilities) -> bool:
        """True if a steady board shows the same as when the question was settled."""
        return _apart(evidence, self._lights[0].mean) <= _SAME

    def _is_confirmed(self, newest: _LightEvidence) -> bool:
        """True if enough boards confirm a change; discards the earlier evidence then."""
        if self._change is None or _apart(newest.mean, self._change.mean) > _SAME:
            self._change = newest
        else:
            self._change.add(newest.mean)
        if self._change.boards < _CONFIRMING:
            return False
        self._lights, self._change = [self._change], None
        return True


class AmbiguityEvidence:
    """Evidence of the squares of open and settled questions."""

    def __init__(self) -> None:
        self._open: dict[int, _Square] = {}
        self._settled: dict[int, tuple[int, _Square]] = {}
        self._touched = False
        self._newest: tuple[LogProbabilities, Lightness] | None = None

    def forget(self) -> None:
        """Discards all open and settled questions, because another position is on the table."""
        self._settled.clear()
        self.watch(())

    def watch(self, squares: Iterable[int]) -> None:
        """Sets the squares, in the reader's frame, of the open questions."""
        wanted = set(squares)
        # The readings of a question vary with the noise; its squares stay.
        stored = self._open if wanted.intersection(self._open) else {}
        self._open = {**stored, **{one: self._begun(one) for one in wanted.difference(stored)}}

    def _begun(self, square: int) -> _Square:
        """Returns a square of a question just asked, with its newest evidence."""
        begun = _Square()
        if self._newest is not None:
            evidence, lightness = self._newest
            begun.add(evidence[square], float(lightness[square]), touched=False)
        return begun

    def touched(self) -> None:
        """Notes that a hand was over the board, so that the squares may have changed."""
        self._touched = True

    def settle(self, contents: NDArray[np.int64], evidence: LogProbabilities) -> None:
        """Settles the open questions.

        Args:
            contents: (squares,) accepted content of each square: 0 empty, otherwise 1 + column.
            evidence: evidence of the steady board.
        """
        for square in self._open:
            settled = _Square()
            settled.add(evidence[square], 0.0, touched=False)
            self._settled[square] = int(contents[square]), settled
        self.watch(())

    def weighed(self, evidence: LogProbabilities, lightness: Lightness) -> LogProbabilities | None:
        """Takes the evidence of a steady board and combines it with the evidence before.

        Args:
            evidence: (squares, 1 + colours), equal values for a hidden square.
            lightness: (squares,) L* of each square.

        Returns:
            The combined evidence; None while a square of an open question seems to change.
        """
        touched, self._touched = self._touched, False
        self._newest = evidence, lightness
        if not (self._open or self._settled):
            return evidence
        weighed: LogProbabilities = evidence.copy()
        changing = False
        for square, one in self._open.items():
            if np.ptp(evidence[square]) > 0.0:
                light = float(lightness[square])
                total = one.add(evidence[square], light, touched=touched)
                changing |= total is None
                weighed[square] = 0.0 if total is None else total
        if changing:
            return None
        for square, (content, settled) in self._settled.items():
            if settled.is_unchanged(evidence[square]):
                weighed[square, content] += _SETTLED
        return weighed


def _apart(evidence: LogProbabilities, before: LogProbabilities) -> float:
    """Returns the difference of two evidences of a square, in log odds.

    Noise changes the odds of a square much, but seldom its likeliest content.
    """
    first, second = (np.maximum(one - one.max(), -_FAINT) for one in (evidence, before))
    apart = float(np.abs(first - second).max())
    leans = evidence.argmax() == before.argmax() and min(map(_lead, (evidence, before))) >= _LEANS
    return 0.0 if leans and apart <= _OTHER else apart


def _lead(evidence: LogProbabilities) -> float:
    """Returns the log odds between the likeliest content and the next."""
    following, best = np.partition(evidence, -2)[-2:]
    return float(best - following)
