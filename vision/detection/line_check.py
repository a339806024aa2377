"""Checks that the lines of a grid are on those of the board everywhere, up to its border.

Markers and the network of shapes give a rough place of the board, to which edges are fitted. A
grid that is a row too wide, or half a row off at one end, still has edges near most of its lines;
but some of its lines run between those of the board, and there the edges are midway.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.grid_fit import line_strengths
from vision.geometry.grid import Grid
from vision.squares.network import squares_under

_PARTS: Final = 2
"""Parts of a line that are checked separately: a turned grid is off on one side only."""

_TOGETHER: Final = 2
"""Neighbouring lines that are checked together."""

_SEEN: Final = 0.5
"""Share of such a part that has to be free of hands, or it is not checked."""

_LEAST: Final = 0.9
"""Least ratio of edges on a line to those between lines. Of 92 path-traced boards in bad light the
worst part of the worst lines had 0.9 at the least; of 33 grids half a row to two rows off, 0.89 at
the most. In renders, recorded games and photographs the least was 1.12."""


def lines_continue(image: Image, grid: Grid) -> bool:
    """True if edges are on the lines of a grid rather than between them, wherever they are seen.

    Args:
        image: (height, width, 3) uint8.
        grid: assumed place of the board.
    """
    free = ~squares_under(image, grid)
    on, between = line_strengths(image, grid)
    return all(
        _least_contrast(one, other, seen) >= _LEAST
        for one, other, seen in zip(on, between, (free.T, free), strict=True)
    )


def _least_contrast(
    on: NDArray[np.float64], between: NDArray[np.float64], free: NDArray[np.bool_]
) -> float:
    """Least ratio of edges on lines to edges between them.

    Args:
        on: (n + 1, n) strength of edges on each line, by the squares along it.
        between: (n + 1, n) the same midway between lines.
        free: (n, n) squares under nothing, across the lines by along them.
    """
    beside = np.pad(free, ((1, 1), (0, 0)), constant_values=True)
    seen = (beside[1:] & beside[:-1]).astype(np.float64)
    least = np.inf
    for part in np.array_split(np.arange(on.shape[1]), _PARTS):
        # The outermost lines border on the frame, which has edges of its own.
        sums = [
            np.convolve((values * seen)[1:-1, part].sum(axis=1), np.ones(_TOGETHER), "valid")
            for values in (on, between, np.ones_like(on))
        ]
        enough = sums[2] >= _SEEN * _TOGETHER * len(part)
        if enough.any():
            least = min(least, float((sums[0][enough] / (sums[1][enough] + 1e-6)).min()))
    return least
