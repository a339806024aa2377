"""Tracks the place of a board, and finds it again if it, or the camera, has moved.

No frame is searched for a board while the phase of its lines, or the picture as a whole, shows
that it has not moved.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.board_detector import locate_between_markers, squares_between
from vision.detection.grid_fit import GridFit, check, refine
from vision.features.edge_phase import drift_between, jumped
from vision.features.frame_features import FrameFeatures, scene_at
from vision.geometry.grid import Points
from vision.geometry.lens import Lens
from vision.tracking.board_pose import BoardPose
from vision.tracking.change_detection import Change, compare

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

_JUMP: Final = 0.3
"""Shift of the picture, in squares, above which the board is searched."""


def followed(
    image: Image,
    place: BoardPose,
    features: FrameFeatures,
    change: Change,
    clear: FrameFeatures,
    lit: NDArray[np.bool_],
    lens: Lens | None,
) -> BoardPose | None:
    """Returns the place of the board; None if it, or the camera, has moved and it is not found.

    Args:
        image: (height, width, 3) uint8.
        place: previous place.
        features: measurements of the frame at that place.
        change: difference from the last clear frame.
        clear: measurements of the last clear frame.
        lit: (n * n,) squares whose LEDs glow.
        lens: lens of the camera, if it was measured.
    """
    drift = drift_between(features.rhythm, clear.rhythm, change.covered | lit)
    off = not drift.agreed or bool(np.abs(drift.squares).max() > _MOVED)
    off = off or change.moved > _MOSTLY_CHANGED
    if not (off or change.hand):
        return place
    square_px = place.warp.grid.square_px
    slide = jumped(features.small, clear.small, place.warp.grid)
    if not drift.agreed and change.moved < _ALIKE:
        # Faint lines have no clear phase; then the picture as a whole is used.
        off = bool(np.hypot(*slide) > _MOVED * square_px)
    if not (off or np.hypot(*slide) > _JUMP * square_px):
        return place
    lines = _found_again(image, place, slide, clear, lens)
    if lines is None:
        return None if off else place
    found = place.at(lines)
    return found if found.away_px(place) > _MOVED * square_px else place


def _found_again(
    image: Image, place: BoardPose, slide: Points, clear: FrameFeatures, lens: Lens | None
) -> GridFit | None:
    """Finds the lines after the board, or the camera, has moved; None if that is not sure."""
    lines = place.lines.grid

    def differs(fit: GridFit) -> float:
        return compare(scene_at(image, place.at(fit).warp), clear.scene).moved

    _, marked = locate_between_markers(image, lines.size, lens)
    if marked is not None and differs(marked) < _ALIKE:
        return marked
    guesses = (lines.corners + slide, lines.corners)
    fits = [refine(image, lines.with_corners(corners)) for corners in guesses]
    alike = [(differs(fit), k) for k, fit in enumerate(fits) if fit.is_sure]
    differing, best = min(alike, default=(1.0, 0))
    if differing >= _ALIKE:
        if marked is not None:
            return marked
        # In other light nothing is alike, but the lines are where they were.
        away = squares_between(lines, fits[-1].grid)
        jump = np.hypot(*slide) / place.warp.grid.square_px
        return place.lines if fits[-1].is_sure and away < _STAYS and jump < _HALF else None
    still = check(image, lines)
    here = next((differing for differing, k in alike if k == 1), 1.0)
    # A board that moved by whole squares has lines where lines were.
    is_jump = here >= _ALIKE and squares_between(lines, fits[best].grid) > _HALF
    better = -_BETTER if is_jump else _BETTER
    stays = still.is_sure and fits[best].support < still.support + better
    return place.lines if stays else fits[best]
