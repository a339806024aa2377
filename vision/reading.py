"""Reading of one frame: evidence for each square, never a decision.

This is the whole interface between vision and the referee. Squares are numbered row by row from
the top left of the board's frame, as everywhere in the program.
"""

from dataclasses import dataclass, field
from math import isqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SIDES: Final = ("top", "right", "bottom", "left")
"""Sides of a board in its own frame, as `Reading.beyond` has them."""

GOES_ON: Final = 2.5
"""Log odds in `Reading.beyond` from which a tile certainly goes on, or with a minus ends there."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Content of one frame in which a board was found.

    Attributes:
        size: squares along a side of the board, n below.
        corners: (4, 2) float64, the outer corners of the field of squares in pixels of the
            frame (centre of the first pixel is 0, 0): top left, top right, bottom right,
            bottom left of the board's frame.
        crossings: (n + 1, n + 1, 2) float64, pixels at which the lines around the squares cross,
            row by row from the top left; lines are not straight where the lens bends them.
        palette: names of the colours of plastic that were considered, for example
            `("purple", "orange")`.
        probabilities: (n * n, 1 + len(palette)) float32, for each square the probability that it is
            empty and that it holds each colour of the palette; each row sums to 1. A square
            that cannot be seen has equal probabilities.
        covered: (n * n,) bool, squares that cannot be seen: under a hand or an object, or lit by
            an LED.
        hand: True if something that is not a piece is over the board.
        blurred: True if the frame is too blurred by motion or focus to decide on.
        shift_px: largest distance in pixels of the board's corners from their places in the
            previous frame; 0 for a first frame.
        brightness: mean brightness of the field, 0 to 255, by which a change of light is noticed.
        lightness: (n * n,) float32, CIE L* of each square, 0 to 100, which shows how the square
            was lit. Empty if it was not measured.
        ends: (n * n, 2) float32, log odds that a piece ends at the right and at the lower edge of
            each square; only `read_picture` measures it anew for every square. Empty if it was
            not measured.
        beyond: (4, n) float32, log odds that a tile on a square of the border goes on beyond it,
            on each of the `SIDES`, from the left or from the top; minus infinity where the picture
            ends at the border, so that nothing is seen beyond it, or where the same lay there
            before the tile came. Empty if it was not measured.
        has_colours: False if no square of the board has any, as in the night mode of a camera.
        changed: True if a square has changed while the same LEDs glow. Its content has to be
            read in a frame with all LEDs dark.
        foreign: (n * n,) bool, squares that have the colour neither of the board nor of its
            tiles, as paper in place of a lost piece has. Only `read_picture` finds them.
    """

    size: int
    corners: NDArray[np.float64]
    crossings: NDArray[np.float64]
    palette: tuple[str, ...]
    probabilities: NDArray[np.float32]
    covered: NDArray[np.bool_]
    hand: bool = False
    blurred: bool = False
    shift_px: float = 0.0
    brightness: float = 0.0
    lightness: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
    ends: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 2), np.float32))
    beyond: NDArray[np.float32] = field(default_factory=lambda: np.empty((4, 0), np.float32))
    has_colours: bool = True
    changed: bool = False
    foreign: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))


def border_of(squares: NDArray[Any]) -> NDArray[Any]:
    """(4, n, ...) what (n * n, ...) squares have on the border, as `Reading.beyond`."""
    size = isqrt(len(squares))
    field = squares.reshape(size, size, *squares.shape[1:])
    return np.stack([field[0], field[:, -1], field[-1], field[:, 0]])


def on_border(sides: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) squares of the border that are True on any of its sides, (4, n); see `border_of`."""
    size = sides.shape[1]
    field = np.zeros((size, size), np.bool_)
    field[0], field[-1] = sides[0], sides[2]
    field[:, -1] |= sides[1]
    field[:, 0] |= sides[3]
    return field.ravel()
