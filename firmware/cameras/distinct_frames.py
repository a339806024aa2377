"""Makes frames of a camera's pictures: upright, counted, and one for a picture that comes twice."""

import logging
from typing import Final

from firmware.cameras.interfaces import Picture
from firmware.codes import CameraFault
from vision.camera import UPRIGHT, CameraOrientation, Frame
from vision.errors import VisionError

OVERDUE: Final = {
    CameraFault.SILENT: "the camera sends no picture; look at its cable, its power or its network",
    CameraFault.STANDS_STILL: "the picture stands still: the camera sends the same one again and "
    "again; start the camera or its app anew",
}
"""Sentences on faults that no driver notices."""

_log = logging.getLogger(__name__)


class DistinctFrames:
    """Frames of a camera.

    A picture is turned upright where it becomes a frame; its own bytes stay as they came.

    Args:
        orientation: the camera as it is mounted.
    """

    def __init__(self, orientation: CameraOrientation = UPRIGHT) -> None:
        self._orientation: Final = orientation
        self._content: bytes | None = None
        self._number = 0

    def frame_of(self, picture: Picture) -> Frame | None:
        """Returns the next frame; None for a repeated picture, or one that cannot be decoded."""
        content = picture.content
        if content == self._content:
            return None
        try:
            image = picture.upright(self._orientation)
        except VisionError as error:
            _log.debug("a picture of the camera is skipped: %s", error)
            return None
        self._content = content
        self._number = self._number + 1 if picture.number is None else picture.number
        return Frame(
            image,
            picture.time_s,
            self._number,
            picture.exposure,
            picture.lit,
            stuck=picture.stuck,
            encoded=picture.encoded,
            orientation=self._orientation,
        )
