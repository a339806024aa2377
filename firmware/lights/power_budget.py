"""Brightness: from inks to the duty cycle of each LED, within the limit of the supply.

Half the perceived brightness needs far less than half the current, so inks go through a gamma of
2.2. The power limit is applied last: a WS2812B draws up to 20 mA a colour channel (WS2812B data
sheet, page 4; 12 mA for the WS2812B-V5) and about 1 mA dark. A frame above the limit of the
supply is dimmed as a whole, after the gamma, because the current is proportional to the duty.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Levels = NDArray[np.uint8]
"""(LEDs, 3) uint8, red, green and blue: the duty cycle of each, 255 for always on."""

GAMMA: Final = 2.2
"""Exponent from perceived brightness to duty cycle."""

MILLIAMPS_WHITE: Final = 60.0
"""Milliamperes of the three colours of an LED at full level."""

MILLIAMPS_DARK: Final = 1.0
"""Milliamperes of a dark LED."""

FAINTEST: Final = 4
"""The lowest level at which every WS2812B lights: newer ones are dark below 3."""

_HOURS: Final = 24.0
"""Hours after which the time of day begins again at 0."""


@dataclass(frozen=True, slots=True)
class Brightness:
    """Brightness of all lights, by day and by night.

    Attributes:
        day: brightness by day, 0 to 1.
        night: brightness by night, 0 to 1.
        night_from: hour of the day, 0 to 24, at which night begins.
        night_to: hour at which it ends; equal to `night_from` if there is no night.
    """

    day: float = 0.6
    night: float = 0.2
    night_from: float = 22.0
    night_to: float = 7.0

    def at(self, hour: float) -> float:
        """The brightness at an hour of the day, 0 to 24."""
        since = (hour - self.night_from) % _HOURS
        return self.night if since < (self.night_to - self.night_from) % _HOURS else self.day


@dataclass(frozen=True, slots=True)
class PowerSupply:
    """Power supply of the LEDs.

    Attributes:
        limit_ma: largest current of the strip, in milliamperes.
        led_ma: milliamperes of the three colours of one LED at full level, in addition to the
            current of a dark LED.
    """

    limit_ma: float = 2500.0
    led_ma: float = MILLIAMPS_WHITE

    def milliamps(self, levels: Levels) -> float:
        """Current of a strip with these levels, in milliamperes."""
        lit = int(levels.sum(dtype=np.int64)) / (3 * 255) * self.led_ma
        return lit + len(levels) * MILLIAMPS_DARK

    def limited(self, levels: Levels) -> Levels:
        """The levels, dimmed together to the limit of the supply."""
        dark = len(levels) * MILLIAMPS_DARK
        lit = self.milliamps(levels) - dark
        if lit + dark <= self.limit_ma:
            return levels
        share = max(0.0, self.limit_ma - dark) / lit
        return np.asarray(np.floor(levels * share), np.uint8)


def corrected(inks: NDArray[np.uint8], brightness: float) -> Levels:
    """The levels at which LEDs look like inks.

    A colour above black is at least as bright as the faintest visible level, in its own hue.

    Args:
        inks: (LEDs, 3) uint8, red, green and blue as perceived.
        brightness: factor for all LEDs, 0 to 1; at 0 everything is dark.
    """
    levels = 255 * (inks * (brightness / 255)) ** GAMMA
    strongest = levels.max(axis=1, keepdims=True, initial=0.0)
    faint = (strongest > 0) & (strongest < FAINTEST)
    if faint.any():
        levels = np.where(faint, levels * (FAINTEST / np.where(faint, strongest, 1.0)), levels)
    return np.round(levels).astype(np.uint8)
