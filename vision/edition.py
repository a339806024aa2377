"""Which edition lies on a board: by the tints of the squares that have the shape of a tile.

Where shapes tell which squares are tiles, nothing else has a say: not shadows, which look black,
nor LEDs, which look like any plastic.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.colours import TYPICAL, stray, tinted
from vision.density import NEUTRAL, Values
from vision.look import Look, leads
from vision.overexposure import overexposed

_LIKELY: Final = 1.0
"""Log likelihood by which a square has to be a tile, or bare, rather than anything else."""

_FEWEST: Final = 2
"""Tiles from which an edition is told: one may be a mistake."""

_ANY_DEPTH: Final = 0.35
"""Stray along a tint: plastic is pale or deep, but its hue is its own."""

_GREY_STRAY: Final = 0.13
_BRIGHT, _BRIGHTEST = 82.0, 95.0
"""Lightness between which all colours turn white, and tints count less and less."""

_SHARES: Final = (0.0, 0.5, 1.0)
"""How much of the tint of bare squares may be the light's: the rest is the board's own."""

_ANY_TINT: Final = 0.02 / 6.0
"""Density of a tint that none of the colours has: a mirrored lamp's, an LED's beside it."""


def editions_told(look: Look, palettes: tuple[tuple[str, ...], ...]) -> Values | None:
    """(k,) log likelihood of each palette; None where too few squares are surely tiles.

    Args:
        look: what was measured on each square.
        palettes: names of colours.
    """
    seen = ~look.hidden
    to_bare, to_tile = leads(look)
    tiles = seen & (to_tile >= _LIKELY)
    if tiles.sum() < _FEWEST:
        return None
    bare = seen & (to_bare >= _LIKELY)
    cast = np.zeros(2)
    if bare.any():
        cast = np.asarray(np.median(look.tint[bare], axis=0), np.float64)
    tint, light = look.tint[tiles].astype(np.float64), look.lightness[tiles].astype(np.float64)
    fair = 1 - np.clip((light - _BRIGHT) / (_BRIGHTEST - _BRIGHT), 0, 1)
    told = [
        [(fair * _log_density(tint, light, palette, share * cast)).sum() for share in _SHARES]
        for palette in palettes
    ]
    return np.asarray(np.logaddexp.reduce(told, axis=1))


def _log_density(
    tint: Values, light: Values, palette: tuple[str, ...], cast: NDArray[np.float64]
) -> Values:
    """(s,) log density of tints, so light, where each of a palette's colours is as likely."""
    each = []
    for name in palette:
        usual = tinted(np.array(TYPICAL[name]), cast)
        spread = np.eye(2) * _GREY_STRAY**2
        if name not in NEUTRAL:
            spread = stray(name, usual, _ANY_DEPTH)[:2, :2]
        away = tint - overexposed(usual, light)
        distance = np.einsum("sd,de,se->s", away, np.linalg.inv(spread), away)
        each.append(np.exp(-distance / 2) / (2 * np.pi * np.sqrt(np.linalg.det(spread))))
    return np.asarray(np.log(np.mean(each, axis=0) + _ANY_TINT))
