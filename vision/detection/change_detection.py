"""Detection of hands, objects and changes over the board, by comparison with earlier frames.

A hand comes in over the edge. So the rim around the field is checked first: no piece is laid there,
so a change there is somebody reaching in. Changes on the field that are connected with it are
under the hand. The network of `vision.squares` sees the same in one picture alone.

The light of an LED hides the content of its square and disturbs its neighbours, so these squares
are not read; and if a piece is badly placed, reading alone may not be sure that anything changed.
So lit frames are compared as well: while the same LEDs glow, a square changes only if something
came, went or moved there. Its content has to be read in a frame with all LEDs dark.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.detection.frame_features import BLOCKS, CoarseView, blocks_of
from vision.reading import border_of
from vision.squares.network import next_to_border

_CHANGE: Final = 0.22
"""Difference in the log of brightness from which a block has changed."""

_FAINT_CHANGE: Final = 0.1
"""The same for blocks connected with such ones of the rim, if no others are: skin or a cup may be
about as bright as a board. On still rendered tables no block of the rim changed by 0.12."""

_RIM_BLOCKS: Final = 2
"""Width of the rim in blocks."""

_FEWEST_RIM: Final = 4
"""Changed blocks from which something is over the rim, or anything has moved in the view."""

_COVERED_SHARE: Final = 0.2
"""Share of the blocks of a square from which it counts as covered or changed."""

_FEWEST_STRANGE: Final = 4
"""Connected foreign squares from which they are a hand."""

_STEADY: Final = 0.12
"""Difference in the log of brightness up to which a block looks as before; noise causes 0.02."""

_KEPT: Final = 0.9
"""Share of the blocks of a square that look as before, from which nothing came to lie on it. A tile
covers all of it, also what is around a square in its colour that is printed on a frame."""

_UNLIKE: Final = 0.1
"""Mean difference in the log of brightness between a tile and the square beside it from which that
tile would be seen there: black plastic is hardly seen on a black frame."""

_ALIKE: Final = 0.15
"""Mean difference below which the square looks like that tile: 14 of 16 traced tiles over the rim
do, and none of 16 others, which had 0.2 or more where the square had changed."""

_NEARER: Final = 0.5
"""Share of the difference before below which a square may hold a part of that tile: of 64 traced
tiles over the rim 56 had less, of 54 squares beside others that changed 3."""

_OFF: Final = 0.5
"""Share of the squares that differ of which at most so many may differ at a neighbouring place for
the board to lie there: what a hand covers differs at both."""

_FEWEST_OFF: Final = 8
"""Fewest squares that differ if a board lies beside its place: more than a piece has, fewer than
a side of the board."""

_BLUR: Final = 0.45
"""Sharpness relative to the clear frame below which a frame is blurred."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Difference from a clear scene.

    Attributes:
        covered: (n * n,) bool, squares under something that came in over the rim.
        hand: True if anything came in over the squares.
        moved: share of the rim that changed, 0 to 1; near 1 the camera has moved.
        blurred: True if edges are soft everywhere.
    """

    covered: NDArray[np.bool_]
    hand: bool
    moved: float
    blurred: bool


def compare(scene: CoarseView, clear: CoarseView) -> Change:
    """Compares a scene with a clear one; an even change of light is no difference."""
    difference = _difference(scene, clear)
    changed = difference > _CHANGE
    side = len(changed)
    rim = np.ones((side, side), bool)
    rim[_RIM_BLOCKS:-_RIM_BLOCKS, _RIM_BLOCKS:-_RIM_BLOCKS] = False
    touched = int((changed & rim).sum())
    covered = _squares(_grown_from(changed, changed & rim))
    if touched < _FEWEST_RIM:
        covered = np.zeros_like(covered)
    elif not covered.any():
        covered = _squares(_grown_from(difference > _FAINT_CHANGE, changed & rim))
    blurred = scene.sharpness < _BLUR * clear.sharpness
    return Change(covered, bool(covered.any()), touched / float(rim.sum()), blurred)


def has_moved(scene: CoarseView, before: CoarseView, lit: NDArray[np.bool_] | None = None) -> bool:
    """True if anything has moved between two frames.

    Args:
        scene: the later one.
        before: the earlier one.
        lit: (n * n,) squares lit by LEDs in either; they are not compared.
    """
    changed = _difference(scene, before) > _CHANGE
    if lit is not None and lit.any():
        size = len(changed) // BLOCKS - 2
        blocks = np.kron(lit.reshape(size, size), np.ones((BLOCKS, BLOCKS), bool))
        changed[BLOCKS:-BLOCKS, BLOCKS:-BLOCKS] &= ~blocks
    return int(changed.sum()) >= _FEWEST_RIM


def changed_squares(scene: CoarseView, before: CoarseView) -> NDArray[np.bool_]:
    """(n * n,) squares of the field that differ, after removing an even change of light."""
    return _squares(_difference(scene, before) > _CHANGE)


def squares_off(scene: CoarseView, clear: CoarseView) -> tuple[int, int]:
    """Returns the squares to the right and down, -1 to 1, that a board lies beside its place.

    Lines are the same a square further, as are those of a frame in squares: only what lies on the
    board and around it tells which of them is the first.
    """
    sides = (len(scene.light) // BLOCKS,) * 2
    now, old = (
        cv2.resize(one.light, sides, interpolation=cv2.INTER_AREA) for one in (scene, clear)
    )
    now = now - np.median(now - old, axis=(0, 1))
    if (np.abs(now - old).max(axis=2) > _STEADY).sum() < _FEWEST_OFF:
        return 0, 0
    field = now[1:-1, 1:-1]
    places = sliding_window_view(old, field.shape)[:, :, 0]
    differing = (np.abs(places - field).max(axis=4) > _STEADY).sum(axis=(2, 3))
    down, right = divmod(int(differing.argmin()), 3)
    is_off = differing[down, right] < _OFF * differing[1, 1]
    return (1 - right, 1 - down) if is_off else (0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class ChangeBeyond:
    """Changes next to the border since a tile came beside it; each (4, n) bool.

    Attributes:
        kept: squares that look as before, but for the blocks along the border, on which that tile
            may throw its shadow.
        was_unlike: squares that looked unlike the tile, so that one which covers them is seen.
        is_alike: squares that look like the tile now.
        is_nearer: squares that look much more like the tile than before.
    """

    kept: NDArray[np.bool_]
    was_unlike: NDArray[np.bool_]
    is_alike: NDArray[np.bool_]
    is_nearer: NDArray[np.bool_]


def change_beyond(scene: CoarseView, before: CoarseView) -> ChangeBeyond:
    """Compares the squares next to the border with a scene before a tile came beside them."""
    now, old = blocks_of(replace(scene, light=_as_before(scene, before))), blocks_of(before)
    change = next_to_border(np.abs(now - old)).reshape(4, -1, BLOCKS, BLOCKS, 3).max(axis=4)
    away = np.stack(
        [
            change[0, :, :-1],
            change[1, :, :, 1:].swapaxes(1, 2),
            change[2, :, 1:],
            change[3, :, :, :-1].swapaxes(1, 2),
        ]
    )
    kept = (away <= _STEADY).mean(axis=(2, 3)) >= _KEPT
    beside = border_of(now[1:-1, 1:-1].reshape(-1, now.shape[2]))
    was, is_now = (np.abs(next_to_border(one) - beside).mean(axis=2) for one in (old, now))
    return ChangeBeyond(kept, was > _UNLIKE, is_now < _ALIKE, is_now < _NEARER * was)


def _as_before(scene: CoarseView, before: CoarseView) -> NDArray[np.float32]:
    """(m, m, 3) light of a scene without an even change of light since another."""
    change = scene.light - before.light
    some = np.ascontiguousarray(change[::2, ::2].transpose(2, 0, 1)).reshape(3, -1)
    return np.asarray(scene.light - np.median(some, axis=1), np.float32)


def _difference(scene: CoarseView, other: CoarseView) -> NDArray[np.float32]:
    """(m, m) difference of each block, after removing an even change of light."""
    light = _as_before(scene, other)
    # A block may have any value between its neighbours', so that a tiny shift is no change.
    kernel = np.ones((3, 3), np.uint8)
    above = light - np.asarray(cv2.dilate(other.light, kernel))
    below = np.asarray(cv2.erode(other.light, kernel)) - light
    blue, green, red = cv2.split(np.maximum(above, below))
    difference = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    return difference * (scene.inside & other.inside)


def _grown_from(mask: NDArray[np.bool_], seeds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Returns the connected parts of a mask that contain a seed."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    places = np.asarray(labels)
    reached = np.zeros(count, np.bool_)
    reached[places[seeds & mask]] = True
    return np.asarray(reached[places])


def _squares(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) squares of the field with more than `_COVERED_SHARE` of their blocks in a mask."""
    field = mask[BLOCKS:-BLOCKS, BLOCKS:-BLOCKS]
    size = len(field) // BLOCKS
    share = field.reshape(size, BLOCKS, size, BLOCKS).mean(axis=(1, 3))
    return np.asarray(share.ravel() > _COVERED_SHARE)


