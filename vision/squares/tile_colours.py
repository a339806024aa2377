"""Names the groups of tiles by the tints of their tiles.

All groups are named at once, each by another colour, but for two that lie so close together that
they are likely one. Tiles of one colour in two groups that lie apart, one of them under a lamp, are
named wrong; of 1,571 boards one had them. In an overexposed picture a colour changes.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plastics import NEUTRAL, PLASTICS, is_neutral
from vision.squares.fitted_constants import fitted
from vision.squares.network import BARE, DARK, LIGHT, Shapes, tiles
from vision.squares.square_features import BLACK_OFFSET, SquareFeatures
from vision.squares.tile_groups import TileGroups, Values

_DIM: Final = 40.0
"""L at which no channel of any colour is clipped."""

_EXPOSURES: Final = 2.0 ** np.linspace(-4, 6, 61).reshape(-1, 1, 1)
"""Factors on the light of that colour that are tried."""


def overexposed(tint: Values, light: Values) -> Values:
    """(s, 2) tints that a plastic has when it is so light that channels are clipped.

    Orange turns into yellow, blue into cyan, and finally everything into white.

    Args:
        tint: (2,) tint of the plastic without clipping, in the units of
            `vision.squares.square_features.SquareFeatures`.
        light: (s,) observed L.
    """
    dark = np.array([[[_DIM, *(tint * (_DIM + BLACK_OFFSET))]]], np.float32)
    plain = np.clip(cv2.cvtColor(dark, cv2.COLOR_LAB2LRGB), 0, None)
    ever_lighter = np.clip(plain * _EXPOSURES, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(ever_lighter, cv2.COLOR_LRGB2LAB)[:, 0].astype(np.float64)
    tints = lab[:, 1:] / (lab[:, :1] + BLACK_OFFSET)
    return np.column_stack([np.interp(light, lab[:, 0], tints[:, k]) for k in (0, 1)])


_LIKELY: Final = fitted("squares.tile_colours.likely")
"""Probability from which a bare square shows the light."""

_ALONG: Final = fitted("squares.tile_colours.along")
"""Spread of a tint along its direction, as a share of its length: plastic may be pale or deep."""

_ACROSS: Final = fitted("squares.tile_colours.across")
"""Spread of a tint across its direction, as a share of its length: plastic has its hue."""

_WIDE: Final = {"green": 0.25}
"""Spread across for colours that are sold in more shades than others."""

_PER: Final = np.array([500 / 116, -200 / 116])
"""Factors from the cube roots of X / Y and Z / Y, each less 1, to a tint."""

_GREY_STRAY: Final = fitted("squares.tile_colours.grey_stray")
"""Standard deviation of the tint of grey plastic."""

_BRIGHT: Final = fitted("squares.tile_colours.bright")
"""L from which pale tints count less and less, because all colours turn white."""

_BRIGHTEST: Final = fitted("squares.tile_colours.brightest")
"""L from which pale tints do not count at all."""

_PALE: Final = 0.3
"""Tint beside that of the light up to which it is pale; a mirrored lamp of 3,000 K has 0.15."""

_RICH: Final = 0.45
"""Tint beside that of the light from which it is not pale; overexposed yellow has 0.35 to 0.6."""

_SHARES: Final = (0.0, 0.5, 1.0)
"""Shares of the tint of bare squares that may come from the light; the rest is the board's own."""

_AREA: Final = 6.0
"""Area of all possible tints, in the units of `SquareFeatures.tint`."""

_ANY_TINT: Final = fitted("squares.tile_colours.any_tint")
"""Probability of a tint that is none of the colours': that of a mirrored lamp or an LED nearby."""

_HARDLY_SHADED: Final = fitted("squares.tile_colours.hardly_shaded")
"""Least probability that black is darker, or white lighter, than the board."""

_MOST_TILES: Final = fitted("squares.tile_colours.most_tiles")
"""Most tiles that count fully; if there are more, each counts less, as all share the causes of
errors: the light, the camera and the maker's shade."""

_BARE_STRAY: Final = fitted("squares.tile_colours.bare_stray")
"""Standard deviation of the tint of bare squares."""

_LIGHTER: Final = fitted("squares.tile_colours.lighter")
"""L above that of bare squares from which a pale square is rather a tile under a mirrored lamp."""

_OWN: Final = fitted("squares.tile_colours.own")
"""Weight of a tile's own tint beside the colour of its group: a lamp may change it."""

_EXPLAINED: Final = -4.5
"""Log likelihood of the tint and the shade of a tile from which a colour explains it; a tile of no
colour has -6.4."""

