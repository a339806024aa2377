"""Squares that may be lit in a frame; a frame without any was exposed in the dark.

The LEDs follow a write after the transmission (30 us an LED), the reset that latches, and up to
one period of their own pulse width modulation (2.5 ms at 400 Hz). In that time both the old and
the new lights count as lit. A frame shows all light of its exposure; with a rolling shutter the
exposure lasts from the start of the first row to the end of the last row.

A camera without exposure times may return a frame that has waited in buffers of its driver or of
the network: then old lights count as lit until a safe number of frames was read, and a safe time
has passed. Set-up measures both, see `firmware.lights.delay_probe`.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from vision.camera import Frame

LATCH_S: Final = 0.0035
"""Seconds after the last byte until LEDs at a wire follow: 0.3 ms of reset, 2.5 ms of pulse width,
and a margin."""

SAFE_FRAMES: Final = 5
"""Frames: four buffers of a V4L2 driver, and the one that was being exposed."""


@dataclass(frozen=True, slots=True)
class CameraDelay:
    """The longest that a frame without exposure times may lag behind the lights.

    Attributes:
        frames: number of distinct frames after a change of the lights that may show the old ones.
        seconds: time after a change in which frames may show the old ones.
    """

    frames: int = SAFE_FRAMES
    seconds: float = 0.0


NETWORK_DELAY: Final = CameraDelay(SAFE_FRAMES, 2.0)
"""Delay of an unmeasured camera in a network. Phones that send pictures over WiFi were 0.2 to 1 s
behind."""

_HISTORY: Final = 64
"""Number of the newest changes of the lights that are stored."""


@dataclass(slots=True)
class _Light:
    """Lit squares, with start, end, and the last frame that may show them."""

    squares: frozenset[int]
    since_s: float
    until_s: float = float("inf")
    last_frame: int | None = None


class LedExposure:
    """The recent lights.

    Args:
        squares: all squares that have an LED; all of them may be lit at first.

    Attributes:
        delay: delay of frames without exposure times.
        latch_s: seconds after a write until the LEDs surely follow.
    """

    def __init__(self, squares: frozenset[int]) -> None:
        self.latch_s = LATCH_S
        self.delay = CameraDelay()
        first = _Light(squares, float("-inf"))
        self._lights: Final[deque[_Light]] = deque([first], maxlen=_HISTORY)
        self._newest_frame = 0

    def change(self, squares: frozenset[int], begun_s: float, ended_s: float) -> None:
        """Records a change of the lights.

        Args:
            squares: the squares that are lit from then on.
            begun_s: start of the write in seconds, on the clock of the exposures.
            ended_s: end of the write in seconds, on the same clock.
        """
        before = self._lights[-1]
        before.until_s = ended_s + self.latch_s
        before.last_frame = self._newest_frame + self.delay.frames
        self._lights.append(_Light(squares, begun_s))

    def seen_in(self, frame: Frame) -> frozenset[int]:
        """The squares that may be lit in a frame; empty if it was exposed in the dark.

        Args:
            frame: the frame; numbers ascend over the calls. Its exposure, or its time if it has
                none, is on the clock of the changes.
        """
        self._newest_frame = max(self._newest_frame, frame.number)
        if frame.exposure is None:
            lights = [one for one in self._lights if self._may_show(frame, one)]
        else:
            begun_s, ended_s = frame.exposure
            lights = [
                one for one in self._lights if one.since_s <= ended_s and begun_s <= one.until_s
            ]
        return frozenset().union(*(one.squares for one in lights))

    def _may_show(self, frame: Frame, light: _Light) -> bool:
        """True if a frame without exposure times may show a light."""
        if light.last_frame is None or frame.number <= light.last_frame:
            return True
        return frame.time_s <= light.until_s + self.delay.seconds
