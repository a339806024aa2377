"""Cameras of a Raspberry Pi: locks, exposures, requests given back, and a library that hangs."""

import importlib
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from firmware.cameras.interfaces import CameraError, Picture
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.codes import CameraFault
from tests.support.camera_benches import SIZE, WAIT_S, read_on
from tests.support.picamera2_library import (
    IMX219,
    IMX296,
    IMX477,
    IMX500,
    IMX708,
    MODULE_2,
    MODULE_3,
    OV5647,
    Picamera2Library,
    Picamera2Request,
    SensorMode,
    SimulatedPicamera2,
)
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from vision.camera import Frame, NoCamera


def opened(library: Picamera2Library) -> RaspberryPiCamera:
    return RaspberryPiCamera(SIZE, settle_s=0.05, library=lambda: library)


def refused(library: Picamera2Library) -> CameraError:
    with pytest.raises(CameraError) as caught:
        opened(library)
    return caught.value


def next_of(camera: RaspberryPiCamera) -> Picture:
    picture = camera.read(WAIT_S)
    assert picture is not None
    return picture


def test_all_controls_are_locked_and_never_together_with_automatic_exposure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[set[str]] = []
    original = SimulatedPicamera2.set_controls

    def recorded(self: SimulatedPicamera2, controls: Mapping[str, Any]) -> None:
        asked.append(set(controls))
        original(self, controls)

    monkeypatch.setattr(SimulatedPicamera2, "set_controls", recorded)
    camera = opened(Picamera2Library())
    assert camera.locks == dict.fromkeys(("exposure", "gain", "white balance", "focus"), True)
    assert asked[0] == {"FrameDurationLimits", "AfMode"}
    assert asked[1] == {"ExposureTime", "AnalogueGain", "ColourGains", "LensPosition", "AfMode"}
    camera.close()


SENSORS = {
    "imx708": (IMX708, (2304, 1296), (2304, 1296)),
    "imx219": (IMX219, (1920, 1080), (1640, 1232)),
    "ov5647": (OV5647, (1920, 1080), (1296, 972)),
    "imx477": (IMX477, (2028, 1080), (2028, 1520)),
    "imx500": (IMX500, (2028, 1520), (2028, 1520)),
    "imx296": (IMX296, (1456, 1088), (1456, 1088)),
}
"""Of each sensor its modes, that which libcamera takes for 2304x1296, and the right one."""


@pytest.mark.parametrize("name", SENSORS)
def test_the_whole_field_of_view_is_shown(name: str, caplog: pytest.LogCaptureFixture) -> None:
    modes, cropped, whole = SENSORS[name]
    library = Picamera2Library(modes=modes)
    camera = library.Picamera2()
    asked = {"output_size": (2304, 1296), "bit_depth": 10}
    camera.configure(camera.create_video_configuration(sensor=asked))
    assert library.mode is not None
    assert library.mode.size == cropped
    camera.close()
    RaspberryPiCamera(settle_s=0.05, library=lambda: library).close()
    assert library.mode.size == whole
    assert caplog.text == ""


def test_a_mode_with_a_wrong_crop_is_not_taken() -> None:
    false = SensorMode((1900, 1080), 60.0, (0, 0, 4056, 3040), 12)
    library = Picamera2Library(modes=(false, *IMX477))
    RaspberryPiCamera(settle_s=0.05, library=lambda: library).close()
    assert library.mode is not None
    assert library.mode.size == (2028, 1520)


def test_a_camera_that_shows_less_than_its_lens_has_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    slow = replace(IMX219[3], fps=5.0)
    library = Picamera2Library(modes=(IMX219[2], slow))
    camera = RaspberryPiCamera(settle_s=0.05, library=lambda: library)
    picture = camera.read(2.0)
    camera.close()
    assert "shows 59 % of the width" in caplog.text
    assert picture is not None
    assert picture.is_cropped


def test_a_camera_that_tells_no_modes_is_taken_as_it_is() -> None:
    library = Picamera2Library(modes=())
    RaspberryPiCamera(settle_s=0.05, library=lambda: library).close()
    assert library.mode is None


@pytest.mark.parametrize(("mains_hz", "period_us"), [(50, 10_000), (60, 8333)])
def test_exposure_goes_by_the_frequency_of_the_mains(
    mains_hz: int, period_us: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Mapping[str, Any]] = []
    original = SimulatedPicamera2.set_controls

    def recorded(self: SimulatedPicamera2, controls: Mapping[str, Any]) -> None:
        asked.append(controls)
        original(self, controls)

    monkeypatch.setattr(SimulatedPicamera2, "set_controls", recorded)
    library = Picamera2Library()
    RaspberryPiCamera(SIZE, mains_hz=mains_hz, settle_s=0.05, library=lambda: library).close()
    assert asked[1] == {"AeFlickerMode": 1, "AeFlickerPeriod": period_us}


def test_a_camera_without_autofocus_has_no_lock_of_the_focus() -> None:
    camera = opened(Picamera2Library(controls=MODULE_2))
    assert camera.locks["exposure"]
    assert not camera.locks["focus"]
    camera.close()


def test_a_value_that_the_camera_does_not_keep_is_not_locked() -> None:
    narrow = {**MODULE_3, "AnalogueGain": (8.0, 16.0)}
    camera = opened(Picamera2Library(controls=narrow))
    assert not camera.locks["gain"]
    assert camera.locks["exposure"]
    camera.close()


