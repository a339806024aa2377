"""Correction of a grid's corners and bend to the lines that are seen. Pure."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.grid import Grid, Points

_STRAIGHT: Final = 0.01
"""Weight of the prior that lenses have little distortion, per place."""


def solved(
    grid: Grid, places: Points, shifts: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float, float]:
    """Solves for the step of eight corner coordinates and the bend that fits the measured shifts.

    Args:
        grid: assumed place of the board.
        places: (2 m, 2) places on it, in squares.
        shifts: (2 m,) measured shift of each, in squares: to the right for the first half of the
            places, down for the second.
        weights: (2 m,) reliability of each, 0 to 1.

    Returns:
        The step, the share of segments that support it, and their typical distance in squares.
    """
    across = np.repeat([0, 1], len(places) // 2)
    index = np.arange(len(places))
    pixels = grid.project(places)
    slope = np.empty((len(places), 9))
    for k in range(9):
        step = np.zeros(8)
        bend = grid.bend
        if k < 8:
            step[k] = size = grid.square_px * 0.05
        else:
            size = 0.01
            bend += size
        moved = grid.with_corners(grid.corners + step.reshape(4, 2), bend)
        slope[:, k] = (moved.unproject(pixels) - places)[index, across] / size
    # A prior on the bend: a picture with few visible lines does not determine it.
    prior = np.zeros(9)
    prior[8] = _STRAIGHT * len(places)
    solution: NDArray[np.float64] = np.zeros(9)
    spread = 0.25
    residual = shifts
    for _ in range(8):
        robust = weights / (1 + (residual / spread) ** 2) ** 2
        normal = (slope * robust[:, None]).T @ slope + np.diag(prior) + 1e-9 * np.eye(9)
        right = -(slope * robust[:, None]).T @ shifts
        right[8] -= prior[8] * grid.bend
        solution = np.asarray(np.linalg.solve(normal, right), np.float64)
        residual = shifts + slope @ solution
        spread = max(0.04, 0.7 * spread)
    good = (np.abs(residual) < 0.12) & (weights > 0.1)
    support = float(good.mean())
    slack = float(np.median(np.abs(residual[good]))) if good.any() else 1.0
    return solution, support, slack