_STRANGE: Final = 1 / 3
"""Share of the tiles of a group up to which its colour need not explain them. Of 1,027 groups in
their right edition, in any light, all but three of four to ten tiles had at most 0.29; those of two
colours in one group, of four on a board that was taken for one of two, have about half."""

_FEW: Final = 3.0
"""Number of visible tiles below which a group need not be explained: a false tile, or a part of
a colour under a lamp, is no reason to doubt the others."""

_DEEPEST: Final = 2.0
"""Factor by which vivid plastic may be deeper than usual: blue in photographs has up to 2.1."""

_AS_BEFORE: Final = fitted("squares.tile_colours.as_before")
"""Log likelihood that a tile has the colour that was read on its square in the frame before."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedTiles:
    """Colours of the tiles of a board.

    Attributes:
        palette: names of the colours.
        chances: (n * n, k) probability of each colour, if the square has a tile.
        bare: (n * n,) log likelihood that the tint is that of bare board rather than of a tile.
        clear: (n * n,) trust in the colour of each square, from 0 where a lamp washes it out to 1.
        lead: log likelihood by which the palette leads the next; infinite if there is no other, 0
            if it does not explain all groups.
    """

    palette: tuple[str, ...]
    chances: Values
    bare: Values
    clear: Values
    lead: float


def named(
    groups: TileGroups,
    shapes: Shapes,
    observed: SquareFeatures,
    palettes: tuple[tuple[str, ...], ...],
    before: tuple[tuple[str, ...], NDArray[np.intp]] | None = None,
) -> NamedTiles:
    """Names the groups of tiles of a board.

    Args:
        groups: the groups, at most as many as a palette has colours.
        shapes: output of the network.
        observed: features of each square.
        palettes: names of colours, one palette or more of equal length.
        before: palette and (n * n,) contents, 0 for empty, of the same board in the frame before.
    """
    none, full = np.zeros(len(groups.members)), np.ones(len(groups.members))
    if not groups.members.any():
        even = np.full((len(none), len(palettes[0])), 1 / len(palettes[0]))
        return NamedTiles(palettes[0], even, none, full, np.inf if len(palettes) == 1 else 0.0)
    plain = (np.exp(shapes.classes[:, BARE]) > _LIKELY) & ~observed.hidden
    cast = _light(observed, plain)
    names = sorted({name for palette in palettes for name in palette})
    tints, shades = _tints(observed, names, cast), _shades(shapes, names)
    # Of tiles so bright that their tint is lost, the shade is known.
    seen = groups.members & (~observed.hidden | (observed.lightness > _BRIGHTEST))
    palette, chances, lead = _best(palettes, names, tints + shades, seen, groups)
    if before is not None:
        # What was read before makes colours stay, but no palette surer.
        held = np.array(["", *before[0]])[before[1]]
        tints += _AS_BEFORE * (held[:, None] == np.array(names))
        _, chances, _ = _best((palette,), names, tints + shades, seen, groups)
    columns = [names.index(name) for name in palette]
    own = tints[:, :, columns].mean(axis=0)
    chances = _weighed(chances, ~observed.hidden[:, None] * (own + shades[:, columns]))
    clear = _unwashed(observed, plain)
    away = ((observed.tint - cast) ** 2).sum(axis=1) / _BARE_STRAY**2
    board = np.log(np.exp(-away / 2) / (2 * np.pi * _BARE_STRAY**2) + _ANY_TINT / _AREA)
    bare = clear * (board - own.max(axis=1))
    if is_neutral(palette):
        # A board may be as grey as the tiles: only a tint other than its own says something.
        bare, clear = np.minimum(bare, 0), full
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
    palettes: tuple[tuple[str, ...], ...],
    names: list[str],
    densities: Values,
    seen: NDArray[np.bool_],
    groups: TileGroups,
) -> tuple[tuple[str, ...], Values, float]:
    """Weighs all ways of naming the groups; see `_ways`.

    Returns the palette, (n * n, k) probability of its colours, and its lead; see `NamedTiles`.

    Args:
        palettes: names of colours.
        names: all names.
        densities: (casts, n * n, names) log density of each tile in each colour.
        seen: (n * n,) tiles that show their colour.
        groups: the groups.
    """
    mine = groups.shares[seen]
    fewer, count = min(1.0, _MOST_TILES / max(1, len(mine))), mine.sum(axis=0)
    ways, prior = _ways(len(palettes[0]), groups.apart)
    named_as = np.eye(len(palettes[0]))[ways]
    share = mine @ named_as
    scores, chances, explained = [], [], []
    for palette in palettes:
        own = densities[:, seen][:, :, [names.index(name) for name in palette]]
        likely = np.einsum("win,cin->cwi", share, np.exp(own))
        each = fewer * np.log(likely).sum(axis=2) + prior
        cast, way = np.unravel_index(each.argmax(), each.shape)
        strange = (mine * (own[cast][:, ways[way]] < _EXPLAINED)).sum(axis=0)
        explained.append(bool(((strange <= _STRANGE * count) | (count < _FEW)).all()))
        score = np.logaddexp.reduce(each, axis=0)
        scores.append(np.logaddexp.reduce(score))
        chances.append(groups.shares @ np.einsum("w,wkn->kn", np.exp(score - scores[-1]), named_as))
    first, *others = np.argsort(scores)[::-1].tolist()
    lead = explained[first] * (scores[first] - scores[others[0]]) if others else np.inf
    return palettes[first], chances[first], float(lead)


def _ways(colours: int, apart: Values) -> tuple[NDArray[np.intp], Values]:
    """Returns (w, k) ways of naming groups, and the log probability of each.

    Each group has another name, but tiles of one colour may be in two groups that lie close
    together.

    Args:
        colours: number of colours.
        apart: (k, k) log odds that two groups have two colours.
    """
    ways = np.indices((colours,) * len(apart)).reshape(len(apart), -1).T
    first, second = np.triu_indices(len(apart), 1)
    odds, is_one = apart[first, second], ways[:, first] == ways[:, second]
    prior = -np.logaddexp(0, np.where(is_one, odds, -odds)).sum(axis=1)
    kept = (~is_one | (odds < 0)).all(axis=1)
    return ways[kept], prior[kept]


def _tints(observed: SquareFeatures, names: list[str], cast: Values) -> Values:
    """(casts, n * n, names) log density of each square's tint in each colour."""
    tint, light = observed.tint.astype(np.float64), observed.lightness.astype(np.float64)
    rich = np.clip((np.linalg.norm(tint - cast, axis=1) - _PALE) / (_RICH - _PALE), 0, 1)
    fair = 1 - (1 - rich) * np.clip((light - _BRIGHT) / (_BRIGHTEST - _BRIGHT), 0, 1)
    result = np.zeros((len(_SHARES), len(tint), len(names)))
    for number, share in enumerate(_SHARES):
        for column, name in enumerate(names):
            usual = _in_light(np.array(PLASTICS[name].tint), share * cast)
            spread, depth = _GREY_STRAY**2 * np.eye(2), np.ones(len(tint))
            if name not in NEUTRAL:
                spread = _spread(name, usual)
                depth = np.clip(tint @ usual / (usual @ usual), 1, _DEEPEST)
            away = tint / depth[:, None] - overexposed(usual, light)
            distance = ((away @ np.linalg.inv(spread)) * away) @ np.ones(2)
            density = np.exp(-distance / 2) / (2 * np.pi * np.sqrt(np.linalg.det(spread)))
            result[number, :, column] = fair * np.log(density + _ANY_TINT / _AREA)
    return result


