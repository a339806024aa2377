"""A camera at the ribbon connector of a Raspberry Pi, by the library picamera2.

The library has few limits of its own: it gives another size than asked, waits for ever for a
camera that is gone, and hangs when it is stopped while somebody waits. So everything asked is
read back, every wait has an end, and the thread that waits for pictures also closes the camera.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from firmware.cameras.interfaces import SILENT_S, CameraError, Picture
from firmware.cameras.stored_exposure import (
    KEEPS_NOTHING,
    Exposure,
    ExposureMemory,
    locked_exposure,
)
from firmware.cameras.threaded_camera import ThreadedCamera
from firmware.codes import CameraFault

SETTLE_S: Final = 2.0
"""Seconds of automatic exposure, white balance and focus before they are locked."""

_READOUT_S: Final = 0.034
"""Seconds from the first row of a picture to the last in a mode that is not known: no camera gives
fewer than 30 pictures a second in its mode of `whole_mode`."""

_FPS: Final = 10.0
"""Pictures a second."""

_WAIT_S: Final = 0.5
"""Longest wait for a picture in seconds, after which the thread looks whether it has to end."""

_BUFFERS: Final = 4
"""Buffers for pictures: 16 MB of the 64 MB or more that the kernel reserves for cameras."""

_FORMAT: Final = "RGB888"
"""Name that the library gives to the order blue, green, red in memory."""

_CHANGED: Final = 2 * _BUFFERS
"""Pictures until a control has its effect: it goes with the next free buffer, and the sensor
takes it up to four pictures later."""

_SAME: Final = 0.02
"""Relative difference between a value that was asked and that of the sensor, which has steps."""

_WHOLE: Final = 0.98
"""Share of the largest crop of a sensor, or of its width, from which it counts as whole."""

_SQUARE: Final = 0.02
"""Relative difference of the ratios of sides up to which a mode has the shape of its crop."""

_MANUAL: Final = 0
"""Mode of the focus in which the lens stays at the position that is set (libcamera, AfModeEnum)."""

_CONTINUOUS: Final = 2
"""Mode of the focus in which the camera focuses all the time (libcamera, AfModeEnum)."""

_BY_MAINS: Final = 1
"""Mode in which automatic exposure goes by the period of a lamp (libcamera, AeFlickerModeEnum)."""

_AUTOMATIC: Final[Mapping[str, Any]] = {
    "ExposureTime": 0,
    "AnalogueGain": 0.0,
    "AwbEnable": True,
    "AfMode": _CONTINUOUS,
}
"""Controls that end all locks. Zero does so in every version of the library; AeEnable has no effect
with libcamera 0.5."""

_LOCKED: Final[Mapping[str, tuple[str, ...]]] = {
    "exposure": ("ExposureTime",),
    "gain": ("AnalogueGain",),
    "white balance": ("ColourGains red", "ColourGains blue"),
    "focus": ("LensPosition",),
}
"""Values of each control to lock, see `_exposure_in`."""

_SINGLE: Final = ("ExposureTime", "AnalogueGain", "LensPosition")
"""Controls of the library with one number."""

Library = Any
"""The module `picamera2`, which has no types."""

Size = tuple[int, int]
"""Width and height in pixels."""

_NAME: Final = "camera of the Raspberry Pi"
"""The camera as a person knows it."""

_log = logging.getLogger(__name__)


class RaspberryPiCamera(ThreadedCamera):
    """The first camera of a Raspberry Pi. Opening it takes settling and about one second more.

    Exposure, gain, white balance and focus are automatic at first and then locked, so that a
    picture changes only if the table changes. Values that are kept from before are locked at once,
    unless the camera does not keep them or the picture contradicts them.

    Args:
        size: width and height in pixels.
        exposures: keeps the locked values.
        mains_hz: frequency of the mains, which exposure goes by; 0 leaves it to the camera.
        settle_s: seconds of automatic control before the controls are locked.
        library: imports the module `picamera2`; None for the installed one.

    Raises:
        CameraError: the library or the camera is missing, the camera is in use or forbidden, it
            gives another size, or no pictures.

    Attributes:
        locks: True for each control that is locked, False for one that it lacks or does not keep.
    """

    def __init__(
        self,
        size: Size = (1536, 864),
        *,
        exposures: ExposureMemory = KEEPS_NOTHING,
        mains_hz: int = 0,
        settle_s: float = SETTLE_S,
        library: Callable[[], Library] | None = None,
    ) -> None:
        super().__init__(_NAME, f"the {_NAME}")
        self._size: Final = size
        self._settle_s: Final = settle_s
        self._is_automatic = True
        self._job: Any = None
        self._time_s = 0.0
        self._camera: Final = _opened((library or _picamera2)())
        try:
            with _translated():
                self._readout_s: Final = _configure(self._camera, size)
                self._is_cropped: Final = _is_cropped(self._camera)
                if mains_hz:
                    period_us = 1_000_000 // (2 * mains_hz)
                    self._set({"AeFlickerMode": _BY_MAINS, "AeFlickerPeriod": period_us})
                self._camera.start()
                exposure = locked_exposure(self, exposures, size)
                self.locks: Final = MappingProxyType(
                    {name: exposure.keys() >= set(parts) for name, parts in _LOCKED.items()}
                )
        except BaseException:
            self._closed.set()
            self._thread.start()
            self.close()
            raise
        self._thread.start()

    def _run(self) -> None:
        try:
            with _translated():
                while not self._closed.is_set():
                    taken = self._take(_WAIT_S)
                    if taken is not None and taken[0] is not None:
                        self._put(taken[0])
        except CameraError as error:
            self._fail(error)
        except Exception:  # noqa: BLE001, a thread must not end in silence
            _log.exception("the %s has failed", _NAME)
            self._fail(_fault(CameraFault.FAILED, "has failed; the log names the cause"))
        finally:
            with suppress(RuntimeError, OSError):
                self._camera.cancel_all_and_flush()
                # It also stops the camera, and needs no help of the library's thread, as `stop`.
                self._camera.close()

    def _take(self, timeout_s: float) -> tuple[Picture | None, Mapping[str, Any]] | None:
        """Waits for a picture; returns it, or None if it has another size, and its metadata.

        A call that did not end in time is kept for the next time: the library answers it at some
        time, and nobody else would take the picture.

        Returns:
            None if none came in time.
        """
        self._job = self._job or self._camera.capture_request(wait=False)
        try:
            request = self._camera.wait(self._job, timeout=timeout_s)
        except TimeoutError:
            return None
        self._job = None
        try:
            image = np.asarray(request.make_array("main"), np.uint8)
            metadata = request.get_metadata()
        finally:
            request.release()  # the camera has few buffers
        if image.shape != (self._size[1], self._size[0], 3):
            return None, metadata
        self._time_s = max(_time_s(metadata), math.nextafter(self._time_s, math.inf))
        exposure = _exposure(metadata, self._readout_s)
        picture = Picture(self._time_s, image=image, exposure=exposure, is_cropped=self._is_cropped)
        return picture, metadata

    def _skip(
        self, *, seconds: float = 0.0, pictures: int = 1
    ) -> tuple[Picture | None, Mapping[str, Any]]:
        """Drops pictures for some seconds, at least some; returns the last as `_take` does.

        Raises:
            CameraError: the camera gives none.
        """
        end_s = time.monotonic() + seconds
        while True:
            taken = self._take(SILENT_S)
            if taken is None:
                raise _fault(
                    CameraFault.SILENT,
                    f"has given no picture for {SILENT_S:.0f} s; "
                    "check its ribbon cable, then start the program again",
                )
            pictures -= 1
            if pictures <= 0 and time.monotonic() >= end_s:
                return taken

    def settled(self) -> Exposure:
        """Lets all controls settle automatically; returns their values.

        Raises:
            CameraError: the camera gives no pictures.
        """
        if not self._is_automatic:
            self._set(_AUTOMATIC)
        _, metadata = self._skip(seconds=self._settle_s)
        return _exposure_in(metadata)

    def lock(self, values: Exposure) -> tuple[Exposure, Picture | None]:
        """Sets values as constants; see `CameraControls`."""
        self._is_automatic = False
        # Not with AeEnable: the library sets both in no certain order.
        self._set(_constants(values) | {"AfMode": _MANUAL})
        picture, metadata = self._skip(pictures=_CHANGED)
        given = _exposure_in(metadata)
        held = {
            name: value
            for name, value in values.items()
            if name in given and math.isclose(value, given[name], rel_tol=_SAME)
        }
        return held, picture

    def _set(self, controls: Mapping[str, Any]) -> None:
        """Sets those controls that the camera has."""
        known = self._camera.camera_controls
        self._camera.set_controls({key: value for key, value in controls.items() if key in known})


def _picamera2() -> Library:
    """The library.

    Raises:
        CameraError: it is not installed, or for another NumPy.
    """
    try:
        return import_module("picamera2")
    except (ImportError, ValueError) as error:
        raise CameraError(
            CameraFault.MISSING,
            f"the library picamera2 cannot be loaded ({error}); on Raspberry Pi OS install "
            "it with: sudo apt update && sudo apt install python3-picamera2",
        ) from error


def connected(library: Library | None = None) -> list[str]:
    """Returns the models of the cameras at the ribbon connectors; opens none.

    Args:
        library: the module `picamera2`; None for the installed one.

    Raises:
        CameraError: there is no library.
    """
    # The list ends with webcams, for which there is another driver.
    models = (library or _picamera2()).Picamera2.global_camera_info()
    return [str(one.get("Model", "camera")) for one in models if "/usb" not in one["Id"]]


def _opened(library: Library) -> Any:
    """Opens the first camera.

    Raises:
        CameraError: there is none, or it is in use or forbidden.
    """
    if not connected(library):
        raise CameraError(
            CameraFault.MISSING,
            "no camera is found at the Raspberry Pi; switch it off, check both ends of the ribbon "
            "cable, and see: rpicam-hello --list-cameras",
        )
    with _translated():
        # Where the memory is forbidden, the library would keep the camera that it has opened.
        library.dma_heap.DmaHeap().close()
    try:
        return library.Picamera2()
    except (RuntimeError, OSError) as error:
        sentence = f"is in use by another program ({error}); close that program"
        raise _fault(CameraFault.BUSY, sentence) from error


def whole_mode(
    modes: Sequence[Mapping[str, Any]], height: int, fps: float
) -> Mapping[str, Any] | None:
    """Returns the mode of a sensor that shows its whole field of view with the fewest pixels.

    The library itself may choose a mode that cuts the edges off, because its size is nearer.

    Args:
        modes: `Picamera2.sensor_modes`.
        height: least height in pixels.
        fps: least number of pictures a second.

    Returns:
        One of the modes; None if none is known to be right.
    """
    known = [one for one in modes if "crop_limits" in one]
    largest = max((math.prod(one["crop_limits"][2:]) for one in known), default=0)

    def is_right(one: Mapping[str, Any]) -> bool:
        (width, rows), (across, down) = one["size"], one["crop_limits"][2:]
        # Some drivers list a wrong crop; pixels are square in a right one.
        is_square = abs(width * down / (rows * across) - 1) <= _SQUARE
        is_whole = across * down >= _WHOLE * largest
        return bool(is_square and is_whole and rows >= height and one["fps"] >= fps)

    def cost(one: Mapping[str, Any]) -> tuple[int, int]:
        return math.prod(one["size"]), -one["bit_depth"]

    return min(filter(is_right, known), key=cost, default=None)


def _is_cropped(camera: Any) -> bool:
    """True, with a sentence, if the camera as it is configured does not show its whole width."""
    crop, array = camera.camera_controls.get("ScalerCrop"), camera.camera_properties
    if crop is None or "PixelArraySize" not in array:
        return False
    share = crop[1][2] / array["PixelArraySize"][0]
    if share < _WHOLE:
        _log.warning(
            "the camera of the Raspberry Pi shows %.0f %% of the width that its lens has; "
            "hang it so much higher than the plan says",
            100 * share,
        )
    return bool(share < _WHOLE)


def _configure(camera: Any, size: Size) -> float:
    """Configures the pictures, and reads their size and format back.

    Returns:
        Seconds from the first row of a picture to the last: those of the sensor's fastest pictures.

    Raises:
        CameraError: the camera gives another size or format.
    """
    period_us = round(1e6 / _FPS)
    mode = whole_mode(camera.sensor_modes, size[1], _FPS)
    asked = {} if mode is None else {"output_size": mode["size"], "bit_depth": mode["bit_depth"]}
    controls: dict[str, Any] = {"FrameDurationLimits": (period_us, period_us)}
    if "AfMode" in camera.camera_controls:
        controls["AfMode"] = _CONTINUOUS
    camera.configure(
        camera.create_video_configuration(
            main={"size": size, "format": _FORMAT},
            sensor=asked,
            buffer_count=_BUFFERS,
            queue=False,
            controls=controls,
        )
    )
    main = camera.camera_configuration()["main"]
    given: Size = tuple(main["size"])
    if given != size or main["format"] != _FORMAT:
        raise _fault(
            CameraFault.OTHER_SIZE,
            f"gives {given[0]}x{given[1]} pixels as {main['format']} instead of "
            f"{size[0]}x{size[1]} as {_FORMAT}; use a camera that has that size",
        )
    return _READOUT_S if mode is None else 1 / float(mode["fps"])


@contextmanager
def _translated() -> Iterator[None]:
    """Translates errors of the library.

    Raises:
        CameraError: the body raised an error.
    """
    try:
        yield
    except CameraError:
        raise
    except PermissionError as error:
        sentence = "may not be used by this user; put the user into the group video"
        raise _fault(CameraFault.NO_PERMISSION, sentence) from error
    except (RuntimeError, OSError) as error:
        raise _fault(CameraFault.FAILED, f"has failed: {error}") from error


def _fault(code: CameraFault, sentence: str) -> CameraError:
    return CameraError(code, f"the {_NAME} {sentence}")


def _time_s(metadata: Mapping[str, Any]) -> float:
    """Start of the readout in seconds of `time.monotonic`; the present time if not reported."""
    start_ns = metadata.get("SensorTimestamp")
    return time.monotonic() if start_ns is None else float(start_ns) / 1e9


def _exposure(metadata: Mapping[str, Any], readout_s: float) -> tuple[float, float] | None:
    """Begin and end of the exposure, first row to last, in seconds; None if not reported."""
    if not {"SensorTimestamp", "ExposureTime"} <= metadata.keys():
        return None
    start_s = metadata["SensorTimestamp"] / 1e9
    return start_s - metadata["ExposureTime"] / 1e6, start_s + readout_s


def _exposure_in(metadata: Mapping[str, Any]) -> Exposure:
    """Values to lock that a picture reports: microseconds, factors, and dioptres.

    The names are those of the library's controls; the gains of two colours are two values.
    """
    values = {key: metadata[key] for key in _SINGLE if key in metadata}
    if "ColourGains" in metadata:
        values["ColourGains red"], values["ColourGains blue"] = metadata["ColourGains"]
    return {name: float(value) for name, value in values.items()}


def _constants(values: Exposure) -> dict[str, Any]:
    """The library's controls for values to lock; each in the type that the library takes."""
    controls: dict[str, Any] = {key: values[key] for key in _SINGLE if key in values}
    if "ExposureTime" in controls:
        controls["ExposureTime"] = round(controls["ExposureTime"])
    if values.keys() >= {"ColourGains red", "ColourGains blue"}:
        controls["ColourGains"] = values["ColourGains red"], values["ColourGains blue"]
    return controls
