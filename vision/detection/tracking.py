"""Follows a board from frame to frame, and finds it again if it, or the camera, has moved.

No frame is searched for a board while the phase of its lines, or the picture as a whole, shows that
it has not moved.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.board_detector import locate_between_markers
from vision.detection.board_pose import BoardPose, squares_between
from vision.detection.change_detection import Change, changed_squares, compare, squares_off
from vision.detection.frame_features import (
    CoarseView,
    FrameFeatures,
    drift_between,
    jumped,
    scene_at,
)
from vision.detection.grid_fit import GridFit, check, refine
from vision.geometry.grid import OUTLINE, Grid, Points
from vision.geometry.lens import Lens

_MOVED: Final = 0.06
"""Squares by which the grid has to be off before it is moved."""

_MOSTLY_CHANGED: Final = 0.5
"""Share of the rim above which the board or the camera has moved."""

_ALIKE: Final = 0.2
"""Share of the rim that may differ at the place where the board is found again."""

_STAYS: Final = 0.15
"""Squares by which the lines of a board that lies still may seem to move in other light."""

_HALF: Final = 0.5
"""Squares from which the picture may have moved from one line to the next."""

_BETTER: Final = 0.05
"""Share of the lines by which a moved grid has to have more support: faint lines are inexact."""

_JUMPED: Final = 0.5
"""Share of what differs at the previous place that may differ where a board is that has moved by
whole squares: on a board that was only turned as much differs there."""

_JUMP: Final = 0.3
"""Shift of the picture, in squares, above which the board is searched."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFrame:
    """A frame, measured where the board was before.

    Attributes:
        image: (height, width, 3) uint8.
        features: its measurements at that place.
        clear: those of the last clear frame.
        change: difference from the last clear frame.
        lit: (n * n,) squares whose LEDs glow.
    """

    image: Image
    features: FrameFeatures
    clear: FrameFeatures
    change: Change
    lit: NDArray[np.bool_]


def follow(place: BoardPose, frame: SeenFrame, lens: Lens | None = None) -> BoardPose | None:
    """Returns the place of the board; None if it, or the camera, has moved and it is not found.

    Args:
        place: previous place.
        frame: the frame, measured at that place.
        lens: lens of the camera, if it was measured.
    """
    features, clear, change = frame.features, frame.clear, frame.change
    drift = drift_between(features.rhythm, clear.rhythm, change.covered | frame.lit)
    off = drift is None or bool(np.abs(drift).max() > _MOVED)
    off = off or change.moved > _MOSTLY_CHANGED
    is_beside = any(squares_off(features.scene, clear.scene))
    if not (off or change.hand or is_beside):
        return place
    square_px = place.grid.square_px
    slide = jumped(features.small, clear.small, place.grid)
    if drift is None and change.moved < _ALIKE:
        # Faint lines have no clear phase; then the picture as a whole is used.
        off = bool(np.hypot(*slide) > _MOVED * square_px)
    if not (off or is_beside or np.hypot(*slide) > _JUMP * square_px):
        return place
    lines = _found_again(place, frame, slide, lens)
    if lines is None:
        return None if off else place
    found = place.at(lines)
    return found if found.away_px(place) > _MOVED * square_px else place


def _found_again(
    place: BoardPose, frame: SeenFrame, slide: Points, lens: Lens | None
) -> Grid | None:
    """Finds the lines after the board, or the camera, has moved; None if that is not sure.

    Args:
        place: previous place.
        frame: the frame, measured at that place.
        slide: (2,) shift of the whole picture in pixels.
        lens: lens of the camera, if it was measured.
    """
    image, features, clear = frame.image, frame.features, frame.clear
    lines = place.lines
    _, marked = locate_between_markers(image, lines.size, lens)
    guesses = (lines.corners + slide, lines.corners)
    fits = [refine(image, lines.with_corners(corners)) for corners in guesses]
    between = [check(image, marked.lines)] if isinstance(marked, BoardPose) else []
    tried = between + [fit for fit in fits if fit.is_sure]
    seen = [_at_its_square(image, place, fit, clear) for fit in tried]
    scene, best = min(
        seen, key=lambda one: _differing(one[0], clear.scene), default=(features.scene, fits[-1])
    )
    if not seen or compare(scene, clear.scene).moved >= _ALIKE:
        if between:
            return between[0].grid
        # In other light nothing is alike, but the lines are where they were.
        away = squares_between(lines, fits[-1].grid)
        jump = np.hypot(*slide) / place.grid.square_px
        return lines if fits[-1].is_sure and away < _STAYS and jump < _HALF else None
    still = check(image, lines)
    # A board that moved by whole squares has lines where lines were.
    is_jump = squares_between(lines, best.grid) > _HALF
    before = _differing(features.scene, clear.scene)
    if is_jump and still.is_sure and _differing(scene, clear.scene) > _JUMPED * before:
        return lines
    if marked is not None and squares_between(best.grid, seen[0][1].grid) < _HALF:
        return seen[0][1].grid
    stays = still.is_sure and best.support < still.support + (-_BETTER if is_jump else _BETTER)
    return lines if stays else best.grid


def _at_its_square(
    image: Image, place: BoardPose, fit: GridFit, clear: FrameFeatures
) -> tuple[CoarseView, GridFit]:
    """Returns a fit, moved by a square if the board lies there, with the scene at that place."""
    scene = scene_at(image, place.at(fit.grid).warp)
    off = squares_off(scene, clear.scene)
    if any(off):
        corners = fit.grid.project(fit.grid.size * OUTLINE + off)
        beside = refine(image, fit.grid.with_corners(corners))
        if beside.is_sure:
            fit, scene = beside, scene_at(image, place.at(beside.grid).warp)
    return scene, fit


def _differing(scene: CoarseView, clear: CoarseView) -> float:
    """Returns the share of the rim that differs plus that of the squares that do, 0 to 2."""
    return compare(scene, clear).moved + float(changed_squares(scene, clear).mean())
