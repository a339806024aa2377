"""How bright: from inks to the duty of each LED, within what the supply gives.

What should look half as bright needs far less than half the current, so inks go through a gamma
of 2.2. Last comes the power limit. A WS2812B draws up to 20 mA a colour channel (WS2812B data
sheet, page 4; 12 mA for the WS2812B-V5) and about 1 mA dark, and a frame that would draw more
than the supply gives is dimmed as a whole, after the gamma, because current follows the duty.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Levels = NDArray[np.uint8]
"""(LEDs, 3) uint8, red, green and blue: the duty of each, 255 for always on."""

GAMMA: Final = 2.2

MILLIAMPS_WHITE: Final = 60.0
MILLIAMPS_DARK: Final = 1.0

FAINTEST: Final = 4
"""The lowest duty at which every WS2812B still lights: newer ones stay dark below 3."""

_HOURS: Final = 24.0


@dataclass(frozen=True, slots=True)
class Brightness:
    """Of all lights together, by day and by night.

    Attributes:
        day: 0 to 1.
        night: 0 to 1.
        night_from: hour of the day, 0 to 24, at which night begins.
        night_to: hour at which it ends; the same as `night_from` where there is none.
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
    """What feeds the LEDs.

    Attributes:
        limit_ma: current it gives the strip, in milliamperes.
        led_ma: current of the three colours of one LED at their fullest; beside it each LED
            draws what it does dark.
    """

    limit_ma: float = 2500.0
    led_ma: float = MILLIAMPS_WHITE

    def milliamps(self, levels: Levels) -> float:
        """The current of a strip that shows these levels."""
        lit = int(levels.sum(dtype=np.int64)) / (3 * 255) * self.led_ma
        return lit + len(levels) * MILLIAMPS_DARK

    def limited(self, levels: Levels) -> Levels:
        """The levels, dimmed together as far as the supply demands."""
        dark = len(levels) * MILLIAMPS_DARK
        lit = self.milliamps(levels) - dark
        if lit + dark <= self.limit_ma:
            return levels
        share = max(0.0, self.limit_ma - dark) / lit
        return np.asarray(np.floor(levels * share), np.uint8)


def corrected(inks: NDArray[np.uint8], brightness: float) -> Levels:
    """The levels at which LEDs look like inks.

    Whatever is to be seen is bright enough for an LED to light at all, in its own hue.

    Args:
        inks: (LEDs, 3) uint8, red, green and blue as they should look.
        brightness: of all together, 0 to 1; at 0 everything is dark.
    """
    levels = 255 * (inks * (brightness / 255)) ** GAMMA
    strongest = levels.max(axis=1, keepdims=True, initial=0.0)
    faint = (strongest > 0) & (strongest < FAINTEST)
    if faint.any():
        levels = np.where(faint, levels * (FAINTEST / np.where(faint, strongest, 1.0)), levels)
    return np.round(levels).astype(np.uint8)
