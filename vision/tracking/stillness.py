"""Duration for which an object over the board is still."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.features.blocks import CoarseView
from vision.tracking.change_detection import has_moved

_LONG_S: Final = 3.0
"""Seconds without movement after which an object counts as still."""


@dataclass(slots=True)
class Stillness:
    """Duration for which an object over the board has been still.

    Attributes:
        since_s: time of its last movement, in seconds.
        scene: scene at that time.
        lit: (n * n,) squares lit by LEDs at that time.
    """

    since_s: float | None = None
    scene: CoarseView | None = None
    lit: NDArray[np.bool_] | None = None

    def is_over(self, now_s: float, scene: CoarseView, lit: NDArray[np.bool_]) -> bool:
        """True if nothing has moved for 3 s; to be called once per frame.

        Args:
            now_s: time at which the frame was taken, in seconds.
            scene: the frame in coarse blocks.
            lit: (n * n,) squares lit by LEDs.
        """
        before = lit if self.lit is None else self.lit
        if self.scene is None or self.since_s is None or has_moved(scene, self.scene, lit | before):
            self.since_s, self.scene, self.lit = now_s, scene, lit
            return False
        return now_s - self.since_s >= _LONG_S
