"""Evidence on doubtful squares, averaged over steady boards and added up over different light.

A single board may look surer than a square is, and many are looked at while a question is open:
deciding by the first that is sure enough would be deciding by its noise. So boards in one light
are averaged. A look in another light, when a shadow has gone or a lamp was switched, errs in its
own way: there evidence adds up. Once a question is settled, what the squares showed while it was
open is no reason to ask again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.referee.steadiness import LogProbabilities

Lightness = NDArray[np.float32]
"""(squares,): CIE L* of each square as seen, 0 to 100, in the reader's frame."""

_OTHER_LIGHT: Final = 5.0
"""L* by which a square has to differ until it is seen in another light. Noise and a camera's
automatic exposure change it by up to 3 on the recorded games."""

_INDEPENDENT: Final = 0.7
"""Share by which a look in another light counts as evidence of its own: glare and wear stay."""

_MOST_LOOKS: Final = 4
_MOST_BOARDS: Final = 60
"""Steady boards in one light that are averaged; older ones count less and less."""

_SAME: Final = 2.0
"""Log odds up to which a square shows the same: the noise of a steady board is below 1."""

_OTHER: Final = 3.2
"""Log odds from which it certainly shows something else."""

_LEANS: Final = 1.0
"""Log odds from which two boards that show the same content are no sign of a change."""

_CONFIRMING: Final = 3
"""Steady boards that have to agree on it until what a square showed before is forgotten."""

_FAINT: Final = 4.5
"""Log odds behind the likeliest content from which it does not matter how unlikely one is."""

_SETTLED: Final = 4.0
"""Log odds that a settled question gives to its answer, on squares that show what they did."""


@dataclass(slots=True)
class _Look:
    """What a square shows in one light.

    Attributes:
        lightness: in which it was seen.
        shown: (1 + colours,) the mean of its evidence.
        boards: how many steady boards it is the mean of.
    """

    lightness: float
    shown: LogProbabilities
    boards: int = 1

    def add(self, shown: LogProbabilities) -> None:
        """Takes the evidence of another steady board."""
        self.boards = min(self.boards + 1, _MOST_BOARDS)
        self.shown = self.shown + (shown - self.shown) / self.boards


class _Square:
    """What a doubtful square has shown since the question was asked."""

    def __init__(self) -> None:
        self._evidence: list[_Look] = []
        self._change: _Look | None = None

    def add(
        self, shown: LogProbabilities, lightness: float, *, touched: bool
    ) -> LogProbabilities | None:
        """Takes the evidence of a steady board.

        Args:
            shown: (1 + colours,) the evidence.
            lightness: in which light.
            touched: whether a hand was over the board since the board before.

        Returns:
            All of the evidence. Where the square seems to hold something else than before, it is
            the newest if that is certain, and None until more boards confirm it otherwise.
        """
        newest = _Look(lightness, shown.copy())
        here = [one for one in self._evidence if abs(one.lightness - lightness) <= _OTHER_LIGHT]
        compared = self._evidence if touched else here
        apart = min((_apart(shown, one.shown) for one in compared), default=0.0)
        if apart > _SAME and not self._is_confirmed(newest):
            return shown if apart > _OTHER else None
        if apart <= _SAME:
            self._change = None
            if here:
                here[0].add(shown)
            elif len(self._evidence) < _MOST_LOOKS:
                self._evidence.append(newest)
        count = len(self._evidence)
        scale = (1 + _INDEPENDENT * (count - 1)) / count
        total: LogProbabilities = np.sum([one.shown for one in self._evidence], axis=0)
        return scale * total

    def shows(self, shown: LogProbabilities) -> bool:
        """Whether a steady board shows what it did when the question was settled."""
        return _apart(shown, self._evidence[0].shown) <= _SAME

    def _is_confirmed(self, newest: _Look) -> bool:
        """Whether boards confirm that it holds something else; all that it showed is void then."""
        if self._change is None or _apart(newest.shown, self._change.shown) > _SAME:
            self._change = newest
        else:
            self._change.add(newest.shown)
        if self._change.boards < _CONFIRMING:
            return False
        self._evidence, self._change = [self._change], None
        return True


class AmbiguityEvidence:
    """Keeps what the squares of open and settled questions have shown."""

    def __init__(self) -> None:
        self._open: dict[int, _Square] = {}
        self._settled: dict[int, tuple[int, _Square]] = {}
        self._touched = False
        self._newest: tuple[LogProbabilities, Lightness] | None = None

    def forget(self) -> None:
        """Another position is on the table: no question is open, none was settled."""
        self._settled.clear()
        self.watch(())

    def watch(self, squares: Iterable[int]) -> None:
        """Names the squares, in the reader's frame, that questions are open about."""
        wanted = set(squares)
        # The readings of a question come and go with the noise; its squares stay.
        kept = self._open if wanted.intersection(self._open) else {}
        self._open = {**kept, **{one: self._begun(one) for one in wanted.difference(kept)}}

    def _begun(self, square: int) -> _Square:
        """A square that a question is asked about now, with what it shows."""
        begun = _Square()
        if self._newest is not None:
            evidence, lightness = self._newest
            begun.add(evidence[square], float(lightness[square]), touched=False)
        return begun

    def touched(self) -> None:
        """A hand was over the board: what lies on the squares may be something else now."""
        self._touched = True

    def settle(self, contents: NDArray[np.int64], evidence: LogProbabilities) -> None:
        """Settles the open questions.

        Args:
            contents: (squares,) what was accepted on each square.
            evidence: what the steady board shows.
        """
        for square in self._open:
            shown = _Square()
            shown.add(evidence[square], 0.0, touched=False)
            self._settled[square] = int(contents[square]), shown
        self.watch(())

    def weighed(self, evidence: LogProbabilities, lightness: Lightness) -> LogProbabilities | None:
        """Takes what a steady board shows; returns it with all looks at the squares added up.

        Args:
            evidence: (squares, 1 + colours), equal values where nothing is seen.
            lightness: of each square.

        Returns:
            None while a square that a question is open about seems to change.
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
        for square, (content, shown) in self._settled.items():
            if shown.shows(evidence[square]):
                weighed[square, content] += _SETTLED
        return weighed


def _apart(shown: LogProbabilities, before: LogProbabilities) -> float:
    """By how many log odds a square shows something else than before.

    Noise moves the odds of a square far, but seldom to another content.
    """
    first, second = (np.maximum(one - one.max(), -_FAINT) for one in (shown, before))
    apart = float(np.abs(first - second).max())
    leans = shown.argmax() == before.argmax() and min(map(_lead, (shown, before))) >= _LEANS
    return 0.0 if leans and apart <= _OTHER else apart


def _lead(shown: LogProbabilities) -> float:
    """Log odds between the likeliest content and the next."""
    following, best = np.partition(shown, -2)[-2:]
    return float(best - following)
