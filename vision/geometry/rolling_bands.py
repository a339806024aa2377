"""Notices bands that run through the pictures: a lamp on mains flickers while rows are read out."""

from collections import deque
from typing import Final

import cv2
import numpy as np

from vision.camera import Image

_STEP: Final = 4
"""Rows and columns of which one is looked at."""

_STRIPES: Final = 48
"""Stripes along the rows; a camera has one to three bands in a picture."""

_BLOCKS: Final = 8
"""Blocks of columns. A band is the same in all of them, a hand is not."""

_LONGEST_S: Final = 4.0
"""Seconds for which pictures are compared."""

_LEAST: Final = 8
"""Fewest pictures that tell bands."""

_LEAST_S: Final = 1.5
"""Shortest time in seconds in which they tell them."""

_APART_S: Final = 0.1
"""Seconds between two pictures that are compared."""

_DARK: Final = 6.0
"""Added to brightness before its logarithm, so that noise in the dark counts little."""

_DEPTH: Final = 0.05
"""Standard deviation of the bands, as a share of brightness: 0.07, of +-10 %, a table still bears,
0.13 it does not."""

_WHOLE: Final = 0.5
"""Largest change of whole pictures, as a share of that of the bands, which even each other out."""

_EVERYWHERE: Final = 0.5
"""Least median of the bands' size, as a share of their standard deviation: 1 if they are waves. A
sleeve across the picture is a band too, but a lonely one."""

_ALIKE: Final = 0.9
"""Least correlation of a block with the bands."""

_IN_BANDS: Final = 6
"""Fewest blocks that are like them: a hand may be over the others."""

_ROLLING: Final = 0.8
"""Share of pictures in which the bands stand elsewhere than in the one before."""


class RollingBands:
    """Compares the pictures of the last seconds of a scene."""

    def __init__(self) -> None:
        self._seen: Final[deque[tuple[float, np.ndarray]]] = deque()

    def see(self, image: Image, time_s: float) -> None:
        """Takes the next picture.

        Args:
            image: (height, width, 3) uint8, blue green red, of the size of those before.
            time_s: its time in seconds.
        """
        if self._seen and time_s - self._seen[-1][0] < _APART_S:
            return
        while self._seen and time_s - self._seen[0][0] > _LONGEST_S:
            self._seen.popleft()
        grey = cv2.cvtColor(np.ascontiguousarray(image[::_STEP, ::_STEP]), cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, (_BLOCKS, _STRIPES), interpolation=cv2.INTER_AREA)
        self._seen.append((time_s, np.log(np.asarray(small, np.float64) + _DARK)))

    @property
    def are_plain(self) -> bool:
        """True if bands run through the pictures."""
        if len(self._seen) < _LEAST or self._seen[-1][0] - self._seen[0][0] < _LEAST_S:
            return False
        stack = np.stack([small for _, small in self._seen])
        change = stack - np.median(stack, axis=0)
        bands = np.median(change, axis=2)
        depth = bands.std()
        if (
            depth < _DEPTH
            or bands.mean(axis=1).std() > _WHOLE * depth
            or np.median(np.abs(bands)) < _EVERYWHERE * depth
        ):
            return False
        steps = np.sqrt((np.diff(bands, axis=0) ** 2).mean(axis=1))
        products = np.einsum("tsb,ts->b", change, bands)
        lengths = np.sqrt((change**2).sum(axis=(0, 1)) * (bands**2).sum())
        alike = products > _ALIKE * lengths
        return bool((steps > depth / 2).mean() >= _ROLLING and alike.sum() >= _IN_BANDS)
