"""Reads the frames of a camera with the corners and the lens that are kept for it.

Corners that a person has just set are used at once. Those kept from before are used only where
the picture agrees: a board that is detected elsewhere, or no lines where they say, mean that
camera or board was moved since, and every square would be read as another one.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.session.background_job import BackgroundJob
from firmware.session.devices import in_pixels, in_shares
from firmware.storage.camera_memory import CameraMemory, Corners, StoredCorners
from firmware.storage.session_inputs import BoardGeometry
from vision.camera import Frame, Image
from vision.detection.board_detector import locate
from vision.detection.grid_fit import check
from vision.errors import BoardFailure, VisionError
from vision.geometry.lens import Lens
from vision.reader import Reader
from vision.reading import Reading

ELSEWHERE: Final = 0.5
"""Squares by which a corner has to be off before the board lies elsewhere. A board that was moved
by less is still read right, as its lines are followed."""

_CONTRADICTED_S: Final = 3.0
"""Seconds for which pictures have to contradict kept corners before they are dropped."""

_CHECK_S: Final = 5.0
"""Seconds after which pictures of a board that is not plainly read are compared, and again."""

_UNREAD: Final = BoardGeometry(is_read=False)
"""The geometry of frames that are not read yet."""

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
        stored: the corners that were set.
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
        if isinstance(found, BoardFailure) or corners is None:
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
        found = locate(image, self._board, corners, lens=self._lens)
        seen = not isinstance(found, BoardFailure) and check(image, found.lines).is_sure
        return Place.SAME if seen else Place.UNSEEN


class CameraReader:
    """Reads the frames of a live camera, see `vision.reader.Reader`.

    Args:
        board: squares along a side of the board.
        palette: names of the colours of plastic; None to learn them.
        cameras: the values that are kept.
        name: returns the name of the camera.
        is_set: True if a person has set the corners a moment ago.
        is_trusted: True if the same corners were trusted up to now, as in the game before.

    Attributes:
        geometry: corners and lens with which the newest frame was read; None before the first.
    """

    def __init__(
        self,
        board: int,
        palette: tuple[str, ...] | None,
        cameras: CameraMemory,
        name: Callable[[], str],
        *,
        is_set: bool = False,
        is_trusted: bool = False,
    ) -> None:
        self._board: Final = board
        self._palette: Final = palette
        self._cameras: Final = cameras
        self._name: Final = name
        self._is_set = is_set
        self._trusts_first = is_set or is_trusted
        self._confirmed: tuple[str, ...] | None = None
        self._size = (0, 0)
        self._corners: StoredCorners | None = None
        self._is_trusted = False
        self._is_noted = True
        self._check_from_s = 0.0
        self._check: CornerCheck | None = None
        self._elsewhere_since_s: float | None = None
        self._inner = Reader(board, palette)
        self._used = BoardGeometry()
        self.geometry: BoardGeometry | None = None

    def trusts(self, board: int) -> bool:
        """True if corners of a board of that size are in use, and hold."""
        return board == self._board and self._is_trusted and self._corners is not None

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Sets the colours that the plastic certainly has; None to detect them."""
        self._confirmed = palette
        self._inner.confirm(palette)

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardFailure:
        """Reads the next frame; no board is found before its kept corners were compared."""
        size = frame.image.shape[1], frame.image.shape[0]
        if size != self._size:
            self._begin(size)
        if self._corners is not None and not self._is_trusted:
            self._compare_picture(frame)
            if not self._is_trusted:
                self.geometry = _UNREAD
                return BoardFailure.NO_BOARD
        self.geometry = self._used
        reading = self._inner.read(frame, lit)
        if self._corners is not None:
            self._compare_reading(self._corners, reading, frame)
        return reading

    def _begin(self, size: tuple[int, int]) -> None:
        """Takes what is kept for pictures of a size."""
        self._size = size
        self._corners = self._cameras.of(self._name(), size).boards.get(self._board)
        self._is_trusted, self._is_noted = self._trusts_first, not self._is_set
        self._is_set = self._trusts_first = False  # pictures of another size come from elsewhere
        self._check, self._elsewhere_since_s = None, None
        self._use(() if self._corners is None else self._corners.corners)

    def _new_check(self, corners: StoredCorners) -> CornerCheck:
        return CornerCheck(self._board, corners, self._lens())

    def _lens(self) -> Lens | None:
        calibration = self._cameras.of(self._name(), self._size).lens
        return None if calibration is None else calibration.lens

    def _use(self, corners: Corners) -> None:
        """Reads with these corners from now on, or detects the board if there are none."""
        pixels = in_pixels(corners, self._size)
        self._used = BoardGeometry(corners, self._lens())
        self._inner = Reader(self._board, self._palette, pixels, self._used.lens)
        if self._confirmed is not None:
            self._inner.confirm(self._confirmed)

    def _compare_picture(self, frame: Frame) -> None:
        """Trusts corners that were kept from before, or drops them."""
        assert self._corners is not None
        self._check = self._check or self._new_check(self._corners)
        place = self._check.see(frame.image)
        if place is Place.SAME:
            self._is_trusted, self._check = True, None
        elif place is not None and self._lasts(place is Place.ELSEWHERE, frame.time_s):
            self._drop(self._check.detected)

    def _compare_reading(
        self, corners: StoredCorners, reading: Reading | BoardFailure, frame: Frame
    ) -> None:
        """Drops the corners of a board that was followed elsewhere, or that lies elsewhere."""
        if not self._is_noted:
            self._note_detected(corners, frame)
        elif isinstance(reading, BoardFailure) or reading.hand or reading.covered.any():
            if frame.time_s >= self._check_from_s:
                self._look_elsewhere(corners, frame)
        else:
            expected = in_pixels(corners.corners, self._size)
            assert expected is not None
            off = squares_off(reading.corners, expected, self._board)
            self._check_from_s = frame.time_s + _CHECK_S
            if self._lasts(off > ELSEWHERE, frame.time_s):
                self._drop()

    def _look_elsewhere(self, corners: StoredCorners, frame: Frame) -> None:
        """Compares pictures while the board is not plainly read."""
        self._check = self._check or self._new_check(corners)
        place = self._check.see(frame.image)
        if place is None:
            return
        if place is not Place.ELSEWHERE:
            self._check_from_s = frame.time_s + _CHECK_S
        if self._lasts(place is Place.ELSEWHERE, frame.time_s):
            self._drop(self._check.detected)

    def _note_detected(self, corners: StoredCorners, frame: Frame) -> None:
        """Keeps where the board is detected without the corners that a person has set."""
        self._check = self._check or self._new_check(corners)
        if self._check.see(frame.image) is not None:
            self._corners = replace(corners, detected=self._check.detected)
            self._cameras.keep_corners(self._name(), self._size, self._board, self._corners)
            self._check, self._is_noted = None, True

    def _lasts(self, is_elsewhere: bool, now_s: float) -> bool:  # noqa: FBT001
        """True if the board has been elsewhere for `_CONTRADICTED_S`."""
        if not is_elsewhere:
            self._elsewhere_since_s = None
            return False
        if self._elsewhere_since_s is None:
            self._elsewhere_since_s = now_s
        return now_s - self._elsewhere_since_s >= _CONTRADICTED_S

    def _drop(self, found: Corners | None = None) -> None:
        """Drops the kept corners; reads the board where it was found, or goes on following it."""
        self._cameras.drop_corners(self._name(), self._size, self._board)
        self._corners = self._check = None
        if found is not None:
            self._use(found)


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
