"""Common behaviour of all cameras, of every driver on its simulation: one suite for all."""

import threading
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from firmware.cameras.interfaces import CameraDriver, CameraError, Picture
from firmware.cameras.live_camera import LiveCamera
from firmware.codes import CameraFault
from tests.support.camera_benches import BENCHES, OTHER_SIZE, SIZE, WAIT_S, CameraBench, read_on
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from vision.camera import Frame, NoCamera

FAULT_S = 6.0
CLOSE_S = 5.0


@pytest.fixture(params=BENCHES)
def bench(request: pytest.FixtureRequest) -> Iterator[CameraBench]:
    factory: Callable[[], CameraBench] = BENCHES[request.param]
    made = factory()
    yield made
    made.close()


@pytest.fixture
def camera(bench: CameraBench) -> Iterator[CameraDriver]:
    opened = bench.open(SIZE)
    yield opened
    opened.close()


def size_of(picture: Picture | Frame) -> tuple[int, int]:
    image = picture.image
    if image is None:
        assert picture.encoded is not None
        image = np.asarray(cv2.imdecode(np.frombuffer(picture.encoded, np.uint8), 1), np.uint8)
    return image.shape[1], image.shape[0]


def fault_of(camera: CameraDriver) -> CameraError:
    with pytest.raises(CameraError) as caught:
        read_on(camera)
    return caught.value


@WALL_CLOCK
def test_pictures_have_the_size_that_was_asked_and_rising_times(camera: CameraDriver) -> None:
    pictures = [camera.read(WAIT_S) for _ in range(5)]
    times = []
    for picture in pictures:
        assert picture is not None
        assert size_of(picture) == SIZE
        times.append(picture.time_s)
    assert times == sorted(set(times))
    assert 0 <= time.monotonic() - times[-1] < 1


def test_an_exposure_is_honest_or_not_reported(camera: CameraDriver) -> None:
    picture = camera.read(WAIT_S)
    assert picture is not None
    if picture.exposure is not None:
        begin, end = picture.exposure
        assert begin < picture.time_s <= end < time.monotonic() + 0.02


def test_a_picture_is_new_after_a_pause(camera: CameraDriver) -> None:
    camera.read(WAIT_S)
    time.sleep(0.3)
    asked_s = time.monotonic()
    picture = camera.read(WAIT_S)
    assert picture is not None
    assert picture.time_s > asked_s - 0.2  # less than the pause


def test_another_size_is_refused_and_the_camera_is_free_again(bench: CameraBench) -> None:
    if not bench.sized:
        pytest.skip("a camera in a network chooses its size itself")
    with pytest.raises(CameraError, match="400x300") as caught:
        bench.open(OTHER_SIZE)
    assert caught.value.code is CameraFault.OTHER_SIZE
    bench.open(SIZE).close()


def test_a_timeout_returns_none_and_loses_no_later_picture(
    bench: CameraBench, camera: CameraDriver
) -> None:
    bench.slow()
    for _ in range(2):
        camera.read(WAIT_S)
    assert camera.read(0.05) is None
    assert camera.read(0.0) is None
    assert camera.read(WAIT_S) is not None


def test_an_unplugged_camera_is_a_fault_in_time(bench: CameraBench) -> None:
    camera = LiveCamera(lambda: bench.open(SIZE))
    eventually(lambda: isinstance(camera.read(), Frame), 8.0)
    bench.unplug()
    eventually(lambda: isinstance(camera.read(), NoCamera), FAULT_S)
    fault = camera.read()
    assert isinstance(fault, NoCamera)
    assert fault.code in {
        CameraFault.FAILED,
        CameraFault.SILENT,
        CameraFault.UNREACHABLE,
        CameraFault.MISSING,
    }
    camera.close()


@WALL_CLOCK
def test_an_unplugged_camera_is_closed_in_time(bench: CameraBench, camera: CameraDriver) -> None:
    bench.unplug()
    start_s = time.monotonic()
    camera.close()
    assert time.monotonic() - start_s < CLOSE_S


def test_closing_twice_does_nothing_and_a_closed_camera_is_not_read(camera: CameraDriver) -> None:
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read(WAIT_S)


def test_another_thread_may_close_a_camera_that_is_read(
    bench: CameraBench, camera: CameraDriver
) -> None:
    bench.slow()
    faults: list[CameraError] = []
    reader = threading.Thread(target=lambda: faults.append(fault_of(camera)))
    reader.start()
    time.sleep(0.1)
    camera.close()
    reader.join(CLOSE_S)
    assert not reader.is_alive()
    assert len(faults) == 1


def test_a_second_opening_is_refused_until_the_first_is_closed(bench: CameraBench) -> None:
    first = bench.open(SIZE)
    if bench.exclusive:
        with pytest.raises(CameraError, match="in use") as caught:
            bench.open(SIZE)
        assert caught.value.code is CameraFault.BUSY
    first.close()
    second = bench.open(SIZE)
    assert second.read(WAIT_S) is not None
    second.close()
