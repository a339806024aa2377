"""Which squares may have glowed in a frame, and so which frames were exposed in the dark.

Between the order to change and the light of the LEDs lie the wire (30 us an LED), the reset
that latches, and up to one period of the LEDs' own pulse width (2.5 ms at 400 Hz). In that time
the light before and the light after count as glowing. A frame shows all light of its exposure;
with a rolling shutter its exposure goes from the first row's beginning to the last row's end.

A camera that does not say when it exposed a frame may hand out one that has waited in buffers
of the driver: then light counts as glowing until a safe number of frames was read.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

LATCH_S: Final = 0.0035
"""After the last byte has left: 0.3 ms of reset, 2.5 ms of pulse width, some to spare."""

SAFE_FRAMES: Final = 5
"""Four buffers of a V4L2 driver, and the frame that was being exposed."""

_KEPT: Final = 64


@dataclass(slots=True)
class _Light:
    """Squares that glowed, from when, and until when and which frame they may still be seen."""

    squares: frozenset[int]
    since_s: float
    until_s: float = float("inf")
    last_frame: int | None = None


class LedExposure:
    """What has glowed lately.

    Args:
        squares: all squares that have an LED: what glows at first is not known.
    """

    def __init__(self, squares: frozenset[int]) -> None:
        first = _Light(squares, float("-inf"))
        self._lights: Final[deque[_Light]] = deque([first], maxlen=_KEPT)
        self._newest_frame = 0

    def change(self, squares: frozenset[int], begun_s: float, ended_s: float) -> None:
        """Other squares glow from now on.

        Args:
            squares: those that glow.
            begun_s: when the order was given, on the clock of the exposures.
            ended_s: when the driver had done with it.
        """
        before = self._lights[-1]
        before.until_s = ended_s + LATCH_S
        before.last_frame = self._newest_frame + SAFE_FRAMES
        self._lights.append(_Light(squares, begun_s))

    def seen_in(self, number: int, exposure: tuple[float, float] | None) -> frozenset[int]:
        """The squares that may glow in a frame; none of them if it was exposed in the dark.

        Args:
            number: which frame it is, counted from 1; frames are asked about in order.
            exposure: when it began and ended, in seconds; None where the camera does not say.
        """
        self._newest_frame = max(self._newest_frame, number)
        if exposure is None:
            lights = [
                one for one in self._lights if one.last_frame is None or number <= one.last_frame
            ]
        else:
            begun_s, ended_s = exposure
            lights = [
                one for one in self._lights if one.since_s <= ended_s and begun_s <= one.until_s
            ]
        return frozenset().union(*(one.squares for one in lights))