def _shades(shapes: Shapes, names: list[str]) -> Values:
    """(n * n, names) log probability of each square's shade in each colour; vivid ones have any."""
    either = tiles(shapes)
    result = np.full((len(either), len(names)), np.log(0.5))
    for name, shade in (("black", DARK), ("white", LIGHT)):
        if name in names:
            own = np.maximum(shapes.classes[:, shade] - either, np.log(_HARDLY_SHADED))
            result[:, names.index(name)] = own
    return result


def _unwashed(observed: SquareFeatures, plain: NDArray[np.bool_]) -> Values:
    """(n * n,) weight of a tint as that of bare board: a tile that a lamp washes out is lighter."""
    usual = np.median(observed.lightness[plain]) if plain.any() else np.inf
    lighter = np.clip(observed.lightness - usual, 0, None) / _LIGHTER
    return np.asarray(np.exp(-(lighter**2)), np.float64)


def _in_light(tint: Values, cast: Values) -> Values:
    """Returns a tint, (2,), in a light in which grey has the tint `cast`, (2,) (von Kries)."""
    return np.asarray(_PER * ((1 + cast / _PER) * (1 + tint / _PER) - 1))


def _spread(name: str, tint: Values) -> Values:
    """Returns (2, 2) the covariance of the tints of a vivid colour."""
    length = float(np.hypot(*tint))
    along = tint / length
    turn = np.array([along, [-along[1], along[0]]])
    strays = np.array([_ALONG * length, _WIDE.get(name, _ACROSS) * length]) ** 2
    return np.asarray(turn.T @ np.diag(strays) @ turn)
