"""The header J8 of every Raspberry Pi with 40 pins, as one table.

A test compares it with the pin data of gpiozero.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

NAMES: Final = (
    *("3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15"),
    *("GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3V3", "GPIO24", "GPIO10", "GND"),
    *("GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND"),
    *("GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21"),
)
"""Names of the pins from 1; odd ones are in the column away from the edge of the board."""

PIN_OF_GPIO: Final = {
    int(name.removeprefix("GPIO")): pin
    for pin, name in enumerate(NAMES, 1)
    if name.startswith("GPIO")
}
"""Pin of the header by GPIO number."""

GROUNDS: Final = tuple(pin for pin, name in enumerate(NAMES, 1) if name == "GND")
"""Pins of the header at ground."""


def ground_pins(signals: Sequence[int]) -> dict[int, int]:
    """Returns a ground pin for each signal, none used twice, near to it.

    Args:
        signals: pins of the header, at most as many as there are grounds.
    """
    ordered = sorted(signals)
    # Squares, because two short wires are better than a long one and a very short one; the pairs in
    # order have the least sum.
    chosen = min(
        combinations(GROUNDS, len(ordered)),
        key=lambda grounds: sum((a - b) ** 2 for a, b in zip(ordered, grounds, strict=True)),
    )
    return dict(zip(ordered, chosen, strict=True))
