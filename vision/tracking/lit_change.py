"""Changes on a lit board, found by comparing frames in which the same LEDs glow.

The light of an LED hides the content of its square and disturbs its neighbours, so these squares
are not read; and if a piece is badly placed, reading alone may not be sure that anything changed.
So squares are compared as well: while the same LEDs glow, a square changes only if something
came, went or moved there. Its content has to be read in a frame with all LEDs dark.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.features.blocks import CoarseView
from vision.tracking.change_detection import changed_squares

LASTS_S: Final = 2.1
"""Seconds for which a square has to look different. A blinking light is on or off for at most
2 s, and a camera that does not report its exposure times mixes the two."""

MOST_PATTERNS: Final = 8
"""Patterns of lit squares that are remembered; the lights of one state show at most six."""


@dataclass(slots=True)
class _Pattern:
    """One set of lit squares.

    Attributes:
        reference: scene with which frames of this pattern are compared; None until the second
            such frame in a row, because an exposure may begin before the lights change.
        since_s: (n * n,) time at which each square began to look different, in seconds; infinity
            if it does not.
    """

    reference: CoarseView | None
    since_s: NDArray[np.float64]


class LitChange:
    """Compares lit frames of one table."""

    def __init__(self) -> None:
        self._patterns: Final[OrderedDict[bytes, _Pattern]] = OrderedDict()
        self._newest = b""
        self._dark: CoarseView | None = None

    def forget(self) -> None:
        """Drops all references, because the view has moved."""
        self._patterns.clear()
        self._newest, self._dark = b"", None

    def dark(self, scene: CoarseView) -> None:
        """Takes a dark frame without a hand; drops all references if it shows a change.

        Args:
            scene: the frame in coarse blocks.
        """
        if self._dark is None or changed_squares(scene, self._dark).any():
            self.forget()
        self._newest, self._dark = b"", scene

    def add(self, scene: CoarseView, lit: NDArray[np.bool_], now_s: float) -> NDArray[np.bool_]:
        """Takes a lit frame without a hand.

        Args:
            scene: the frame in coarse blocks.
            lit: (n * n,) squares whose LEDs may glow in it.
            now_s: time at which it was taken, in seconds.

        Returns:
            (n * n,) squares that have looked different for `LASTS_S`.
        """
        key = lit.tobytes()
        repeated, self._newest = key == self._newest, key
        pattern = self._patterns.setdefault(key, _Pattern(None, np.full(len(lit), np.inf)))
        self._patterns.move_to_end(key)
        if len(self._patterns) > MOST_PATTERNS:
            self._patterns.popitem(last=False)
        if not repeated:
            return np.zeros_like(lit)
        if pattern.reference is None:
            pattern.reference = scene
            return np.zeros_like(lit)
        differs = changed_squares(scene, pattern.reference)
        pattern.since_s = np.where(differs, np.minimum(pattern.since_s, now_s), np.inf)
        return np.asarray(now_s - pattern.since_s >= LASTS_S)
