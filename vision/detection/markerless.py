"""A board in any picture, without markers: views in which it would stand upright, then its squares.

A field that was found roughly is pulled to the lines that are seen, and then moved by whole rows
to where its squares end.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.board_extent import find_extent
from vision.detection.grid_fit import GridFit, refine
from vision.detection.lattice import SIZES, LatticeField, fields, upright_edges
from vision.detection.line_check import lines_continue
from vision.detection.rectification import RectifiedView, uprights
from vision.errors import GeometryError
from vision.geometry.grid import OUTLINE, WITHIN, Grid, Points, apply_homography, sides_of
from vision.geometry.image_scale import shrunk

_LONGEST_PX: Final = 800
_VIEW_PX: Final = 960
_VIEWS: Final = 4
_NEARER: Final = 2
"""How many views are searched, and how many of them from nearer too."""

_STRETCHES: Final = (0.92, 1.08, 0.85, 1.17)
"""A lens of unknown focal length leaves open how wide a leaning board is."""

_LEANING: Final = 10.0
"""Degrees from which that matters."""

_HINT: Final = 0.35
_PLAIN: Final = 0.75
_HOPEFUL: Final = 0.4
"""Scores of a field: that may come of a view drawn too wide, that needs no other view, and that is
worth a closer look. Chance has 0.2 to 0.35."""

_CERTAIN: Final = -1.0
"""How likely a border is from which no other field is looked at."""

_FRAME: Final = 0.06
_ALIKE: Final = 1.35
"""How wide a board's frame is, in boards, and by how much the squares of one are larger than those
of another beside it at most."""

_FINEST_PX: Final = 6.0
"""Pixels a square in the picture, below which nobody could say what lies there."""

_TRIALS: Final = 3
_PROPOSALS: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class _Proposal:
    """A field of squares that may be there, its corners in pixels of the picture."""

    score: float
    size: int
    corners: Points

    @staticmethod
    def of(view: RectifiedView, field: LatticeField, zoom: float) -> "_Proposal":
        """A field in a view of a picture that was shrunk to `zoom`."""
        corners = apply_homography(np.linalg.inv(view.homography), field.corners)
        return _Proposal(field.score, field.size, _from_top_left(corners / zoom))


def find(image: Image, sizes: tuple[int, ...] = SIZES) -> GridFit | None:
    """The board in a picture; None where none is sure.

    Which of its corners comes first is not known: the top left one as the picture stands. Of
    two boards it is one; see `find_another`.

    Args:
        image: (height, width, 3) uint8.
        sizes: squares along a side of the boards to look for.
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
    """Whether a picture shows one more board, about as large, beside one that was found.

    Args:
        image: (height, width, 3) uint8.
        first: where that lies.
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
    for view in uprights(rest, _VIEW_PX, 2):
        seen = apply_homography(view.homography, outline.corners)
        pitch = float(sides_of(seen).mean()) / n
        alike = (pitch / _ALIKE, pitch * _ALIKE)
        for field in _fields(rest, view, (n,), alike)[:1]:
            other = _Proposal.of(view, field, zoom)
            if other.score >= _PLAIN and _settled(image, other, (n,)) is not None:
                return True
    return False


def _widest(some: NDArray[np.bool_]) -> float:
    """Radius of the largest disc among some pixels of a picture."""
    framed = np.pad(some.astype(np.uint8), 1)
    return float(cv2.distanceTransform(framed, cv2.DIST_L2, 3).max())


def _proposals(image: Image, sizes: tuple[int, ...]) -> list[_Proposal]:
    """The likeliest fields, best first, each of them once."""
    small, zoom = shrunk(image, _LONGEST_PX)
    found: list[tuple[RectifiedView, LatticeField]] = []

    def is_plain() -> bool:
        return max((field.score for _, field in found), default=0.0) > _PLAIN

    for place, upright in enumerate(uprights(small, _VIEW_PX, _VIEWS)):
        # A board that is small in the picture is looked for once more where most of the lines are.
        nearer = [upright.nearer(_VIEW_PX)] if place < _NEARER else []
        for view in (upright, *nearer):
            if not is_plain():
                found += [(view, field) for field in _fields(small, view, sizes)]
    likeliest = max(found, key=lambda one: one[1].score, default=None)
    if likeliest is not None and likeliest[0].tilt > _LEANING and likeliest[1].score > _HINT:
        for stretch in _STRETCHES:
            if not is_plain():
                view = likeliest[0].stretched(stretch)
                found += [(view, field) for field in _fields(small, view, sizes)]
    return _each_once([_Proposal.of(view, field, zoom) for view, field in found])


def _each_once(found: list[_Proposal]) -> list[_Proposal]:
    """Proposals, best first, but those that come to the same."""
    chosen: list[_Proposal] = []
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
    """The corners, clockwise as before, from the one nearest to the top left of the picture."""
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)


def _same(one: _Proposal, other: _Proposal) -> bool:
    """Whether two proposals will be pulled to the same lines."""
    side = float(np.linalg.norm(one.corners[0] - one.corners[1]))
    apart = np.abs(one.corners - other.corners).max()
    return one.size == other.size and bool(apart < 0.4 * side / one.size)


def _settled(
    image: Image, proposal: _Proposal, sizes: tuple[int, ...]
) -> tuple[float, GridFit] | None:
    """A proposal on the exact lines, moved by whole rows to where its border is; with its score.

    None where its border is not sure, or its lines do not lie on those of the board.
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
