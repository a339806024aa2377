"""The eight colours of plastic, and how each looks in every medium that shows or reads it."""

from collections.abc import Iterable
from typing import Final, NamedTuple

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


class Plastic(NamedTuple):
    """One colour of plastic.

    Attributes:
        screen: its colour on a screen.
        led: the colour as perceived of an LED that stands for it.
        material: its colour under white light, for rendered pictures.
        ansi: ground and letter of a square on a terminal with 256 colours.
        tint: its usual tint under a fair white balance, in the units of `SquareFeatures.tint`.
    """

    screen: Rgb
    led: Rgb
    material: Rgb
    ansi: tuple[int, int]
    tint: tuple[float, float]


PLASTICS: Final = {
    "purple": Plastic((123, 75, 181), (150, 40, 255), (98, 44, 146), (97, 231), (0.95, -1.05)),
    "orange": Plastic((240, 138, 36), (255, 110, 0), (236, 108, 24), (208, 16), (0.6, 0.83)),
    "black": Plastic((51, 54, 59), (90, 90, 110), (38, 38, 42), (236, 250), (0.0, 0.0)),
    "white": Plastic((233, 230, 223), (255, 255, 255), (226, 224, 216), (231, 240), (0.0, 0.0)),
    "blue": Plastic((47, 111, 208), (20, 70, 255), (28, 82, 178), (26, 231), (0.5, -1.1)),
    "yellow": Plastic((242, 194, 27), (255, 210, 0), (242, 196, 30), (220, 16), (-0.03, 0.77)),
    "red": Plastic((216, 66, 58), (255, 20, 20), (204, 38, 42), (160, 231), (1.02, 0.7)),
    "green": Plastic((47, 158, 88), (0, 200, 90), (32, 142, 70), (34, 231), (-0.64, 0.32)),
}
"""All colours by name."""

NEUTRAL: Final = ("black", "white")
"""Colours without a tint."""


def is_neutral(palette: Iterable[str]) -> bool:
    """True if no colour of a palette has a tint."""
    return set(palette) <= set(NEUTRAL)
