"""Hands and things over the board, told against the last clear frame.

A hand comes in over the edge. So the rim around the field tells first: nothing is laid there,
and what changes there is somebody reaching in. What has changed on the field and hangs together
with it is under the hand. See `vision.classification.occlusion` for what one picture alone tells.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.features.blocks import BLOCKS, CoarseView

_CHANGE: Final = 0.22

_RIM_BLOCKS: Final = 2
_FEWEST_RIM: Final = 4
_COVERED_SHARE: Final = 0.2
_FEWEST_STRANGE: Final = 4
_BLUR: Final = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What is different from a clear scene.

    Attributes:
        covered: (n * n,) bool, squares under what came in over the rim.
        hand: whether anything came in over the squares.
        moved: share of the rim that changed, 0 to 1; near 1 the camera has moved.
        blurred: whether edges have gone soft all over.
    """

    covered: NDArray[np.bool_]
    hand: bool
    moved: float
    blurred: bool


def compare(scene: CoarseView, clear: CoarseView) -> Change:
    """What has come between a clear scene and this one.

    Light that changes evenly is no change.
    """
    changed = _difference(scene, clear) > _CHANGE
    side = len(changed)
    rim = np.ones((side, side), bool)
    rim[_RIM_BLOCKS:-_RIM_BLOCKS, _RIM_BLOCKS:-_RIM_BLOCKS] = False
    reaching = _grown_from(changed, changed & rim)
    touched = int((changed & rim).sum())
    blurred = scene.sharpness < _BLUR * clear.sharpness
    covered = _squares(reaching)
    if touched < _FEWEST_RIM:
        covered = np.zeros_like(covered)
    return Change(covered, bool(covered.any()), touched / float(rim.sum()), blurred)


def has_moved(scene: CoarseView, before: CoarseView, lit: NDArray[np.bool_] | None = None) -> bool:
    """Whether anything at all has moved between two frames.

    Args:
        scene: the later one.
        before: the earlier one.
        lit: (n * n,) squares on which light of LEDs fell in either; they are not compared.
    """
    changed = _difference(scene, before) > _CHANGE
    if lit is not None and lit.any():
        size = len(changed) // BLOCKS - 2
        blocks = np.kron(lit.reshape(size, size), np.ones((BLOCKS, BLOCKS), bool))
        changed[BLOCKS:-BLOCKS, BLOCKS:-BLOCKS] &= ~blocks
    return int(changed.sum()) >= _FEWEST_RIM


def changed_squares(scene: CoarseView, before: CoarseView) -> NDArray[np.bool_]:
    """(n * n,) squares of the field that look different, light that changes evenly left out."""
    return _squares(_difference(scene, before) > _CHANGE)


def _difference(scene: CoarseView, other: CoarseView) -> NDArray[np.float32]:
    """How much each block differs, light that changes evenly left out."""
    change = scene.light - other.light
    some = np.ascontiguousarray(change[::2, ::2].transpose(2, 0, 1)).reshape(3, -1)
    gain = np.median(some, axis=1)
    light = scene.light - gain
    # A block may look like any between its neighbours: a hair's breadth of shift is no change.
    kernel = np.ones((3, 3), np.uint8)
    above = light - np.asarray(cv2.dilate(other.light, kernel))
    below = np.asarray(cv2.erode(other.light, kernel)) - light
    blue, green, red = cv2.split(np.maximum(above, below))
    difference = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    return difference * (scene.inside & other.inside)


def _grown_from(mask: NDArray[np.bool_], seeds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The connected parts of a mask that hold a seed."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    places = np.asarray(labels)
    kept = np.zeros(count, np.bool_)
    kept[places[seeds & mask]] = True
    return np.asarray(kept[places])


def _squares(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) squares of the field of which a mask of blocks covers some."""
    field = mask[BLOCKS:-BLOCKS, BLOCKS:-BLOCKS]
    size = len(field) // BLOCKS
    share = field.reshape(size, BLOCKS, size, BLOCKS).mean(axis=(1, 3))
    return np.asarray(share.ravel() > _COVERED_SHARE)


def lying_over(strange: NDArray[np.bool_], size: int) -> bool:
    """Whether strange squares hang together and reach the edge of the field, as under a hand.

    Args:
        strange: (n * n,) squares that show neither board nor piece.
        size: squares along a side.
    """
    mask = strange.reshape(size, size)
    edge = np.ones((size, size), bool)
    edge[1:-1, 1:-1] = False
    return int(_grown_from(mask, mask & edge).sum()) >= _FEWEST_STRANGE
