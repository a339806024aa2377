"""Duration for which an object over the board is still."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.features.blocks import CoarseView
from vision.tracking.change_detection import has_moved

RESTS_S: Final = 3.0
"""Seconds without movement after which an object that covers squares counts as lying there."""


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

    def lasts_s(self, now_s: float, scene: CoarseView, lit: NDArray[np.bool_]) -> float:
        """Returns the seconds since something moved; to be called once per frame.

        They are 0 in the first frame, and in one that differs from those since the last movement.

        Args:
            now_s: time at which the frame was taken, in seconds.
            scene: the frame in coarse blocks.
            lit: (n * n,) squares lit by LEDs.
        """
        before = lit if self.lit is None else self.lit
        if self.scene is None or self.since_s is None or has_moved(scene, self.scene, lit | before):
            self.since_s, self.scene, self.lit = now_s, scene, lit
        return now_s - self.since_s
