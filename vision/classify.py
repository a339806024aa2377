"""What lies on each square, by its colour.

Glare sits on the flat middle of a piece and takes its colour away; on the bevels the colour
survives. So a square is judged by the median of its most colourful pixels. And lamps differ, so
how empty squares and each colour of plastic look is learned from the picture itself, from a
rough idea of every colour; see `vision.look` for what is measured.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.look import Look

Values = NDArray[np.float64]

PALETTES: Final[dict[int, tuple[tuple[str, ...], ...]]] = {
    14: (
        ("purple", "orange"),
        ("blue", "green"),
        ("red", "yellow"),
        ("black", "white"),
    ),
    20: (("blue", "yellow", "red", "green"),),
}
"""The colours of plastic sold for a board of each size; the first is what an empty one gets."""

_TYPICAL: Final = {
    "purple": (0.95, -1.05),
    "orange": (0.60, 0.83),
    "blue": (0.50, -1.10),
    "yellow": (-0.03, 0.77),
    "red": (1.02, 0.70),
    "green": (-0.62, 0.28),
    "black": (0.0, 0.0),
    "white": (0.0, 0.0),
}
"""Tint of each colour under a fair white balance; see `Look.tint`."""

_NEUTRAL: Final = ("black", "white")
_FAINT: Final = 0.42
"""Tints shorter than this are rather an empty square's than a colour's."""

_ALONG, _ASIDE = 0.16, 0.09
"""How far a colour's tint strays, as shares of its length: along it (glare) and aside."""

_EMPTY_STRAY: Final = 0.05
_LIGHT_STRAY: Final = 9.0
_MEMBERS: Final = 12.0
"""How many squares' worth the typical stray and tint of a colour count."""

_TAIL: Final = 5.0
_STRANGE: Final = np.log(0.02 / (6.0 * 100.0))
"""Log density of everything that is neither: any tint at any lightness."""

_ROUNDS: Final = 8

_FEWEST_VIVID: Final = 3
"""Squares of a piece that is taken for more than a fleck or a start mark."""

