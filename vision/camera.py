"""Interfaces of cameras: frames one after another, and the newest frame of a live camera."""

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture, (height, width, 3) uint8 in the order blue, green, red."""

_TURNS: Final = {
    90: cv2.ROTATE_90_CLOCKWISE,
    180: cv2.ROTATE_180,
    270: cv2.ROTATE_90_COUNTERCLOCKWISE,
}
"""Codes of OpenCV by degrees clockwise."""


@dataclass(frozen=True, slots=True)
class CameraOrientation:
    """A camera as it is mounted.

    Attributes:
        mirror: True if its pictures are mirror images.
        turn: degrees clockwise by which they are turned after that: 0, 90, 180 or 270.

    Raises:
        ValueError: there is no such turn.
    """

    mirror: bool = False
    turn: int = 0

    def __post_init__(self) -> None:
        if self.turn not in (0, *_TURNS):
            raise ValueError(f"a picture is turned by 0, 90, 180 or 270 degrees, not {self.turn}")

    def upright(self, image: Image) -> Image:
        """Returns a picture as people see the table; the same one if there is nothing to do."""
        if self.mirror:
            image = np.asarray(cv2.flip(image, 1), np.uint8)
        if self.turn:
            image = np.asarray(cv2.rotate(image, _TURNS[self.turn]), np.uint8)
        return image


UPRIGHT: Final = CameraOrientation()
"""Orientation of a camera whose pictures are used as they come."""


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
        stuck: squares of `lit` whose LEDs could not be put out, if a recording lists them.
        encoded: the file of which `image` was decoded, as it came from the camera; None if it
            came as pixels.
        orientation: the camera's orientation, in which `encoded` became `image`.
    """

    image: Image
    time_s: float
    number: int
    exposure: tuple[float, float] | None = None
    lit: frozenset[int] = frozenset()
    reduced: int = 1
    stuck: frozenset[int] = frozenset()
    encoded: bytes | None = None
    orientation: CameraOrientation = UPRIGHT


@dataclass(frozen=True, slots=True)
class NoFrame:
    """A live camera has taken no picture since the last one."""


@dataclass(frozen=True, slots=True)
class NoCamera:
    """A live camera gives no pictures until somebody or time mends it.

    Attributes:
        code: reason, a word that stays.
        reason: cause and remedy as one sentence.
    """

    code: str
    reason: str


class FrameSource(Protocol):
    """Source of the frames of a table; reading it never waits for a picture."""

    def read(self) -> Frame | NoFrame | NoCamera | None:
        """Returns the newest frame, if there is one; None after the last of a recording."""
        ...

    def close(self) -> None:
        """Releases the device or file; further calls do nothing."""
        ...


class Camera(Protocol):
    """Interface of every camera: a chip, a recording or a simulation."""

    def read(self) -> Frame | None:
        """Returns the next frame, or None after the last."""
        ...

    def close(self) -> None:
        """Releases the device or file; further calls do nothing."""
        ...
