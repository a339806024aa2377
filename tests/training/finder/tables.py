"""Tables without a board, and grids that are no board, for views of the network that finds boards.

They are drawn, not traced: the network has to learn only that they are not what it looks for.
"""

from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.geometry.grid import OUTLINE, Points, homography_between

_OTHERS: Final = (3, 4, 6, 8, 8, 8, 9, 10, 12, 25, 30)
"""Squares along a side of other games; the nearest to 14 and 20 are left out."""

Chance = np.random.Generator


def texture(side: int, chance: Chance) -> Image:
    """Returns (side, side, 3) a table, plain or with the pattern of a cloth or of wood."""
    y, x = np.mgrid[:side, :side].astype(np.float32)
    turn, step = chance.uniform(0, np.pi), float(np.exp(chance.uniform(np.log(4), np.log(60))))
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    soft = cv2.resize(
        chance.random((6, 6), np.float32), (side, side), interpolation=cv2.INTER_CUBIC
    )
    pattern = {
        "plain": 0 * x,
        "soft": soft,
        "stripes": np.floor(u / step) % 2,
        "checks": (np.floor(u / step) % 2 + np.floor(v / step) % 2) / 2,
        "lines": ((u % step < 0.12 * step) | (v % step < 0.12 * step)) * 1.0,
        "chess": (np.floor(u / step) + np.floor(v / step)) % 2,
        "wood": 0.5 + 0.5 * np.sin(u / step * 6 + 3 * soft + np.sin(v / step / 3)),
        "planks": (v % step < 0.06 * step) + 0.3 * np.sin(u / step + 7 * np.floor(v / step)),
    }
    shape = pattern[str(chance.choice([*pattern]))][..., None]
    first, second = np.exp(chance.uniform(np.log(6), np.log(250), (2, 1)))
    first = first * chance.uniform(0.6, 1.3, 3)
    second = first * chance.uniform(0.7, 1.4) if chance.random() < 0.5 else second
    values = first + (second - first) * shape + 12 * (soft[..., None] - 0.5)
    return np.asarray(np.clip(values, 0, 255), np.uint8)


def with_grid(canvas: Image, grid: Image, place: Points) -> Image:
    """Returns a table with a grid laid on it.

    Args:
        canvas: (side, side, 3) the table.
        grid: (side, side, 3) the grid seen from above.
        place: (4, 2) its corners on the table, in pixels.
    """
    side = len(canvas)
    view = homography_between(OUTLINE * side, place)
    mask = cv2.warpPerspective(np.ones((side, side), np.float32), view, (side, side))[..., None]
    seen = cv2.warpPerspective(grid, view, (side, side))
    return np.asarray(seen * mask + canvas * (1 - mask), np.uint8)


def false_grid(side: int, chance: Chance) -> Image:
    """Returns (side, side, 3) a grid of another game, a screen or printed paper."""
    across, down = (int(count) for count in chance.choice(_OTHERS, 2))
    down = across if chance.random() < 0.7 else down
    paints = chance.integers(0, 256, (int(chance.integers(2, 6)), 3))
    kind = str(chance.choice(["chess", "tiles", "lines"]))
    number = np.add.outer(np.arange(down), np.arange(across)) % 2
    if kind == "tiles":
        number = np.where(chance.random((down, across)) < chance.random(), number * 0, 1)
        number = number * chance.integers(0, len(paints), (down, across))
    if kind == "lines":
        number = number * 0
    cells = paints[number].astype(np.uint8)
    grid = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    wide = int(chance.integers(0, 4)) if kind != "lines" else int(chance.integers(1, 5))
    colour = chance.integers(0, 256, 3).tolist()
    for count, axis in ((across, 0), (down, 1)):
        for place in np.linspace(0, side - 1, count + 1).astype(int).tolist() if wide else []:
            start, end = ([place, 0], [place, side]) if axis == 0 else ([0, place], [side, place])
            cv2.line(grid, start, end, colour, wide)
    return np.asarray(grid, np.uint8)
