"""Places where a network sees the corners of boards, likeliest first.

The network looks at the whole picture, then at each board that it sees, put upright.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.board_network import (
    CORNER,
    LARGER,
    MIDDLE,
    NEAR,
    SQUARES,
    STRIDE,
    VIEW_PX,
    outputs_of,
)
from vision.geometry.grid import (
    OUTLINE,
    SIZES,
    WITHIN,
    Points,
    apply_homography,
    from_top_left,
    homography_between,
    is_convex,
    rescaled,
    sides_of,
)
from vision.geometry.image_scale import zoomed

_CORNERS: Final = 12
"""Most corners that are combined to boards."""

_FAINTEST: Final = 0.02
"""Least probability of a corner."""

_CUT: Final = 0.08
"""Length of the edge of a picture, in views, on which a board that goes on beyond it lies."""

_MOST: Final = 3
"""Most boards that are looked at again, and most places of each."""

_LEAST: Final = -2.5
"""Score below which a board is none. Boards in the right place have -0.3 to -1.2."""

_LOOKS: Final = 4
"""Most times that a board is looked at."""

_STILL: Final = 0.06
"""Distance by which it moves when it is looked at, in its sides, below which it stays there."""

FIELD: Final = 0.87
"""Share of a board on which squares are seen: of 387 right places 0.90 at the least, of grids of
other games whose lines confirmed them 0.84 at the most."""

_PLAIN: Final = -0.8
"""Score of a board that is seen without much doubt: that of 97 % of 500 boards, and of one in ten
pictures of other games and cloths."""

_EITHER: Final = 3.0
"""Log odds up to which a board may have either size. Right ones had -2.2 at the least; of 650
pictures of other games two would be boards, at -6.6."""

_UPRIGHT: Final = 0.64
"""Side of a board in the view in which it is looked at again, in views."""

_PART: Final = 0.1
"""Side of the part of a board, in its middle, of which the slant is measured, in sides of it."""

_FINER: Final = 1.3
"""Pixels of the picture per pixel of a view from which it is reduced first."""

_FARTHEST: Final = 2.0
"""Farthest a corner may be from the place that marks it, in places."""

_SURE_CORNERS: Final = 6
"""Likeliest corners of which three are combined."""

_UNSEEN: Final = 0.1
"""Probability that counts for a corner that is not seen."""

_SLANTED: Final = 0.06
"""Distance of the middle of a board from the mean of its corners, in views, that a slant makes."""

_TRIED: Final = 60
"""Most combinations of corners whose shape is looked at."""

_ASTRAY: Final = 8.0
"""Weight of the distance of the middles to which corners point from that of their board."""

_SMALLEST: Final = 0.08
"""Shortest side of a board in the view."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardProposal:
    """Place of a board as a network sees it.

    Attributes:
        corners: (4, 2) outer corners of the field in pixels, clockwise.
        score: mean log probability of its corners, less what they disagree.
        larger: log odds that it has twenty squares along a side, not fourteen.
        field: share of it that is on squares.
    """

    corners: Points
    score: float
    larger: float
    field: float

    def may_have(self, size: int) -> bool:
        """True if it may have so many squares along a side."""
        return self.larger * (1 if size == max(SIZES) else -1) > -_EITHER

    @property
    def is_plain(self) -> bool:
        """True if a board is seen there without much doubt."""
        return self.score > _PLAIN and self.field > FIELD

    @property
    def square_px(self) -> float:
        """Mean length of a square's side in pixels."""
        return float(sides_of(self.corners).mean()) / SIZES[self.larger > 0]

    @property
    def foreshortening(self) -> float:
        """Ratio of the lengths to which the slant of the board shortens its squares."""
        board = homography_between(OUTLINE, self.corners)
        middle = apply_homography(board, OUTLINE * _PART + (1 - _PART) / 2)
        longest, shortest = np.linalg.svd(middle[[1, 3]] - middle[0], compute_uv=False)
        return float(shortest / longest)


