"""How empty squares and each colour of plastic look on this table, learned from a picture.

Lamps differ, so nothing is taken for granted but a rough idea of every colour. A mixture of
looks, each with a heavy-tailed density, is fitted to the squares (expectation and maximisation,
Dempster, Laird and Rubin 1977; the t mixture of Peel and McLachlan 2000). One lamp lights the
near side of a board more than the far side, so what empty squares look like is a smooth function
of the place, and the looks of plastic follow it.
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
)
from vision.errors import GeometryError
from vision.features.square_features import SquareFeatures

TYPICAL: Final = {
    "purple": (0.95, -1.05),
    "orange": (0.60, 0.83),
    "blue": (0.50, -1.10),
    "yellow": (-0.03, 0.77),
    "red": (1.02, 0.70),
    "green": (-0.64, 0.32),
    "black": (0.0, 0.0),
    "white": (0.0, 0.0),
}
"""Tint of each colour under a fair white balance; see `SquareFeatures.tint`."""

FAINT: Final = 0.42
"""Tints shorter than this are rather an empty square's than a colour's."""

_ALONG, _ASIDE = 0.16, 0.09
"""How far a colour's tint strays, as shares of its length: along it (glare) and aside."""

_WIDE: Final = {"green": 0.25}
"""Colours that are sold in more shades than others stray further aside."""

_LIGHT_STRAY: Final = 9.0
_MEMBERS: Final = 12.0
"""How many squares' worth the typical stray and tint of a colour count."""

_SOME_TINT, _FEWEST_BURNT, _ALIKE_BURNT = 0.2, 3, 0.15
_BURNING: Final = np.arange(66.0, 93.0, 3.0)
"""Difference in tint of what may be plastic; squares that a colour has to have to be taken for
burnt out, and how near to its tint then; and L at which that is tried."""

_ROUNDS: Final = 8
_PALE_CAST, _OTHER_CAST, _COMMON = 0.7, 0.15, 0.3
"""The longest tint of an empty square under a strong cast, how far that differs from the faint
squares' tint to be tried too, and the share of the squares that has to have it."""

_FEWEST_RELIT: Final = 8
"""Squares from which to learn how a colour looks in another light: more than a cup covers."""

_EVENLY: Final = 0.15
"""How far, at the median, the tints of squares of one colour may stray in it."""

_DEPTHS: Final = (0.15, 0.3, 0.5, 0.7, 0.85)
"""Quantiles of lightness at which empty squares may lie on a board without colour."""

_STIFF: Final = 4.0
_MOST_TINT: Final = 0.4
_LENGTHS: Final = (0.5, 1.8)
_TURN: Final = 0.6
_COMPLEX: Final = np.array([1, 1j])


def fit(
    look: SquareFeatures, palette: tuple[str, ...], before: ColourModel | None = None
) -> ColourModel:
    """How the colours of a palette look in a picture.

    Args:
        look: what was measured on each square.
        palette: names of the colours.
        before: how they looked in earlier pictures of the same table.

    Raises:
        GeometryError: there is no such colour of plastic.
    """
    unknown = [name for name in palette if name not in TYPICAL]
    if unknown or not palette:
        raise GeometryError(f"a palette holds some of {', '.join(TYPICAL)}; not {unknown}")
    features, prior = features_of(look, palette), prior_of(look, palette)
    seen = ~look.hidden
    starts = _starts(features[seen] if seen.any() else features, palette, before)
    fitted = [
        _fitted(features, prior, seen, _typical(features, usual, empty, before))
        for empty in starts
        for usual in _usual(features[seen], palette, empty)
    ]
    return max(fitted, key=lambda colours: _density(features, prior, seen, colours))


def _fitted(
    features: Values, prior: Values, seen: NDArray[np.bool_], typical: ColourModel
) -> ColourModel:
    colours = typical
    for _ in range(_ROUNDS):
        shares, closeness = _shares(features, prior, colours)
        weights = shares[:, :-1] * closeness * seen[:, None]
        colours = _learned(features, weights, colours, typical)
    return colours


def _density(
    features: Values, prior: Values, seen: NDArray[np.bool_], colours: ColourModel
) -> float:
    """How well colours explain the squares; greys in the wrong order explain nothing."""
    if is_grey(colours.palette) and not in_order(colours):
        return -np.inf
    density = np.column_stack(
        [log_density(features, colours)[0], foreign_density(features, colours)]
    )
    return float(np.logaddexp.reduce((density + prior)[seen], axis=1).sum())