def test_an_exposure_lasts_from_the_first_row_to_the_end_of_the_readout() -> None:
    camera = opened(Picamera2Library())
    picture = next_of(camera)
    assert picture.exposure is not None
    begin, end = picture.exposure
    assert begin < picture.time_s - 0.004
    assert end == pytest.approx(picture.time_s + 1 / IMX708[1].fps)
    camera.close()


@WALL_CLOCK
@pytest.mark.parametrize("name", ["ExposureTime", "SensorTimestamp"])
def test_an_exposure_that_the_camera_does_not_report_is_none(name: str) -> None:
    library = Picamera2Library()
    library.dumb = frozenset({name})
    camera = opened(library)
    picture = next_of(camera)
    assert picture.exposure is None
    assert abs(time.monotonic() - picture.time_s) < 1
    camera.close()


def test_more_pictures_than_buffers_are_given_back_each_once() -> None:
    camera = opened(Picamera2Library(fps=200))
    times_s = [next_of(camera).time_s for _ in range(20)]
    assert times_s == sorted(set(times_s))
    camera.close()


def test_a_picture_is_given_back_after_an_error_and_the_camera_is_free_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = Picamera2Library(fps=200)
    camera = opened(library)
    lent: list[Picamera2Request] = []

    def broken(self: Picamera2Request, name: str) -> None:
        lent.append(self)
        raise RuntimeError("failed to find buffer")

    with monkeypatch.context() as patch:
        patch.setattr(Picamera2Request, "make_array", broken)
        with pytest.raises(CameraError, match="failed to find buffer"):
            read_on(camera)
    camera.close()
    (request,) = lent
    with pytest.raises(RuntimeError, match="negative ref_count"):
        request.release()
    again = opened(library)
    next_of(again)
    again.close()


def test_an_error_that_nobody_expects_is_told_and_the_camera_is_free_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: Picamera2Request, name: str) -> None:
        raise MemoryError

    library = Picamera2Library(fps=200)
    camera = opened(library)
    monkeypatch.setattr(Picamera2Request, "make_array", broken)
    with pytest.raises(CameraError, match="the log names the cause"):
        read_on(camera)
    eventually(lambda: not library.in_use)
    camera.close()


def test_a_camera_that_is_gone_is_silent_and_free_for_another_opening() -> None:
    library = Picamera2Library()
    camera = LiveCamera(lambda: opened(library))
    eventually(lambda: isinstance(camera.read(), Frame))
    library.unplug()
    eventually(lambda: isinstance(camera.read(), NoCamera), 5.0)
    eventually(lambda: not library.in_use)
    camera.close()


def test_a_camera_that_gives_no_first_picture_is_silent() -> None:
    library = Picamera2Library()
    library.unplug()
    error = refused(library)
    assert error.code is CameraFault.SILENT
    assert "ribbon cable" in str(error)


@WALL_CLOCK
def test_a_library_that_hangs_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = threading.Event()
    monkeypatch.setattr(SimulatedPicamera2, "close", lambda _: hangs.wait(5.0))
    library = Picamera2Library()
    camera = opened(library)
    monkeypatch.setattr(camera, "_closing_s", 0.3)
    library.unplug()
    camera.read(0.1)
    start_s = time.monotonic()
    camera.close()
    camera.close()
    assert time.monotonic() - start_s < 1
    hangs.set()
    with pytest.raises(CameraError, match="closed"):
        camera.read(WAIT_S)


def test_a_camera_whose_library_has_stopped_working_is_free_again() -> None:
    library = Picamera2Library((SIZE,))
    camera = opened(library)
    camera._camera.set_controls({"ExposureTime": 0.5})
    with suppress(CameraError):  # unless it fails first
        for _ in range(8):
            camera.read(0.1)
    camera.close()
    assert not library.in_use


def test_each_refusal_has_its_sentence() -> None:
    library = Picamera2Library()
    library.forbidden = True
    for _ in range(2):  # the camera is not kept open, which would say "in use" the second time
        error = refused(library)
        assert error.code is CameraFault.NO_PERMISSION
        assert "group video" in str(error)
    library.missing = True
    error = refused(library)
    assert error.code is CameraFault.MISSING
    assert "ribbon cable" in str(error)


def test_an_odd_size_is_refused_and_the_camera_is_free_again() -> None:
    library = Picamera2Library()
    with pytest.raises(CameraError, match=r"320x240 .* instead of 321x240") as caught:
        RaspberryPiCamera((321, 240), library=lambda: library)
    assert caught.value.code is CameraFault.OTHER_SIZE
    assert not library.in_use


@pytest.mark.parametrize("error", [ImportError("No module"), ValueError("numpy.dtype size")])
def test_a_missing_or_unfit_library_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def failing(name: str) -> None:
        assert name == "picamera2"
        raise error

    monkeypatch.setattr("firmware.cameras.raspberry_pi.import_module", failing)
    with pytest.raises(CameraError, match="apt install python3-picamera2") as caught:
        RaspberryPiCamera()
    assert caught.value.code is CameraFault.MISSING


def test_the_library_is_not_imported_with_the_driver() -> None:
    driver = importlib.import_module("firmware.cameras.raspberry_pi")
    assert not hasattr(driver, "picamera2")
