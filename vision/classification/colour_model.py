"""How empty squares and each colour of plastic look on a table, and how likely a sight that makes.

Each look has a heavy-tailed density (the t mixture of Peel and McLachlan 2000). How looks are
learned is told in `vision.classification.colour_fit`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.features.square_features import SquareFeatures
from vision.shape.network import BARE, DARK, LIGHT, LIT, UNDER, tiles

Values = NDArray[np.float64]

NEUTRAL: Final = ("black", "white")
"""Colours without a tint, told by lightness alone."""

OFFSET: Final = 16.0
"""What CIE Lab adds to L to make it proportional to the cube root of light."""

CAST: Final = 0.5
"""How much of a cast of light on an empty square shows on plastic."""

EMPTY_STRAY: Final = 0.05
"""How far the tints of empty squares stray."""

_PALEST: Final = 0.3
"""Difference in tint from an empty square below which no plastic is."""

TAIL: Final = 5.0
"""Degrees of freedom of the t densities."""

_STRANGE: Final = np.log(0.02 / (6.0 * 100.0))
"""Log density of everything that is neither: any tint at any lightness."""

_LIT: Final = np.log(1 / 150.0)
"""Log density of the light of an LED: almost any tint."""

PER: Final = np.array([500 / 116, -200 / 116])
"""What a tint is of the cube roots of X / Y and Z / Y, each less 1."""

_SELDOM_LIT: Final = 3.0
"""Log odds of plastic against an LED of its very colour."""

_SKIN: Final = (0.30, 0.36)
"""Tint of skin under a fair white balance: the hue of orange, but paler and redder."""

_SKIN_STRAY: Final = 0.11
_SKIN_SHARE: Final = np.log(0.05 / 100.0 / (2 * np.pi * _SKIN_STRAY**2))
"""Log density of skin of its commonest tint, at any lightness."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourModel:
    """How empty squares (first) and each colour of plastic look on this table.

    Attributes:
        palette: names of the colours.
        means: (1 + k, 3) tint (two numbers) and lightness.
        spreads: (1 + k, 3, 3) their covariances.
        members: (1 + k,) how many squares each was learned from.
        light: (n * n, 3) how the light at each square differs: what it adds to the tint of an
            empty square (two numbers), and what it multiplies L + 16 by.
    """

    palette: tuple[str, ...]
    means: Values
    spreads: Values
    members: Values
    light: Values


def is_grey(palette: tuple[str, ...]) -> bool:
    """Whether a palette has no vivid colour."""
    return set(palette) <= set(NEUTRAL)


def features_of(look: SquareFeatures, palette: tuple[str, ...]) -> Values:
    """(n * n, 3) tint (two numbers) and lightness of each square, as a palette is told by them."""
    light = look.depth if is_grey(palette) else look.lightness
    return np.concatenate([look.tint, light[:, None]], axis=1).astype(np.float64)


def prior_of(look: SquareFeatures, palette: tuple[str, ...]) -> Values:
    """(n * n, 2 + k) what shapes say, as log likelihoods: of empty, each colour, and neither."""
    either = tiles(look.relief)
    shade = {"black": look.relief[:, DARK], "white": look.relief[:, LIGHT]}
    plastic = [shade.get(name, either) for name in palette]
    shapes = np.column_stack([look.relief[:, BARE], *plastic, look.relief[:, UNDER]])
    return shapes.astype(np.float64)


def is_lit(look: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) which squares are bare and lit from below, as shapes have it."""
    return np.asarray(look.relief.any(axis=1) & (look.relief.argmax(axis=1) == LIT))


def lit_density(look: SquareFeatures, density: Values) -> Values:
    """(n * n,) log density of bare squares lit from below, nothing elsewhere.

    An LED may have any colour; that of some plastic, too, and then shape has to be plain.

    Args:
        look: what was measured on each square.
        density: (n * n, 1 + k) as `log_density` has it.
    """
    plastic = density[:, 1:].max(axis=1) - _SELDOM_LIT
    return np.asarray(np.where(is_lit(look), np.maximum(plastic, _LIT), -np.inf))


def log_density(features: Values, colours: ColourModel) -> tuple[Values, Values]:
    """(n * n, 1 + k) log density of each square under each look, and its distance squared."""
    away = in_even_light(features, colours) - colours.means
    inverse = np.linalg.inv(colours.spreads)
    distance = np.einsum("skd,kde,ske->sk", away, inverse, away)
    density = _t_density(distance, np.linalg.det(colours.spreads))
    pale = np.where(_vivid(colours.palette), _paleness(features, colours)[:, None], 0)
    return density - pale, distance


def density_under(features: Values, colours: ColourModel, look: NDArray[np.intp]) -> Values:
    """(s,) log density of each square under one look of its own, as `log_density` has it.

    Args:
        features: (s, 3) as `features_of` has them.
        colours: as they look there, with the light at these squares.
        look: (s,) which of their looks, 0 empty.
    """
    share = np.where(look == 0, 1.0, CAST)
    away = features - colours.means[look]
    away[:, :2] -= colours.light[:, :2] * share[:, None]
    away[:, 2] += (features[:, 2] + OFFSET) * (1 / colours.light[:, 2] - 1)
    inverse = np.linalg.inv(colours.spreads)[look]
    distance = np.einsum("sd,sde,se->s", away, inverse, away)
    density = _t_density(distance, np.linalg.det(colours.spreads)[look])
    return density - _vivid(colours.palette)[look] * _paleness(features, colours)


def _t_density(distance: Values, spread: Values) -> Values:
    """Log of a t density, but for a constant, from distances squared and determinants of spreads.

    They are broadcast against one another.
    """
    tail = -0.5 * (TAIL + 3) * np.log1p(distance / TAIL)
    return np.asarray(-0.5 * np.log(spread) - 1.5 * np.log(2 * np.pi) + tail)


def _vivid(palette: tuple[str, ...]) -> NDArray[np.bool_]:
    """(1 + k,) which looks are of a vivid colour: not that of an empty square, the first."""
    return np.array([False, *(name not in NEUTRAL for name in palette)])


def _paleness(features: Values, colours: ColourModel) -> Values:
    """What speaks against colour where a square hardly differs from an empty one in tint.

    Deep shadow has next to no tint, and no shade of plastic has so little.
    """
    away = features[:, :2] - colours.light[:, :2] - colours.means[0, :2]
    lack = np.clip((_PALEST - np.hypot(away[:, 0], away[:, 1])) / EMPTY_STRAY, 0, None)
    return np.asarray(lack**2)


def foreign_density(features: Values, colours: ColourModel) -> Values:
    """(n * n,) log density of what is neither board nor piece: skin, or just anything."""
    away = features[:, :2] - _SKIN - CAST * colours.means[0, :2]
    skin = _SKIN_SHARE - 0.5 * (away**2).sum(axis=1) / _SKIN_STRAY**2
    return np.asarray(np.logaddexp(skin, _STRANGE))


def in_even_light(features: Values, colours: ColourModel) -> Values:
    """(n * n, 1 + k, 3) features as they would be in the mean light, for each look.

    A cast of light shows on plastic about half as much as on an empty square.
    """
    share = np.full((1 + len(colours.palette), 1), CAST)
    share[0] = 1.0
    tint = features[:, None, :2] - colours.light[:, None, :2] * share
    bright = (features[:, 2] + OFFSET) / colours.light[:, 2] - OFFSET
    light = np.broadcast_to(bright[:, None, None], (*tint.shape[:2], 1))
    return np.concatenate([tint, light], axis=2)
