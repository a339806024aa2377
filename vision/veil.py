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

from vision.density import EMPTY_STRAY, OFFSET, PER, Colours, Values, features_of, in_even_light
from vision.look import Look, plainly_light, surely_empty, tile_lead

_SLIGHT, _PLAIN = 11.0, 22.0
"""L above that of bare board between which a veil of light is the likelier the more there is."""

_RATHER_A_TILE: Final = 2.5
"""How much more a difference in light counts where shapes speak for a tile."""

_MOST: Final = 0.5
"""Share of the bare squares that no lamp is mirrored on."""

_STRAY: Final = 0.35
_FAR: Final = 2.0
"""How far tints under a veil stray, as a share of their length; and how many strays are many."""

_FEWEST: Final = 3
_DARKEST: Final = 20.0
"""Squares from which it is known how light a colour is, and what it may be otherwise."""

_DOUBT: Final = 0.6
"""How much of what is believed of a square is given up."""


def doubting_veiled(evidence: Values, look: Look, colours: Colours) -> Values:
    """The evidence with squares doubted whose colour a mirrored lamp may have taken away.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        look: what was measured on each square.
        colours: how they look there.
    """
    even = in_even_light(features_of(look, colours.palette), colours)
    called = evidence.argmax(axis=1)
    lighter = even[:, 0, 2] - _bare(even[:, 0, 2], called, colours)
    bare = surely_empty(look)
    # Where shapes would rather see a tile, less light is enough for doubt.
    bright = np.where(tile_lead(look) > 0, _RATHER_A_TILE * lighter, lighter)
    veiled = np.where((called == 0) & ~bare, _veiled(bright) * _washed_out(even, colours), 0.0)
    if "white" in colours.palette:
        white = (called == 1 + colours.palette.index("white")) & ~plainly_light(look)
        # White that is no lighter than bare board has nothing but its shape to speak for it.
        hardly = np.clip(1 - lighter / _SLIGHT, 0, 1)
        veiled = np.where(white, np.maximum(_veiled(_least_around(lighter)), hardly), veiled)
    doubt = _DOUBT * veiled[:, None]
    return np.asarray((1 - doubt) * evidence + doubt / evidence.shape[1])


def _bare(light: Values, called: NDArray[np.intp], colours: Colours) -> float:
    """L that bare board has without any lamp: boards may be patterned, but lamps are few."""
    empty = float(colours.means[0, 2])
    squares = light[called == 0]
    return max(empty, float(np.quantile(squares, _MOST))) if len(squares) else empty


def _veiled(lighter: Values) -> Values:
    """How likely there is a veil, 0 to 1, by L above that of bare board."""
    return np.asarray(np.clip((lighter - _SLIGHT) / (_PLAIN - _SLIGHT), 0, 1))


def _washed_out(even: Values, colours: Colours) -> Values:
    """(n * n,) how far the tint of each square is that of a piece under a veil, 0 to 1."""
    light = colours.means[:, 2]
    # A colour that was hardly seen may be dark, so that little light washes it out.
    light = np.where(colours.members < _FEWEST, np.minimum(light, _DARKEST), light)
    own = np.clip((light + OFFSET) / (even[..., 2] + OFFSET), 0, 1) ** 3
    ratio = (1 + colours.means[:, :2] / PER) ** 3 - 1
    tint = PER * (np.cbrt(1 + ratio * own[..., None]) - 1)
    variance = EMPTY_STRAY**2 + _STRAY**2 * (tint**2).sum(axis=2)
    away = np.sqrt(((even[..., :2] - tint) ** 2).sum(axis=2) / variance)
    return np.asarray(np.exp(-0.5 * np.clip(away - _FAR, 0, None) ** 2)[:, 1:].max(axis=1))


def _least_around(lighter: Values) -> Values:
    """(n * n,) the least of each square and those around it.

    Pieces of one colour never lie side by side, so that not all of them are white.
    """
    size = math.isqrt(len(lighter))
    least = cv2.erode(lighter.reshape(size, size), np.ones((3, 3), np.uint8))
    return np.asarray(least, np.float64).ravel()
