"""Checks of the camera: there, controls, size, rate, and mirror image."""

from dataclasses import dataclass
from typing import Any, Final

from firmware.cameras.interfaces import CameraError
from firmware.cameras.network_address import is_in_network
from firmware.cameras.open_camera import OpenCamera, open_camera
from firmware.codes import AUTO_CAMERA, CameraFault
from firmware.commands.checks.check import AS_ROOT, Check, fine, unknown, wrong
from firmware.machine.computer import Computer
from firmware.machine.device_nodes import named_cameras
from firmware.settings import CameraSettings
from vision.camera import Image
from vision.detection.markers import find_markers
from vision.errors import BoardFailure
from vision.geometry.image_quality import RollingBands
from web.contract import Page, RefereeState
from web.i18n.wording import Wording

_CODECS: Final = ("bcm2835-", "pispbe", "rpivid", "rpi-hevc", "hevc")
"""First letters of the names of V4L2 devices of a Raspberry Pi that are no cameras."""

_MEASURED_S: Final = 2.0
"""Seconds in which pictures are counted."""

_OUT_OF_REACH: Final = (
    "out of reach from here; lock exposure, white balance and focus at the camera"
)
"""Finding for a camera whose controls no driver here can set, as one in a network."""

_STOP: Final = "end it, or run: sudo systemctl stop cornerlight-table"
"""Remedy where the installed table has the camera: one process alone can open it."""

_LEAST_FPS: Final = 1.9
"""Pictures a second of the slowest camera that can follow a game: two, measured over 2 s."""


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


def examine_camera(
    settings: CameraSettings, source: str | None, *, is_needed: bool
) -> CameraExamination:
    """Opens a camera and looks at it for some seconds.

    Args:
        settings: the camera of the settings.
        source: another source, named on the command line.
        is_needed: False if a machine without any camera is fine, as long as neither the settings
            nor the command line name one.

    Raises:
        SourceError: there is no such kind of source.
    """
    notes: list[str] = []
    try:
        with open_camera(settings, source, notes.append) as camera:
            return _examined(camera, notes)
    except CameraError as error:
        nameless = source is None and settings.source == AUTO_CAMERA
        if nameless and not is_needed and error.code is CameraFault.MISSING:
            none = fine("camera", f"none, camera.source is 'auto': {error}")
            return CameraExamination((none,))
        return CameraExamination((wrong("camera", str(error)),))


def check_cameras(computer: Computer, source: str) -> Check:
    """Lists the cameras that `auto` tries, in its order; opens none.

    Args:
        computer: the computer.
        source: the camera of the settings, which may need no list.
    """
    from firmware.cameras.raspberry_pi import connected  # noqa: PLC0415, its library is big

    try:
        found = [f"{model} of the Raspberry Pi" for model in connected()]
    except CameraError as error:
        found = []
        if computer.is_raspberry_pi and source in (AUTO_CAMERA, "picamera2"):
            remedy = "sudo apt update && sudo apt install python3-picamera2"
            return unknown("cameras", str(error), remedy)
    named = named_cameras(computer).items()
    cameras = [(path, name) for path, name in named if not name.startswith(_CODECS)]
    found += [f"/dev/{path.name}{f' ({name})' if name else ''}" for path, name in cameras]
    codecs = len(named) - len(cameras)
    rest = f"; {codecs} more of /dev/video* are codecs" if codecs else ""
    return fine("cameras", f"{', '.join(found) or 'none at this computer'}{rest}")


def camera_in_use(settings: CameraSettings, page: Page | None) -> CameraExamination:
    """Returns what a running table tells of its camera, which is not opened a second time.

    Args:
        settings: the camera of the settings.
        page: the newest page of the table; None if it sent none.
    """
    if page is None:
        return CameraExamination((unknown("camera", "the table does not tell", AS_ROOT),))
    if page.state.code is RefereeState.CAMERA_AWAY:
        fault = page.state.fault
        why = Wording().say(f"camera-faults.{fault}") if fault else "it does not say why"
        return CameraExamination((wrong("camera", f"the table has no pictures: {why}"),))
    camera = fine("camera", "the table gets pictures of it")
    if is_in_network(settings.source):
        return CameraExamination((camera, fine("camera controls", _OUT_OF_REACH)))
    controls = unknown("camera controls", f"the table has the camera; to see them, {_STOP}")
    return CameraExamination((camera, controls))


def _examined(camera: OpenCamera, notes: list[str]) -> CameraExamination:
    """Looks at the pictures of a camera for `_MEASURED_S`.

    Raises:
        CameraError: it gives no pictures.
    """
    bands = RollingBands()
    newest, fps = _watched(camera, bands)
    _, mirrored = find_markers(newest)
    checks = (
        fine("camera", "; ".join([camera.name, *notes])),
        fine("camera controls", _controls(camera)),
        _pictures(newest, fps, bands, mirrored=mirrored),
    )
    facts = {
        "name": camera.name,
        "auto": notes,
        "locked": [name for name, locked in camera.locks.items() if locked],
        "lacks": [name for name, locked in camera.locks.items() if not locked],
        "size": [newest.shape[1], newest.shape[0]],
        "fps": round(fps, 1),
        "mirrored": mirrored,
        "bands": bands.are_plain,
    }
    return CameraExamination(checks, facts, newest)


def _watched(camera: OpenCamera, bands: RollingBands) -> tuple[Image, float]:
    """Returns the newest picture after some seconds, and the pictures a second.

    Args:
        camera: the camera.
        bands: sees all its pictures.

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
        bands.see(newest.image, newest.time_s)
    seconds = newest.time_s - first.time_s
    return newest.image, (newest.number - 1) / seconds if seconds > 0 else 0.0


def _controls(camera: OpenCamera) -> str:
    if not camera.locks:
        return _OUT_OF_REACH
    locked = ", ".join(name for name, is_locked in camera.locks.items() if is_locked)
    lacks = ", ".join(name for name, is_locked in camera.locks.items() if not is_locked)
    return f"locked: {locked or 'none'}" + (
        f"; lacking or not to be locked: {lacks}" if lacks else ""
    )


def _pictures(image: Image, fps: float, bands: RollingBands, *, mirrored: bool) -> Check:
    height, width = image.shape[:2]
    found = f"{width}x{height} pixels, {fps:.1f} a second"
    faults = [BoardFailure.MIRRORED.reason] if mirrored else []
    if bands.are_plain:
        faults.append(BoardFailure.BANDS.reason)
    if fps < _LEAST_FPS:
        faults.append("a game needs two a second: bring more light, or choose a smaller size")
    return Check("camera pictures", not faults, "; ".join([found, *faults]))
