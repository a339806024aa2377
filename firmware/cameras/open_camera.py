"""Pictures of a camera for a verb that looks at it for a moment.

Unlike the camera of a table, this one is not opened again when it fails: the verb ends with the
reason.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from firmware.cameras.distinct_frames import OVERDUE, DistinctFrames
from firmware.cameras.interfaces import (
    SILENT_S,
    CameraDriver,
    CameraError,
    EndOfPictures,
)
from firmware.cameras.sources import Tell, opener_of
from firmware.codes import CameraFault
from firmware.settings import CameraSettings
from vision.camera import CameraOrientation, Frame

_WAIT_S: Final = 0.5
"""Longest wait for a picture in seconds."""


class OpenCamera:
    """A camera that is open.

    Args:
        driver: its driver.
        orientation: the camera as it is mounted.
    """

    def __init__(self, driver: CameraDriver, orientation: CameraOrientation) -> None:
        self._driver: Final = driver
        self._orientation: Final = orientation

    @property
    def name(self) -> str:
        """The camera as a person knows it, without any password."""
        return self._driver.name

    @property
    def locks(self) -> Mapping[str, bool]:
        """True for each control that is locked, False for one that it lacks or does not keep.

        Empty for cameras whose controls are out of reach.
        """
        locks: Mapping[str, bool] = getattr(self._driver, "locks", {})
        return locks

    def frames(self) -> Iterator[Frame]:
        """Yields the newest picture again and again, upright; one that comes twice is one.

        Raises:
            CameraError: it has failed, or gives no new pictures for `SILENT_S`.
        """
        frames, last_s = DistinctFrames(self._orientation), time.monotonic()
        fault = CameraFault.SILENT
        while True:
            try:
                picture = self._driver.read(_WAIT_S)
            except EndOfPictures:
                return
            frame = None if picture is None else frames.frame_of(picture)
            if frame is not None:
                yield frame
                fault, last_s = CameraFault.STANDS_STILL, time.monotonic()
            elif time.monotonic() - last_s > SILENT_S:
                raise CameraError(fault, OVERDUE[fault])


@contextmanager
def open_camera(settings: CameraSettings, source: str | None, tell: Tell) -> Iterator[OpenCamera]:
    """Opens a camera, and closes it at the end.

    Args:
        settings: the camera of the settings.
        source: another source, named on the command line.
        tell: is told which camera `auto` takes, and why no other.

    Raises:
        SourceError: there is no such kind of source.
        CameraError: the camera gives no pictures.
    """
    driver = opener_of(source or settings.source, tell=tell, mains_hz=settings.mains_hz)()
    try:
        yield OpenCamera(driver, CameraOrientation(settings.mirror, settings.turn))
    finally:
        driver.close()
