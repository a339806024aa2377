"""Finds a board without markers: a network sees its corners, its squares confirm it.

A field that a network sees is fitted to the squares, and then moved by whole rows to its border.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.detection.board_extent import find_extent
from vision.detection.board_pose import fit_squares
from vision.detection.proposals import FIELD, BoardProposal
from vision.errors import GeometryError
from vision.geometry.grid import OUTLINE, SIZES, Grid, from_top_left, outside_px, sides_of

_ALIKE: Final = 1.35
"""Largest ratio of the squares of one board to those of another in the same picture."""

_SHARED: Final = 0.1
"""Share of a board from which another place is a second view of the same board."""

_FINEST_PX: Final = 6.0
"""Fewest pixels per square in the picture at which contents can be recognised."""

_TRIALS: Final = 3
"""Most fits of a field while it is moved to its border."""

_INSIDE: Final = 0.5
"""Squares by which corners are seen inside of those of a board without a frame."""

_OVER: Final = 0.3
"""Squares by which a corner may seem to be outside the picture: half of what a place may be off."""


def find(
    image: Image, seen: Sequence[BoardProposal], sizes: tuple[int, ...] = SIZES
) -> Grid | None:
    """Finds the likeliest board in a picture; None if none is sure.

    The first corner is the top left one in the picture, because the orientation is unknown. Of
    two boards one is found; `find_another` detects this.

    Args:
        image: (height, width, 3) uint8.
        seen: boards that a network sees in it, likeliest first.
        sizes: squares along a side of the boards to search.
    """
    fits = (_settled(image, one, n, sizes) for one in seen for n in sizes if one.may_have(n))
    return next((grid for grid in fits if grid is not None), None)


def find_another(image: Image, seen: Sequence[BoardProposal], first: Grid) -> bool:
    """True if a picture shows another board, about as large, beside one that was found.

    Args:
        image: (height, width, 3) uint8.
        seen: boards that a network sees in it.
        first: place of the board that was found.
    """
    n, own = first.size, first.corners.astype(np.float32)
    for one in seen:
        pitch = float(sides_of(one.corners).mean()) / n
        if not 1 / _ALIKE < pitch / first.square_px < _ALIKE:
            continue
        shared = cv2.intersectConvexConvex(own, one.corners.astype(np.float32))[0]
        if shared < _SHARED * cv2.contourArea(own) and _settled(image, one, n, (n,)) is not None:
            return True
    return False


def _settled(
    image: Image, proposal: BoardProposal, size: int, sizes: tuple[int, ...]
) -> Grid | None:
    """Fits a proposal to the squares and moves it by whole rows to its border.

    Returns None if little of it is seen, its border is not sure, or the squares are not at their
    places.
    """
    if proposal.field <= FIELD:
        return None
    corners, bend = from_top_left(proposal.corners), 0.0
    for _ in range(_TRIALS):
        try:
            grid = _fitted(image, Grid.of(corners, size, image.shape, bend))
            if grid is None or not _is_in(image, grid):
                return None
            border = find_extent(image, grid, sizes)
        except GeometryError:
            return None  # too small in the picture, or not a board's shape
        if border is None:
            return None
        if border.is_of(grid):
            return grid if proposal.may_have(grid.size) else None
        size, corners, bend = border.size, border.corners(grid), grid.bend
    return None


def _fitted(image: Image, rough: Grid) -> Grid | None:
    """Fits a grid to the squares; if they do not follow, one that is wider on all sides.

    The wider one has to be in the picture: where a board goes on beyond it, too many rows would be
    fitted into what is seen.
    """
    wider = rough.with_corners(rough.project(rough.size * OUTLINE + _INSIDE * (2 * OUTLINE - 1)))
    is_inside = outside_px(wider.corners, image.shape).max() < 0
    return fit_squares(image, rough) or (fit_squares(image, wider) if is_inside else None)


def _is_in(image: Image, grid: Grid) -> bool:
    """True if a field is in the picture, and its squares are large enough to be read."""
    outside = outside_px(grid.corners, image.shape).max()
    return bool(grid.square_px > _FINEST_PX and outside < _OVER * grid.square_px)
