"""Views for the network that finds boards, each with its true outputs.

A view is the picture of a board seen anew: from another side, nearer or farther, cut, with another
table around it or other things beside, in another light.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.finder.boards import FinderSample
from tests.training.finder.disturbances import covered, photographed
from tests.training.finder.tables import false_grid, texture, with_grid
from vision.camera import Image
from vision.detection.board_network import (
    CORNER,
    LARGER,
    MIDDLE,
    NEAR,
    OUTPUTS,
    SQUARES,
    STRIDE,
    VIEW_PX,
)
from vision.geometry.grid import (
    OUTLINE,
    WITHIN,
    Points,
    apply_homography,
    homography_between,
    is_convex,
    rescaled,
)

_SIDE: Final = VIEW_PX // STRIDE
_SPREAD: Final = 1.0
"""Standard deviation of the mark of a corner, in places."""

_STYLES: Final = {"picture": 0.46, "near": 0.2, "cut": 0.14, "inside": 0.15, "nothing": 0.05}
"""Shares of views of a whole picture, of views in which a board was found roughly, of pictures cut
close to the field, of pictures that lack a part of the field, and of views without a board."""

_MISSING: Final = 0.45
"""Share of sides that lack a part of the field, in such pictures."""

_ANOTHER, _GRID, _TABLE, _COVER = 0.12, 0.25, 0.3, 0.3
"""Shares of views with another board, with another grid, with another table, and with hands."""

_ODD: Final = 0.1
"""Share of boards that may be partly outside the view."""

_STREAKS: Final = 0.3
"""Share of views in which the edge of the picture goes on where it ends; else a table begins."""

_FRAME: Final = (0.03, 1.8)
"""Width of a board's frame that is kept on another table, in squares; some boards have none."""

Chance = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class FinderLesson:
    """A view, (side, side, 3) uint8, and its outputs, (OUTPUTS, side / 4, side / 4) float32."""

    view: Image
    within: NDArray[np.uint8]
    outputs: NDArray[np.float32]


def lesson(boards: Sequence[FinderSample], chance: Chance) -> FinderLesson:
    """Returns a random view of a random board."""
    style = str(chance.choice([*_STYLES], p=[*_STYLES.values()]))
    canvas = texture(VIEW_PX, chance)
    fields: list[tuple[Points, int]] = []
    within = np.full((VIEW_PX, VIEW_PX), WITHIN, np.uint8)
    if style != "nothing":
        board = boards[int(chance.integers(len(boards)))]
        place, within = _placed(style, board.size, chance)
        canvas = _laid(canvas, board, place, chance, other=chance.random() < _TABLE)
        fields.append((place, board.size))
    if style in ("picture", "nothing"):
        canvas = _with_others(canvas, boards, fields, chance)
    if chance.random() < _COVER and fields:
        canvas = covered(canvas, fields[0][0], chance)
    taken = photographed(canvas, chance)
    outputs = outputs_of(fields)
    seen = cv2.resize(within, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA) > 127
    outputs[SQUARES] *= seen
    outputs[CORNER] *= cv2.dilate(seen.astype(np.uint8), np.ones((3, 3), np.uint8))
    return FinderLesson(taken, within, outputs)


def outputs_of(fields: Sequence[tuple[Points, int]]) -> NDArray[np.float32]:
    """Returns the true outputs for fields, each with corners in pixels of the view and a size."""
    outputs = np.zeros((OUTPUTS, _SIDE, _SIDE), np.float32)
    down, right = np.mgrid[:_SIDE, :_SIDE].astype(np.float32)
    for corners, size in fields:
        middle = _middle(corners)
        mask = np.zeros((_SIDE, _SIDE), np.uint8)
        cv2.fillConvexPoly(mask, _places(corners).round().astype(np.int32), 1)
        outputs[SQUARES] = np.maximum(outputs[SQUARES], mask)
        outputs[LARGER] += mask * (1.0 if size > 14 else -1.0)
        for (x, y), corner in zip(_places(corners), corners, strict=True):
            heat = np.exp(-((right - x) ** 2 + (down - y) ** 2) / (2 * _SPREAD**2))
            new = heat > outputs[CORNER]
            outputs[CORNER] = np.maximum(outputs[CORNER], heat)
            away = np.stack([x - right, y - down])
            outputs[NEAR] = np.where(new, away, outputs[NEAR])
            ahead = ((middle - corner) / VIEW_PX)[:, None, None]
            outputs[MIDDLE] = np.where(new, ahead, outputs[MIDDLE])
    return outputs


