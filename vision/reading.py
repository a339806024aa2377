"""What was seen in one frame: evidence for each square, never a verdict.

This is the whole vocabulary between eyes and referee. Squares are numbered row by row from the
top left of the board's frame, as everywhere in the house.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one frame shows of a board that was found in it.

    Attributes:
        size: squares along a side of the board, n below.
        corners: (4, 2) float64, the outer corners of the field of squares in pixels of the
            frame (centre of the first pixel is 0, 0): top left, top right, bottom right,
            bottom left of the board's frame.
        crossings: (n + 1, n + 1, 2) float64, where the lines around the squares cross in the
            frame, row by row from the top left; lines are not straight where the lens bends them.
        palette: names of the colours of plastic that were considered, for example
            `("purple", "orange")`.
        probabilities: (n * n, 1 + len(palette)) float32, for each square the probability that it is
            empty and that it holds each colour of the palette; each row sums to 1. A square
            that cannot be seen has equal probabilities.
        covered: (n * n,) bool, squares that cannot be seen: under a hand or a thing, burnt out
            by glare, or lit by an LED.
        hand: whether something that is not a piece is over the board.
        blurred: whether the frame is too blurred by motion or focus to decide on.
        shift_px: how far the board's corners lie from where they were in the frame before, at
            most, in pixels; 0 for a first frame.
        brightness: mean brightness of the field, 0 to 255, so that a change of light is known.
        lightness: (n * n,) float32, CIE L* of each square as seen, 0 to 100; it tells in which
            light a square was seen. Empty where it was not measured.
        changed: whether a square has begun to look different while the same LEDs glow. What
            lies there, a frame exposed in the dark has to show.
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
    changed: bool = False


@dataclass(frozen=True, slots=True)
class BoardNotFound:
    """A frame in which no board was found.

    Attributes:
        reason: one sentence naming cause and remedy.
    """

    reason: str
