"""Tells whether a tile on the border of the board goes on beyond it.

A piece over the rim covers a square next to the border, however far it reaches. It has no edge at
the border, the same colour on the other side, and nothing else shows between: no line, no frame,
no gap in front of a spare piece that lies there.
"""

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

FILE: Final = Path(__file__).with_suffix(".yml.gz")
"""File of the boosted trees, and of the line that makes log odds of their sum, as
`python -m tests.training border` fits them. In 1,604 pictures, 564 of them with spare pieces close
to the border, 1,206 tiles go on and 30,911 do not: one that goes on has less than -2.5, 15 have
less than 2.5; of the others 225 have more than -2.5, 49 more than 2.5. Those looked at lie edge to
edge with a piece of their colour, in line."""

TOTAL: Final = cv2.ml.DTREES_PREDICT_SUM | cv2.ml.STAT_MODEL_RAW_OUTPUT
"""Flags for the sum of the trees in place of a class."""

_TILE: Final = slice(3, 12)
"""Pixels of the square on the border, from its inner side, that show its tile."""

_MIDDLE: Final = slice(3, 13)
"""Pixels of a square along the border that are averaged."""

_LINE: Final = slice(12, 26)
"""Pixels across the border that are compared with the tile: from 4 inside to 10 beyond."""

_MOST_APART: Final = 12.0
"""Largest square of a distance between the network's places of two colours that counts."""

_MOST: Final = 4.0
"""Largest difference between pixels that counts, in spreads of grey."""


def across_border(view: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """(4, n, 28) differences to the tile along a line across the border of each square on it.

    First distances of the colours at 14 places, from inside to outside, then how much darker these
    places are; the sides are ordered as in `vision.reading.Reading.beyond`.

    Args:
        view: (16 (n + 2), 16 (n + 2), 3) view of the network, with a square around the field.
        size: n, squares along a side of the board.
    """
    step = len(view) // (size + 2)
    sides = (view, view.transpose(1, 0, 2)[::-1], view[::-1], view.transpose(1, 0, 2))
    strips = np.stack([side[2 * step - 1 :: -1, step:-step] for side in sides])
    lines = strips.reshape(4, 2 * step, size, step, 3)[..., _MIDDLE, :].mean(axis=3)
    tile, line = lines[:, _TILE], lines[:, _LINE]
    apart = np.linalg.norm(line - np.median(tile, axis=1, keepdims=True), axis=3)
    darker = tile.mean(axis=(1, 3))[:, None] - line.mean(axis=3)
    differences = np.concatenate([apart, darker], axis=1).transpose(0, 2, 1)
    return np.asarray(np.clip(differences, -_MOST, _MOST), np.float32)


def features(
    edges: NDArray[np.float32],
    apart: NDArray[np.float32],
    tile: NDArray[np.float32],
    across: NDArray[np.float32],
) -> NDArray[np.float32]:
    """(..., 31) features of squares on the border.

    Args:
        edges: (...,) log odds of an edge at the border.
        apart: (...,) square of the distance between the colours on both sides.
        tile: (...,) log odds of a tile beyond it.
        across: (..., 28) of `across_border`.
    """
    few = np.stack([edges, np.minimum(apart, _MOST_APART), tile], axis=-1)
    return np.concatenate([few, across], axis=-1)


def odds_of(found: NDArray[np.float32]) -> NDArray[np.float32]:
    """(...,) log odds, at even chances, that the tile goes on, of (..., 31) features."""
    trees, slope, constant = _fitted()
    _, total = trees.predict(np.ascontiguousarray(found.reshape(-1, found.shape[-1])), flags=TOTAL)
    return np.asarray(slope * total.reshape(found.shape[:-1]) + constant, np.float32)


@cache
def _fitted() -> tuple[cv2.ml.Boost, float, float]:
    stored = cv2.FileStorage(str(FILE), cv2.FILE_STORAGE_READ)
    trees = cv2.ml.Boost.create()
    trees.read(stored.getNode("trees"))
    return trees, stored.getNode("slope").real(), stored.getNode("constant").real()
