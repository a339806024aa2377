"""Detection of squares that may only look empty, or white, because a lamp is mirrored there.

A mirrored lamp adds its light to that of a square, so that the square gets lighter and its
tint shorter (the dichromatic reflection model of Shafer, "Using color to separate reflection
components", Color Research and Application 10, 1985). A square that is lighter than bare board,
and has the tint of a piece under so much added light, may be either.
"""

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_model import (
    EMPTY_STRAY,
    OFFSET,
    PER,
    ColourModel,
    Values,
    features_of,
    in_even_light,
    is_grey,
)
from vision.features.square_features import (
    SURELY,
    SquareFeatures,
    empty_lead,
    plainly_light,
    tile_lead,
)
from vision.fitted.constants import fitted
from vision.shape.network import MOST

_SLIGHT: Final = fitted("classification.specular.slight")
"""L above that of bare board from which added light gets more and more likely."""

_PLAIN: Final = fitted("classification.specular.plain")
"""L above that of bare board from which added light is certain."""

_SPOT: Final = fitted("classification.specular.spot")
"""L by which a spot is lighter than the median around it."""

_WIDE: Final = 7
"""Squares along a side of the window of that median."""

_SURELY_SPOTTED: Final = fitted("classification.specular.surely_spotted")
"""Log likelihood by which the shape of an empty square leads if it is sure in a lighter spot: of
tiles that mirrored a lamp and were white all over, several led by 3.2 to 3.8."""

_PALE: Final = 0.25
"""Difference in tint from bare board below which a square may be bare."""

_FEW_BARE: Final = 2 / 9
"""Share of the 3x3 squares around one that have to be bare for a mean of their light."""

_DARK: Final = -15.0
"""L above that of bare board below which no light can have been added to a square."""

_BYTE: Final = 100.0
"""Offset by which differences of L are stored as bytes."""

_RATHER_A_TILE: Final = fitted("classification.specular.rather_a_tile")
"""Factor on the difference in L if shapes favour a tile."""

_MOST: Final = 0.5
"""Quantile of the L of bare squares up to which no lamp is mirrored."""

_GRADIENT: Final = 1.2
"""Largest ratio of the L + 16 of bare board anywhere to the usual one, in light without mirrors."""

_USUAL_WHITE: Final = 0.8
"""Quantile of the L of squares read as white that is the L of white: some may be black."""

_DARKER: Final = 25.0
"""L below that of white from which white gets unlikely: on 85 path-traced boards white was 4 darker
at most in half of the cases, 16 in nineteen of twenty, and 32 once."""

_MUCH_DARKER: Final = 35.0
"""L below that of white from which a square is hardly white: black that was read so was 23 to 61
darker."""

_STRAY: Final = 0.35
"""Standard deviation of tints under added light, as a share of their length."""

_FAR: Final = 2.0
"""Standard deviations up to which a tint fully agrees."""

_OFF_HUE: Final = np.cos(np.radians(40))
"""Cosine of the largest difference in hue: of 27,000 squares that were read correctly none was off
by more than 23 degrees, of those that were read as another colour all by more than 100."""

_VIVID: Final = 0.1
"""Length of a tint below which it has no hue."""

_FEWEST: Final = 3
"""Squares from which the lightness of a colour is known."""

_DARKEST: Final = 20.0
"""L that a colour may have otherwise."""

_DOUBT: Final = fitted("classification.specular.doubt")
"""Share of uniform evidence mixed into a square under added light."""


