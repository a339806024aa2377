"""Currents of the LEDs, and from them fuse, supply and cross-section of the wires.

The current of the LEDs is what `firmware.lights.power_budget` computes and limits.
"""

from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from firmware.errors import SettingsError
from firmware.lights.power_budget import PowerSupply
from firmware.settings import LightsSettings

RESERVE: Final = 1.25
"""Rating of fuse and supply above the current. A fuse that runs for hours carries at most 80 % of
its rating (National Electrical Code, 210.20(A): 125 % of a continuous load)."""

FUSES_A: Final = (2.0, 3.0, 5.0, 7.5, 10.0, 15.0, 20.0, 25.0, 30.0)
"""Ratings of blade fuses (ISO 8820-3) that are in every assortment."""

SUPPLIES_A: Final = (3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 26.0, 30.0, 40.0)
"""Ratings of supplies with 5 V that are sold."""

CARRIED_A: Final = {0.5: 3.0, 0.75: 6.0, 1.0: 10.0, 1.5: 16.0, 2.5: 25.0, 4.0: 32.0, 6.0: 40.0}
"""Current that copper of a cross-section in mm² carries all day (DIN VDE 0298-4, table 11, flexible
cables with two or three cores, 30 °C)."""

MOST_DROP_V: Final = 0.25
"""Voltage lost in the wires, 5 % of 5 V: LEDs and a Raspberry Pi work down to 4.75 V."""

OHM_MM2_PER_M: Final = 0.02
"""Resistance of flexible copper at 20 °C, in ohm times mm² a metre (IEC 60228, class 5, plain, has
39.0 ohm a kilometre for 0.5 mm² and 3.30 for 6 mm²)."""


@dataclass(frozen=True, slots=True)
class Currents:
    """Currents of a chain of LEDs, in milliamperes.

    Attributes:
        limited: all white, as the program dims it.
        unlimited: all white without a limit, which only a fault can cause.
        standby: all dark.
    """

    limited: float
    unlimited: float
    standby: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """Wires there and back.

    Attributes:
        length_mm: length of one way.
        milliamps: their current.
    """

    length_mm: float
    milliamps: float

    def drop(self, section: float) -> float:
        """Voltage lost there and back, in copper of a cross-section in mm²."""
        return 2 * self.length_mm * self.milliamps * 1e-6 * OHM_MM2_PER_M / section


def currents_of(lights: LightsSettings, leds: int) -> Currents:
    """Returns the currents of a chain, by the code that limits them.

    Raises:
        SettingsError: the dark LEDs draw more than the limit.
    """
    supply = PowerSupply(lights.limit_ma, lights.led_ma)
    white, dark = np.full((leds, 3), 255, np.uint8), np.zeros((leds, 3), np.uint8)
    found = Currents(
        supply.milliamps(supply.limited(white)), supply.milliamps(white), supply.milliamps(dark)
    )
    if found.standby >= lights.limit_ma:
        raise SettingsError(
            f"lights.limit_ma is {lights.limit_ma:g}, but {leds} LEDs draw {found.standby:g} mA "
            "when dark; name a larger limit and supply"
        )
    return found


def fuse_for(milliamps: float) -> float:
    """Returns the next standard fuse above the current and its reserve, in amperes.

    Raises:
        SettingsError: there is none so large.
    """
    return _above(milliamps, FUSES_A, "fuse")


def supply_for(milliamps: float, fuse: float) -> float:
    """Returns the next standard supply above the current and its reserve, in amperes.

    It gives at least what a fuse carries: a weaker one would switch itself off first.

    Raises:
        SettingsError: there is none so large.
    """
    return max(
        _above(milliamps, SUPPLIES_A, "supply"), next(one for one in SUPPLIES_A if one >= fuse)
    )


def section_for(fuse: float, path: Stretch) -> float:
    """Returns the least cross-section that carries the fuse and loses little voltage, in mm².

    Args:
        fuse: rating of the fuse before the wires, in amperes.
        path: the wires, from the supply on.

    Raises:
        SettingsError: there is none so large.
    """
    for section, carried in CARRIED_A.items():
        if carried >= fuse and path.drop(section) <= MOST_DROP_V:
            return section
    raise SettingsError(
        f"no wire of up to {max(CARRIED_A):g} mm² loses less than {MOST_DROP_V} V; "
        "lower lights.limit_ma"
    )


def _above(milliamps: float, standard: tuple[float, ...], what: str) -> float:
    needed = milliamps / 1000 * RESERVE
    found = next((one for one in standard if one > needed), inf)
    if found == inf:
        raise SettingsError(
            f"{milliamps / 1000:.1f} A need a {what} above {needed:.1f} A, and the largest here "
            f"has {standard[-1]:g} A; lower lights.limit_ma"
        )
    return found
