"""Pictures of a camera for a verb that looks at it for a moment.

Unlike the camera of a table, this one is not opened again when it fails: the verb ends with the
reason.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from firmware.cameras.interfaces import CameraDriver, CameraError, CameraFault, EndOfPictures
from firmware.cameras.live_camera import SILENT_S
from firmware.cameras.orientation import image_of
from firmware.cameras.sources import Tell, opener_of
from firmware.settings import CameraSettings
from vision.camera import CameraOrientation, Frame
from vision.errors import VisionError

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
        content, number, last_s = b"", 0, time.monotonic()
        while True:
            try:
                picture = self._driver.read(_WAIT_S)
            except EndOfPictures:
                return
            if picture is not None and picture.content != content:
                content = picture.content
                try:
                    image = image_of(picture, self._orientation)
                except VisionError:
                    continue
                number += 1
                yield Frame(image, picture.time_s, number, picture.exposure, picture.lit)
                last_s = time.monotonic()
            elif time.monotonic() - last_s > SILENT_S:
                raise _silent(self.name, has_pictures=number > 0)


def _silent(name: str, *, has_pictures: bool) -> CameraError:
    if has_pictures:
        why = "gives the same picture again and again; start the camera or its app anew"
        return CameraError(CameraFault.STANDS_STILL, f"{name} {why}")
    why = "gives no picture that can be read; look at its cable, its power or its network"
    return CameraError(CameraFault.SILENT, f"{name} {why}")


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
    driver = opener_of(source or settings.source, tell=tell)()
    try:
        yield OpenCamera(driver, CameraOrientation(settings.mirror, settings.turn))
    finally:
        driver.close()
