"""Which edition lies on a board: by the tints of the squares that have the shape of a tile.

Where shapes tell which squares are tiles, nothing else has a say: not shadows, which look black,
nor LEDs, which look like any plastic.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.clipping import overexposed
from vision.classification.colour_fit import TYPICAL, stray, tinted
from vision.classification.colour_model import NEUTRAL, Values, is_grey
from vision.features.square_features import SquareFeatures, leads

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

_AREA: Final = 6.0
"""Area of all the tints there are, in the units of `SquareFeatures.tint`."""

_ANY_TINT: Final = 0.02 / _AREA
"""Density of a tint that none of the colours has: a mirrored lamp's, an LED's beside it."""

_MOST_TILES, _MOST_GREY = 8.0, 12.0
"""Tiles that an edition is told by at most, and one of greys; of more, each counts less. All tiles
of a colour share what makes them look like another: the light, the camera, and, but for greys, the
maker's shade. Of 720 pictures of path-traced boards in bad light twelve were told wrongly by a log
likelihood of 12 or more when each of up to 120 tiles counted; with these bounds four, three of them
as greys."""


@dataclass(frozen=True, slots=True, eq=False)
class EditionEvidence:
    """What the tints of tiles tell of an edition.

    Attributes:
        best: place of the likeliest palette.
        lead: log likelihood by which it leads the next.
        fits: whether it explains the tiles better than that they may have any tints.
        met: share of the tiles that it explains better than that they may have any tint.
    """

    best: int
    lead: float
    fits: bool
    met: float


def edition_evidence(
    look: SquareFeatures, palettes: tuple[tuple[str, ...], ...]
) -> EditionEvidence | None:
    """The likeliest palette; None where too few squares are surely tiles.

    Args:
        look: what was measured on each square.
        palettes: names of colours, two or more palettes.
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