def _places(pixels: Points) -> Points:
    """Converts pixels of the view to places of the outputs."""
    return rescaled(pixels, 1 / STRIDE)


def _middle(corners: Points) -> Points:
    return np.asarray(_inner(corners, np.full(2, 0.5), np.full(2, 0.5))[0])


def _placed(style: str, size: int, chance: Chance) -> tuple[Points, NDArray[np.uint8]]:
    """Returns the corners of a board, and the part of the view within the picture."""
    if style == "picture":
        place = _seen(chance)
        return place, _part(chance, place)
    place = _framed(chance)
    if style == "near":
        return place, _part(chance, place)
    if style == "cut":
        return place, _cut(place, size, chance)
    # On some sides whole squares are seen to the edge of the picture, as if the board ended there.
    missing = chance.integers(1, 8, 4) * (chance.random(4) < _MISSING)
    beyond = np.where(missing > 0, -missing, chance.uniform(0.3, 6, 4))
    first, last = -beyond[:2], size + beyond[2:]
    seen = _inner(place, first / size, last / size)
    larger = float(chance.uniform(0.6, 0.95)) * VIEW_PX / np.ptp(seen, axis=0).max()
    place = (place - seen.mean(axis=0)) * larger + VIEW_PX / 2
    return place, _filled(_inner(place, first / size, last / size), chance)


def _inner(corners: Points, first: Points, last: Points) -> Points:
    """Returns the corners of a part of a field, whose ends are given in its sides."""
    square = homography_between(OUTLINE, corners)
    return apply_homography(square, first + (last - first) * OUTLINE)


def _filled(outer: Points, chance: Chance) -> NDArray[np.uint8]:
    """Returns the part of the view within a shape, or within the rectangle around it."""
    within = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    if chance.random() < 0.5:
        low, high = outer.min(axis=0), outer.max(axis=0)
        outer = low + (high - low) * OUTLINE
    cv2.fillConvexPoly(within, outer.round().astype(np.int32), WITHIN)
    return within


def _seen(chance: Chance) -> Points:
    """Returns the corners of a board in any place, as a camera at any slant sees it."""
    while True:
        tilt = np.radians(min(55.0, abs(float(chance.normal(0, 24)))))
        side = float(np.exp(chance.uniform(np.log(0.16), np.log(0.98))))
        corners = (seen_at(tilt, side, chance) + chance.normal(0, 0.03, 2)) * VIEW_PX
        if chance.random() < _ODD:
            corners = corners + chance.normal(0, 0.15 * VIEW_PX, 2)
        if is_convex(corners) and np.ptp(corners, axis=0).max() < 1.3 * VIEW_PX:
            return np.asarray(corners)


def seen_at(tilt: float, side: float, chance: Chance) -> Points:
    """Returns (4, 2) the corners of a board in a square picture, as shares of its side.

    Args:
        tilt: tilt of the camera in radians.
        side: side of the board in sides of the picture.
        chance: random choices of direction, lens and place.
    """
    angle, focal = chance.uniform(0, 2 * np.pi), float(chance.uniform(0.65, 1.6))
    upright = 90 * int(chance.integers(4)) + float(chance.normal(0, 8))
    roll = np.radians(upright if chance.random() < 0.6 else float(chance.uniform(0, 360)))
    lean = cv2.Rodrigues(tilt * np.array([np.cos(angle), np.sin(angle), 0.0]))[0]
    turn = cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0]
    flat = np.column_stack([(OUTLINE - 0.5) * side, np.zeros(4)]) @ (lean @ turn).T
    flat[:, 2] += focal
    places = focal * flat[:, :2] / flat[:, 2:]
    room = np.maximum(1 - np.ptp(places, axis=0), 0) / 2
    shift = chance.uniform(-1, 1, 2) * room - (places.max(axis=0) + places.min(axis=0)) / 2
    return np.asarray(places + shift + 0.5)