def proposals(image: Image) -> list[BoardProposal]:
    """Finds boards in a picture.

    Args:
        image: (height, width, 3) uint8.
    """
    zoom = _zoom_of(image)
    small, fit = _whole(image)
    found: list[BoardProposal] = []
    for rough in _unlike_each_other(_boards(*_seen(small, fit)), _overlap):
        corners = rescaled(rough.corners - fit[:2, 2], 1 / zoom)
        found += _looked_at(image, replace(rough, corners=corners))
    return sorted((one for one in found if one.score > _LEAST), key=lambda one: -one.score)


def _looked_at(image: Image, rough: BoardProposal) -> list[BoardProposal]:
    """Looks at a board until it stays where it is seen: a slanted one is not upright at first.

    Returns its likeliest place, and others that differ in a corner, which a hand may hide.
    """
    seen = [rough]
    for _ in range(_LOOKS):
        again = _look(image, seen[0].corners)
        if not again:
            break
        stays = _is_same(again[0], seen[0])
        seen = again
        if stays:
            break
    return seen


def _is_same(one: BoardProposal, other: BoardProposal) -> bool:
    away = np.abs(one.corners - other.corners).max()
    return bool(away < _STILL * sides_of(one.corners).mean())


def cut_side(image: Image) -> int | None:
    """Returns the side of a picture beyond which a board goes on: 0 above, then clockwise; or None.

    Args:
        image: (height, width, 3) uint8.
    """
    view, within = _seen(*_whole(image))
    inside = within[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE] > 0
    rows, columns = (np.flatnonzero(inside.any(axis=axis)) for axis in (1, 0))
    if not inside.any():
        return None  # a strip narrower than a place of the outputs
    is_field = outputs_of(view, within)[SQUARES][np.ix_(rows, columns)] > 0
    edges = (is_field[0], is_field[:, -1], is_field[-1], is_field[:, 0])
    lengths = [int(edge.sum()) for edge in edges]
    longest = int(np.argmax(lengths))
    return longest if lengths[longest] * STRIDE > _CUT * VIEW_PX else None


def _zoom_of(image: Image) -> float:
    return min(1.0, VIEW_PX / float(max(image.shape[:2])))


def _whole(image: Image) -> tuple[Image, NDArray[np.float64]]:
    """Returns a picture that fits into a view, and the way from its pixels to those of the view."""
    small = zoomed(image, _zoom_of(image))
    height, width = small.shape[:2]
    x, y = (VIEW_PX - width) // 2, (VIEW_PX - height) // 2
    return small, np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def _look(image: Image, corners: Points) -> list[BoardProposal]:
    """Looks at a place of a board, put upright.

    Args:
        image: (height, width, 3) uint8.
        corners: (4, 2) rough outer corners of the field in pixels.

    Returns:
        The board that is seen there, likeliest first if one of its corners may be at several
        places; empty if none is seen.
    """
    upright = (OUTLINE * _UPRIGHT + (1 - _UPRIGHT) / 2) * VIEW_PX
    view = homography_between(corners, upright)
    boards = _boards(*_seen(image, view))
    first = list(islice(boards, 1))
    others = (one for one in boards if _overlap(one, first[0]))
    found = _unlike_each_other(chain(first, others), _is_same)
    back = np.linalg.inv(view)
    return [replace(one, corners=apply_homography(back, one.corners)) for one in found]


def _seen(image: Image, view: NDArray[np.float64]) -> tuple[Image, NDArray[np.uint8]]:
    """Returns the view, (side, side, 3), and the part of it in the picture."""
    size = (VIEW_PX, VIEW_PX)
    inner = apply_homography(np.linalg.inv(view), (OUTLINE / 2 + 0.25) * VIEW_PX)
    finer = float(sides_of(inner).mean()) / (VIEW_PX / 2)
    if finer > _FINER:
        small = zoomed(image, 1 / finer)
        x, y = np.array(image.shape[1::-1]) / small.shape[1::-1]
        image, view = small, view @ [[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]]
    everywhere = np.full(image.shape[:2], WITHIN, np.uint8)
    within = cv2.warpPerspective(everywhere, view, size)
    warped = cv2.warpPerspective(image, view, size)
    return np.asarray(warped, np.uint8), np.asarray(within, np.uint8)


