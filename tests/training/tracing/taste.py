"""Distributions of difficult conditions in a batch of boards."""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Framing:
    """Random cameras over a board.

    Attributes:
        tilt: standard deviation and largest tilt in degrees.
        askew: share of cameras at any angle to the rows; others are at about a right one.
        square_px: smallest and largest pixels per square.
        around: fewest and most squares around the field that are visible.
        bend: largest distortion of the lens at a corner of the picture, as a share.
        whole: True if a board of twenty squares is seen whole, not fourteen of them.
    """

    tilt: tuple[float, float]
    askew: float
    square_px: tuple[float, float]
    around: tuple[float, float]
    bend: float
    whole: bool


NEAR: Final = Framing((14, 35), 0.25, (12.5, 25), (1.4, 1.4), 0.0, whole=False)
"""Boards that fill the picture."""

FREE: Final = Framing((25, 50), 0.4, (6, 20), (0.3, 7), 0.08, whole=True)
"""Boards as people photograph them."""


@dataclass(frozen=True, slots=True)
class Taste:
    """Shares and ranges of random scenes.

    Attributes:
        framing: cameras.
        larger: share of boards of twenty squares a side.
        black_and_white: share of sets in black and white.
        boards: shares of these on dark grey, black, white, any grey, blue-grey.
        kinds: shares of lamps: bulb, panel, strips, window, sun, mirrored, beside the camera.
        ambient: range of the light of the surroundings.
        warmth: 1 for a uniform distribution from daylight to bulb, less for warmer lamps.
        somebody: share of scenes with a person in the light.
        girth: range of the half axis of that person, in mm.
        hands: shares of scenes with no, one and two hands.
        grain: shares of cameras with a noise of 0.5, 1, 2 and 4 grey levels of 255.
        aim: mean brightness for which cameras expose.
    """

    framing: Framing
    larger: float
    black_and_white: float
    boards: tuple[float, float, float, float, float]
    kinds: tuple[float, float, float, float, float, float, float]
    ambient: tuple[float, float]
    warmth: float
    somebody: float
    girth: tuple[float, float]
    hands: tuple[float, float, float]
    grain: tuple[float, float, float, float]
    aim: float


WIDE: Final = Taste(
    framing=NEAR,
    larger=0.2,
    black_and_white=0.5,
    boards=(0.45, 0.15, 0.2, 0.2, 0.0),
    kinds=(0.18, 0.1, 0.12, 0.14, 0.12, 0.28, 0.06),
    ambient=(0.03, 0.6),
    warmth=1.0,
    somebody=0.38,
    girth=(40, 160),
    hands=(0.58, 0.35, 0.07),
    grain=(0.4, 0.3, 0.2, 0.1),
    aim=0.17,
)
"""As diverse as possible."""

HARD: Final = Taste(
    framing=NEAR,
    larger=0.0,
    black_and_white=0.7,
    boards=(0.4, 0.1, 0.1, 0.15, 0.25),
    kinds=(0.2, 0.05, 0.12, 0.1, 0.13, 0.36, 0.04),
    ambient=(0.02, 0.3),
    warmth=0.5,
    somebody=0.55,
    girth=(80, 280),
    hands=(0.45, 0.45, 0.1),
    grain=(0.25, 0.25, 0.25, 0.25),
    aim=0.14,
)
"""Black and white with reflected lamps, deep shadows, hands, warm light, noise."""

FAR: Final = replace(WIDE, framing=FREE, larger=0.5)
"""As diverse as possible, whole, from afar and at a slant, through a lens."""

TASTES: Final = {"wide": WIDE, "hard": HARD, "far": FAR}
"""Distributions by name."""