def _framed(chance: Chance) -> Points:
    """Returns the corners of a board that was found roughly: nearly a square in the middle."""
    side = float(chance.uniform(0.5, 0.8)) * VIEW_PX
    jitter = 0.035 if chance.random() < 0.8 else 0.1
    turn = np.radians(float(chance.normal(0, 3)))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = (OUTLINE - 0.5) @ spin.T + chance.normal(0, jitter, (4, 2))
    return np.asarray(np.roll(square, int(chance.integers(4)), axis=0) * side + VIEW_PX / 2)


def _laid(
    canvas: Image, board: FinderSample, place: Points, chance: Chance, *, other: bool
) -> Image:
    """Returns the view with a board, and with its table if it is not another one."""
    quarter = np.roll(place, int(chance.integers(4)), axis=0)
    if chance.random() < 0.5:
        quarter = quarter[::-1]
    view = homography_between(board.corners, quarter)
    finer = np.sqrt(
        abs(cv2.contourArea(board.corners.astype(np.float32)))
        / max(abs(cv2.contourArea(place.astype(np.float32))), 1.0)
    )
    image = board.image
    if finer > 1.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 * finer), np.uint8)
    size = (VIEW_PX, VIEW_PX)
    seen = cv2.warpPerspective(image, view, size, borderMode=cv2.BORDER_REPLICATE)
    mask = np.asarray(cv2.warpPerspective(np.ones(image.shape[:2]), view, size))
    if other:
        mask[:] = 0
        over = float(chance.uniform(*_FRAME)) / board.size
        outer = _outer(place, over)
        cv2.fillConvexPoly(mask, outer.round().astype(np.int32), 1.0, cv2.LINE_AA)
    elif chance.random() < _STREAKS:
        return np.asarray(seen, np.uint8)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(chance.uniform(0.4, 1.2))))[..., None]
    return np.asarray(seen * soft + canvas * (1 - soft), np.uint8)


def _outer(corners: Points, over: float) -> Points:
    """Returns the corners of a board's outline, `over` sides of the field wider on each side."""
    beyond = np.full(2, over)
    return _inner(corners, -beyond, 1 + beyond)


def _with_others(
    canvas: Image, boards: Sequence[FinderSample], fields: list[tuple[Points, int]], chance: Chance
) -> Image:
    """Returns the view with other boards, added to `fields`, and with other grids."""
    for share, is_board in ((_ANOTHER, True), (_GRID, False)):
        if chance.random() > share:
            continue
        place = _seen(chance)
        outer = _outer(place, 0.1).astype(np.float32)
        taken = [_outer(one, 0.1).astype(np.float32) for one, _ in fields]
        if any(cv2.intersectConvexConvex(outer, one)[0] > 0 for one in taken):
            continue
        if is_board:
            board = boards[int(chance.integers(len(boards)))]
            canvas = _laid(canvas, board, place, chance, other=True)
            fields.append((place, board.size))
        else:
            canvas = with_grid(canvas, false_grid(VIEW_PX, chance), place)
    return canvas


def _part(chance: Chance, place: Points) -> NDArray[np.uint8]:
    """Returns the part of the view within the picture, whose sides may have any ratio."""
    within = np.full((VIEW_PX, VIEW_PX), WITHIN, np.uint8)
    if chance.random() < 0.7:
        short = round(VIEW_PX * float(np.exp(chance.uniform(np.log(0.5), 0))))
        low, high = np.clip([place.min(axis=0), place.max(axis=0)], 0, VIEW_PX)
        axis = int(chance.integers(2))
        # Networks see pictures in the middle of the view.
        first = (VIEW_PX - short) // 2
        if low[axis] > first - 4 and high[axis] < first + short + 4:
            mask = np.zeros_like(within)
            np.moveaxis(mask, 1 - axis, 0)[first : first + short] = WITHIN
            return mask
    return within


def _cut(place: Points, size: int, chance: Chance) -> NDArray[np.uint8]:
    """Returns the part of the view within a picture that ends close to the field."""
    first, last = -chance.uniform(0.0, 1.5, 2) / size, 1 + chance.uniform(0.0, 1.5, 2) / size
    open_sides = chance.random(4) < 0.25
    first = np.where(open_sides[:2], first - 1, first)
    last = np.where(open_sides[2:], last + 1, last)
    return _filled(_inner(place, first, last), chance)
