"""The header J8 of every Raspberry Pi with 40 pins.

A test compares these numbers with the pin data of gpiozero.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

PIN_OF_GPIO: Final = {
    **{2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19},
    **{9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35},
    **{16: 36, 26: 37, 20: 38, 21: 40},
}
"""Pin of the header by GPIO number."""

GROUNDS: Final = (6, 9, 14, 20, 25, 30, 34, 39)
"""Pins of the header at ground."""

SUPPLIES: Final = {1: "3V3", 2: "5V", 4: "5V", 17: "3V3"}
"""Pins of the header that give a voltage."""

PINS: Final = 40
"""Number of pins of the header."""

_GPIO_OF_PIN: Final = {pin: gpio for gpio, pin in PIN_OF_GPIO.items()}


def name_of(pin: int) -> str:
    """Returns what a pin of the header is: `GPIO5`, `GND`, `5V` or `3V3`."""
    if pin in _GPIO_OF_PIN:
        return f"GPIO{_GPIO_OF_PIN[pin]}"
    return SUPPLIES.get(pin, "GND")


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
