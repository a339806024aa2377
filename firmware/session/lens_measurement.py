"""Measures the lens of a camera while people move the empty board about in its pictures.

A view of the board is taken when the board lies still at a place where it was not before. The
lens is fitted to the views once there are enough.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.session.background_job import BackgroundJob
from firmware.session.devices import in_shares
from vision.camera import Image
from vision.detection.board_detector import locate
from vision.errors import BoardFailure, GeometryError, VisionError
from vision.geometry.calibration import Calibration
from vision.geometry.grid import Grid
from vision.reader import read_picture
from vision.setup.lens_calibration import measure
from web.contract import LensEntry, MeasurementCode

if TYPE_CHECKING:
    from firmware.storage.camera_memory import Corners

WANTED: Final = 8
"""Number of views that are taken: two near each edge of the picture."""

_STILL: Final = 0.1
"""Squares by which a corner may move between two pictures of a board that lies still."""

_NEW: Final = 1.5
"""Squares by which a corner has to be away from where it was in every other view."""

_EMPTY: Final = 0.9
"""Least probability of an empty square on which the lens is measured."""

BareBoard = tuple[Grid, NDArray[np.bool_]]
"""Place of a board, and (n * n,) True for its squares that are surely empty."""

_log = logging.getLogger(__name__)


def bare_board(
    image: Image,
    size: int | None,
    palette: tuple[str, ...] | None = None,
    corners: NDArray[np.float64] | None = None,
) -> BareBoard | BoardFailure:
    """Finds a board and its empty squares, between which lines can be measured.

    Args:
        image: (height, width, 3) uint8.
        size: squares along a side; None to detect it.
        palette: names of the colours of plastic; None to detect them.
        corners: (4, 2) corners of the field in pixels; None to detect them.

    Raises:
        GeometryError: the corners form no convex shape.
    """
    place = locate(image, size, corners)
    if isinstance(place, BoardFailure):
        return place
    reading = read_picture(image, place.grid.size, palette, place.lines.corners)
    if isinstance(reading, BoardFailure):
        return reading
    return place.lines, np.asarray((reading.probabilities[:, 0] > _EMPTY) & ~reading.covered)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A picture in which the board was searched; `bare` is None if it is no new view."""

    image: Image
    grid: Grid | None
    bare: NDArray[np.bool_] | None = None


class LensMeasurement:
    """A measurement of the lens for one size of pictures.

    Args:
        board: squares along a side of the board.

    Attributes:
        state: running until the lens is measured, or the views turn out not to be good enough.
        calibration: the measured lens; None before.
    """

    def __init__(self, board: int) -> None:
        self._board: Final = board
        self._size: tuple[int, int] | None = None
        self._views: list[tuple[Image, Grid, NDArray[np.bool_]]] = []
        self._newest: Grid | None = None
        self._search: Final = BackgroundJob[_View]("lens-view")
        self._fit: Final = BackgroundJob[Calibration | GeometryError]("lens-fit")
        self.state = MeasurementCode.RUNNING
        self.calibration: Calibration | None = None

    @property
    def is_running(self) -> bool:
        """True until the lens is measured, or cannot be."""
        return self.state is MeasurementCode.RUNNING

    @property
    def entry(self) -> LensEntry:
        """The measurement in terms of the page."""
        size = self._size or (1, 1)
        places: list[Corners] = [in_shares(grid.corners, size) for _, grid, _ in self._views]
        return LensEntry(self.state, len(self._views), WANTED, tuple(places))

    def see(self, image: Image) -> None:
        """Takes the next picture; returns at once."""
        if not self.is_running:
            return
        size = image.shape[1], image.shape[0]
        if size != self._size:
            self._size, self._views, self._newest = size, [], None
        if len(self._views) == WANTED:
            self._finish()
            return
        view = self._search.take()
        if view is not None:
            self._add(view)
        known = [grid for _, grid, _ in self._views]
        self._search.start(lambda: _view(image, self._board, self._newest, known))

    def close(self) -> None:
        """Waits for running work, some seconds at most."""
        self._search.close()
        self._fit.close()

    def _add(self, view: _View) -> None:
        self._newest = view.grid
        if view.grid is not None and view.bare is not None and self._fits(view.image):
            self._views.append((view.image, view.grid, view.bare))

    def _fits(self, image: Image) -> bool:
        return (image.shape[1], image.shape[0]) == self._size

    def _finish(self) -> None:
        """Fits the lens, and takes the result."""
        result = self._fit.take()
        if result is None:
            self._fit.start(lambda: _fitted(self._views))
        elif isinstance(result, Calibration):
            self.state, self.calibration = MeasurementCode.DONE, result
        else:
            _log.warning("the lens cannot be measured: %s", result)
            self.state, self._views = MeasurementCode.FAILED, []


def _view(image: Image, board: int, before: Grid | None, known: Sequence[Grid]) -> _View:
    """Searches the board; reads its squares if it lies still at a new place."""
    try:
        place = locate(image, board, None)
        if isinstance(place, BoardFailure):
            return _View(image, None)
        grid = place.lines
        is_still = before is not None and _moved(before, grid) < _STILL
        if not is_still or any(_moved(one, grid) < _NEW for one in known):
            return _View(image, grid)
        found = bare_board(image, board, None, grid.corners)
    except VisionError as error:
        _log.warning("a picture for the lens cannot be used: %s", error)
        return _View(image, None)
    return _View(image, None) if isinstance(found, BoardFailure) else _View(image, *found)


def _moved(before: Grid, after: Grid) -> float:
    """Largest distance between the corners of two places, in squares."""
    away = np.linalg.norm(after.corners - before.corners, axis=1)
    return float(away.max() / before.square_px)


def _fitted(
    views: Sequence[tuple[Image, Grid, NDArray[np.bool_]]],
) -> Calibration | GeometryError:
    try:
        return measure(views)
    except GeometryError as error:
        return error
    except cv2.error as error:  # too few crossings of a view agree with the others
        return GeometryError(str(error))