def doubting_mirrored(
    evidence: Values, observed: SquareFeatures, colours: ColourModel, covered: NDArray[np.bool_]
) -> Values:
    """Makes squares uncertain whose colour may be hidden by a mirrored lamp.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        observed: features of each square.
        colours: appearance of the colours.
        covered: (n * n,) squares that cannot be seen.
    """
    features = features_of(observed, colours.palette)
    light = _without_mirrors(features, colours)
    called = np.where(covered, -1, evidence.argmax(axis=1))
    lighter = light - _bare(light, called, colours)
    tint = in_even_light(features, colours)[..., :2].swapaxes(0, 1)
    alike = _washed_out(tint, light, colours)
    veiled = np.where(called == 0, _hardly_bare(observed, lighter, alike, called), 0.0)
    if is_grey(colours.palette):
        white = called == 1 + colours.palette.index("white")
        veiled = np.where(white & ~plainly_light(observed), _hardly_white(lighter), veiled)
        veiled = np.maximum(veiled, _too_dark(white, light))
    else:
        veiled = np.maximum(veiled, _off_hue(called, tint[:, 1:], colours))
    doubt = _DOUBT * veiled[:, None]
    return np.asarray((1 - doubt) * evidence + doubt / evidence.shape[1])


def is_lamp_mirrored(observed: SquareFeatures, colours: ColourModel) -> bool:
    """True if some bare squares are lighter than those around them, as under a mirrored lamp.

    Args:
        observed: features of each square.
        colours: appearance of the colours before.
    """
    features = features_of(observed, colours.palette)
    light = _without_mirrors(features, colours)
    tint = in_even_light(features, colours)[0, :, :2] - colours.means[0, :2]
    bare = (np.linalg.norm(tint, axis=1) < _PALE) & ~observed.hidden
    lighter = light - _bare(light, np.where(bare, 0, 1), colours)
    return bool(observed.hidden.any() or _spotted(lighter, bare).any())


def _without_mirrors(features: Values, colours: ColourModel) -> Values:
    """(n * n,) L in even light; a spot much lighter than all others is not evened out."""
    usual = float(np.median(colours.light[:, 2]))
    fair = np.minimum(colours.light[:, 2], _GRADIENT * usual)
    return np.asarray((features[:, 2] + OFFSET) / fair - OFFSET)


def _hardly_bare(
    observed: SquareFeatures, lighter: Values, alike: Values, called: NDArray[np.intp]
) -> Values:
    """(n * n,) degree to which a square read as bare may be a piece under added light, 0 to 1.

    Args:
        observed: features of each square.
        lighter: (n * n,) L above that of bare board.
        alike: (n * n, k) from `_washed_out`.
        called: (n * n,) likeliest content of each square.
    """
    # If shapes favour a tile, less light is enough for doubt.
    bright = np.where(tile_lead(observed) > 0, _RATHER_A_TILE * lighter, lighter)
    spotted = _spotted(lighter, called == 0)
    surely = empty_lead(observed) > np.where(spotted, _SURELY_SPOTTED, SURELY)
    by_light = np.where(surely, 0.0, _veiled(bright) * alike.max(axis=1))
    # Black under added light is no lighter than bare board, but bare squares beside it are.
    spotted &= lighter > _DARK
    # In a blurred picture shapes have less weight, so the bound for sure ones is scaled, too.
    believed = float(-observed.relief.min()) / MOST
    shapeless = observed.relief.any(axis=1) & (empty_lead(observed) < _SURELY_SPOTTED * believed)
    return np.maximum(by_light, spotted & shapeless)


def _hardly_white(lighter: Values) -> Values:
    """(n * n,) degree to which a square read as white may be another under added light, 0 to 1."""
    # White that is no lighter than bare board is supported by nothing but its shape.
    hardly = np.clip(1 - lighter / _SLIGHT, 0, 1)
    return np.maximum(_veiled(_least_around(lighter)), hardly)


def _too_dark(white: NDArray[np.bool_], light: Values) -> Values:
    """(n * n,) degree to which a square read as white is too dark for it, 0 to 1.

    Black under a mirrored sky is lighter than a dark board, but not nearly as light as white.

    Args:
        white: (n * n,) squares read as white.
        light: (n * n,) L in even light.
    """
    if not white.any():
        return np.zeros(len(light))
    darker = np.quantile(light[white], _USUAL_WHITE) - light
    degree = np.clip((darker - _DARKER) / (_MUCH_DARKER - _DARKER), 0, 1)
    return np.asarray(np.where(white, degree, 0.0))


