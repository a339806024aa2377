"""Names the groups of tiles by the tints of their tiles.

All groups are named at once, as no two groups of a board have the same colour.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.squares.network import SquareOutputs, tiles
from tests.training.squares.tile_groups import TileGroups
from vision.classification.clipping import overexposed
from vision.classification.colour_fit import stray, tinted
from vision.classification.colour_model import NEUTRAL, Values, is_grey
from vision.features.square_features import SquareFeatures
from vision.plastics import PLASTICS
from vision.shape.network import BARE, DARK, LIGHT

_LIKELY: Final = 0.7
"""Probability from which a bare square shows the light."""

_ALONG: Final = 0.35
"""Spread of a tint along its direction, as a share of its length: plastic may be pale or deep."""

_GREY_STRAY: Final = 0.13
"""Standard deviation of the tint of grey plastic."""

_BRIGHT: Final = 82.0
"""L from which tints count less and less, because all colours turn white."""

_BRIGHTEST: Final = 95.0
"""L from which tints do not count at all."""

_SHARES: Final = (0.0, 0.5, 1.0)
"""Shares of the tint of bare squares that may come from the light; the rest is the board's own."""

_AREA: Final = 6.0
"""Area of all possible tints, in the units of `SquareFeatures.tint`."""

_ANY_TINT: Final = 0.02
"""Probability of a tint that is none of the colours': that of a mirrored lamp or an LED nearby."""

_HARDLY_SHADED: Final = 0.02
"""Least probability that black is darker, or white lighter, than the board."""

_MOST_TILES: Final = 8.0
"""Most tiles that count fully; if there are more, each counts less, as all share the causes of
errors: the light, the camera and the maker's shade."""

_BARE_STRAY: Final = 0.1
"""Standard deviation of the tint of bare squares."""

_LIGHTER: Final = 15.0
"""L above that of bare squares from which a pale square is rather a tile under a mirrored lamp."""

_OWN: Final = 0.5
"""Weight of a tile's own tint beside the colour of its group: a lamp may change it."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedTiles:
    """Colours of the tiles of a board.

    Attributes:
        palette: names of the colours.
        chances: (n * n, k) probability of each colour, if the square has a tile.
        bare: (n * n,) log likelihood that the tint is that of bare board rather than of a tile.
        clear: (n * n,) trust in the colour of each square, from 0 where a lamp washes it out to 1.
        lead: log likelihood by which the palette leads the next; infinite if there is no other.
    """

    palette: tuple[str, ...]
    chances: Values
    bare: Values
    clear: Values
    lead: float


def named(
    groups: TileGroups,
    shapes: SquareOutputs,
    observed: SquareFeatures,
    palettes: tuple[tuple[str, ...], ...],
) -> NamedTiles:
    """Names the groups of tiles of a board.

    Args:
        groups: the groups, at most as many as a palette has colours.
        shapes: output of the network.
        observed: features of each square.
        palettes: names of colours, one palette or more of equal length.
    """
    none, full = np.zeros(len(groups.members)), np.ones(len(groups.members))
    if not groups.members.any():
        even = np.full((len(none), len(palettes[0])), 1 / len(palettes[0]))
        lead = np.inf if len(palettes) == 1 else 0.0
        return NamedTiles(palettes[0], even, none, full, lead)
    plain = (np.exp(shapes.classes[:, BARE]) > _LIKELY) & ~observed.hidden
    cast = _light(observed, plain)
    names = sorted({name for palette in palettes for name in palette})
    density = _density(shapes, observed, names, cast)
    visible = groups.members & ~observed.hidden
    mine = groups.shares[visible]
    fewer = min(1.0, _MOST_TILES / max(1, len(mine)))
    sums = fewer * np.einsum("cin,ik->ckn", density[:, visible], mine)
    palette, chances, lead = _best(palettes, names, sums, groups.shares)
    own = density[:, :, [names.index(name) for name in palette]].mean(axis=0)
    own[observed.hidden] = 0.0
    chances = _weighed(chances, own)
    if is_grey(palette):
        return NamedTiles(palette, chances, none, full, lead)
    clear = _unwashed(observed, plain)
    away = ((observed.tint - cast) ** 2).sum(axis=1) / _BARE_STRAY**2
    board = np.log(np.exp(-away / 2) / (2 * np.pi * _BARE_STRAY**2) + _ANY_TINT / _AREA)
    bare = clear * (board - (own.max(axis=1) - np.log(0.5)))
    return NamedTiles(palette, chances, np.where(observed.hidden, 0.0, bare), clear, lead)


def _weighed(chances: Values, own: Values) -> Values:
    """Weighs the colours of the groups, (n * n, k), by the log density of each tile's own tint."""
    odds = chances * np.exp(_OWN * (own - own.max(axis=1, keepdims=True)))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _light(observed: SquareFeatures, plain: NDArray[np.bool_]) -> Values:
    """(2,) tint of the squares that are plainly bare, which the light, or the board, gives them."""
    if not plain.any():
        return np.zeros(2)
    return np.asarray(np.median(observed.tint[plain], axis=0), np.float64)


