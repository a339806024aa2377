"""Notices a board that was cleared: for the next game, and under an unfinished one."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Move
from vision.errors import BoardFailure
from vision.reading import Reading

_EMPTY_S: Final = 3.0
"""Seconds for which a board is seen empty until it counts as cleared. At the simulated table hands
that tidy up leave the board for less than 2 s."""

_FRAMES: Final = 4
"""Least number of frames that show it so."""

_GAP_S: Final = 2.0
"""Seconds without a clear frame after which the board has to be seen anew: the slowest camera that
can follow a game takes two pictures a second."""

_TAKEN_BACK_S: Final = 10.0
"""Seconds after which the piece that ended a game counts as taken back, if no other was lifted."""

_SURE: Final = 0.9
"""Probability from which a square is certainly empty."""

_POSSIBLE: Final = 0.5
"""Probability below which something lies on a square."""

_MOST_OF_IT: Final = 0.9
"""Share of the squares that have to be seen; glare may hide the others."""

Squares = NDArray[np.bool_]
"""(n * n,) True for some squares of the reader's frame."""


def certainly_empty(reading: Reading) -> Squares:
    """Returns the squares that can be seen and are certainly empty."""
    empty: Squares = (reading.probabilities[:, 0] > _SURE) & ~reading.covered
    return empty


class EmptyBoardWatch:
    """Watches the readings of a board for a time in which every square is empty.

    Only frames that a camera took count. Squares under glare are never seen; the caller checks
    that each piece of the game would show at least one square.

    Attributes:
        seen: (n * n,) squares that were certainly empty since the board seems to be.
        sees_pieces: True if the newest clear frame shows something on the board.
    """

    def __init__(self) -> None:
        self.seen: Squares = np.empty(0, np.bool_)
        self.sees_pieces = False
        self._since_s: float | None = None
        self._latest_s = 0.0
        self._frames = 0
        self._only_lit: frozenset[int] = frozenset()

    @property
    def wants_dark(self) -> bool:
        """True if lights hide squares of a board that seems to be empty."""
        return self._since_s is not None and bool(self._only_lit)

    def see(
        self, reading: Reading | BoardFailure, now: float, lit: frozenset[int] = frozenset()
    ) -> bool:
        """Takes the reading of the next frame.

        Args:
            reading: the reading.
            now: time of the frame in seconds.
            lit: squares that lights may have hidden in it.

        Returns:
            True if the board has been empty for so long that it was cleared.
        """
        if isinstance(reading, BoardFailure) or reading.hand or reading.blurred:
            self.forget()
            return False
        there = (reading.probabilities[:, 0] < _POSSIBLE) & ~reading.covered
        self.sees_pieces = bool(there.any())
        if self.sees_pieces:
            self.forget()
            return False
        if self._since_s is None or now - self._latest_s > _GAP_S:
            self._since_s, self._frames = now, 0
            self.seen = np.zeros(len(there), np.bool_)
        self._latest_s = now
        self._frames += 1
        self.seen |= certainly_empty(reading)
        self._only_lit = frozenset(np.flatnonzero(~self.seen).tolist()) & lit
        if self._only_lit or self._frames < _FRAMES or now - self._since_s < _EMPTY_S:
            return False
        return bool(self.seen.mean() >= _MOST_OF_IT)

    def forget(self) -> None:
        """Forgets what was seen, because something may have happened meanwhile."""
        self._since_s = None


class TidyingUp:
    """Distinguishes pieces tidied away after the end of a game from a move taken back."""

    def __init__(self) -> None:
        self._since_s: float | None = None

    def is_going_on(self, lifted: Sequence[Move], last: Move | None, now: float) -> bool:
        """True if people put the pieces away, so that the board decides nothing.

        Args:
            lifted: the accepted pieces that no longer lie on the board.
            last: the last placement, if its player may take it back; else None.
            now: time of the frame in seconds.
        """
        if not lifted:
            self._since_s = None
            return False
        self._since_s = now if self._since_s is None else self._since_s
        return list(lifted) != [last] or now - self._since_s < _TAKEN_BACK_S
