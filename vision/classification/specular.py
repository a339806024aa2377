"""Squares that may only look empty, or white, because a lamp is mirrored there.

What mirrors a lamp adds its light to the light of a square, so that this gets lighter and its
tint shorter (the dichromatic reflection model of Shafer, "Using color to separate reflection
components", Color Research and Application 10, 1985). Where a square is lighter than bare board
is, and of no other tint than a piece under so much light would have, nobody can tell which it is.
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
    surely_empty,
    tile_lead,
)
from vision.shape.network import MOST

_SLIGHT, _PLAIN = 11.0, 22.0
"""L above that of bare board between which a veil of light is the likelier the more there is."""

_SPOT: Final = 5.0
_WIDE: Final = 7
"""L by which a spot is lighter than most of so many squares across around it."""

_PALE: Final = 0.25
"""Difference in tint from bare board below which a square may be bare."""

_FEW_BARE: Final = 2 / 9
"""Share of the squares around one that have to be bare for their light to be known."""

_DARK: Final = -15.0
"""L above that of bare board below which no light can have been added to a square."""

_BYTE: Final = 100.0
"""Added to differences of L that are to be bytes."""

_RATHER_A_TILE: Final = 2.5
"""How much more a difference in light counts where shapes speak for a tile."""

_MOST: Final = 0.5
"""Share of the bare squares that no lamp is mirrored on."""

_GRADIENT: Final = 1.2
"""How many times the usual L + 16 of bare board a lamp makes of it somewhere, at most."""

_STRAY: Final = 0.35
_FAR: Final = 2.0
"""How far tints under a veil stray, as a share of their length; and how many strays are many."""

_OFF_HUE: Final = np.cos(np.radians(40))
_VIVID: Final = 0.1
"""Cosine of the angle by which a hue may be off: of 27,000 squares that were told rightly none was
so by more than 23 degrees, of those that were taken for another colour all by more than 100. And
the length of a tint below which it has none."""

_FEWEST: Final = 3
_DARKEST: Final = 20.0
"""Squares from which it is known how light a colour is, and what it may be otherwise."""

_DOUBT: Final = 0.6
"""How much of what is believed of a square is given up."""


def doubting_veiled(
    evidence: Values, look: SquareFeatures, colours: ColourModel, covered: NDArray[np.bool_]
) -> Values:
    """The evidence with squares doubted whose colour a mirrored lamp may have taken away.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        look: what was measured on each square.
        colours: how they look there.
        covered: (n * n,) squares that cannot be seen.
    """
    features = features_of(look, colours.palette)
    light = _without_mirrors(features, colours)
    called = np.where(covered, -1, evidence.argmax(axis=1))
    lighter = light - _bare(light, called, colours)
    tint = in_even_light(features, colours)[..., :2]
    alike = _washed_out(tint, light, colours)
    veiled = np.where(called == 0, _hardly_bare(look, lighter, alike, called), 0.0)
    if is_grey(colours.palette):
        white = (called == 1 + colours.palette.index("white")) & ~plainly_light(look)
        veiled = np.where(white, _hardly_white(lighter), veiled)
    else:
        veiled = np.maximum(veiled, _off_hue(called, tint[:, 1:], colours))
    doubt = _DOUBT * veiled[:, None]
    return np.asarray((1 - doubt) * evidence + doubt / evidence.shape[1])


def is_lamp_mirrored(look: SquareFeatures, colours: ColourModel) -> bool:
    """Whether some board is lighter than what lies around it, as in the mirror image of a lamp.

    Args:
        look: what was measured on each square.
        colours: how they looked before.
    """
    features = features_of(look, colours.palette)
    light = _without_mirrors(features, colours)
    tint = in_even_light(features, colours)[:, 0, :2] - colours.means[0, :2]
    bare = (np.linalg.norm(tint, axis=1) < _PALE) & ~look.hidden
    lighter = light - _bare(light, np.where(bare, 0, 1), colours)
    return bool(look.hidden.any() or _spotted(lighter, bare).any())


def _without_mirrors(features: Values, colours: ColourModel) -> Values:
    """(n * n,) L in even light, where no lamp makes one spot much lighter than all others."""
    usual = float(np.median(colours.light[:, 2]))
    fair = np.minimum(colours.light[:, 2], _GRADIENT * usual)
    return np.asarray((features[:, 2] + OFFSET) / fair - OFFSET)


def _hardly_bare(
    look: SquareFeatures, lighter: Values, alike: Values, called: NDArray[np.intp]
) -> Values:
    """(n * n,) how far what is called bare may be a piece under a veil, 0 to 1.

    Args:
        look: what was measured on each square.
        lighter: (n * n,) L above that of bare board.
        alike: (n * n, k) as `_washed_out` has it.
        called: (n * n,) what each square is taken for.
    """
    # Where shapes would rather see a tile, less light is enough for doubt.
    bright = np.where(tile_lead(look) > 0, _RATHER_A_TILE * lighter, lighter)
    by_light = np.where(surely_empty(look), 0.0, _veiled(bright) * alike.max(axis=1))
    # Black under a veil is no lighter than bare board, but what is bare beside it is.
    spotted = _spotted(lighter, called == 0) & (lighter > _DARK)
    # Shapes are believed less in a blurred picture: none of them is sure then.
    believed = float(-look.relief.min()) / MOST
    shapeless = look.relief.any(axis=1) & (empty_lead(look) < SURELY * believed)
    return np.maximum(by_light, spotted & shapeless)


def _hardly_white(lighter: Values) -> Values:
    """(n * n,) how far what is called white may be something under a veil, 0 to 1."""
    # White that is no lighter than bare board has nothing but its shape to speak for it.
    hardly = np.clip(1 - lighter / _SLIGHT, 0, 1)
    return np.maximum(_veiled(_least_around(lighter)), hardly)


def _off_hue(called: NDArray[np.intp], tint: Values, colours: ColourModel) -> NDArray[np.bool_]:
    """(n * n,) pieces that have not the hue of their colour, though light leaves a hue as it is.

    Args:
        called: (n * n,) what each square is taken for.
        tint: (n * n, k, 2) of each in even light, for each colour.
        colours: how they look.
    """
    mine = np.maximum(called - 1, 0)
    own, usual = tint[np.arange(len(tint)), mine], colours.means[1 + mine, :2]
    length = np.linalg.norm(own, axis=1)
    cosine = (own * usual).sum(axis=1) / (length * np.linalg.norm(usual, axis=1) + 1e-9)
    return np.asarray((called > 0) & (length > _VIVID) & (cosine < _OFF_HUE))


def _bare(light: Values, called: NDArray[np.intp], colours: ColourModel) -> float:
    """L that bare board has without any lamp: boards may be patterned, but lamps are few."""
    empty = float(colours.means[0, 2])
    squares = light[called == 0]
    return max(empty, float(np.quantile(squares, _MOST))) if len(squares) else empty


def _veiled(lighter: Values) -> Values:
    """How likely there is a veil, 0 to 1, by L above that of bare board."""
    return np.asarray(np.clip((lighter - _SLIGHT) / (_PLAIN - _SLIGHT), 0, 1))


def _washed_out(tint: Values, light: Values, colours: ColourModel) -> Values:
    """(n * n, k) how far each square has the tint of each colour under a veil, 0 to 1.

    Args:
        tint: (n * n, 1 + k, 2) of each square in even light, for each look.
        light: (n * n,) L of each.
        colours: how they look without a veil.
    """
    usual = colours.means[:, 2]
    # A colour that was hardly seen may be dark, so that little light washes it out.
    usual = np.where(colours.members < _FEWEST, np.minimum(usual, _DARKEST), usual)
    own = np.clip((usual + OFFSET) / (light[:, None] + OFFSET), 0, 1) ** 3
    ratio = (1 + colours.means[:, :2] / PER) ** 3 - 1
    veiled = PER * (np.cbrt(1 + ratio * own[..., None]) - 1)
    variance = EMPTY_STRAY**2 + _STRAY**2 * (veiled**2).sum(axis=2)
    away = np.sqrt(((tint - veiled) ** 2).sum(axis=2) / variance)
    return np.asarray(np.exp(-0.5 * np.clip(away - _FAR, 0, None) ** 2)[:, 1:])


def _spotted(lighter: Values, bare: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) squares in or beside a spot where board is lighter than most around it.

    The sun lights half a board alike; a mirrored lamp lights some squares of it.

    Args:
        lighter: (n * n,) L above that of bare board.
        bare: (n * n,) which squares are taken for bare.
    """
    size = math.isqrt(len(lighter))
    known = np.where(bare, lighter, 0.0).reshape(size, size)
    count = cv2.blur(bare.astype(np.float64).reshape(size, size), (3, 3))
    mean = cv2.blur(known, (3, 3)) / np.maximum(count, _FEW_BARE)
    light = np.clip(known + _BYTE, 0, 255).astype(np.uint8)
    above = np.asarray(mean) - (cv2.medianBlur(light, _WIDE) - _BYTE)
    return np.asarray(cv2.dilate(above, np.ones((3, 3), np.uint8))).ravel() > _SPOT


def _least_around(lighter: Values) -> Values:
    """(n * n,) the least of each square and those around it.

    Pieces of one colour never lie side by side, so that not all of them are white.
    """
    size = math.isqrt(len(lighter))
    least = cv2.erode(lighter.reshape(size, size), np.ones((3, 3), np.uint8))
    return np.asarray(least, np.float64).ravel()
