"""The lowest seam of the eyes: something that gives frames, one after another."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture, (height, width, 3) uint8 in the order blue, green, red."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a camera.

    Attributes:
        image: (height, width, 3) uint8, blue green red.
        time_s: when it was taken, in seconds on the camera's own clock.
        number: which picture it is, counted from 1.
        exposure: when it began to be exposed and when that ended, first row to last, in seconds
            on the clock by which lights are switched; None where the camera does not say.
        lit: the squares of the board, row by row, whose LEDs may glow in it, where a recording
            tells; live it is the lights that know.
        reduced: how many pixels of a very large picture one pixel of the image is wide.
    """

    image: Image
    time_s: float
    number: int
    exposure: tuple[float, float] | None = None
    lit: frozenset[int] = frozenset()
    reduced: int = 1


class Camera(Protocol):
    """What every camera does, be it a chip, a recording or a simulation."""

    def read(self) -> Frame | None:
        """The next frame; None when there will be no more."""
        ...

    def close(self) -> None:
        """Lets go of the device or file; further calls do nothing."""
        ...