def explained(look: SquareFeatures, colours: ColourModel) -> float:
    """Log density of the squares that can be seen as colours explain them, whatever their shapes.

    Args:
        look: what was measured on each square.
        colours: how they are taken to look.
    """
    features, seen = features_of(look, colours.palette), ~look.hidden
    density = log_density(features, colours)[0]
    total = np.column_stack([density, foreign_density(features, colours)])
    return float(np.logaddexp.reduce(total[seen], axis=1).sum())


def in_order(colours: ColourModel) -> bool:
    """Whether black is darker and white lighter than the board."""
    away = colours.means[1:, 2] - colours.means[0, 2]
    white = np.array([name == "white" for name in colours.palette])
    some = colours.members[1:] >= 1
    return bool(((away > 0) == white)[some].all())


def in_light(
    colours: ColourModel, gain: float, cast: tuple[float, float] = (1.0, 1.0)
) -> ColourModel:
    """The same colours in another light.

    Args:
        colours: as they were learned.
        gain: what L + 16 has been multiplied by.
        cast: what has become of the ratios X to Y and Z to Y of the light, as cube roots; see
            `cast_between`.
    """
    means, spreads = colours.means.copy(), colours.spreads.copy()
    means[:, :2] = PER * (np.array(cast) * (1 + means[:, :2] / PER) - 1)
    means[:, 2] = (means[:, 2] + OFFSET) * gain - OFFSET
    spreads[:, 2, :] *= gain
    spreads[:, :, 2] *= gain
    return ColourModel(colours.palette, means, spreads, colours.members, colours.light)


def tinted(tint: Values, cast: NDArray[np.float64]) -> Values:
    """A tint, (2,), in a light that gives something grey the tint `cast`, (2,) (von Kries)."""
    return np.asarray(PER * ((1 + cast / PER) * (1 + tint / PER) - 1))


def relit(colours: ColourModel, look: SquareFeatures, held: NDArray[np.intp]) -> ColourModel:
    """The same colours in another light, as the squares that hold them look in it.

    A strong cast drives a camera's channels to their ends, and then no rule tells what becomes
    of a vivid colour: yellow may come to lie where green lay. But the squares that held it
    before hold it still, but for a few.

    Args:
        colours: as they were learned in the light before.
        look: in the light now.
        held: (n * n,) what each square held, 0 empty.
    """
    features = features_of(look, colours.palette)
    means = colours.means.copy()
    for k in range(len(means)):
        members = features[(held == k) & ~look.hidden]
        if len(members) < _FEWEST_RELIT:
            continue
        heart = np.median(members, axis=0)
        astray = float(np.median(np.hypot(*(members - heart)[:, :2].T)))
        if astray < _EVENLY:
            means[k] = heart
    return replace(colours, means=means)


def cast_between(
    look: SquareFeatures, before: SquareFeatures, seen: NDArray[np.bool_]
) -> tuple[float, float]:
    """How the colour of the light has changed, each square being the same but for a few.

    Another lamp multiplies X / Y and Z / Y of every colour by the same (von Kries), and tints
    are these ratios' cube roots but for a factor and a constant (CIE 15, 8.2.1).

    Args:
        look: now.
        before: in the light before.
        seen: (n * n,) squares to go by.
    """
    ratio = (1 + look.tint[seen] / PER) / (1 + before.tint[seen] / PER)
    across = np.median(ratio, axis=0)
    return float(across[0]), float(across[1])


def _starts(features: Values, palette: tuple[str, ...], before: ColourModel | None) -> list[Values]:
    """What empty squares may look like: as the faint ones do, or of some of the lightnesses."""
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
    """The commonest tint and its lightness, if many squares share it."""
    away = features[:, None, :2] - features[None, :, :2]
    near = np.hypot(away[..., 0], away[..., 1]) < 2 * EMPTY_STRAY
    heart = int(np.argmax(near.sum(axis=1)))
    many = near[heart].mean() > _COMMON
    return np.asarray(np.median(features[near[heart]], axis=0)) if many else None


def _usual(
    features: Values, palette: tuple[str, ...], empty: Values
) -> Iterator[dict[str, Values]]:
    """What tints colours may usually have: plain ones, and those of what burns out, if any does."""
    plain = {name: np.array(TYPICAL[name]) for name in palette}
    yield plain
    vivid = features[np.hypot(*(features[:, :2] - empty[:2]).T) > _SOME_TINT]
    burnt = {name: _burnt(vivid, tint) for name, tint in plain.items() if name not in NEUTRAL}
    if any(tint is not None for tint in burnt.values()):
        yield plain | {name: tint for name, tint in burnt.items() if tint is not None}


