"""Detects the edition on a board by the tints of the squares that have the shape of a tile.

Only tiles are used: no shadows, which look black, and no LEDs, which look like any plastic.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.clipping import overexposed
from vision.classification.colour_fit import stray, tinted
from vision.classification.colour_model import NEUTRAL, Values, is_grey
from vision.features.square_features import SquareFeatures, leads
from vision.plastics import PLASTICS

_LIKELY: Final = 1.0
"""Log likelihood by which a square has to be a tile, or bare, rather than anything else."""

_FEWEST: Final = 2
"""Fewest tiles that determine an edition: one may be a mistake."""

_ANY_DEPTH: Final = 0.35
"""Spread along a tint: plastic may be pale or deep, but has its hue."""

_GREY_SPREAD: Final = np.eye(2) * 0.13**2
"""Covariance of the tint of grey plastic."""

_BRIGHT: Final = 82.0
"""L from which tints count less and less, because all colours turn white."""

_BRIGHTEST: Final = 95.0
"""L from which tints do not count at all."""

_SHARES: Final = (0.0, 0.5, 1.0)
"""Shares of the tint of bare squares that may come from the light; the rest is the board's own."""

_AREA: Final = 6.0
"""Area of all possible tints, in the units of `SquareFeatures.tint`."""

_ANY_TINT: Final = 0.02 / _AREA
"""Density of a tint that is none of the colours': that of a mirrored lamp or of an LED nearby."""

_MOST_TILES: Final = 8.0
"""Most tiles that count fully for an edition; if there are more, each counts less. All tiles of a
colour share the causes of errors: the light, the camera and the maker's shade. Of 720 pictures of
path-traced boards in bad light twelve were wrong by a log likelihood of 12 or more when each of up
to 120 tiles counted; with this bound and `_MOST_GREY` four, three of them as greys."""

_MOST_GREY: Final = 12.0
"""The same for an edition of greys, of which makers have no shades."""


@dataclass(frozen=True, slots=True, eq=False)
class EditionEvidence:
    """Evidence of the tints of tiles for an edition.

    Attributes:
        best: index of the likeliest palette.
        lead: log likelihood by which it leads the next.
        fits: True if it explains the tiles better than uniformly distributed tints do.
        met: share of the tiles that it explains better than a uniformly distributed tint does.
    """

    best: int
    lead: float
    fits: bool
    met: float


def edition_evidence(
    observed: SquareFeatures, palettes: tuple[tuple[str, ...], ...]
) -> EditionEvidence | None:
    """Finds the likeliest palette; None if too few squares are surely tiles.

    Args:
        observed: features of each square.
        palettes: names of colours, two or more palettes.
    """
    seen = ~observed.hidden
    to_bare, to_tile = leads(observed)
    tiles = seen & (to_tile >= _LIKELY)
    if tiles.sum() < _FEWEST:
        return None
    bare = seen & (to_bare >= _LIKELY)
    cast = np.zeros(2)
    if bare.any():
        cast = np.asarray(np.median(observed.tint[bare], axis=0), np.float64)
    tint, light = (
        observed.tint[tiles].astype(np.float64),
        observed.lightness[tiles].astype(np.float64),
    )
    fair = 1 - np.clip((light - _BRIGHT) / (_BRIGHTEST - _BRIGHT), 0, 1)
    density = np.array(
        [
            [fair * _log_density(tint, light, palette, share * cast) for share in _SHARES]
            for palette in palettes
        ]
    )
    likely = np.logaddexp.reduce(density.sum(axis=2), axis=1)
    second, first = (int(place) for place in np.argsort(likely)[-2:])
    met = density[first].max(axis=0) > -np.log(_AREA)
    most = _MOST_GREY if is_grey(palettes[first]) else _MOST_TILES
    return EditionEvidence(
        first,
        float(likely[first] - likely[second]) * min(1.0, most / len(tint)),
        bool(likely[first] > -np.log(_AREA) * len(tint)),
        float(met.mean()),
    )


def _log_density(
    tint: Values, light: Values, palette: tuple[str, ...], cast: NDArray[np.float64]
) -> Values:
    """(s,) log density of tints at their lightness, the colours of a palette equally likely."""
    each = []
    for name in palette:
        usual = tinted(np.array(PLASTICS[name].tint), cast)
        spread = _GREY_SPREAD
        if name not in NEUTRAL:
            spread = stray(name, usual, _ANY_DEPTH)[:2, :2]
        away = tint - overexposed(usual, light)
        distance = ((away @ np.linalg.inv(spread)) * away) @ np.ones(2)
        each.append(np.exp(-distance / 2) / (2 * np.pi * np.sqrt(np.linalg.det(spread))))
    return np.asarray(np.log(np.mean(each, axis=0) + _ANY_TINT))
