"""LEDs under the floor of some squares."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.mesh import Values

Square = tuple[int, int]

_FINE = 24
"""Pixels along a side of the light picture of one square."""


@dataclass(frozen=True, slots=True, eq=False)
class LedGroup:
    """LEDs of one colour.

    Attributes:
        squares: (row from the top, column) of the squares above them.
        share: share of a square's side that shines.
        picture: (l, l, 3) radiance over each square.
    """

    squares: tuple[Square, ...]
    share: float
    picture: NDArray[np.float32]


def glows(
    squares: Sequence[Square], paper: float, floor: Values, chance: np.random.Generator
) -> list[LedGroup]:
    """Returns LEDs of no, one or two colours.

    Args:
        squares: squares that may be lit.
        paper: radiance of white paper on the board.
        floor: (3,) radiance of the floor of the squares, as a share of that.
        chance: random choices of squares, brightness and colour.
    """
    if chance.random() < 0.6:
        return []
    chosen = [squares[k] for k in chance.permutation(len(squares))[: chance.integers(1, 11)]]
    cut = int(chance.integers(1, len(chosen) + 1)) if chance.random() < 0.5 else len(chosen)
    share, width = float(chance.uniform(0.8, 0.97)), float(chance.uniform(0.2, 1.0))
    usual = paper * (float(floor.mean()) + 0.08) * np.exp(chance.uniform(np.log(1.5), np.log(20)))
    return [
        LedGroup(tuple(part), share, _picture(width, usual * _hue(chance)))
        for part in (chosen[:cut], chosen[cut:])
        if part
    ]


def _hue(chance: np.random.Generator) -> Values:
    if chance.random() < 0.25:
        return np.array([0.85, 1.0, 1.1])
    hue = chance.choice([0.0, 0.0, 1.0], 3)
    hue[chance.integers(3)] = 1.0
    return np.asarray(np.clip(hue + chance.uniform(0, 0.25, 3), 0, 1))


def _picture(width: float, radiance: Values) -> NDArray[np.float32]:
    """Returns a spot whose light decreases towards the sides of the square."""
    step = np.linspace(-0.5, 0.5, _FINE)
    spot = np.exp(-(step[:, None] ** 2 + step**2) / (2 * width**2))
    return np.asarray(spot[..., None] * radiance, np.float32)
