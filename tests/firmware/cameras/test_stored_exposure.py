"""Exposures that are kept: set at once at the next start, and dropped when they are of no use."""

import logging
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cameras.interfaces import CameraDriver, Picture
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.stored_exposure import ExposureMemory, why_unfit
from firmware.cameras.usb import UsbCamera
from firmware.storage.camera_memory import CAMERAS, CameraMemory
from tests.support.camera_benches import SETTLE_S, SIZE
from tests.support.picamera2_library import MODULE_2, Picamera2Library
from tests.support.v4l2_device import V4l2Device
from tests.support.wall_clock import WALL_CLOCK
from vision.io.image_file import encode_jpeg

NEVER_S = 30.0
"""Seconds of settling that no test waits for."""


class Usb:
    """A webcam."""

    name = "USB camera /dev/video0"
    exposure = "exposure"

    def __init__(self) -> None:
        self.device = V4l2Device((SIZE,))

    def set_light(self, light: float) -> None:
        self.device.light = light

    def open(self, memory: ExposureMemory, settle_s: float = SETTLE_S) -> CameraDriver:
        return UsbCamera(
            0,
            SIZE,
            exposures=memory,
            settle_s=settle_s,
            capture_factory=self.device.capture,
            probe=self.device.probe,
        )


class RaspberryPi:
    """A camera of a Raspberry Pi."""

    name = "camera of the Raspberry Pi"
    exposure = "ExposureTime"

    def __init__(self) -> None:
        self.library = Picamera2Library((SIZE,))

    def set_light(self, light: float) -> None:
        self.library.light = light

    def open(self, memory: ExposureMemory, settle_s: float = SETTLE_S) -> CameraDriver:
        return RaspberryPiCamera(
            SIZE, exposures=memory, settle_s=settle_s, library=lambda: self.library
        )


Bench = Usb | RaspberryPi


@pytest.fixture(params=[Usb, RaspberryPi], ids=["usb", "raspberry-pi"])
def bench(request: pytest.FixtureRequest) -> Bench:
    made: Bench = request.param()
    return made


@pytest.fixture
def memory(tmp_path: Path) -> CameraMemory:
    return CameraMemory(tmp_path / CAMERAS)


def stored(memory: CameraMemory, bench: Bench) -> dict[str, float]:
    return dict(memory.exposure_of(bench.name, SIZE))


@WALL_CLOCK
def test_locked_values_are_set_at_the_next_start_without_settling(
    bench: Bench, memory: CameraMemory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = bench.open(memory)
    locks = first.locks  # type: ignore[attr-defined]
    first.close()
    values = stored(memory, bench)
    assert len(values) >= 4
    bench.set_light(0.7)
    begun_s = time.monotonic()
    again = CameraMemory(tmp_path / CAMERAS)
    camera = bench.open(again, NEVER_S)
    assert time.monotonic() - begun_s < NEVER_S / 3
    assert camera.locks == locks == dict.fromkeys(locks, True)  # type: ignore[attr-defined]
    assert stored(again, bench) == values
    assert not caplog.records
    camera.close()


def test_a_webcam_has_the_stored_values(memory: CameraMemory) -> None:
    bench = Usb()
    bench.open(memory).close()
    bench.set_light(0.7)
    camera = bench.open(memory, NEVER_S)
    assert bench.device.brightness == pytest.approx(stored(memory, bench)["exposure"] * 0.7 / 156)
    assert (
        bench.device.control(cv2.CAP_PROP_WB_TEMPERATURE) == stored(memory, bench)["white balance"]
    )
    camera.close()


def test_a_raspberry_pi_has_the_stored_exposure(memory: CameraMemory) -> None:
    bench = RaspberryPi()
    bench.open(memory).close()
    bench.set_light(0.7)
    camera = bench.open(memory, NEVER_S)
    picture = camera.read(2.0)
    assert picture is not None
    assert picture.exposure is not None
    begin_s, _ = picture.exposure
    assert picture.time_s - begin_s == pytest.approx(stored(memory, bench)["ExposureTime"] / 1e6)
    camera.close()


@pytest.mark.parametrize(("light", "word"), [(0.05, "dark"), (40.0, "bright")])
def test_values_of_another_light_are_dropped_with_one_sentence_and_set_anew(
    bench: Bench,
    memory: CameraMemory,
    caplog: pytest.LogCaptureFixture,
    light: float,
    word: str,
) -> None:
    bench.open(memory).close()
    before = stored(memory, bench)
    bench.set_light(light)
    camera = bench.open(memory)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage() == (
        f"the exposure kept for the {bench.name} is dropped, as the picture is much too {word} "
        "with it; it is set anew"
    )
    after = stored(memory, bench)
    assert (after[bench.exposure] > before[bench.exposure]) == (light < 1)
    assert all(camera.locks.values())  # type: ignore[attr-defined]
    camera.close()
    caplog.clear()
    bench.open(memory, NEVER_S).close()
    assert not caplog.records


def test_a_value_that_the_camera_does_not_keep_is_dropped_with_all_others(
    bench: Bench, memory: CameraMemory, caplog: pytest.LogCaptureFixture
) -> None:
    bench.open(memory).close()
    values = stored(memory, bench)
    memory.keep_exposure(bench.name, SIZE, values | {"zoom": 3.0})
    bench.open(memory).close()
    (record,) = caplog.records
    assert "the camera does not keep its zoom" in record.getMessage()
    assert stored(memory, bench).keys() == values.keys()


def test_the_values_of_a_camera_with_autofocus_do_not_fit_one_without(
    memory: CameraMemory, caplog: pytest.LogCaptureFixture
) -> None:
    bench = RaspberryPi()
    bench.open(memory).close()
    bench.library = Picamera2Library((SIZE,), controls=MODULE_2)
    bench.open(memory).close()
    assert "does not keep its LensPosition;" in caplog.text
    assert "LensPosition" not in stored(memory, bench)


def test_nothing_is_kept_of_a_dark_room_and_nothing_is_forgotten_in_it(
    bench: Bench, memory: CameraMemory
) -> None:
    bench.set_light(0.0005)
    bench.open(memory).close()
    assert not stored(memory, bench)
    bench.set_light(1.0)
    bench.open(memory).close()
    values = stored(memory, bench)
    assert values
    bench.set_light(0.0005)
    bench.open(memory).close()
    assert stored(memory, bench) == values


def test_other_values_of_the_camera_stay(bench: Bench, memory: CameraMemory) -> None:
    memory.change(bench.name, SIZE, lambda one: replace(one, dark_frames=4))
    bench.open(memory).close()
    assert memory.of(bench.name, SIZE).dark_frames == 4


def test_a_picture_that_came_only_in_part_tells_nothing() -> None:
    black = encode_jpeg(np.zeros((240, 320, 3), np.uint8), 80)
    assert "dark" in why_unfit((), Picture(0.0, encoded=black))
    assert not why_unfit((), Picture(0.0, encoded=black[:100]))
    assert not why_unfit((), None)