def _off_hue(called: NDArray[np.intp], tint: Values, colours: ColourModel) -> NDArray[np.bool_]:
    """(n * n,) pieces that do not have the hue of their colour, which added light does not change.

    Args:
        called: (n * n,) likeliest content of each square.
        tint: (n * n, k, 2) tint of each in even light, for each colour.
        colours: appearance of the colours.
    """
    mine = np.maximum(called - 1, 0)
    own, usual = tint[np.arange(len(tint)), mine], colours.means[1 + mine, :2]
    length = np.linalg.norm(own, axis=1)
    cosine = (own * usual).sum(axis=1) / (length * np.linalg.norm(usual, axis=1) + 1e-9)
    return np.asarray((called > 0) & (length > _VIVID) & (cosine < _OFF_HUE))


def _bare(light: Values, called: NDArray[np.intp], colours: ColourModel) -> float:
    """L of bare board without mirrored lamps: boards may be patterned, but lamps are few."""
    empty = float(colours.means[0, 2])
    squares = light[called == 0]
    return max(empty, float(np.quantile(squares, _MOST))) if len(squares) else empty


def _veiled(lighter: Values) -> Values:
    """Degree of added light, 0 to 1, by L above that of bare board."""
    return np.asarray(np.clip((lighter - _SLIGHT) / (_PLAIN - _SLIGHT), 0, 1))


def _washed_out(tint: Values, light: Values, colours: ColourModel) -> Values:
    """(n * n, k) degree to which each square has the tint of each colour under added light, 0 to 1.

    Args:
        tint: (n * n, 1 + k, 2) tint of each square in even light, for each component.
        light: (n * n,) L of each.
        colours: appearance of the colours without added light.
    """
    usual = colours.means[:, 2]
    # A colour with few squares may be dark, so that little light washes it out.
    usual = np.where(colours.members < _FEWEST, np.minimum(usual, _DARKEST), usual)
    own = np.clip((usual + OFFSET) / (light[:, None] + OFFSET), 0, 1) ** 3
    ratio = (1 + colours.means[:, :2] / PER) ** 3 - 1
    veiled = PER * (np.cbrt(1 + ratio * own[..., None]) - 1)
    variance = EMPTY_STRAY**2 + _STRAY**2 * (veiled**2).sum(axis=2)
    away = np.sqrt(((tint - veiled) ** 2).sum(axis=2) / variance)
    return np.asarray(np.exp(-0.5 * np.clip(away - _FAR, 0, None) ** 2)[:, 1:])


def _spotted(lighter: Values, bare: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) squares in or beside a spot of bare board that is lighter than its surroundings.

    The sun lights half a board evenly; a mirrored lamp lights some squares of it.

    Args:
        lighter: (n * n,) L above that of bare board.
        bare: (n * n,) squares read as bare.
    """
    size = math.isqrt(len(lighter))
    known = np.where(bare, lighter, 0.0).reshape(size, size)
    count = cv2.blur(bare.astype(np.float64).reshape(size, size), (3, 3))
    mean = cv2.blur(known, (3, 3)) / np.maximum(count, _FEW_BARE)
    light = np.clip(known + _BYTE, 0, 255).astype(np.uint8)
    above = np.asarray(mean) - (cv2.medianBlur(light, _WIDE) - _BYTE)
    return np.asarray(cv2.dilate(above, np.ones((3, 3), np.uint8))).ravel() > _SPOT


def _least_around(lighter: Values) -> Values:
    """(n * n,) minimum over each square and its neighbours.

    Pieces of one colour never touch at a side, so that not all of these squares are white.
    """
    size = math.isqrt(len(lighter))
    least = cv2.erode(lighter.reshape(size, size), np.ones((3, 3), np.uint8))
    return np.asarray(least, np.float64).ravel()
