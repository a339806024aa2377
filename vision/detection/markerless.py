"""Finds a board without markers: a network sees its corners, lines and squares confirm it.

A field that a network sees is fitted to the lines that are seen, and then moved by whole rows to
its border.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np

from vision.camera import Image
from vision.detection.board_extent import find_extent
from vision.detection.grid_fit import GridFit, lines_continue, refine
from vision.detection.lattice_search import lattices
from vision.detection.proposals import BoardProposal, look
from vision.errors import GeometryError
from vision.geometry.grid import SIZES, Grid, from_top_left, sides_of

_CERTAIN: Final = -1.0
"""Log likelihood of a border from which no other field is refined."""

_ALIKE: Final = 1.35
"""Largest ratio of the squares of one board to those of another in the same picture."""

_SHARED: Final = 0.1
"""Share of a board from which another place is a second view of the same board."""

_FINEST_PX: Final = 6.0
"""Fewest pixels per square in the picture at which contents can be recognised."""

_TRIALS: Final = 3
"""Most fits of a field while it is moved to its border."""

_FIELD: Final = 0.65
"""Share of a board on which a network sees squares. Of right places that only their lattice told,
it was 0.78 at the least; of five places on grids of other games 0.52 at the most."""

_ELSEWHERE: Final = 2.5
"""Distance of the corners that a network sees from those of the lines, in squares, from which it
sees another place; of right places that only their lattice told 2.2 at the most, of the five 2.9
at the least."""

_AGREED: Final = 0.5
"""Largest distance of the corners that a network sees from those of the lines, in squares, at which
each confirms the other."""

_PLAIN_CORNER: Final = 0.75
"""Probability of each corner from which a network sees a board beyond doubt. Of 60 places that
lines do not confirm, 40 of them wrong, five right ones had more, and one of another size."""

_PLAIN_BORDER: Final = -0.1
"""Log likelihood of a border that is beyond doubt."""


def find(
    image: Image, seen: Sequence[BoardProposal], sizes: tuple[int, ...] = SIZES
) -> GridFit | None:
    """Finds the board in a picture; None if none is sure.

    The first corner is the top left one in the picture, because the orientation is unknown. Of
    two boards one is found; `find_another` detects this.

    Args:
        image: (height, width, 3) uint8.
        seen: boards that a network sees in it, likeliest first.
        sizes: squares along a side of the boards to search.
    """
    by_network = ((one, n) for one in seen for n in sorted(sizes, reverse=one.larger > 0))
    found = _likeliest(image, by_network, sizes)
    return _likeliest(image, lattices(image, sizes), sizes) if found is None else found


def _likeliest(
    image: Image, candidates: Iterable[tuple[BoardProposal, int]], sizes: tuple[int, ...]
) -> GridFit | None:
    """Returns the first candidate, of a place and a size, that is certain, or the likeliest."""
    best: tuple[float, GridFit] | None = None
    for proposal, size in candidates:
        settled = _settled(image, proposal, size, sizes)
        if settled is not None and (best is None or settled[0] > best[0]):
            best = settled
            if best[0] > _CERTAIN:
                break
    return None if best is None else best[1]


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
) -> tuple[float, GridFit] | None:
    """Fits a proposal to the lines and moves it by whole rows to its border; with its likelihood.

    Returns None if its border is not sure, or its lines are not on those of the board.
    """
    corners, bend = from_top_left(proposal.corners), 0.0
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
            return (border.likely, fit) if _is_confirmed(image, fit.grid, border.likely) else None
        size, corners, bend = border.size, border.corners(fit.grid), fit.grid.bend
    return None


def _is_confirmed(image: Image, grid: Grid, likely: float) -> bool:
    """True if a network sees a field there, and its corners beyond doubt, or there are lines.

    Args:
        image: (height, width, 3) uint8.
        grid: place of the board.
        likely: log likelihood of its border.
    """
    seen = look(image, grid.corners)
    if seen is None or seen.field < _FIELD:
        return False
    away = from_top_left(seen.corners) - from_top_left(grid.corners)
    apart = float(np.linalg.norm(away, axis=1).max()) / grid.square_px
    if apart > _ELSEWHERE:
        return False
    is_plain = apart < _AGREED and seen.weakest > _PLAIN_CORNER and likely > _PLAIN_BORDER
    is_of_size = (seen.larger > 0) == (grid.size == max(SIZES))
    return (is_plain and is_of_size) or lines_continue(image, grid)
