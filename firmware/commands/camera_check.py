"""The checks of `cornerlight doctor` on a camera: there, controls, size, rate, and mirror image."""

from dataclasses import dataclass
from typing import Any, Final

from firmware.cameras.interfaces import CameraError, CameraFault
from firmware.cameras.sources import AUTO
from firmware.commands.camera_pictures import OpenCamera, open_camera
from firmware.settings import CameraSettings
from vision.camera import Image
from vision.detection.markers import find_markers, has_mirrored_markers
from vision.reading import BoardFailure, BoardNotFound

_MEASURED_S: Final = 2.0
"""Seconds in which pictures are counted."""

_LEAST_FPS: Final = 1.9
"""Pictures a second of the slowest camera that can follow a game: two, measured over 2 s."""


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check."""

    name: str
    fine: bool
    found: str


@dataclass(frozen=True, slots=True, eq=False)
class CameraExamination:
    """Result of looking at a camera.

    Attributes:
        checks: results for people.
        facts: the same for programs, as JSON; None if it gives no pictures.
        image: its last picture; None if there is none.
    """

    checks: tuple[Check, ...]
    facts: dict[str, Any] | None = None
    image: Image | None = None


def examine_camera(settings: CameraSettings, source: str | None) -> CameraExamination:
    """Opens a camera and looks at it for some seconds.

    A machine without any camera is fine as long as neither the settings nor the command line
    name one.

    Args:
        settings: the camera of the settings.
        source: another source, named on the command line.

    Raises:
        SourceError: there is no such kind of source.
    """
    told: list[str] = []
    try:
        with open_camera(settings, source, told.append) as camera:
            return _examined(camera, told)
    except CameraError as error:
        nameless = source is None and settings.source == AUTO
        fine = nameless and error.code is CameraFault.MISSING
        found = f"none, camera.source is 'auto': {error}" if fine else str(error)
        return CameraExamination((Check("camera", fine, found),))


def _examined(camera: OpenCamera, told: list[str]) -> CameraExamination:
    """Looks at the pictures of a camera for `_MEASURED_S`.

    Raises:
        CameraError: it gives no pictures.
    """
    newest, fps = _watched(camera)
    mirrored = not find_markers(newest) and has_mirrored_markers(newest)
    checks = (
        Check("camera", fine=True, found="; ".join([camera.name, *told])),
        Check("camera controls", fine=True, found=_controls(camera)),
        _pictures(newest, fps, mirrored=mirrored),
    )
    facts = {
        "name": camera.name,
        "auto": told,
        "locked": [name for name, locked in camera.locks.items() if locked],
        "lacks": [name for name, locked in camera.locks.items() if not locked],
        "size": [newest.shape[1], newest.shape[0]],
        "fps": round(fps, 1),
        "mirrored": mirrored,
    }
    return CameraExamination(checks, facts, newest)


def _watched(camera: OpenCamera) -> tuple[Image, float]:
    """Returns the newest picture after some seconds, and the pictures a second.

    Raises:
        CameraError: it gives no pictures.
    """
    frames = camera.frames()
    first = newest = next(frames, None)
    if first is None or newest is None:
        message = f"{camera.name} has no picture that can be read; name another recording"
        raise CameraError(CameraFault.NO_PICTURES, message)
    while newest.time_s < first.time_s + _MEASURED_S:
        following = next(frames, None)
        if following is None:
            break
        newest = following
    seconds = newest.time_s - first.time_s
    return newest.image, (newest.number - 1) / seconds if seconds > 0 else 0.0


def _controls(camera: OpenCamera) -> str:
    if not camera.locks:
        return "out of reach from here; lock exposure, white balance and focus at the camera"
    locked = ", ".join(name for name, is_locked in camera.locks.items() if is_locked)
    lacks = ", ".join(name for name, is_locked in camera.locks.items() if not is_locked)
    return f"locked: {locked or 'none'}" + (
        f"; lacking or not to be locked: {lacks}" if lacks else ""
    )


def _pictures(image: Image, fps: float, *, mirrored: bool) -> Check:
    height, width = image.shape[:2]
    found = f"{width}x{height} pixels, {fps:.1f} a second"
    fine = not mirrored
    if mirrored:
        found += f"; {BoardNotFound(BoardFailure.MIRRORED).reason}"
    if fps < _LEAST_FPS:
        fine = False
        found += "; a game needs two a second: bring more light, or choose a smaller size"
    return Check("camera pictures", fine, found)
