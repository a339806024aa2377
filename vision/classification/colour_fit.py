"""Learns from a picture the appearance of empty squares and of each colour of plastic.

Lamps differ, so only typical colours are given in advance. A mixture with one heavy-tailed density
for empty squares and one for each colour is fitted to the squares (expectation and maximisation,
Dempster, Laird and Rubin 1977; the t mixture of Peel and McLachlan 2000). One lamp lights the
near side of a board more than the far side, so the appearance of empty squares is a smooth
function of the place, and that of plastic follows it.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.clipping import overexposed
from vision.classification.colour_model import (
    CAST,
    EMPTY_STRAY,
    NEUTRAL,
    OFFSET,
    PER,
    TAIL,
    ColourModel,
    Values,
    features_of,
    foreign_density,
    in_even_light,
    is_grey,
    log_density,
    prior_of,
    stacked,
)
from vision.errors import GeometryError
from vision.features.square_features import SquareFeatures
from vision.fitted.constants import fitted
from vision.plastics import PLASTICS

FAINT: Final = fitted("classification.colour_fit.faint")
"""Length of a tint below which it is more likely an empty square's than a colour's."""

_ALONG: Final = fitted("classification.colour_fit.along")
"""Spread of a colour's tint along its direction, as a share of its length; glare causes it."""

_ASIDE: Final = fitted("classification.colour_fit.aside")
"""Spread of a colour's tint across its direction, as a share of its length."""

_WIDE: Final = {"green": 0.25}
"""Spread across for colours that are sold in more shades than others."""

_LIGHT_STRAY: Final = fitted("classification.colour_fit.light_stray")
"""Standard deviation of the L of one colour."""

_MEMBERS: Final = fitted("classification.colour_fit.members")
"""Weight of the typical spread and tint of a colour, in squares."""

_SOME_TINT: Final = 0.2
"""Difference in tint from an empty square from which a square may be plastic."""

_FEWEST_BURNT: Final = 3
"""Squares from which a colour counts as overexposed."""

_ALIKE_BURNT: Final = 0.15
"""Distance in tint up to which a square has the tint of an overexposed colour."""

_BURNING: Final = np.arange(66.0, 93.0, 3.0)
"""L at which overexposed colours are tried."""

_ROUNDS: Final = 8
"""Iterations of the fit."""

_PALE_CAST: Final = 0.7
"""Longest tint of an empty square under a strong colour cast."""

_OTHER_CAST: Final = 0.15
"""Difference from the tint of faint squares from which the commonest tint is tried too."""

_COMMON: Final = 0.3
"""Share of the pale squares that has to have the commonest tint."""

_FEWEST_RELIT: Final = 8
"""Squares from which a colour is learned in another light: more than a cup covers."""

_EVENLY: Final = 0.15
"""Largest median deviation of the tints of squares of one colour in another light."""

_DEPTHS: Final = (0.15, 0.3, 0.5, 0.7, 0.85)
"""Quantiles of lightness that are tried for empty squares on a board without colour."""

_STIFF: Final = 4.0
"""Penalty on the variation of light over the board."""

_MOST_TINT: Final = 0.4
"""Largest variation of tint over the board."""

_LENGTHS: Final = (0.5, 1.8)
"""Bounds of the ratio of a learned tint's length to the typical one."""

_TURN: Final = 0.6
"""Largest angle in radians between a learned tint and the typical one."""

_COMPLEX: Final = np.array([1, 1j])
"""Factors that turn a tint into a complex number."""


def fit(
    observed: SquareFeatures, palette: tuple[str, ...], before: ColourModel | None = None
) -> ColourModel:
    """Fits the appearance of the colours of a palette in a picture.

    Args:
        observed: features of each square.
        palette: names of the colours.
        before: their appearance in earlier pictures of the same table.

    Raises:
        GeometryError: there is no such colour of plastic.
    """
    unknown = [name for name in palette if name not in PLASTICS]
    if unknown or not palette:
        raise GeometryError(f"a palette holds some of {', '.join(PLASTICS)}; not {unknown}")
    features, prior = features_of(observed, palette), prior_of(observed, palette)
    seen = ~observed.hidden
    starts = _starts(features[seen] if seen.any() else features, palette, before)
    typical = stacked(
        [
            _typical(features, usual, empty, before)
            for empty in starts
            for usual in _usual(features[seen], palette, empty)
        ]
    )
    fitted = _fitted(features, prior, seen, typical)
    # Greys in the wrong order are no explanation.
    possible = in_order(fitted) if is_grey(palette) else True
    best = np.where(possible, _density(features, prior, seen, fitted), -np.inf).argmax()
    return fitted.at(int(best))