def reaches_edge(strange: NDArray[np.bool_], size: int) -> bool:
    """True if foreign squares are connected to the edge of the field, as under a hand.

    Args:
        strange: (n * n,) squares that show neither board nor piece.
        size: squares along a side.
    """
    mask = strange.reshape(size, size)
    edge = np.ones((size, size), bool)
    edge[1:-1, 1:-1] = False
    return int(_grown_from(mask, mask & edge).sum()) >= _FEWEST_STRANGE


RESTS_S: Final = 3.0
"""Seconds without movement after which an object that covers squares counts as lying there."""


@dataclass(slots=True)
class Stillness:
    """Duration for which an object over the board has been still.

    Attributes:
        since_s: time of its last movement, in seconds.
        scene: scene at that time.
        lit: (n * n,) squares lit by LEDs at that time.
    """

    since_s: float | None = None
    scene: CoarseView | None = None
    lit: NDArray[np.bool_] | None = None

    def lasts_s(self, now_s: float, scene: CoarseView, lit: NDArray[np.bool_]) -> float:
        """Returns the seconds since something moved; to be called once per frame.

        They are 0 in the first frame, and in one that differs from those since the last movement.

        Args:
            now_s: time at which the frame was taken, in seconds.
            scene: the frame in coarse blocks.
            lit: (n * n,) squares lit by LEDs.
        """
        before = lit if self.lit is None else self.lit
        if self.scene is None or self.since_s is None or has_moved(scene, self.scene, lit | before):
            self.since_s, self.scene, self.lit = now_s, scene, lit
        return now_s - self.since_s


