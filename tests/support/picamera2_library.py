"""The library picamera2 and a camera at the ribbon connector of a Raspberry Pi.

It refuses what version 0.3.38 refuses, and hangs where that hangs: a call that timed out stays in
the queue and takes a later picture, a picture that is not given back leaves the camera one buffer
less, and `stop` waits for ever behind a call that waits for a picture. The tests put the same
questions to both. An exposure or a gain of zero is automatic, and the switch AeEnable has no
effect, as with libcamera 0.5.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from functools import partial
from threading import Event, RLock, Thread
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from vision.camera import Image

Limits = tuple[float, float]
"""Least and largest value of a control."""

MODULE_3: Final[Mapping[str, Limits]] = {
    "ExposureTime": (26, 220_417_486),
    "AnalogueGain": (1.12, 16.0),
    "ColourGains": (0.0, 32.0),
    "FrameDurationLimits": (17_849, 220_535_845),
    "AeEnable": (0, 1),
    "AeFlickerMode": (0, 1),
    "AeFlickerPeriod": (100, 1_000_000),
    "AwbEnable": (0, 1),
    "AfMode": (0, 2),
    "LensPosition": (0.0, 32.0),
}
"""Controls of a Camera Module 3: microseconds, factors, and dioptres."""

MODULE_2: Final[Mapping[str, Limits]] = {
    name: limits for name, limits in MODULE_3.items() if name not in {"AfMode", "LensPosition"}
}
"""Controls of a Camera Module 2, which has no autofocus."""

Size = tuple[int, int]
"""Width and height in pixels."""


@dataclass(frozen=True, slots=True)
class SensorMode:
    """A mode of a sensor.

    Attributes:
        size: width and height in pixels of its pictures.
        fps: most pictures a second.
        crop: left, top, width and height of the pixels of the sensor that are in them.
        bit_depth: bits of a pixel.
    """

    size: Size
    fps: float
    crop: tuple[int, int, int, int]
    bit_depth: int = 10


IMX708: Final = (
    SensorMode((1536, 864), 120.13, (768, 432, 3072, 1728)),
    SensorMode((2304, 1296), 56.03, (0, 0, 4608, 2592)),
    SensorMode((4608, 2592), 14.35, (0, 0, 4608, 2592)),
)
"""Modes of the Camera Module 3."""

IMX219: Final = (
    SensorMode((640, 480), 103.33, (1000, 752, 1280, 960)),
    SensorMode((1640, 1232), 41.85, (0, 0, 3280, 2464)),
    SensorMode((1920, 1080), 47.57, (680, 692, 1920, 1080)),
    SensorMode((3280, 2464), 21.19, (0, 0, 3280, 2464)),
)
"""Modes of the Camera Module 2."""

OV5647: Final = (
    SensorMode((640, 480), 58.92, (16, 0, 2560, 1920)),
    SensorMode((1296, 972), 46.34, (0, 0, 2592, 1944)),
    SensorMode((1920, 1080), 32.81, (348, 434, 1928, 1080)),
    SensorMode((2592, 1944), 15.63, (0, 0, 2592, 1944)),
)
"""Modes of the Camera Module 1."""

IMX477: Final = (
    SensorMode((1332, 990), 120.05, (696, 528, 2664, 1980)),
    SensorMode((2028, 1080), 50.03, (0, 440, 4056, 2160), 12),
    SensorMode((2028, 1520), 40.01, (0, 0, 4056, 3040), 12),
    SensorMode((4056, 3040), 10.0, (0, 0, 4056, 3040), 12),
)
"""Modes of the HQ Camera."""

IMX500: Final = (
    SensorMode((2028, 1520), 30.02, (0, 0, 4056, 3040)),
    SensorMode((4056, 3040), 10.0, (0, 0, 4056, 3040)),
)
"""Modes of the AI Camera."""

IMX296: Final = (SensorMode((1456, 1088), 60.38, (0, 0, 1456, 1088)),)
"""The mode of the Global Shutter Camera."""

_READOUT_NS: Final = 10_000_000
"""Nanoseconds from the start of a readout to the arrival of the picture."""

_DELAY: Final = 2
"""Pictures after which a control has its effect."""

_CONSTANT: Final = {"ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"}
"""Controls that stay at a value once it is set; automatic before."""

_USUAL_US: Final = 4000
"""Microseconds of the automatic exposure in the usual light."""

_USUAL_GAIN: Final = 1.2
"""Automatic gain in the usual light, a factor."""

_LONGEST_US: Final = 100_000
"""Longest automatic exposure in microseconds."""


def _score(mode: SensorMode, size: Size, bit_depth: int) -> float:
    """Distance of a mode from what is asked; libcamera takes the nearest one."""

    def away(asked: float, given: float) -> float:
        return 2 * (asked - given) if given < asked else (given - asked) / 4

    sides = sum(map(away, size, mode.size))
    shape = 1500 * away(size[0] / size[1], mode.size[0] / mode.size[1])
    return sides + shape + 500 * abs(bit_depth - mode.bit_depth)


class Picamera2Library:
    """The module `picamera2` on a machine with one camera.

    Args:
        sizes: widths and heights in pixels that the camera has.
        fps: pictures a second.
        controls: controls of the camera.
        modes: modes of its sensor, see `IMX708`; none for a camera that does not tell them.

    Attributes:
        missing: True if there is no camera.
        forbidden: True if the user may not use the kernel's memory for cameras.
        light: light of the room, 1 for the usual one. Automatic exposure makes up for it.
        dumb: metadata that the camera does not report.
        mode: mode of the sensor in which it was configured last; None before.
        Picamera2: class of the cameras, as far as the driver uses it.
        dma_heap: module with the class of the kernel's memory for cameras.
    """

    def __init__(
        self,
        sizes: Sequence[tuple[int, int]] = ((320, 240), (1536, 864)),
        fps: float = 50.0,
        controls: Mapping[str, Limits] = MODULE_3,
        modes: Sequence[SensorMode] = IMX708,
    ) -> None:
        self.missing = False
        self.forbidden = False
        self.light = 1.0
        self.dumb: frozenset[str] = frozenset()
        self.sizes: Final = tuple(sizes)
        self.period_s = 1 / fps
        self.controls: Final = dict(controls)
        self.modes: Final = tuple(modes)
        self.mode: SensorMode | None = None
        self.in_use = False
        self.unplugged: Final = Event()
        self.Picamera2: Final = Picamera2Opener(self)
        self.dma_heap: Final = SimpleNamespace(DmaHeap=partial(DmaHeap, self))

    def set_fps(self, fps: float) -> None:
        """Changes the number of pictures a second, as automatic exposure does in the dark."""
        self.period_s = 1 / fps

    def unplug(self) -> None:
        """Pulls the ribbon cable out: there are no pictures any more, and no error either."""
        self.unplugged.set()

    def plug_in(self) -> None:
        """Puts the ribbon cable in again."""
        self.unplugged.clear()


class DmaHeap:
    """The kernel's memory for cameras, open.

    Args:
        library: the library, which knows whether it is allowed.

    Raises:
        PermissionError: it is not.
    """

    def __init__(self, library: Picamera2Library) -> None:
        if library.forbidden:
            raise PermissionError(13, "Permission denied", "/dev/dma_heap/linux,cma")

    def close(self) -> None:
        """Closes it."""


class Picamera2Opener:
    """The class `Picamera2`: called, it opens the camera.

    Args:
        library: the library.
    """

    def __init__(self, library: Picamera2Library) -> None:
        self._library: Final = library

    def global_camera_info(self) -> list[dict[str, Any]]:
        """Names of the cameras."""
        if self._library.missing:
            return []
        return [{"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Model": "imx708", "Num": 0}]

    def __call__(self, camera_num: int = 0) -> "SimulatedPicamera2":
        """Opens the camera.

        Args:
            camera_num: its number in the list of cameras.

        Raises:
            RuntimeError: there is none, or it is in use.
            PermissionError: the user may not use the memory for cameras; the camera stays in use.
        """
        if camera_num >= len(self.global_camera_info()):
            raise RuntimeError(f"No camera number {camera_num} found")
        if self._library.in_use:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self._library.in_use = True
        DmaHeap(self._library)
        return SimulatedPicamera2(self._library)


class SimulatedPicamera2:
    """A camera that is open.

    Args:
        library: the library, which knows the state of the camera.
    """

    def __init__(self, library: Picamera2Library) -> None:
        self._library: Final = library
        self._lock: Final = RLock()
        self._jobs: list[Picamera2Job] = []
        self._completed: list[Picamera2Request] = []
        self._configuration: dict[str, Any] = {}
        self._free = 0
        self._started = False
        self._stopping = Event()
        self._unfit = ""
        self._sensor: Final = _Sensor(library)

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        """Least, largest and usual value of each control."""
        controls = self._library.controls.items()
        found: dict[str, tuple[Any, Any, Any]] = {
            name: (*limits, limits[0]) for name, limits in controls
        }
        if self._library.mode is not None:
            crop = self._library.mode.crop
            found["ScalerCrop"] = (0, 0, 64, 64), crop, crop
        return found

    @property
    def camera_properties(self) -> dict[str, Any]:
        """Facts of the sensor."""
        crops = [mode.crop for mode in self._library.modes]
        if not crops:
            return {}
        return {"PixelArraySize": max((across, down) for _, _, across, down in crops)}

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        """The modes of the sensor; reading them configures the camera in each.

        Raises:
            RuntimeError: it is running.
        """
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        self._configuration = {}
        return [
            {
                "size": one.size,
                "fps": one.fps,
                "crop_limits": one.crop,
                "bit_depth": one.bit_depth,
            }
            for one in self._library.modes
        ] or [{"format": "NV12"}]

    def create_video_configuration(self, **settings: Any) -> dict[str, Any]:
        """A configuration for video; an odd size becomes an even one."""
        defaults = {"buffer_count": 6, "queue": True, "controls": {}, "sensor": {}}
        main = {"size": (1280, 720), "format": "XBGR8888"} | settings.get("main", {})
        main["size"] = tuple(length - length % 2 for length in main["size"])
        return defaults | settings | {"main": main}

    def configure(self, configuration: Mapping[str, Any]) -> None:
        """Configures the camera; a size that it lacks becomes another one.

        Raises:
            RuntimeError: it is running, or a control is unknown.
        """
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        width, height = configuration["main"]["size"]
        size = min(self._library.sizes, key=lambda one: abs(one[0] - width) + abs(one[1] - height))
        self.set_controls(configuration["controls"])
        sensor = {"output_size": (width, height), "bit_depth": 10} | configuration["sensor"]
        self._library.mode = min(
            self._library.modes,
            key=lambda mode: _score(mode, sensor["output_size"], sensor["bit_depth"]),
            default=None,
        )
        main = configuration["main"] | {"size": size, "format": "RGB888"}
        self._configuration = {**configuration, "main": main}

    def camera_configuration(self) -> dict[str, Any]:
        """The configuration as the camera has it."""
        return self._configuration

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """Sets controls; a value out of range becomes the nearest one.

        A value of a wrong type, such as a number of microseconds that is not whole, is an error
        each time that a picture is given back.

        Raises:
            RuntimeError: the camera has no such control.
        """
        for name, value in controls.items():
            if name not in self._library.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            if not _fits(name, value):
                with self._lock:
                    self._unfit = f"Unable to cast Python instance of type {type(value)}"
                return
        self._sensor.ask(controls)

    def start(self) -> None:
        """Starts the pictures; without a configuration, with one of its own."""
        if not self._configuration:
            self.configure(self.create_video_configuration(main={"size": (640, 480)}))
        self._free = self._configuration["buffer_count"]
        self._started = True
        self._stopping = Event()
        Thread(target=self._run, name="picamera2", daemon=True).start()

    def capture_request(self, *, wait: bool | float | None = None, flush: int | None = None) -> Any:
        """Asks for the next picture: a `Picamera2Request`, or a `Picamera2Job`.

        Args:
            wait: seconds to wait for it; True for any time, False to return the job.
            flush: nanoseconds before which its exposure may not begin.

        Raises:
            TimeoutError: it did not come in time; the job stays in the queue.
            KeyError: the camera does not report the exposure.
        """
        return self._dispatch(lambda: self._take(flush), wait=wait)

    def wait(self, job: "Picamera2Job", timeout: float | None = None) -> Any:
        """Waits for a job.

        Raises:
            TimeoutError: it is not done in time.
            CancelledError: it was cancelled.
        """
        return job.get_result(timeout)

    def cancel_all_and_flush(self) -> None:
        """Cancels all jobs."""
        with self._lock:
            for job in self._jobs:
                job.future.set_exception(CancelledError())
            self._jobs = []

    def stop(self) -> None:
        """Stops the pictures; waits for ever if a job before it waits for a picture."""
        if self._started:
            self._dispatch(self._stop)

    def close(self) -> None:
        """Closes the camera; a job that waits for a picture goes on waiting."""
        self._stop()
        self._library.in_use = False

    def give_back(self) -> None:
        """Takes a buffer back.

        Raises:
            RuntimeError: a control was set to a value of a wrong type.
        """
        with self._lock:
            if self._started and self._unfit:
                raise RuntimeError(self._unfit)
            self._free += 1

    def _dispatch(self, work: Callable[[], Any], *, wait: bool | float | None = None) -> Any:
        job = Picamera2Job(work)
        with self._lock:
            self._jobs.append(job)
            if not self._unfit and (work == self._stop or self._completed):
                self._execute()
        if wait is False:
            return job
        return job.get_result(None if wait is None or wait is True else wait)

    def _take(self, flush: int | None) -> "Picamera2Request | None":
        while self._completed:
            request = self._completed.pop(0)
            data = request.get_metadata()
            if flush and data["SensorTimestamp"] - 1000 * data["ExposureTime"] < flush:
                request.release()
                continue
            return request
        return None

    def _stop(self) -> bool:
        self._started = False
        self._stopping.set()
        return True

    def _run(self) -> None:
        """Delivers pictures, as the library's thread does; a wrong control ends it."""
        stopping = self._stopping
        while not stopping.wait(self._library.period_s):
            with self._lock:
                if self._unfit:
                    return
                if self._library.unplugged.is_set() or not self._free:
                    continue
                self._free -= 1
                shot = self._sensor.shot(self._configuration["main"]["size"])
                self._completed.append(Picamera2Request(self, *shot))
                self._execute()
                capacity = int(self._configuration["queue"])
                while len(self._completed) > capacity:
                    self._completed.pop(0).release()

    def _execute(self) -> None:
        with self._lock:
            while self._jobs and self._jobs[0].execute():
                self._jobs.pop(0)


