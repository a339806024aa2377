"""Finds the lattice of a board's squares, in rectified views of the picture.

It is slow, and is searched only where no board is confirmed whose corners a network sees.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from vision.camera import Image
from vision.detection.lattice import LatticeField, fields, upright_edges
from vision.detection.proposals import BoardProposal
from vision.detection.rectification import RectifiedView, uprights
from vision.geometry.grid import SIZES, apply_homography, from_top_left
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

_PROPOSALS: Final = 6
"""Most fields that are refined."""


def lattices(image: Image, sizes: tuple[int, ...] = SIZES) -> list[tuple[BoardProposal, int]]:
    """Finds the likeliest fields and their sizes, best first, without duplicates.

    Args:
        image: (height, width, 3) uint8.
        sizes: squares along a side of the boards to search.
    """
    small, zoom = shrunk(image, _LONGEST_PX)
    found: list[tuple[RectifiedView, LatticeField]] = []

    def is_plain() -> bool:
        return max((field.score for _, field in found), default=0.0) > _PLAIN

    for view in _views(small):
        if not is_plain():
            found += [(view, field) for field in _fields(small, view, sizes)]
    likeliest = max(found, key=lambda one: one[1].score, default=None)
    if likeliest is not None and likeliest[0].tilt > _LEANING and likeliest[1].score > _HINT:
        for stretch in _STRETCHES:
            if not is_plain():
                view = likeliest[0].stretched(stretch)
                found += [(view, field) for field in _fields(small, view, sizes)]
    hopeful = [(view, field) for view, field in found if field.score >= _HOPEFUL]
    return _each_once([_in_picture(view, field, zoom) for view, field in hopeful])[:_PROPOSALS]


def _in_picture(view: RectifiedView, field: LatticeField, zoom: float) -> tuple[BoardProposal, int]:
    """Converts a field in a view of a picture that was shrunk to `zoom` to the whole picture."""
    corners = apply_homography(np.linalg.inv(view.homography), field.corners) / zoom
    return BoardProposal(from_top_left(corners), field.score, 0.0, 0.0, 0.0), field.size


def _views(image: Image) -> Iterator[RectifiedView]:
    """Yields the views to search, the likeliest first.

    A board that is small in the picture is searched again where most of the lines are.
    """
    for place, upright in enumerate(uprights(image, _VIEW_PX, _VIEWS)):
        yield upright
        if place < _NEARER:
            yield upright.nearer(_VIEW_PX)


def _each_once(found: list[tuple[BoardProposal, int]]) -> list[tuple[BoardProposal, int]]:
    """Sorts proposals, best first, and removes duplicates."""
    chosen: list[tuple[BoardProposal, int]] = []
    for one, size in sorted(found, key=lambda one: -one[0].score):
        if not any(size == other[1] and _same(one, other[0], size) for other in chosen):
            chosen.append((one, size))
    return chosen


def _fields(image: Image, view: RectifiedView, sizes: tuple[int, ...]) -> list[LatticeField]:
    return fields(upright_edges(*view.seen_in(image)), sizes)


def _same(one: BoardProposal, other: BoardProposal, size: int) -> bool:
    """True if two proposals will be fitted to the same lines."""
    side = float(np.linalg.norm(one.corners[0] - one.corners[1]))
    return bool(np.abs(one.corners - other.corners).max() < 0.4 * side / size)