def _fitted(
    features: Values, prior: Values, seen: NDArray[np.bool_], typical: ColourModel
) -> ColourModel:
    """Fits a stack of models, each from its start: all at once, because each is small."""
    colours, even = typical, in_even_light(features, typical)
    for _ in range(_ROUNDS):
        shares, closeness = _shares(features, prior, colours, even)
        weights = shares[..., :-1] * closeness * seen[:, None]
        colours, even = _learned(features, weights, colours, typical)
    return colours


def _density(
    features: Values, prior: Values, seen: NDArray[np.bool_], colours: ColourModel
) -> Values:
    """Log density of the visible squares under each of a stack of models."""
    density, _ = _with_foreign(features, colours)
    total = np.logaddexp.reduce(density + prior, axis=-1)
    return np.asarray(total[..., seen].sum(axis=-1))


def _with_foreign(
    features: Values, colours: ColourModel, even: Values | None = None
) -> tuple[Values, Values]:
    """(n * n, 2 + k) log density of each square, the foreign one last, and squared distance."""
    density, distance = log_density(features, colours, even)
    foreign = foreign_density(features, colours)[..., None]
    return np.concatenate([density, foreign], axis=-1), distance


def explained(observed: SquareFeatures, colours: ColourModel) -> float:
    """Log density of the visible squares under a colour model, without their shapes.

    Args:
        observed: features of each square.
        colours: appearance of the colours.
    """
    features, seen = features_of(observed, colours.palette), ~observed.hidden
    return float(_density(features, np.zeros(2 + len(colours.palette)), seen, colours))


def in_order(colours: ColourModel) -> NDArray[np.bool_]:
    """True if black is darker and white lighter than the board, for each of a stack of models."""
    away = colours.means[..., 1:, 2] - colours.means[..., :1, 2]
    white = np.array([name == "white" for name in colours.palette])
    none = colours.members[..., 1:] < 1
    return np.asarray((none | ((away > 0) == white)).all(axis=-1))


def in_light(
    colours: ColourModel, gain: float, cast: tuple[float, float] = (1.0, 1.0)
) -> ColourModel:
    """Adapts a colour model to another light.

    Args:
        colours: appearance of the colours as learned.
        gain: factor by which L + 16 has changed.
        cast: cube roots of the factors by which the ratios X to Y and Z to Y of the light have
            changed, from `cast_between`.
    """
    means, spreads = colours.means.copy(), colours.spreads.copy()
    means[:, :2] = PER * (np.array(cast) * (1 + means[:, :2] / PER) - 1)
    means[:, 2] = (means[:, 2] + OFFSET) * gain - OFFSET
    spreads[:, 2, :] *= gain
    spreads[:, :, 2] *= gain
    return ColourModel(colours.palette, means, spreads, colours.members, colours.light)


def tinted(tint: Values, cast: NDArray[np.float64]) -> Values:
    """Returns a tint, (2,), in a light in which grey has the tint `cast`, (2,) (von Kries)."""
    return np.asarray(PER * ((1 + cast / PER) * (1 + tint / PER) - 1))


def relit(colours: ColourModel, observed: SquareFeatures, held: NDArray[np.intp]) -> ColourModel:
    """Learns colours in another light from the squares that had them before.

    A strong colour cast clips a camera's channels, and then the change of a vivid colour follows
    no simple rule: yellow may move to the former tint of green. But almost all squares still have
    the content that they had before.

    Args:
        colours: appearance of the colours in the light before.
        observed: features of each square in the present light.
        held: (n * n,) previous content of each square, 0 for empty.
    """
    features = features_of(observed, colours.palette)
    means = colours.means.copy()
    for k in range(len(means)):
        members = features[(held == k) & ~observed.hidden]
        if len(members) < _FEWEST_RELIT:
            continue
        heart = np.median(members, axis=0)
        astray = float(np.median(np.hypot(*(members - heart)[:, :2].T)))
        if astray < _EVENLY:
            means[k] = heart
    return replace(colours, means=means)


def cast_between(
    observed: SquareFeatures, before: SquareFeatures, seen: NDArray[np.bool_]
) -> tuple[float, float]:
    """Measures the change of the colour of the light, assuming that few squares have changed.

    Another lamp multiplies X / Y and Z / Y of every colour by the same factors (von Kries), and
    tints are the cube roots of these ratios, up to a factor and a constant (CIE 15, 8.2.1).

    Args:
        observed: features of each square in the present light.
        before: features of each square in the light before.
        seen: (n * n,) squares to use.

    Returns:
        Cube roots of the factors on X / Y and on Z / Y.
    """
    ratio = (1 + observed.tint[seen] / PER) / (1 + before.tint[seen] / PER)
    across = np.median(ratio, axis=0)
    return float(across[0]), float(across[1])


