"""Interface of all cameras: a source of frames, one after another."""

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
        time_s: time at which it was taken, in seconds on the camera's own clock.
        number: number of the picture, counted from 1.
        exposure: begin and end of its exposure, first row to last, in seconds on the clock by
            which lights are switched; None if the camera does not report it.
        lit: squares of the board, numbered row by row, whose LEDs may glow in it, if a recording
            lists them; empty for a live camera, where the lights report them.
        reduced: factor by which a very large picture was reduced along each side.
    """

    image: Image
    time_s: float
    number: int
    exposure: tuple[float, float] | None = None
    lit: frozenset[int] = frozenset()
    reduced: int = 1


class Camera(Protocol):
    """Interface of every camera: a chip, a recording or a simulation."""

    def read(self) -> Frame | None:
        """Returns the next frame, or None after the last."""
        ...

    def close(self) -> None:
        """Releases the device or file; further calls do nothing."""
        ...