def _boards(view: Image, within: NDArray[np.uint8]) -> Iterator[BoardProposal]:
    """Yields boards in a view, likeliest first; their corners in its pixels."""
    outputs = outputs_of(view, within)
    chance = 1 / (1 + np.exp(-outputs[CORNER]))
    highest = cv2.dilate(chance, np.ones((3, 3), np.uint8))
    peaks = np.argwhere((chance == highest) & (chance > _FAINTEST))
    rows, columns = peaks[np.argsort(-chance[tuple(peaks.T)])[:_CORNERS]].T
    away = np.clip(outputs[NEAR, rows, columns].T, -_FARTHEST, _FARTHEST)
    corners = rescaled(np.column_stack([columns, rows]) + away, STRIDE)
    middles = np.asarray(corners + outputs[MIDDLE, rows, columns].T * VIEW_PX, np.float64)
    for score, four in _fours(corners, middles, chance[rows, columns]):
        around = _clockwise(four)
        if is_convex(around) and sides_of(around).min() >= _SMALLEST * VIEW_PX:
            larger, share = _within(outputs, around)
            yield BoardProposal(around, score, larger, share)


def _unlike_each_other(
    boards: Iterable[BoardProposal], are_alike: Callable[[BoardProposal, BoardProposal], bool]
) -> list[BoardProposal]:
    """Returns the first boards of which none is like one before it."""
    found: list[BoardProposal] = []
    for one in boards:
        if not any(are_alike(one, other) for other in found):
            found.append(one)
        if len(found) == _MOST:
            break
    return found


def _fours(
    corners: Points, middles: Points, chances: NDArray[np.float32]
) -> list[tuple[float, Points]]:
    """Returns the score of corners that may be of one board, and their (4, 2) places.

    Where a hand or the border of the picture hides one, three and the middle tell it.

    Args:
        corners: (k, 2) places of corners, the likeliest first.
        middles: (k, 2) middle of the board of each.
        chances: (k,) probability of each.
    """
    logs, found = np.log(chances), list[tuple[float, Points]]()
    for count, most in ((4, len(corners)), (3, _SURE_CORNERS)):
        for chosen in map(list, combinations(range(min(most, len(corners))), count)):
            own, middle = corners[chosen], middles[chosen].mean(axis=0)
            astray = middles[chosen].std(axis=0).sum()
            likely = logs[chosen].sum()
            if count == 3:
                own = np.vstack([own, _fourth(own, middle)])
                likely += np.log(_UNSEEN)
            else:
                beside = float(np.linalg.norm(middle - own.mean(axis=0)))
                astray += max(beside - _SLANTED * VIEW_PX, 0)
            found.append((float(likely / 4 - _ASTRAY * astray / VIEW_PX), own))
    return sorted(found, key=lambda one: -one[0])[:_TRIED]


def _fourth(three: Points, middle: Points) -> Points:
    """Returns (2,) the corner that is opposite one of three, as if seen from above.

    The middle is on the diagonal of the other two.
    """
    others = [np.delete(three, k, axis=0) for k in range(3)]
    sides = [(pair[1] - pair[0], middle - pair[0]) for pair in others]
    off = [abs(float(np.linalg.det(np.stack(side)))) / np.linalg.norm(side[0]) for side in sides]
    return np.asarray(2 * middle - three[int(np.argmin(off))])


def _clockwise(corners: Points) -> Points:
    away = corners - corners.mean(axis=0)
    return from_top_left(corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))])


def _overlap(one: BoardProposal, other: BoardProposal) -> bool:
    """True if two boards share more than half of the smaller one."""
    first, second = one.corners.astype(np.float32), other.corners.astype(np.float32)
    shared = cv2.intersectConvexConvex(first, second)[0]
    return bool(shared > 0.5 * min(cv2.contourArea(first), cv2.contourArea(second)))


def _within(outputs: NDArray[np.float32], corners: Points) -> tuple[float, float]:
    """Returns the mean log odds on a board that it has twenty squares a side, and its `field`."""
    mask = np.zeros(outputs.shape[1:], np.uint8)
    cv2.fillConvexPoly(mask, rescaled(corners, 1 / STRIDE).round().astype(np.int32), 1)
    inside = outputs[:, mask > 0]
    if not inside.size:
        return 0.0, 0.0
    return float(inside[LARGER].mean()), float((1 / (1 + np.exp(-inside[SQUARES]))).mean())
