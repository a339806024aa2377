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
    "green": (-0.64, 0.32),
    "black": (0.0, 0.0),
    "white": (0.0, 0.0),
}
"""Tint of each colour under a fair white balance; see `Look.tint`."""

_NEUTRAL: Final = ("black", "white")
"""Colours without a tint, told by lightness alone."""

_FAINT: Final = 0.42
"""Tints shorter than this are rather an empty square's than a colour's."""

_ALONG, _ASIDE = 0.16, 0.09
"""How far a colour's tint strays, as shares of its length: along it (glare) and aside."""

_ANY_DEPTH: Final = 0.35
"""The same along it, for telling editions: plastic is pale or deep, but its hue is its own."""

_WIDE: Final = {"green": 0.25}
"""Colours that are sold in more shades than others stray further aside."""

_EMPTY_STRAY: Final = 0.05
_PALEST: Final = 0.3
_LIGHT_STRAY: Final = 9.0
_MEMBERS: Final = 12.0
"""How many squares' worth the typical stray and tint of a colour count."""

_TAIL: Final = 5.0
_STRANGE: Final = np.log(0.02 / (6.0 * 100.0))
"""Log density of everything that is neither: any tint at any lightness."""

_SKIN: Final = (0.30, 0.36)
"""Tint of skin under a fair white balance: the hue of orange, but paler and redder."""

_SKIN_STRAY: Final = 0.11
_SKIN_SHARE: Final = np.log(0.05 / 100.0 / (2 * np.pi * _SKIN_STRAY**2))
"""Log density of skin of its commonest tint, at any lightness."""

_ROUNDS: Final = 8

_VIVID: Final = 0.52
_FEWEST_EXPLAINED: Final = 1.5
_MANY_EXPLAINED: Final = 6.0
_APART: Final = 1.35
"""Strays to either side by which two greys have to lie apart to be told for sure."""

_EVEN: Final = 5.5
"""Stray of lightness on empty squares that is still one board in one light."""

_GREY_LEAD: Final = 70.0
"""Log density by which two greys must beat one on a board without vivid squares."""


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
        strange: (n * n,) log odds by which a square shows neither board nor piece.
        fit: log density of all squares that can be seen, to compare palettes by.
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
    foreign = _foreign(features, colours)
    top = density.max(axis=1, keepdims=True)
    odds = np.exp(density - top)
    known = top[:, 0] + np.log(odds.sum(axis=1))
    fit = np.logaddexp(known, foreign)[~look.hidden].sum()
    strange = foreign - known
    evidence = odds / odds.sum(axis=1, keepdims=True)
    if is_grey(colours.palette):
        trust = _trust_in_greys(colours) ** 2
        evidence = trust * evidence + (1 - trust) / evidence.shape[1]
    return Verdicts(evidence, strange, float(fit))


def _trust_in_greys(colours: Colours) -> float:
    """How far black, white and board can be told apart by their looks alone, 0 to 1.

    Under a lamp that lights one side of the board more than the other they overlap; and where
    black comes out lighter than the board, or white darker, one was taken for another.
    """
    empty, spread = colours.means[0], colours.spreads[0]
    trust = min(1.0, _EVEN / float(np.sqrt(spread[2, 2])))
    for k, name in enumerate(colours.palette, 1):
        if colours.members[k] < 1:
            continue
        away = colours.means[k] - empty
        if (away[2] < 0) == (name == "white"):
            return 0.0
        middle = np.linalg.inv((colours.spreads[k] + spread) / 2)
        trust = min(trust, float(np.sqrt(away @ middle @ away)) / 2 / _APART)
    return trust


def choose(look: Look, size: int) -> tuple[Colours, bool]:
    """The palette that explains a board best, as its colours look there.

    Returns:
        The colours, and whether there is plastic enough on the board to be sure of them.
    """
    palettes = PALETTES.get(size, PALETTES[14])
    if len(palettes) == 1:
        return learn(look, palettes[0]), True
    ranked = sorted(((_explained(look, palette), palette) for palette in palettes), reverse=True)
    (share, best), (rival, _) = ranked[:2]
    plain = share >= _FEWEST_EXPLAINED
    colours = learn(look, best if plain else palettes[0])
    grey = next((palette for palette in palettes if is_grey(palette)), None)
    if grey is not None and share < _MANY_EXPLAINED:
        neutral = learn(look, grey)
        lead = judge(look, neutral).fit - judge(look, colours).fit
        if lead > (2 if plain else 1) * _GREY_LEAD:
            return neutral, True
    return colours, plain and share > 2 * rival


