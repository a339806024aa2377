"""Makes frames of a camera's pictures: upright, counted, and one for a picture that comes twice."""

import logging
from dataclasses import replace
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

    def frame_of(self, picture: Picture | Frame) -> Frame | None:
        """Returns the next frame; None for a repeated picture, or one that cannot be decoded.

        Args:
            picture: a picture, or the frame of a recording, which keeps its number.
        """
        content = picture.encoded
        if content is None:
            assert picture.image is not None, "a picture has a file or pixels"
            content = picture.image.tobytes()
        if content == self._content:
            return None
        if isinstance(picture, Frame):
            self._content = content
            image = self._orientation.upright(picture.image)
            return replace(picture, image=image, orientation=self._orientation)
        try:
            image = picture.upright(self._orientation)
        except VisionError as error:
            _log.debug("a picture of the camera is skipped: %s", error)
            return None
        self._content = content
        self._number += 1
        return Frame(
            image,
            picture.time_s,
            self._number,
            picture.exposure,
            encoded=picture.encoded,
            orientation=self._orientation,
        )
