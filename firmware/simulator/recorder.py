"""A camera that keeps what another one sees, as a folder that `watch` reads."""

from pathlib import Path
from typing import Final

import cv2

from firmware.devices import DeviceError
from vision.camera import Camera, Frame

_JPEG_QUALITY: Final = 90


class RecordingCamera:
    """Passes frames on and saves each as `NUMBER.jpg`.

    Args:
        camera: where frames come from.
        folder: where they go; made if it is not there.

    Raises:
        DeviceError: the folder cannot be made, or a picture not be written.
    """

    def __init__(self, camera: Camera, folder: Path) -> None:
        self._camera: Final = camera
        self._folder: Final = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DeviceError(f"cannot make the folder {folder}: {error.strerror}") from error

    def read(self) -> Frame | None:
        """The next frame, saved before it is passed on."""
        frame = self._camera.read()
        if frame is not None:
            path = self._folder / f"{frame.number:06}.jpg"
            if not cv2.imwrite(str(path), frame.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]):
                raise DeviceError(f"cannot write {path}; is the disk full?")
        return frame

    def close(self) -> None:
        """Closes the camera; what was saved stays."""
        self._camera.close()