LASTS_S: Final = 2.1
"""Seconds for which a square has to look different. A blinking light is on or off for at most
2 s, and a camera that does not report its exposure times mixes the two."""

MOST_PATTERNS: Final = 8
"""Patterns of lit squares that are remembered; the lights of one state show at most six."""


@dataclass(slots=True)
class _Pattern:
    """One set of lit squares.

    Attributes:
        reference: scene with which frames of this pattern are compared; None until the second
            such frame in a row, because an exposure may begin before the lights change.
        since_s: (n * n,) time at which each square began to look different, in seconds; infinity
            if it does not.
    """

    reference: CoarseView | None
    since_s: NDArray[np.float64]


class LitChange:
    """Compares lit frames of one table."""

    def __init__(self) -> None:
        self._patterns: Final[OrderedDict[bytes, _Pattern]] = OrderedDict()
        self._newest = b""
        self._dark: CoarseView | None = None

    def forget(self) -> None:
        """Drops all references, because the view has moved."""
        self._patterns.clear()
        self._newest, self._dark = b"", None

    def dark(self, scene: CoarseView) -> None:
        """Takes a dark frame without a hand; drops all references if it shows a change.

        Args:
            scene: the frame in coarse blocks.
        """
        if self._dark is None or changed_squares(scene, self._dark).any():
            self.forget()
        self._newest, self._dark = b"", scene

    def add(self, scene: CoarseView, lit: NDArray[np.bool_], now_s: float) -> NDArray[np.bool_]:
        """Takes a lit frame without a hand.

        Args:
            scene: the frame in coarse blocks.
            lit: (n * n,) squares whose LEDs may glow in it.
            now_s: time at which it was taken, in seconds.

        Returns:
            (n * n,) squares that have looked different for `LASTS_S`.
        """
        key = lit.tobytes()
        repeated, self._newest = key == self._newest, key
        pattern = self._patterns.setdefault(key, _Pattern(None, np.full(len(lit), np.inf)))
        self._patterns.move_to_end(key)
        if len(self._patterns) > MOST_PATTERNS:
            self._patterns.popitem(last=False)
        if not repeated:
            return np.zeros_like(lit)
        if pattern.reference is None:
            pattern.reference = scene
            return np.zeros_like(lit)
        differs = changed_squares(scene, pattern.reference)
        pattern.since_s = np.where(differs, np.minimum(pattern.since_s, now_s), np.inf)
        return np.asarray(now_s - pattern.since_s >= LASTS_S)
