"""Distributions of difficult conditions in a batch of boards."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Taste:
    """Shares and ranges of random scenes.

    Attributes:
        larger: share of boards that are cropped from larger ones.
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
"""As diverse as possible."""

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
"""Black and white with reflected lamps, deep shadows, hands, warm light, noise."""
