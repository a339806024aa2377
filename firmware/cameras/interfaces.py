"""Pictures of a camera, the protocol of its drivers, and their faults.

This is the one place at which the pixels of a `Picture` are decoded and turned, for every driver:
EXIF of a JPEG first, then the mirror image, then the turn. A recording of what a camera sent keeps
its bytes, which are turned in the same way when they are played.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from firmware.codes import CameraFault
from firmware.drivers.interfaces import DeviceError
from vision.camera import CameraOrientation, Frame, Image
from vision.io.image_file import decode_live

SILENT_S: Final = 3.0
"""Seconds without a picture, or with the same one, after which a camera counts as away, whatever
its driver: the slowest camera that can follow a game takes two pictures a second."""


class CameraError(DeviceError):
    """A camera that gives no pictures; waiting or a person may mend it.

    Args:
        code: reason.
        message: the reason and its remedy as one sentence, without any password.

    Attributes:
        code: reason.
    """

    def __init__(self, code: CameraFault, message: str) -> None:
        super().__init__(message)
        self.code = code


class EndOfPictures(Exception):  # noqa: N818, no error
    """A recording has ended."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture as it came from a camera; it has a file or pixels.

    Attributes:
        time_s: time at which it was taken, in seconds of `time.monotonic`.
        encoded: the file that the camera sent, JPEG or another format that `vision.io` reads.
        image: (height, width, 3) uint8, blue green red.
        exposure: begin and end of its exposure, first row to last, in seconds of
            `time.monotonic`; None if the camera does not report it.
        is_cropped: True if the camera leaves out a part of the width that its lens shows.
    """

    time_s: float
    encoded: bytes | None = None
    image: Image | None = None
    exposure: tuple[float, float] | None = None
    is_cropped: bool = False

    def upright(self, orientation: CameraOrientation) -> Image:
        """Returns its pixels as people see the table: (height, width, 3) uint8, blue green red.

        Args:
            orientation: the camera as it is mounted.

        Raises:
            VisionError: its file cannot be decoded.
        """
        image = self.image
        if image is None:
            assert self.encoded is not None, "a picture has a file or pixels"
            image = decode_live(self.encoded, "the camera's picture").image
        return orientation.upright(image)


class CameraDriver(Protocol):
    """A camera that is open. One thread reads it; any thread may close it.

    Attributes:
        name: the camera as a person knows it, without any password.
    """

    @property
    def name(self) -> str:
        """The camera as a person knows it, without any password."""
        ...

    def read(self, timeout_s: float) -> Picture | Frame | None:
        """Waits for the next picture; None if none came in time, however often.

        A recording gives frames, which are upright and have their numbers already.

        Cut, damaged or wrongly sized pictures are skipped. Who reads closes a camera that gives
        none for `SILENT_S`.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            CameraError: it gives no pictures any more; it has to be closed and opened again.
            EndOfPictures: it is a recording that has ended.
        """
        ...

    def close(self) -> None:
        """Releases the device within 5 s; further calls do nothing."""
        ...