_LEAD: Final = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """How empty squares (first) and each colour of plastic look on this table.

    Attributes:
        palette: names of the colours.
        means: (1 + k, 3) tint (two numbers) and lightness.
        spreads: (1 + k, 3, 3) their covariances.
        members: (1 + k,) how many squares each was learned from.
    """

    palette: tuple[str, ...]
    means: Values
    spreads: Values
    members: Values


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What the squares hold.

    Attributes:
        evidence: (n * n, 1 + k) probabilities of empty and each colour; rows sum to 1.
        strange: (n * n,) probability that a square shows neither board nor piece.
        fit: mean log density, to compare palettes by.
    """

    evidence: Values
    strange: Values
    fit: float


def learn(look: Look, palette: tuple[str, ...], before: Colours | None = None) -> Colours:
    """How the colours of a palette look in a picture.

    Args:
        look: what was measured on each square.
        palette: names of the colours.
        before: how they looked in earlier pictures of the same table.

    Raises:
        GeometryError: there is no such colour of plastic.
    """
    unknown = [name for name in palette if name not in _TYPICAL]
    if unknown or not palette:
        raise GeometryError(f"a palette holds some of {', '.join(_TYPICAL)}; not {unknown}")
    features = _features(look)
    seen = ~look.hidden
    typical = _typical(features[seen] if seen.any() else features, palette, before)
    colours = typical
    for _ in range(_ROUNDS):
        shares, closeness = _shares(features, colours)
        weights = shares[:, :-1] * closeness * seen[:, None]
        colours = _learned(features, weights, typical)
    return colours


def judge(look: Look, colours: Colours) -> Verdicts:
    """What each square holds, colours looking as learned."""
    features = _features(look)
    density = _log_density(features, colours)[0]
    total = np.concatenate([density, np.full((len(density), 1), _STRANGE)], axis=1)
    top = total.max(axis=1, keepdims=True)
    odds = np.exp(total - top)
    fit = float((top[:, 0] + np.log(odds.sum(axis=1))).mean())
    strange = odds[:, -1] / odds.sum(axis=1)
    evidence = odds[:, :-1] / odds[:, :-1].sum(axis=1, keepdims=True)
    return Verdicts(evidence, strange, fit)


def choose(look: Look, size: int) -> tuple[Colours, bool]:
    """The palette that explains a board best, as its colours look there.

    Returns:
        The colours, and whether there is plastic enough on the board to be sure of them.
    """
    palettes = PALETTES.get(size, PALETTES[14])
    vivid = (np.hypot(look.tint[:, 0], look.tint[:, 1]) > _FAINT + 0.1) & ~look.hidden
    tries = [learn(look, palette) for palette in palettes if not set(palette) <= set(_NEUTRAL)]
    ranked = sorted(tries, key=lambda colours: _worth(look, colours), reverse=True)
    if vivid.sum() >= _FEWEST_VIVID:
        lead = _worth(look, ranked[0]) - _worth(look, ranked[1]) if len(ranked) > 1 else np.inf
        return ranked[0], bool(lead > _LEAD)
    neutral = next((palette for palette in palettes if set(palette) <= set(_NEUTRAL)), None)
    if neutral is not None and _has_two_lights(look):
        return learn(look, neutral), True
    return learn(look, palettes[0]), False


def _has_two_lights(look: Look) -> bool:
    """Whether some squares are plainly lighter or darker than the rest, with nothing between."""
    light = np.sort(look.lightness[~look.hidden])
    few = _FEWEST_VIVID
    gaps = np.diff(light)[few - 1 : len(light) - few]
    return bool(len(gaps) and gaps.max() > 12)  # noqa: PLR2004 - of 100 from black to white


def _worth(look: Look, colours: Colours) -> float:
    """Log likelihood of a picture under a palette, less for colours far from their typical look."""
    verdicts = judge(look, colours)
    strayed = sum(
        float(((colours.means[k, :2] - _TYPICAL[name]) ** 2).sum()) / 0.15**2 / 2
        for k, name in enumerate(colours.palette, 1)
        if colours.members[k] >= 1
    )
    return verdicts.fit * len(look.tint) - strayed


def in_light(colours: Colours, gain: float) -> Colours:
    """The same colours when everything has become brighter or darker.

    Args:
        colours: as they were learned.
        gain: what L + 16 has been multiplied by.
    """
    means, spreads = colours.means.copy(), colours.spreads.copy()
    means[:, 2] = (means[:, 2] + 16) * gain - 16
    spreads[:, 2, :] *= gain
    spreads[:, :, 2] *= gain
    return Colours(colours.palette, means, spreads, colours.members)


def _features(look: Look) -> Values:
    return np.concatenate([look.tint, look.lightness[:, None]], axis=1).astype(np.float64)


def _typical(features: Values, palette: tuple[str, ...], before: Colours | None) -> Colours:
    """Where to begin: empty squares as the faint ones look, colours as they usually do."""
    length = np.hypot(features[:, 0], features[:, 1])
    faint = features[length < _FAINT]
    if set(palette) <= set(_NEUTRAL):
        faint = _midmost(features)
    if len(faint):
        empty = np.median(faint, axis=0)
    else:
        empty = before.means[0] if before is not None else np.array([0.0, 0.0, 50.0])
    means, spreads = [empty], [np.diag([_EMPTY_STRAY**2, _EMPTY_STRAY**2, _LIGHT_STRAY**2])]
    for k, name in enumerate(palette, 1):
        tint = np.array(_TYPICAL[name]) + 0.5 * empty[:2]
        if before is not None and before.members[k] >= 1:
            tint = before.means[k, :2]
        means.append(np.append(tint, _usual_lightness(name, features, tint, empty)))
        spreads.append(_stray(name, tint))
    return Colours(palette, np.array(means), np.array(spreads), np.zeros(len(means)))


def _midmost(features: Values) -> Values:
    """The squares of the commonest lightness, for an edition without colour."""
    light = features[:, 2]
    near = np.abs(light[:, None] - light[None, :]) < 6  # noqa: PLR2004
    heart = int(np.argmax(near.sum(axis=1)))
    return np.asarray(features[near[heart]])


def _usual_lightness(name: str, features: Values, tint: Values, empty: Values) -> float:
    if name == "black":
        return float(min(12.0, 0.4 * empty[2]))
    if name == "white":
        return float(max(80.0, empty[2] + 20.0))
    near = np.hypot(*(features[:, :2] - tint).T) < 0.35 * np.hypot(*tint)
    return float(np.median(features[near, 2])) if near.any() else 50.0


def _stray(name: str, tint: Values) -> Values:
    """Covariance of a colour before it is learned."""
    spread = np.diag([0.06**2, 0.06**2, _LIGHT_STRAY**2])
    if name in _NEUTRAL:
        return spread
    length = float(np.hypot(*tint))
    along = tint / length
    turn = np.array([along, [-along[1], along[0]]])
    strays = np.diag([(_ALONG * length) ** 2, (_ASIDE * length) ** 2])
    spread[:2, :2] = turn.T @ strays @ turn
    spread[2, 2] = (1.5 * _LIGHT_STRAY) ** 2
    return spread


def _log_density(features: Values, colours: Colours) -> tuple[Values, Values]:
    """Log density of each square under each look, with heavy tails, and its distance squared."""
    away = features[:, None, :] - colours.means
    inverse = np.linalg.inv(colours.spreads)
    distance = np.einsum("skd,kde,ske->sk", away, inverse, away)
    scale = -0.5 * np.log(np.linalg.det(colours.spreads))
    tail = -0.5 * (_TAIL + 3) * np.log1p(distance / _TAIL)
    return scale - 1.5 * np.log(2 * np.pi) + tail, distance


def _shares(features: Values, colours: Colours) -> tuple[Values, Values]:
    """How much of each square belongs to each look, the strange last; and how typical it is."""
    density, distance = _log_density(features, colours)
    total = np.concatenate([density, np.full((len(density), 1), _STRANGE)], axis=1)
    odds = np.exp(total - total.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True), (_TAIL + 3) / (_TAIL + distance)


def _learned(features: Values, weights: Values, typical: Colours) -> Colours:
    """Means and spreads of the members, drawn towards the typical where there are few."""
    members = weights.sum(axis=0)
    # Lightness is the room's, not the plastic's, so the typical one counts for little.
    trust = np.array([_MEMBERS / 2, _MEMBERS / 2, 0.5])
    sums = weights.T @ features
    means = (sums + trust * typical.means) / (members[:, None] + trust)
    spreads = np.empty_like(typical.spreads)
    for k in range(len(means)):
        away = features - means[k]
        scatter = (weights[:, k, None] * away).T @ away
        spreads[k] = (scatter + _MEMBERS * typical.spreads[k]) / (members[k] + _MEMBERS)
    return Colours(typical.palette, means, spreads, members)