def _explained(look: Look, palette: tuple[str, ...]) -> float:
    """How many vivid squares have about the tint that a colour of the palette usually has."""
    tint = look.tint[~look.hidden].astype(np.float64)
    length = np.hypot(tint[:, 0], tint[:, 1])
    faint = tint[length < _FAINT]
    cast = 0.5 * np.median(faint, axis=0) if len(faint) else np.zeros(2)
    vivid = tint[length > _VIVID]
    best = np.zeros(len(vivid))
    for name in set(palette) - set(_NEUTRAL):
        usual = np.array(_TYPICAL[name]) + cast
        away = vivid - usual
        inverse = np.linalg.inv(_stray(name, usual, _ANY_DEPTH)[:2, :2])
        near = np.exp(-np.einsum("sd,de,se->s", away, inverse, away) / 4)
        best = np.maximum(best, near)
    return float(best.sum())


def is_grey(palette: tuple[str, ...]) -> bool:
    """Whether a palette has no vivid colour."""
    return set(palette) <= set(_NEUTRAL)


def doubted(verdicts: Verdicts) -> Verdicts:
    """The same where it is not sure whose colours these are: a piece, but any could be it."""
    evidence = verdicts.evidence.copy()
    plastic = evidence[:, 1:].sum(axis=1, keepdims=True) / (evidence.shape[1] - 1)
    evidence[:, 1:] = (evidence[:, 1:] + plastic) / 2
    return Verdicts(evidence, verdicts.strange, verdicts.fit)


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
    if is_grey(palette):
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
    near = np.abs(light[:, None] - light[None, :]) < 6
    heart = int(np.argmax(near.sum(axis=1)))
    return np.asarray(features[near[heart]])


def _usual_lightness(name: str, features: Values, tint: Values, empty: Values) -> float:
    if name == "black":
        return float(min(12.0, 0.4 * empty[2]))
    if name == "white":
        return float(max(80.0, empty[2] + 20.0))
    near = np.hypot(*(features[:, :2] - tint).T) < 0.35 * np.hypot(*tint)
    return float(np.median(features[near, 2])) if near.any() else 50.0


def _stray(name: str, tint: Values, depth: float = _ALONG) -> Values:
    """Covariance of a colour before it is learned."""
    spread = np.diag([0.06**2, 0.06**2, _LIGHT_STRAY**2])
    if name in _NEUTRAL:
        return spread
    length = float(np.hypot(*tint))
    along = tint / length
    turn = np.array([along, [-along[1], along[0]]])
    strays = np.diag([(depth * length) ** 2, (_WIDE.get(name, _ASIDE) * length) ** 2])
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
    return scale - 1.5 * np.log(2 * np.pi) + tail - _pale(features, colours), distance


def _pale(features: Values, colours: Colours) -> Values:
    """What speaks against colour where a square hardly differs from an empty one in tint.

    Deep shadow has next to no tint, and no shade of plastic has so little.
    """
    away = features[:, :2] - colours.means[0, :2]
    lack = np.clip((_PALEST - np.hypot(away[:, 0], away[:, 1])) / _EMPTY_STRAY, 0, None)
    vivid = np.array([False] + [name not in _NEUTRAL for name in colours.palette])
    return np.asarray(np.where(vivid, lack[:, None] ** 2, 0))


def _foreign(features: Values, colours: Colours) -> Values:
    """(n * n,) log density of what is neither board nor piece: skin, or just anything."""
    away = features[:, :2] - _SKIN - 0.5 * colours.means[0, :2]
    skin = _SKIN_SHARE - 0.5 * (away**2).sum(axis=1) / _SKIN_STRAY**2
    return np.asarray(np.logaddexp(skin, _STRANGE))


def _shares(features: Values, colours: Colours) -> tuple[Values, Values]:
    """How much of each square belongs to each look, the strange last; and how typical it is."""
    density, distance = _log_density(features, colours)
    total = np.column_stack([density, _foreign(features, colours)])
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
