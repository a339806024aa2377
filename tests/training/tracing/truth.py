"""Hidden shares and labels of squares. Pure."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, hidden_by
from tests.training.tracing.eye import Eye
from tests.training.tracing.layout import MOSTLY
from tests.training.tracing.mesh import Mesh, Values
from vision.squares.network import BARE, LIT, PARTIAL

_SHARP: Final = 4
"""Pixels of the mask for each pixel of the picture."""

_SIDE: Final = 12
"""Sampled places of the mask along a square."""


def shapes_of(
    colours: NDArray[np.intp], shares: Values, lit: Sequence[tuple[int, int]], hidden: Values
) -> NDArray[np.intp]:
    """Returns (n, n) labels as in `ShapeSample.shapes`, with tiles of any shade.

    Args:
        colours: (n, n) 0 for empty squares.
        shares: (n, n) share of each square that its piece covers.
        lit: (row, column) of squares with a lit LED.
        hidden: (n, n) hidden share of each square.
    """
    shapes = np.where(colours > 0, np.where(shares < MOSTLY, PARTIAL, ANY_SHADE), BARE)
    for square in lit:
        if not colours[square]:
            shapes[square] = LIT
    return hidden_by(shapes, hidden)


def hidden_shares(eye: Eye, bodies: Sequence[Mesh], outlines: Values) -> Values:
    """Returns (n, n) the share of each square that convex bodies hide.

    Args:
        eye: the camera.
        bodies: convex bodies above the squares.
        outlines: (n, n, 4, 3) corners of the visible top of each square, in space.
    """
    n = len(outlines)
    mask = np.zeros((eye.side * _SHARP,) * 2, np.uint8)
    for body in bodies:
        pixels = eye.project(body.vertices)
        hull = cv2.convexHull((pixels * _SHARP + (_SHARP - 1) / 2).round().astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 1)
    share = (np.arange(_SIDE) + 0.5) / _SIDE
    v, u = (part.ravel()[:, None] for part in np.meshgrid(share, share, indexing="ij"))
    a, b, c, d = (outlines[:, :, None, k] for k in range(4))
    places = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    pixels = eye.project(places.reshape(-1, 3)) * _SHARP + (_SHARP - 1) / 2
    column, row = np.clip(pixels.round().astype(int), 0, len(mask) - 1).T
    return np.asarray(mask[row, column].reshape(n, n, -1).mean(axis=2))
