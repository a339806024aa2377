"""Finds a board without markers: by its squares, in rectified views of the picture.

A field that was found roughly is fitted to the lines that are seen, and then moved by whole rows
to its border.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.board_extent import find_extent
from vision.detection.grid_fit import GridFit, lines_continue, refine
from vision.detection.lattice import SIZES, LatticeField, fields, upright_edges
from vision.detection.rectification import RectifiedView, uprights
from vision.errors import GeometryError
from vision.geometry.grid import OUTLINE, WITHIN, Grid, Points, apply_homography, sides_of
from vision.geometry.image_scale import shrunk

_LONGEST_PX: Final = 800
"""Longer side in pixels of the picture that is searched."""

_VIEW_PX: Final = 960
"""Longer side of a view in pixels."""

_VIEWS: Final = 4
"""Views that are searched."""

_NEARER: Final = 2
"""Views that are searched a second time, enlarged."""

_STRETCHES: Final = (0.92, 1.08, 0.85, 1.17)
"""Tried ratios of width to height: with an unknown focal length that of a tilted board is open."""

_LEANING: Final = 10.0
"""Tilt in degrees from which they are tried."""

_HINT: Final = 0.35
"""Score of a field from which these ratios are tried. Chance has 0.2 to 0.35."""

_PLAIN: Final = 0.75
"""Score of a field from which no other view is searched."""

_HOPEFUL: Final = 0.4
"""Score of a field from which it is refined."""

_CERTAIN: Final = -1.0
"""Log likelihood of a border from which no other field is refined."""

_FRAME: Final = 0.06
"""Width of a board's frame, in sides of the field."""

_ALIKE: Final = 1.35
"""Largest ratio of the squares of one board to those of another in the same picture."""

_FINEST_PX: Final = 6.0
"""Fewest pixels per square in the picture at which contents can be recognised."""

_TRIALS: Final = 3
"""Most fits of a field while it is moved to its border."""

_PROPOSALS: Final = 6
"""Most fields that are refined."""


def find(image: Image, sizes: tuple[int, ...] = SIZES) -> GridFit | None:
    """Finds the board in a picture; None if none is sure.

    The first corner is the top left one in the picture, because the orientation is unknown. Of
    two boards one is found; `find_another` detects this.

    Args:
        image: (height, width, 3) uint8.
        sizes: squares along a side of the boards to search.
    """
    best: tuple[float, GridFit] | None = None
    for proposal in _proposals(image, sizes)[:_PROPOSALS]:
        if proposal.score < _HOPEFUL:
            break
        settled = _settled(image, proposal, sizes)
        if settled is not None and (best is None or settled[0] > best[0]):
            best = settled
            if best[0] > _CERTAIN:
                break
    return None if best is None else best[1]


def find_another(image: Image, first: Grid) -> bool:
    """True if a picture shows another board, about as large, beside one that was found.

    Args:
        image: (height, width, 3) uint8.
        first: place of the board that was found.
    """
    small, zoom = shrunk(image, _LONGEST_PX)
    outline = first.shrunk(zoom, small.shape)
    n, over = first.size, _FRAME * first.size
    frame = outline.project((n + 2 * over) * OUTLINE - over)
    inside = np.zeros(small.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(frame).astype(np.int32), WITHIN)
    if _widest(inside == 0) < _widest(inside > 0) / _ALIKE:
        return False
    rest = small.copy()
    rest[inside > 0] = np.median(small[inside == 0], axis=0)
    for view in _views(rest, _NEARER):
        seen = apply_homography(view.homography, outline.corners)
        pitch = float(sides_of(seen).mean()) / n
        alike = (pitch / _ALIKE, pitch * _ALIKE)
        for field in _fields(rest, view, (n,), alike)[:_PROPOSALS]:
            other = _in_picture(view, field, zoom)
            if other.score >= _HOPEFUL and _settled(image, other, (n,)) is not None:
                return True
    return False


def _in_picture(view: RectifiedView, field: LatticeField, zoom: float) -> LatticeField:
    """Converts a field in a view of a picture that was shrunk to `zoom` to the whole picture."""
    corners = apply_homography(np.linalg.inv(view.homography), field.corners)
    return replace(field, corners=_from_top_left(corners / zoom))


def _widest(some: NDArray[np.bool_]) -> float:
    """Radius of the largest disc inside a mask, in pixels."""
    framed = np.pad(some.astype(np.uint8), 1)
    return float(cv2.distanceTransform(framed, cv2.DIST_L2, 3).max())


def _proposals(image: Image, sizes: tuple[int, ...]) -> list[LatticeField]:
    """Finds the likeliest fields, best first, without duplicates."""
    small, zoom = shrunk(image, _LONGEST_PX)
    found: list[tuple[RectifiedView, LatticeField]] = []

    def is_plain() -> bool:
        return max((field.score for _, field in found), default=0.0) > _PLAIN

    for view in _views(small, _VIEWS):
        if not is_plain():
            found += [(view, field) for field in _fields(small, view, sizes)]
    likeliest = max(found, key=lambda one: one[1].score, default=None)
    if likeliest is not None and likeliest[0].tilt > _LEANING and likeliest[1].score > _HINT:
        for stretch in _STRETCHES:
            if not is_plain():
                view = likeliest[0].stretched(stretch)
                found += [(view, field) for field in _fields(small, view, sizes)]
    return _each_once([_in_picture(view, field, zoom) for view, field in found])


def _views(image: Image, most: int) -> Iterator[RectifiedView]:
    """Yields the views to search, the likeliest first.

    A board that is small in the picture is searched again where most of the lines are.
    """
    for place, upright in enumerate(uprights(image, _VIEW_PX, most)):
        yield upright
        if place < _NEARER:
            yield upright.nearer(_VIEW_PX)


def _each_once(found: list[LatticeField]) -> list[LatticeField]:
    """Sorts proposals, best first, and removes duplicates."""
    chosen: list[LatticeField] = []
    for one in sorted(found, key=lambda one: -one.score):
        if not any(_same(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def _fields(
    image: Image,
    view: RectifiedView,
    sizes: tuple[int, ...],
    pitches: tuple[float, float] = (0.0, np.inf),
) -> list[LatticeField]:
    return fields(upright_edges(*view.seen_in(image)), sizes, pitches)


def _from_top_left(corners: Points) -> Points:
    """Rotates the order of corners to begin with the one nearest to the picture's top left."""
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)


def _same(one: LatticeField, other: LatticeField) -> bool:
    """True if two proposals will be fitted to the same lines."""
    side = float(np.linalg.norm(one.corners[0] - one.corners[1]))
    apart = np.abs(one.corners - other.corners).max()
    return one.size == other.size and bool(apart < 0.4 * side / one.size)


def _settled(
    image: Image, proposal: LatticeField, sizes: tuple[int, ...]
) -> tuple[float, GridFit] | None:
    """Fits a proposal to the lines and moves it by whole rows to its border; with its likelihood.

    Returns None if its border is not sure, or its lines are not on those of the board.
    """
    size, corners, bend = proposal.size, proposal.corners, 0.0
    for _ in range(_TRIALS):
        try:
            fit = refine(image, Grid.of(corners, size, image.shape, bend))
        except GeometryError:
            return None  # too small in the picture, or not a board's shape
        if fit.grid.square_px < _FINEST_PX or not fit.is_sure:
            return None
        border = find_extent(image, fit.grid, sizes)
        if border is None:
            return None
        if border.is_of(fit.grid):
            return (border.likely, fit) if lines_continue(image, fit.grid) else None
        size, corners, bend = border.size, border.corners(fit.grid), fit.grid.bend
    return None