def _burnt(vivid: Values, usual: Values) -> Values | None:
    """The tint of a colour that burns out, if more squares have it than have the usual one."""
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
    """Where to begin: empty squares as they may look, colours as they usually do."""
    means, spreads = [empty], [np.diag([EMPTY_STRAY**2, EMPTY_STRAY**2, _LIGHT_STRAY**2])]
    for k, (name, plain) in enumerate(usual.items(), 1):
        tint = plain + CAST * empty[:2]
        if before is not None and before.members[k] >= 1:
            tint = before.means[k, :2]
        means.append(np.append(tint, _usual_lightness(name, features, tint, empty)))
        spreads.append(stray(name, tint))
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
    """Which squares have about a tint."""
    return np.asarray(np.hypot(*(features[:, :2] - tint).T) < 0.35 * np.hypot(*tint))


def stray(name: str, tint: Values, depth: float = _ALONG) -> Values:
    """Covariance of a colour before it is learned."""
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


def _shares(features: Values, prior: Values, colours: ColourModel) -> tuple[Values, Values]:
    """How much of each square belongs to each look, the strange last; and how typical it is."""
    density, distance = log_density(features, colours)
    total = np.column_stack([density, foreign_density(features, colours)]) + prior
    odds = np.exp(total - total.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True), (TAIL + 3) / (TAIL + distance)


def _learned(
    features: Values, weights: Values, before: ColourModel, typical: ColourModel
) -> ColourModel:
    """Means and spreads of the members, drawn towards the typical where there are few."""
    members = weights.sum(axis=0)
    light = _light(features, weights[:, 0], before.means[0])
    even = in_even_light(features, replace(before, light=light))
    # Lightness is the room's, not the plastic's, so the typical one counts for little.
    trust = np.array([_MEMBERS / 2, _MEMBERS / 2, 0.5])
    sums = np.einsum("sk,skd->kd", weights, even)
    means = (sums + trust * typical.means) / (members[:, None] + trust)
    means[1:, :2] = _kept_apart(means, typical)
    away = even - means
    scatter = np.einsum("sk,skd,ske->kde", weights, away, away)
    spreads = (scatter + _MEMBERS * typical.spreads) / (members[:, None, None] + _MEMBERS)
    return ColourModel(typical.palette, means, spreads, members, light)


def _kept_apart(means: Values, typical: ColourModel) -> Values:
    """(k, 2) tints that differ from an empty square's about as those of such plastic do.

    A colour that has no piece on the board would otherwise creep towards what is nearest to it,
    skin or squares in a warmer light.
    """
    usual = (typical.means[1:, :2] - typical.means[0, :2]) @ _COMPLEX
    seen = (means[1:, :2] - means[0, :2]) @ _COMPLEX
    vivid = np.array([name not in NEUTRAL for name in typical.palette])
    ratio = seen / np.where(vivid, usual, 1)
    length = np.clip(np.abs(ratio), *_LENGTHS)
    turn = np.clip(np.angle(ratio), -_TURN, _TURN)
    kept = np.where(vivid, usual * length * np.exp(1j * turn), seen)
    return np.asarray(means[0, :2] + np.stack([kept.real, kept.imag], axis=1))


def _light(features: Values, weights: Values, mean: Values) -> Values:
    """(n * n, 3) smooth departures of empty squares from their mean; see `ColourModel.light`.

    A quadratic in the place, fitted to the empty squares with a penalty, so that few tell little.
    """
    basis = _basis(len(features))
    total = weights.sum() + 1e-9
    basis = basis - weights @ basis / total
    bright = np.log((features[:, 2] + OFFSET) / (mean[2] + OFFSET))
    values = np.column_stack([features[:, :2] - mean[:2], bright])
    values = values - weights @ values / total
    normal = (basis.T * weights) @ basis + _STIFF * np.eye(basis.shape[1])
    surface = basis @ np.linalg.solve(normal, (basis.T * weights) @ values)
    surface = np.clip(surface, [-_MOST_TINT, -_MOST_TINT, -1], [_MOST_TINT, _MOST_TINT, 1])
    return np.column_stack([surface[:, :2], np.exp(surface[:, 2])])


@cache
def _basis(squares: int) -> Values:
    """(squares, 5) the slopes and bends of a quadratic over the field."""
    size = math.isqrt(squares)
    at = np.linspace(-1, 1, size)
    x, y = (part.ravel() for part in np.meshgrid(at, at))
    return np.stack([x, y, x * x, x * y, y * y], axis=1)
