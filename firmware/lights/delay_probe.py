"""Measures how long the frames of a camera lag behind the lights in its view.

Drivers, networks and phones hold pictures back. Some LEDs are lit and put out in turn; the frames
at the end of each phase show which pixels they change, and those at its begin for how long the old
light is still seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.drivers.interfaces import LedStrip
from firmware.lights.led_exposure import CameraDelay
from vision.camera import Frame, Image
from vision.errors import SourceError

PROBE_LEVEL: Final = 96
"""Level of each colour of a lit LED, 0 to 255: visible in a lit room, harmless for a supply."""

_EVERY: Final = 12
"""One LED of so many is lit: sixteen under a board of Duo, which need 0.4 A."""

_PHASES: Final = 7
"""Number of phases, dark and lit in turn; the first only ends what was shown before."""

_PHASE_S: Final = (1.5, 12.0)
"""Seconds of a phase at first, and the longest; they double until the pictures follow."""

_FRAMES: Final = 8
"""Least number of frames of a phase."""

_END: Final = 3
"""Number of last frames of a phase that show its light for sure, if they agree."""

_FOLLOWED: Final = 0.6
"""Share of a phase within which the pictures have to follow."""

_LEAST: Final = 5.0
"""Least difference in grey, 0 to 255, by which lit pixels differ; the blurred noise of a rendered
camera in a dim room is 1."""

_PIXELS: Final = 6
"""Least number of such pixels in a small picture."""

_OLD: Final = 0.2
"""Share of the difference by which a frame may deviate from the light of its phase."""

_WIDTH: Final = 240
"""Width in pixels of the small pictures that are compared."""

_BLUR: Final = 2.0
"""Blur in pixels of a small picture, in which a square has 4 or more: less noise."""

_Grey = NDArray[np.float32]


@dataclass
class _Phase:
    """The frames of one light: their small pictures, and seconds since its change."""

    lit: bool
    changed_s: float
    pictures: list[_Grey] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)


class UnseenLightsError(SourceError):
    """The camera does not see the lights."""


class DelayProbe:
    """A measurement that goes on with each frame.

    Args:
        strip: the chain of LEDs, some of which the camera sees; nothing else may write to it.
        clock: returns seconds on the clock of the frames.
        every: one LED of so many is lit.
    """

    def __init__(self, strip: LedStrip, clock: Callable[[], float], *, every: int = _EVERY) -> None:
        self._strip: Final = strip
        self._clock: Final = clock
        self._every: Final = every
        self._phase_s = _PHASE_S[0]
        self._phases: list[_Phase] = []
        self._begin(lit=False)

    @property
    def progress(self) -> float:
        """Share of the measurement that is done, 0 to 1; it falls when phases become longer."""
        return (len(self._phases) - 1) / _PHASES

    def see(self, frame: Frame) -> CameraDelay | None:
        """Takes the next frame; returns the delay when it is known. The LEDs are dark then.

        Raises:
            UnseenLightsError: the camera does not see the lights. The LEDs are dark then, too.
            SourceError: something moves in its view, or its pictures are too late.
            DeviceError: the lights do not work.
        """
        phase, small = self._phases[-1], _small(frame.image)
        if self._phases[0].pictures and self._phases[0].pictures[0].shape != small.shape:
            raise SourceError("the camera's pictures have changed in size; leave it as it is")
        phase.pictures.append(small)
        phase.times_s.append(frame.time_s - phase.changed_s)
        if len(phase.pictures) < _FRAMES or phase.times_s[-1] < self._phase_s:
            return None
        if len(self._phases) < _PHASES:
            self._begin(lit=not phase.lit)
            return None
        self._write(lit=False)
        return self._evaluated()

    def _begin(self, *, lit: bool) -> None:
        self._write(lit=lit)
        self._phases.append(_Phase(lit, self._clock()))

    def _write(self, *, lit: bool) -> None:
        levels = np.zeros((self._strip.length, 3), np.uint8)
        if lit:
            levels[self._every // 2 :: self._every] = PROBE_LEVEL
        self._strip.write(levels.tobytes())

    def _evaluated(self) -> CameraDelay | None:
        """Returns the delay; None to measure again with longer phases."""
        phases = self._phases[1:]
        if not _changes(phases):
            raise UnseenLightsError(
                "the camera does not see the lights: it shows another place, or they are covered "
                "or too faint; clear the board, and dim the room"
            )
        found = _delay(phases)
        if found is None and self._phase_s >= _PHASE_S[1]:
            raise SourceError(
                "the delay of the camera cannot be measured: something moves in its view, or its "
                "pictures are too late; keep hands away from the table, and use a cable or a "
                "nearer WiFi"
            )
        if found is None:
            self._phase_s = min(2 * self._phase_s, _PHASE_S[1])
            self._phases = []
            self._begin(lit=False)
        return found


def _small(image: Image) -> _Grey:
    """Returns a grey picture of `_WIDTH` pixels, blurred by a part of a square."""
    height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
    small = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return cv2.GaussianBlur(grey, (0, 0), _BLUR).astype(np.float32)


def _changes(phases: list[_Phase]) -> bool:
    """True if any part of the pictures changes."""
    pictures = np.stack([one for phase in phases for one in phase.pictures])
    return bool((np.ptp(pictures, 0) > _LEAST).sum() >= _PIXELS)


def _delay(phases: list[_Phase]) -> CameraDelay | None:
    """Returns the delay; None if pictures do not follow the lights within each phase."""
    dark, lit = (
        np.mean([one for phase in phases if phase.lit == on for one in phase.pictures[-_END:]], 0)
        for on in (False, True)
    )
    gain = lit - dark
    seen = gain > max(_LEAST, 0.5 * float(gain.max()))
    if seen.sum() < _PIXELS:
        return None
    counts, times_s = [0], [0.0]
    for phase in phases:
        shares = [(one - dark)[seen].mean() / gain[seen].mean() for one in phase.pictures]
        old = np.flatnonzero(np.abs(np.array(shares) - float(phase.lit)) > _OLD)
        if not old.size:
            continue
        count = int(old[-1]) + 1
        if count > _FOLLOWED * len(shares) or phase.times_s[count] > _FOLLOWED * phase.times_s[-1]:
            return None
        counts.append(count)
        times_s.append(phase.times_s[count])
    return CameraDelay(max(counts) + 1, max(times_s))