def _best(
    palettes: tuple[tuple[str, ...], ...], names: list[str], sums: Values, shares: Values
) -> tuple[tuple[str, ...], Values, float]:
    """Weighs all ways of naming the groups.

    Returns the palette, (n * n, k) probability of its colours, and its lead; see `NamedTiles`.

    Args:
        palettes: names of colours.
        names: all names.
        sums: (casts, groups, names) log likelihood of the tiles of each group in each colour.
        shares: (n * n, groups) probability of each group.
    """
    groups = shares.shape[1]
    scores, chances = [], []
    for palette in palettes:
        ways = list(permutations(range(len(palette)), groups))
        at = [names.index(name) for name in palette]
        score = np.array(
            [np.logaddexp.reduce(sum(sums[:, g, at[c]] for g, c in enumerate(way))) for way in ways]
        )
        weight = np.exp(score - score.max())
        weight /= weight.sum()
        chance = np.zeros((len(shares), len(palette)))
        for way, share in zip(ways, weight, strict=True):
            chance[:, list(way)] += share * shares
        scores.append(np.logaddexp.reduce(score) - np.log(len(ways)))
        chances.append(chance)
    first, *others = np.argsort(scores)[::-1].tolist()
    lead = scores[first] - scores[others[0]] if others else np.inf
    return palettes[first], chances[first], float(lead)


def _density(
    shapes: SquareOutputs, observed: SquareFeatures, names: list[str], cast: Values
) -> Values:
    """(casts, n * n, names) log density of each square's tint and shade in each colour."""
    tint, light = observed.tint.astype(np.float64), observed.lightness.astype(np.float64)
    fair = 1 - np.clip((light - _BRIGHT) / (_BRIGHTEST - _BRIGHT), 0, 1)
    either = tiles(shapes)
    result = np.zeros((len(_SHARES), len(tint), len(names)))
    for number, share in enumerate(_SHARES):
        for column, name in enumerate(names):
            usual = tinted(np.array(PLASTICS[name].tint), share * cast)
            vivid = name not in NEUTRAL
            spread = stray(name, usual, _ALONG)[:2, :2] if vivid else _GREY_STRAY**2 * np.eye(2)
            away = tint - overexposed(usual, light)
            distance = ((away @ np.linalg.inv(spread)) * away) @ np.ones(2)
            density = np.exp(-distance / 2) / (2 * np.pi * np.sqrt(np.linalg.det(spread)))
            by_tint = fair * np.log(density + _ANY_TINT / _AREA)
            shade = np.log(0.5)
            if not vivid:
                own = shapes.classes[:, DARK if name == "black" else LIGHT]
                shade = np.maximum(own - either, np.log(_HARDLY_SHADED)).astype(np.float64)
            result[number, :, column] = by_tint + shade
    return result


def _unwashed(observed: SquareFeatures, plain: NDArray[np.bool_]) -> Values:
    """(n * n,) weight of a tint as that of bare board: a tile that a lamp washes out is lighter."""
    usual = np.median(observed.lightness[plain]) if plain.any() else np.inf
    lighter = np.clip(observed.lightness - usual, 0, None) / _LIGHTER
    return np.asarray(np.exp(-(lighter**2)), np.float64)