def _starts(features: Values, palette: tuple[str, ...], before: ColourModel | None) -> list[Values]:
    """Candidates for tint and lightness of empty squares, from which a fit starts."""
    if is_grey(palette):
        depths = np.unique(np.quantile(features[:, 2], _DEPTHS).round())
        near = [np.abs(features[:, 2] - depth) < _LIGHT_STRAY for depth in depths]
        return [np.median(features[some], axis=0) for some in near if some.any()]
    length = np.hypot(features[:, 0], features[:, 1])
    faint, pale = features[length < FAINT], features[length < _PALE_CAST]
    starts = [np.median(faint, axis=0)] if len(faint) else []
    if len(pale) and (common := _commonest(pale)) is not None:
        # Under a strong cast even an empty square has a tint; it is then the commonest.
        far = not starts or np.hypot(*(common - starts[0])[:2]) > _OTHER_CAST
        starts += [common] if far else []
    return starts or [before.means[0] if before is not None else np.array([0.0, 0.0, 50.0])]


def _commonest(features: Values) -> Values | None:
    """Returns the commonest tint and its lightness, if many squares share it."""
    away = features[:, None, :2] - features[None, :, :2]
    near = np.hypot(away[..., 0], away[..., 1]) < 2 * EMPTY_STRAY
    heart = int(np.argmax(near.sum(axis=1)))
    many = near[heart].mean() > _COMMON
    return np.asarray(np.median(features[near[heart]], axis=0)) if many else None


def _usual(
    features: Values, palette: tuple[str, ...], empty: Values
) -> Iterator[dict[str, Values]]:
    """Yields candidates for the usual tints: plain ones, and overexposed ones if any apply."""
    plain = {name: np.array(PLASTICS[name].tint) for name in palette}
    yield plain
    vivid = features[np.hypot(*(features[:, :2] - empty[:2]).T) > _SOME_TINT]
    burnt = {name: _burnt(vivid, tint) for name, tint in plain.items() if name not in NEUTRAL}
    if any(tint is not None for tint in burnt.values()):
        yield plain | {name: tint for name, tint in burnt.items() if tint is not None}


def _burnt(vivid: Values, usual: Values) -> Values | None:
    """Returns the tint of an overexposed colour, if more squares have it than the usual one."""
    tints = overexposed(usual, _BURNING)
    away = np.hypot(*(vivid[:, None, :2] - tints).transpose(2, 0, 1))
    bright = np.abs(vivid[:, 2:] - _BURNING) < _LIGHT_STRAY
    alike = ((away < _ALIKE_BURNT) & bright).sum(axis=0)
    plain = _near(vivid, usual).sum()
    best = int(alike.argmax()) if len(vivid) else 0
    return tints[best] if alike[best] >= max(_FEWEST_BURNT, plain + 1) else None


def _typical(
    features: Values, usual: dict[str, Values], empty: Values, before: ColourModel | None
) -> ColourModel:
    """Returns the start of a fit: a candidate for empty squares, and usual tints of colours."""
    means, spreads = [empty], [np.diag([EMPTY_STRAY**2, EMPTY_STRAY**2, _LIGHT_STRAY**2])]
    for k, (name, plain) in enumerate(usual.items(), 1):
        tint = plain + CAST * empty[:2]
        if before is not None and before.members[k] >= 1:
            tint = before.means[k, :2]
        means.append(np.append(tint, _usual_lightness(name, features, tint, empty)))
        spreads.append(stray(name, tint, _ALONG))
    even = np.tile([0.0, 0.0, 1.0], (len(features), 1))
    return ColourModel(tuple(usual), np.array(means), np.array(spreads), np.zeros(len(means)), even)


def _usual_lightness(name: str, features: Values, tint: Values, empty: Values) -> float:
    if name == "black":
        return float(min(12.0, 0.4 * empty[2]))
    if name == "white":
        return float(max(80.0, empty[2] + 20.0))
    near = _near(features, tint)
    return float(np.median(features[near, 2])) if near.any() else 50.0


def _near(features: Values, tint: Values) -> NDArray[np.bool_]:
    """(s,) True for squares with about a tint."""
    return np.asarray(np.hypot(*(features[:, :2] - tint).T) < 0.35 * np.hypot(*tint))


