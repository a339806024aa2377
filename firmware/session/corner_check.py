"""Compares corners that a person has set with the board that pictures show without them."""

import logging
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.session.background_job import BackgroundJob
from firmware.session.devices import in_pixels, in_shares
from firmware.storage.camera_memory import Corners, StoredCorners
from vision.camera import Image
from vision.detection.board_detector import locate
from vision.detection.grid_fit import check
from vision.errors import VisionError
from vision.geometry.lens import Lens
from vision.reading import BoardNotFound

ELSEWHERE: Final = 0.5
"""Squares by which a corner has to be off before the board lies elsewhere. A board that was moved
by less is still read right, as its lines are followed."""

_log = logging.getLogger(__name__)


class Place(StrEnum):
    """Place of the board in a picture, compared with the corners that were set."""

    SAME = "same"
    ELSEWHERE = "elsewhere"
    UNSEEN = "unseen"


class CornerCheck:
    """Detects the board in single pictures, in a thread of its own, and compares the corners.

    Args:
        board: squares along a side of the board.
        kept: the corners that were set.
        lens: the lens of the camera, if it was measured.

    Attributes:
        detected: corners in the last picture, the first one that of the corners that were set;
            empty if no board was detected.
    """

    def __init__(self, board: int, stored: StoredCorners, lens: Lens | None) -> None:
        self._board: Final = board
        self._stored: Final = stored
        self._lens: Final = lens
        self._job: Final = BackgroundJob[Place]("corners")
        self.detected: Corners = ()

    def see(self, image: Image) -> Place | None:
        """Takes a picture; returns the result for an earlier one, once, if there is a new one."""
        place = self._job.take()
        if place is None:
            self._job.start(lambda: self._check(image))
        return place

    def _check(self, image: Image) -> Place:
        try:
            return self._compared(image)
        except VisionError as error:
            _log.warning("the corners of the board cannot be checked: %s", error)
            return Place.UNSEEN

    def _compared(self, image: Image) -> Place:
        size = image.shape[1], image.shape[0]
        corners = in_pixels(self._stored.corners, size)
        found = locate(image, self._board, None, lens=self._lens)
        if isinstance(found, BoardNotFound) or corners is None:
            self.detected = ()
            return self._by_lines(image, corners)
        turned = _turned_like(found.grid.corners, corners)
        self.detected = in_shares(turned, size)
        before = in_pixels(self._stored.detected, size)
        expected = [corners] if before is None else [corners, before]
        same = any(squares_off(turned, one, self._board) < ELSEWHERE for one in expected)
        return Place.SAME if same else Place.ELSEWHERE

    def _by_lines(self, image: Image, corners: NDArray[np.float64] | None) -> Place:
        """Returns SAME if lines are seen where the corners say, though no board was detected."""
        fit = locate(image, self._board, corners, lens=self._lens)
        seen = not isinstance(fit, BoardNotFound) and check(image, fit.grid).is_sure
        return Place.SAME if seen else Place.UNSEEN


def squares_off(found: NDArray[np.float64], expected: NDArray[np.float64], board: int) -> float:
    """Largest distance between corners, whichever is the first, in squares.

    Args:
        found: (4, 2) corners in pixels.
        expected: (4, 2) corners in pixels.
        board: squares along a side of the board.
    """
    side = np.linalg.norm(expected - np.roll(expected, 1, axis=0), axis=1).mean() / board
    turned = _turned_like(found, expected)
    return float(np.linalg.norm(turned - expected, axis=1).max() / side)


def _turned_like(
    corners: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns corners in the order in which they are nearest to the expected ones."""
    orders = [np.roll(corners, turn, axis=0) for turn in range(4)]
    return min(orders, key=lambda one: float(np.linalg.norm(one - expected, axis=1).sum()))
