"""A thing that lies still over the board: how long it has, and what the rest was judged to hold."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.single_frame import SingleFrameResult
from vision.features.blocks import CoarseView, blocks_of, unlike
from vision.tracking.change_detection import has_moved

_LONG_S: Final = 3.0
_TIMES: Final = 2
"""Frames that are judged each by itself before it is taken that the next will say the same."""


@dataclass(slots=True)
class Stillness:
    """How long something over the board has lain still.

    Attributes:
        since_s: when it last stirred.
        scene: what was seen then.
        lit: (n * n,) squares on which light of LEDs fell then.
        judgement: what the newest frame that was judged holds.
        blocks: what was seen in it, as `vision.features.blocks.blocks_of` has it.
        times: how many frames were judged.
    """

    since_s: float | None = None
    scene: CoarseView | None = None
    lit: NDArray[np.bool_] | None = None
    judgement: SingleFrameResult | None = None
    blocks: NDArray[np.float32] | None = None
    times: int = 0

    def is_over(self, now_s: float, scene: CoarseView, lit: NDArray[np.bool_]) -> bool:
        """Whether nothing has stirred for long; to be asked once a frame.

        Args:
            now_s: when the frame was taken, in seconds.
            scene: what is seen.
            lit: (n * n,) squares on which light of LEDs falls.
        """
        before = lit if self.lit is None else self.lit
        if self.scene is None or self.since_s is None or has_moved(scene, self.scene, lit | before):
            self.since_s, self.scene, self.lit, self.times = now_s, scene, lit, 0
            return False
        return now_s - self.since_s >= _LONG_S

    def judged(self, scene: CoarseView, lit: NDArray[np.bool_]) -> SingleFrameResult | None:
        """What frames that showed just this were judged to hold; None to judge anew.

        Args:
            scene: what is seen.
            lit: (n * n,) squares on which LEDs shine, which are not to be asked.
        """
        if self.judgement is None or self.blocks is None or self.times < _TIMES:
            return None
        changed = unlike(blocks_of(scene), self.blocks) & ~self.judgement.covered & ~lit
        return None if changed.any() else self.judgement

    def keep(self, judgement: SingleFrameResult, scene: CoarseView) -> None:
        """Keeps what a frame without lights was judged to hold."""
        self.judgement, self.blocks = judgement, blocks_of(scene)
        self.times += 1
