"""The real library picamera2 over libcamera's virtual camera, in the root of `virtual_camera`.

The virtual camera is a sensor without the image processor of a Raspberry Pi: it gives NV12 alone.
So places of the library are changed: the modes of the sensor, the planes of a buffer, and the
conversion to blue, green, red. Libraries for displays and raw pictures have no wheels, and
empty modules stand for them. All else is as it is installed.
"""

import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import cv2
import numpy as np

from tests.support.picamera2_answers import Picamera2Bench

CONTROLS: Final = Path(os.environ.get("VIRTUAL_CAMERA", ""))
"""Folder of the files by which the virtual camera is controlled: `period_ms` and `forbidden`."""

IS_HERE: Final = "VIRTUAL_CAMERA" in os.environ
"""True in that root."""

_NEVER: Final = 0
"""Period of a camera that is unplugged."""


def set_period(milliseconds: int) -> None:
    """Sets the time between two pictures."""
    aside = CONTROLS / "period_ms.new"
    aside.write_text(str(milliseconds))
    aside.replace(CONTROLS / "period_ms")


def unplug() -> None:
    """Ends the pictures, without an error."""
    set_period(_NEVER)


@cache
def library() -> Any:
    """Returns the module `picamera2`."""
    for name, value in (
        ("pidng", ""),
        ("pidng.camdefs", "Picamera2Camera"),
        ("pidng.core", "PICAM2DNG"),
        ("pykms", "PixelFormat"),
    ):
        module = sys.modules[name] = ModuleType(name)
        setattr(module, value, _Anything())
    import libcamera  # noqa: PLC0415, only in that root
    import picamera2  # noqa: PLC0415, see above

    camera, request = picamera2.Picamera2, picamera2.CompletedRequest
    camera.sensor_modes = [{"format": "NV12"}]
    camera._get_raw_modes = lambda _: [{"format": "NV12", "size": (2304, 1296)}]
    camera._update_stream_config = _with_processor(camera._update_stream_config)
    request.make_array = _converted(request.make_array)
    libcamera.FrameBuffer = _two_planes(libcamera.FrameBuffer)
    return picamera2


class _Anything:
    """Has every attribute."""

    def __getattr__(self, name: str) -> str:
        return name


def _with_processor(update: Any) -> Any:
    """Says RGB888 where that is asked: `_converted` gives it."""

    def updated(self: Any, ours: dict[str, Any], theirs: Any) -> None:
        asked = ours["format"]
        update(self, ours, theirs)
        if asked == "RGB888":
            ours["format"] = asked

    return updated


def _converted(make_array: Any) -> Any:
    """Gives pictures in blue, green, red, as the JPEG was of which the camera made them."""

    def converted(self: Any, name: str) -> Any:
        if not self.config.get(name):
            return make_array(self, name)
        width, height = self.config[name]["size"]
        luma, colours = np.split(self.make_buffer(name).reshape(-1, width), [height])
        halves = colours.reshape(height // 2, width // 2, 2)[..., ::-1]
        chroma = cv2.resize(np.ascontiguousarray(halves), (width, height))
        return cv2.cvtColor(np.dstack([luma, chroma]), cv2.COLOR_YCrCb2BGR)

    return converted


def _two_planes(frame_buffer: Any) -> Any:
    """Tells libcamera where in a buffer the colours begin; the library knows one plane only."""

    def made(planes: list[Any]) -> Any:
        (luma,) = planes
        chroma = made.Plane()  # type: ignore[attr-defined]
        chroma.fd, chroma.offset = luma.fd, luma.length * 2 // 3
        chroma.length = luma.length - chroma.offset
        luma.length = chroma.offset
        return frame_buffer([luma, chroma])

    made.Plane = frame_buffer.Plane  # type: ignore[attr-defined]
    return made


def bench() -> Picamera2Bench:
    """Returns the library with its camera, which gives 50 pictures a second."""
    set_period(20)
    forbidden = CONTROLS / "forbidden"
    return Picamera2Bench(library(), unplug, lambda: set_period(20), forbidden.touch, _restore)


def _restore() -> None:
    """Closes the cameras that a test has left open."""
    (CONTROLS / "forbidden").unlink(missing_ok=True)
    for camera in list(library().Picamera2._cm.cameras.values()):
        camera.cancel_all_and_flush()
        with suppress(AttributeError):  # of one whose opening was forbidden
            camera.close()


if __name__ == "__main__":
    # The program itself, with this library.
    from firmware.__main__ import main

    library()
    sys.exit(main())
