"""Finds the board in view, whatever its size, which says what game may be played on it."""

from typing import TYPE_CHECKING, Final

from firmware.session.devices import in_pixels
from vision.camera import Frame
from vision.detection.board_detector import locate
from vision.errors import BoardFailure
from vision.geometry.lens import Lens
from vision.reader import SEARCH_S
from vision.reading import BoardNotFound

if TYPE_CHECKING:
    from firmware.storage.camera_memory import Corners


class BoardFinder:
    """Looks for a board, at first in each frame, later every `SEARCH_S`.

    Args:
        lens: lens of the camera, if it was measured.

    Attributes:
        size: squares along a side of the board in view; None until one was found.
        failure: reason that none was found yet.
        corners: corners of the board that a person has given; empty to detect them.
    """

    def __init__(self, lens: Lens | None = None) -> None:
        self._lens: Final = lens
        self.size: int | None = None
        self.failure: BoardNotFound = BoardNotFound(BoardFailure.NO_BOARD)
        self.corners: Corners = ()
        self._other: int | None = None
        self._searched_s = float("-inf")

    def see(self, frame: Frame) -> None:
        """Takes a frame. Another size than that known counts once it was found twice."""
        search = not 0 <= frame.time_s - self._searched_s < SEARCH_S
        if not search and self.size is not None:
            return
        height, width = frame.image.shape[:2]
        corners = in_pixels(self.corners, (width, height))
        found = locate(frame.image, None, corners, search=search, lens=self._lens)
        if search:
            self._searched_s = frame.time_s
        if isinstance(found, BoardNotFound):
            self.failure, self._other = found, None
            return
        if self.size is None or self._other == found.grid.size:
            self.size = found.grid.size
        self._other = found.grid.size