def stray(name: str, tint: Values, depth: float) -> Values:
    """(3, 3) prior covariance of tint and lightness of a colour."""
    spread = np.diag([0.06**2, 0.06**2, _LIGHT_STRAY**2])
    if name in NEUTRAL:
        return spread
    length = float(np.hypot(*tint))
    along = tint / length
    turn = np.array([along, [-along[1], along[0]]])
    strays = np.diag([(depth * length) ** 2, (_WIDE.get(name, _ASIDE) * length) ** 2])
    spread[:2, :2] = turn.T @ strays @ turn
    spread[2, 2] = (1.5 * _LIGHT_STRAY) ** 2
    return spread


def _shares(
    features: Values, prior: Values, colours: ColourModel, even: Values
) -> tuple[Values, Values]:
    """Shares of the components in each square, the foreign one last, and weights of typicality.

    Returns:
        (n * n, 2 + k) shares; (n * n, 1 + k) weights of the t densities, larger if typical.
    """
    density, distance = _with_foreign(features, colours, even)
    total = density + prior
    odds = np.exp(total - total.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True), (TAIL + 3) / (TAIL + distance)


def _learned(
    features: Values, weights: Values, before: ColourModel, typical: ColourModel
) -> tuple[ColourModel, Values]:
    """Updates means and spreads from the shares, drawn towards the typical if there are few.

    Also returns the features in the even light of the new models.
    """
    members = weights.sum(axis=-2)
    light = _light(features, weights[..., 0], before.means[..., 0, :])
    even = in_even_light(features, replace(before, light=light))
    # Lightness depends on the room, not on the plastic, so the typical one has little weight.
    trust = np.array([_MEMBERS / 2, _MEMBERS / 2, 0.5])
    share = weights.swapaxes(-1, -2)[..., None]
    sums = (weights.swapaxes(-1, -2)[..., None, :] @ even)[..., 0, :]
    means = (sums + trust * typical.means) / (members[..., None] + trust)
    if not is_grey(typical.palette):
        means[..., 1:, :2] = _bounded_tints(means, typical)
    away = even - means[..., None, :]
    scatter = (share * away).swapaxes(-1, -2) @ away
    spreads = scatter + _MEMBERS * typical.spreads
    spreads /= members[..., None, None] + _MEMBERS
    return ColourModel(typical.palette, means, spreads, members, light), even


def _bounded_tints(means: Values, typical: ColourModel) -> Values:
    """(k, 2) learned tints, bounded in length and angle relative to the typical ones.

    A colour that has no piece on the board would otherwise move towards the nearest other tint,
    that of skin or of squares in a warmer light.
    """
    usual = (typical.means[..., 1:, :2] - typical.means[..., :1, :2]) @ _COMPLEX
    seen = (means[..., 1:, :2] - means[..., :1, :2]) @ _COMPLEX
    vivid = np.array([name not in NEUTRAL for name in typical.palette])
    ratio = seen / np.where(vivid, usual, 1)
    length = np.clip(np.abs(ratio), *_LENGTHS)
    turn = np.clip(np.angle(ratio), -_TURN, _TURN)
    bounded = np.where(vivid, usual * length * np.exp(1j * turn), seen)
    return np.asarray(means[..., :1, :2] + np.stack([bounded.real, bounded.imag], axis=-1))


def _light(features: Values, weights: Values, mean: Values) -> Values:
    """(n * n, 3) smooth deviation of empty squares from their mean, as in `ColourModel.light`.

    It is a quadratic in the place, fitted to the empty squares with a penalty, so that few squares
    have little influence.
    """
    rows = weights[..., None, :]
    total = rows.sum(axis=-1, keepdims=True) + 1e-9
    basis = _basis(len(features))
    basis = basis - rows @ basis / total
    values = np.empty((*weights.shape, 3))
    values[..., :2] = features[:, :2] - mean[..., None, :2]
    values[..., 2] = np.log((features[:, 2] + OFFSET) / (mean[..., None, 2] + OFFSET))
    values -= rows @ values / total
    weighed = basis.swapaxes(-1, -2) * rows
    normal = weighed @ basis + _STIFF * np.eye(basis.shape[-1])
    surface = basis @ np.linalg.solve(normal, weighed @ values)
    surface = np.clip(surface, [-_MOST_TINT, -_MOST_TINT, -1], [_MOST_TINT, _MOST_TINT, 1])
    surface[..., 2] = np.exp(surface[..., 2])
    return np.asarray(surface)


@cache
def _basis(squares: int) -> Values:
    """(squares, 5) linear and quadratic terms over the field."""
    size = math.isqrt(squares)
    at = np.linspace(-1, 1, size)
    x, y = (part.ravel() for part in np.meshgrid(at, at))
    return np.stack([x, y, x * x, x * y, y * y], axis=1)
