"""How often a batch of boards has what is hard to read."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Taste:
    """Shares and ranges that scenes are drawn by.

    Attributes:
        larger: share of boards that are cut from larger ones.
        black_and_white: share of sets in black and white.
        boards: of those, on dark grey, black, white, any grey, blue-grey.
        kinds: of lamps: bulb, panel, strips, window, sun, mirrored, beside the camera.
        ambient: least and most light from all around.
        warmth: 1 for lamps between daylight and bulb alike, less for warmer ones.
        somebody: share of scenes in which a person stands in the light.
        girth: least and most half axis of that person, in mm.
        hands: shares of scenes with none, one, two.
        grain: of cameras with a standard deviation of 0.5, 1, 2 and 4 of 255.
        aim: usual brightness that cameras expose for.
    """

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
"""As unlike one another as may be."""

HARD: Final = Taste(
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
"""Black and white under mirrored lamps, deep shadows, hands, warm light, noise."""
