"""Object that is still over the board: its duration, and the judgement of the free squares."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.single_frame import SingleFrameResult
from vision.features.blocks import CoarseView, blocks_of, unlike
from vision.tracking.change_detection import has_moved

_LONG_S: Final = 3.0
"""Seconds without movement after which an object counts as still."""

_TIMES: Final = 2
"""Frames that are judged each by itself before their result is reused."""


@dataclass(slots=True)
class Stillness:
    """Duration for which an object over the board has been still, and the last judgement.

    Attributes:
        since_s: time of its last movement, in seconds.
        scene: scene at that time.
        lit: (n * n,) squares lit by LEDs at that time.
        judgement: result of the newest frame that was judged.
        blocks: that frame in blocks, from `vision.features.blocks.blocks_of`.
        times: number of frames judged.
    """

    since_s: float | None = None
    scene: CoarseView | None = None
    lit: NDArray[np.bool_] | None = None
    judgement: SingleFrameResult | None = None
    blocks: NDArray[np.float32] | None = None
    times: int = 0

    def is_over(self, now_s: float, scene: CoarseView, lit: NDArray[np.bool_]) -> bool:
        """True if nothing has moved for 3 s; to be called once per frame.

        Args:
            now_s: time at which the frame was taken, in seconds.
            scene: the frame in coarse blocks.
            lit: (n * n,) squares lit by LEDs.
        """
        before = lit if self.lit is None else self.lit
        if self.scene is None or self.since_s is None or has_moved(scene, self.scene, lit | before):
            self.since_s, self.scene, self.lit, self.times = now_s, scene, lit, 0
            return False
        return now_s - self.since_s >= _LONG_S

    def judged(self, scene: CoarseView, lit: NDArray[np.bool_]) -> SingleFrameResult | None:
        """Returns the last judgement if nothing has changed since, else None.

        Args:
            scene: the frame in coarse blocks.
            lit: (n * n,) squares lit by LEDs, which are not compared.
        """
        if self.judgement is None or self.blocks is None or self.times < _TIMES:
            return None
        changed = unlike(blocks_of(scene), self.blocks) & ~self.judgement.covered & ~lit
        return None if changed.any() else self.judgement

    def keep(self, judgement: SingleFrameResult, scene: CoarseView) -> None:
        """Stores the judgement of a frame without lights."""
        self.judgement, self.blocks = judgement, blocks_of(scene)
        self.times += 1