class Picamera2Job:
    """A call that waits in the queue of the library.

    Args:
        work: returns the result, or None to be called again at the next picture.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work: Final = work
        self.future: Final[Future[Any]] = Future()

    def execute(self) -> bool:
        """Tries to do the work; True if it is done."""
        try:
            result = self._work()
        except KeyError as error:
            self.future.set_exception(error)
            return True
        if result is not None:
            self.future.set_result(result)
        return result is not None

    def get_result(self, timeout: float | None = None) -> Any:
        """Waits for the result.

        Raises:
            TimeoutError: it is not done in time.
            CancelledError: it was cancelled.
        """
        return self.future.result(timeout)


class Picamera2Request:
    """A picture that the library lends.

    Args:
        camera: the camera that takes the buffer back.
        image: (height, width, 3) uint8, blue green red.
        metadata: values of the sensor for this picture.
    """

    def __init__(
        self, camera: SimulatedPicamera2, image: Image, metadata: Mapping[str, Any]
    ) -> None:
        self._camera: Final = camera
        self._image: Final = image
        self._metadata: Final = metadata
        self._uses = 1

    def make_array(self, name: str) -> Image:
        """A copy of the picture.

        Raises:
            RuntimeError: there is no stream of that name.
        """
        if name != "main":
            raise RuntimeError(f"Stream {name!r} is not defined")
        return self._image.copy()

    def get_metadata(self) -> dict[str, Any]:
        """The values of the sensor for this picture."""
        return dict(self._metadata)

    def release(self) -> None:
        """Gives the picture back.

        Raises:
            RuntimeError: it was given back before.
        """
        self._uses -= 1
        if self._uses < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._camera.give_back()


def _fits(name: str, value: Any) -> bool:
    """True if a value has a type that libcamera takes for a control."""
    values = value if isinstance(value, tuple) else (value,)
    kind = int if name in {"ExposureTime", "FrameDurationLimits"} else (int, float)
    return all(isinstance(one, kind) for one in values)


class _Sensor:
    """The sensor: its values drift until they are set."""

    def __init__(self, library: Picamera2Library) -> None:
        self._library: Final = library
        self._number = 0
        self._fixed: dict[str, Any] = {}
        self._asked: list[tuple[int, dict[str, Any]]] = []

    def ask(self, controls: Mapping[str, Any]) -> None:
        """Sets controls from the next picture but one."""
        within = {
            name: np.clip(value, *self._library.controls[name]).tolist() if value else value
            for name, value in controls.items()
        }
        self._asked.append((self._number + _DELAY, within))

    def shot(self, size: tuple[int, int]) -> tuple[Image, dict[str, Any]]:
        """A picture and its values."""
        self._number += 1
        while self._asked and self._asked[0][0] <= self._number:
            self._take(self._asked.pop(0)[1])
        values = self._values()
        exposed = values.get("ExposureTime", 0.0) * values.get("AnalogueGain", 0.0)
        needed = _USUAL_US * _USUAL_GAIN * self._drift**2 / self._library.light
        shade = min(255, (64 + self._number % 128) * exposed / needed)
        image = np.full((size[1], size[0], 3), shade, np.uint8)
        image[:8, :8] = 64 + self._number % 128  # two pictures are never the same
        values["SensorTimestamp"] = time.monotonic_ns() - _READOUT_NS
        dumb = self._library.dumb
        return image, {name: value for name, value in values.items() if name not in dumb}

    @property
    def _drift(self) -> float:
        """Factor of the automatic values: dusk falls slowly."""
        return 1 + self._number / 200

    def _take(self, controls: Mapping[str, Any]) -> None:
        """Makes controls constant or automatic."""
        self._fixed |= controls
        for name in ("ExposureTime", "AnalogueGain"):
            if self._fixed.get(name) == 0:
                del self._fixed[name]
        if controls.get("AwbEnable"):
            self._fixed.pop("ColourGains", None)
        if self._fixed.get("AfMode"):
            self._fixed.pop("LensPosition", None)

    def _values(self) -> dict[str, Any]:
        """The values of the controls for the present picture."""
        drift = self._drift
        automatic = {
            "ExposureTime": min(round(_USUAL_US * drift / self._library.light), _LONGEST_US),
            "AnalogueGain": min(_USUAL_GAIN * drift, 16.0),
            "ColourGains": (1.5 * drift, 1.8),
            "LensPosition": 2.5 * drift,
        }
        return {
            name: self._fixed.get(name, value)
            for name, value in automatic.items()
            if name in _CONSTANT & self._library.controls.keys()
        }
