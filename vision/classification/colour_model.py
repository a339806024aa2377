"""Appearance of empty squares and of each colour of plastic, and the likelihood of each square.

Each component has a heavy-tailed density (the t mixture of Peel and McLachlan 2000). It is learned
in `vision.classification.colour_fit`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.features.square_features import SquareFeatures
from vision.fitted.constants import fitted
from vision.shape.network import BARE, DARK, LIGHT, LIT, UNDER, tiles

Values = NDArray[np.float64]

NEUTRAL: Final = ("black", "white")
"""Colours without a tint, recognised by lightness alone."""

APART: Final = 0.15
"""Least distance of two tints that are told apart, of a board from grey for one."""

OFFSET: Final = 16.0
"""Constant of CIE Lab that makes L + 16 proportional to the cube root of light."""

CAST: Final = 0.5
"""Share of the colour cast on an empty square that shows on plastic."""

EMPTY_STRAY: Final = fitted("classification.colour_model.empty_stray")
"""Standard deviation of the tints of empty squares."""

_PALEST: Final = fitted("classification.colour_model.palest")
"""Least difference in tint between plastic and an empty square."""

TAIL: Final = fitted("classification.colour_model.tail")
"""Degrees of freedom of the t densities."""

_STRANGE: Final = np.log(0.02 / (6.0 * 100.0))
"""Log density of other foreign things: any tint at any lightness."""

_LIT: Final = np.log(1 / 150.0)
"""Log density of the light of an LED: almost any tint."""

PER: Final = np.array([500 / 116, -200 / 116])
"""Factors from the cube roots of X / Y and Z / Y, each less 1, to a tint."""

_SELDOM_LIT: Final = fitted("classification.colour_model.seldom_lit")
"""Log odds of plastic against an LED of exactly its colour."""

_SKIN: Final = (0.30, 0.36)
"""Tint of skin under a fair white balance: the hue of orange, but paler and redder."""

_ONES: Final = np.ones(3)
"""Sums along an axis of three, in a product: many times faster than `sum`."""

_SKIN_STRAY: Final = 0.11
"""Standard deviation of the tint of skin."""

_SKIN_SHARE: Final = np.log(0.05 / 100.0 / (2 * np.pi * _SKIN_STRAY**2))
"""Log density of skin of its commonest tint, at any lightness."""


@dataclass(frozen=True, slots=True, eq=False)
class ColourModel:
    """Appearance of empty squares (first) and of each colour of plastic on this table.

    Attributes:
        palette: names of the colours.
        means: (1 + k, 3) tint (two numbers) and lightness.
        spreads: (1 + k, 3, 3) their covariances.
        members: (1 + k,) number of squares each was learned from.
        light: (n * n, 3) deviation of the light at each square: offset on the tint of an empty
            square (two numbers), and factor on L + 16.
    """

    palette: tuple[str, ...]
    means: Values
    spreads: Values
    members: Values
    light: Values

    def at(self, index: int) -> "ColourModel":
        """Returns one model of a stack."""
        return ColourModel(
            self.palette,
            self.means[index],
            self.spreads[index],
            self.members[index],
            self.light[index],
        )


def stacked(models: Sequence[ColourModel]) -> ColourModel:
    """Stacks models of one palette: all their arrays get a first axis."""
    return ColourModel(
        models[0].palette,
        np.stack([one.means for one in models]),
        np.stack([one.spreads for one in models]),
        np.stack([one.members for one in models]),
        np.stack([one.light for one in models]),
    )


def is_grey(palette: tuple[str, ...]) -> bool:
    """True if a palette has no vivid colour."""
    return set(palette) <= set(NEUTRAL)


def features_of(observed: SquareFeatures, palette: tuple[str, ...]) -> Values:
    """(n * n, 3) tint (two numbers) and lightness of each square; its depth if all is grey."""
    light = observed.depth if is_grey(palette) else observed.lightness
    return np.concatenate([observed.tint, light[:, None]], axis=1).astype(np.float64)


def prior_of(observed: SquareFeatures, palette: tuple[str, ...]) -> Values:
    """(n * n, 2 + k) log likelihoods by shapes: of empty, each colour, and foreign."""
    either = tiles(observed.relief)
    shade = {"black": observed.relief[:, DARK], "white": observed.relief[:, LIGHT]}
    plastic = [shade.get(name, either) for name in palette]
    shapes = np.column_stack([observed.relief[:, BARE], *plastic, observed.relief[:, UNDER]])
    return shapes.astype(np.float64)


def is_lit(observed: SquareFeatures) -> NDArray[np.bool_]:
    """(n * n,) squares that are bare and lit from below by their shapes."""
    return np.asarray(observed.relief.any(axis=1) & (observed.relief.argmax(axis=1) == LIT))


def lit_density(observed: SquareFeatures, density: Values) -> Values:
    """(n * n,) log density of bare squares lit from below, minus infinity elsewhere.

    An LED may have any colour, even that of plastic, and then the shape has to be clear.

    Args:
        observed: features of each square.
        density: (n * n, 1 + k) from `log_density`.
    """
    plastic = density[:, 1:].max(axis=1) - _SELDOM_LIT
    return np.asarray(np.where(is_lit(observed), np.maximum(plastic, _LIT), -np.inf))


def log_density(
    features: Values, colours: ColourModel, even: Values | None = None
) -> tuple[Values, Values]:
    """(n * n, 1 + k) each: log density of each square under each component, squared distance.

    Both have the leading axes of a stack of models, see `stacked`.

    Args:
        features: (n * n, 3) from `features_of`.
        colours: colour model, or a stack of them.
        even: the features in even light, if they are known, from `in_even_light`.
    """
    even = in_even_light(features, colours) if even is None else even
    away = even - colours.means[..., None, :]
    distance = ((away @ np.linalg.inv(colours.spreads)) * away) @ _ONES
    distance = distance.swapaxes(-1, -2)
    density = _t_density(distance, np.linalg.det(colours.spreads)[..., None, :])
    if not is_grey(colours.palette):
        density -= np.where(_vivid(colours.palette), _paleness(features, colours)[..., None], 0)
    return density, distance


def density_under(features: Values, colours: ColourModel, content: NDArray[np.intp]) -> Values:
    """(s,) log density of each square under one component, as in `log_density`.

    Args:
        features: (s, 3) from `features_of`.
        colours: colour model with the light at these squares.
        content: (s,) number of the component, 0 for empty.
    """
    share = np.where(content == 0, 1.0, CAST)
    away = features - colours.means[content]
    away[:, :2] -= colours.light[:, :2] * share[:, None]
    away[:, 2] += (features[:, 2] + OFFSET) * (1 / colours.light[:, 2] - 1)
    inverse = np.linalg.inv(colours.spreads)[content]
    distance = np.einsum("sd,sde,se->s", away, inverse, away)
    density = _t_density(distance, np.linalg.det(colours.spreads)[content])
    return density - _vivid(colours.palette)[content] * _paleness(features, colours)


def _t_density(distance: Values, spread: Values) -> Values:
    """Log of a t density, up to a constant, from squared distances and determinants of spreads.

    Both are broadcast.
    """
    tail = -0.5 * (TAIL + 3) * np.log1p(distance / TAIL)
    return np.asarray(-0.5 * np.log(spread) - 1.5 * np.log(2 * np.pi) + tail)


def _vivid(palette: tuple[str, ...]) -> NDArray[np.bool_]:
    """(1 + k,) True for components of a vivid colour; the first, an empty square, is not."""
    return np.array([False, *(name not in NEUTRAL for name in palette)])


def _paleness(features: Values, colours: ColourModel) -> Values:
    """Penalty for vivid colours on squares that hardly differ from an empty one in tint.

    Deep shadow has almost no tint, and no plastic has so little.
    """
    away = features[:, :2] - colours.light[..., :2] - colours.means[..., :1, :2]
    lack = np.clip((_PALEST - np.hypot(away[..., 0], away[..., 1])) / EMPTY_STRAY, 0, None)
    return np.asarray(lack**2)


def foreign_density(features: Values, colours: ColourModel) -> Values:
    """(n * n,) log density of foreign things, neither board nor piece: skin, or anything."""
    away = features[:, :2] - _SKIN - CAST * colours.means[..., :1, :2]
    skin = _SKIN_SHARE - 0.5 * (away**2).sum(axis=-1) / _SKIN_STRAY**2
    return np.asarray(np.logaddexp(skin, _STRANGE))


def in_even_light(features: Values, colours: ColourModel) -> Values:
    """(1 + k, n * n, 3) features corrected to the mean light, for each component.

    A colour cast shows on plastic about half as much as on an empty square.
    """
    share = np.full((1 + len(colours.palette), 1), CAST)
    share[0] = 1.0
    bright = (features[:, 2] + OFFSET) / colours.light[..., 2] - OFFSET
    even = np.empty((*bright.shape[:-1], len(share), bright.shape[-1], 3))
    tint = colours.light[..., None, :, :2] * share[:, None]
    np.subtract(features[:, :2], tint, out=even[..., :2])
    even[..., 2] = bright[..., None, :]
    return even
