"""Finds the board in a picture: by given corners, by its markers, or by its squares."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from vision.camera import Image
from vision.detection.board_extent import find_extent, is_inner
from vision.detection.board_pose import TRUSTED, BoardPose, fit_squares, squares_between
from vision.detection.failure_reasons import failure_reason, hopeless, is_painted
from vision.detection.grid_fit import GridFit, from_markers, refine
from vision.detection.markerless import find, find_another
from vision.detection.markers import Marker, find_markers
from vision.detection.proposals import BoardProposal, proposals
from vision.errors import BoardFailure
from vision.geometry.grid import OUTLINE, SIZES, Grid
from vision.geometry.lens import Lens

_BESIDE: Final = 5.0
"""Farthest from a corner, in squares, that the middle of a marker of the board may be."""


def locate(
    image: Image,
    size: int | None = None,
    corners: ArrayLike | None = None,
    lens: Lens | None = None,
    *,
    search: bool = True,
    alone: bool = False,
) -> BoardPose | BoardFailure:
    """Finds the board in a picture, or the reason that none is found.

    The first corner is that of the given corners or of any marker that is seen; otherwise it is
    the one nearest to the top left of the picture.

    Args:
        image: (height, width, 3) uint8.
        size: squares along a side; None to detect it.
        corners: (4, 2) outer corners of the field in pixels, if they are known.
        lens: lens of the camera, if it was measured.
        search: True to search without markers; takes half a second or more.
        alone: True if there are no other frames: two boards without markers and a drawing are
            refused, and lines are not searched where squares give the place.

    Raises:
        GeometryError: the corners form no convex shape, or the lens does not fit the picture.
    """
    sizes = SIZES if size is None else (size,)
    if corners is not None:
        fits = [_anchored(image, Grid.of(corners, n, image.shape, lens=lens)) for n in sizes]
        return BoardPose.of(max(fits, key=lambda fit: fit.support * fit.contrast).grid)
    markers, fit = locate_between_markers(image, size, lens)
    if fit is None and search:
        fit = _searched(image, sizes, markers, lens, alone=alone)
    if fit is None:
        return BoardFailure.COVERED if markers else BoardFailure.NO_BOARD
    return fit


def _searched(
    image: Image, sizes: tuple[int, ...], markers: list[Marker], lens: Lens | None, *, alone: bool
) -> BoardPose | BoardFailure | None:
    """Finds a board that markers do not determine, or the reason that there is none, if known."""
    if not markers and (fault := hopeless(image)) is not None:
        return fault
    seen = proposals(image)
    found = find(image, seen, sizes)
    if found is None:
        # Between markers nothing else is a board.
        return failure_reason(image, () if markers else seen)
    if markers and not _is_marked(found, markers):
        return None
    if alone and not markers and (fault := _unfit(image, seen, found)) is not None:
        return fault
    if alone and lens is None:
        return _turned(BoardPose(found, found, is_exact=True), markers)
    # A bend is that of the lens, if it is known.
    rough = Grid.of(found.corners, found.size, image.shape, found.bend, lens)
    fit = refine(image, rough)
    return _turned(BoardPose.found(found, fit.grid if fit.is_sure else rough), markers)


def locate_between_markers(
    image: Image, size: int | None, lens: Lens | None
) -> tuple[list[Marker], BoardPose | BoardFailure | None]:
    """Finds the markers in a picture, and the board between them if that is sure.

    A picture whose markers are mirrored has none, and a fault in place of a board.

    Args:
        image: (height, width, 3) uint8.
        size: squares along a side; None to detect it.
        lens: lens of the camera, if it was measured.

    Raises:
        GeometryError: the lens does not fit the picture.
    """
    markers, is_mirrored = find_markers(image)
    if is_mirrored:
        return markers, BoardFailure.MIRRORED
    fit = from_markers(image, markers, size, lens) if len(markers) > 1 else None
    return markers, None if fit is None else _confirmed(image, fit, size)


def _confirmed(image: Image, fit: GridFit, size: int | None) -> BoardPose | None:
    """Moves a field between markers to its border; None if squares are not at their places.

    Unevenly placed markers may shift it by a row, and a cloth has lines as well. A smaller field in
    the middle of a board has all its lines too.
    """
    if not fit.is_sure:
        return None
    border = find_extent(image, fit.grid, SIZES if size is None else (size,))
    if border is None and is_inner(image, fit.grid):
        return None
    if border is not None and not border.is_of(fit.grid):
        corners, bend, lens = border.corners(fit.grid), fit.grid.bend, fit.grid.lens
        fit = refine(image, Grid.of(corners, border.size, image.shape, bend, lens))
    squares = fit_squares(image, fit.grid) if fit.is_sure else None
    return None if squares is None else BoardPose.found(squares, fit.grid)


def _unfit(image: Image, seen: Sequence[BoardProposal], grid: Grid) -> BoardFailure | None:
    """Reason to refuse a board that was found: it is a drawing, or one of two; else None."""
    if is_painted(image, grid):
        return BoardFailure.DRAWING
    return BoardFailure.TWO_BOARDS if find_another(image, seen, grid) else None


def _is_marked(grid: Grid, markers: list[Marker]) -> bool:
    """True if every marker is near a corner; otherwise another board has the markers."""
    corners = grid.size * OUTLINE
    places = [grid.unproject(marker.corners.mean(axis=0)) for marker in markers]
    return all(np.linalg.norm(corners - place, axis=1).min() < _BESIDE for place in places)


def _anchored(image: Image, entered: Grid) -> GridFit:
    """Corrects given corners by the lines that are seen, if those are clear and near."""
    fit = refine(image, entered)
    if fit.is_sure and squares_between(entered, fit.grid) < TRUSTED:
        return fit
    return GridFit(entered, fit.support, fit.slack, fit.contrast)


def _turned(place: BoardPose, markers: list[Marker]) -> BoardPose:
    """Reorders the corners of a field as most of the markers indicate."""
    square = place.grid.size * OUTLINE
    votes = np.zeros(4, np.intp)
    for marker in markers:
        at = place.grid.unproject(marker.corners.mean(axis=0))
        nearest = int(np.linalg.norm(square - at, axis=1).argmin())
        votes[(nearest - marker.id) % 4] += 1
    return place.turned(int(votes.argmax()))
