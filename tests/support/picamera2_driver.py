"""Checks of the driver with the real picamera2, which pytest runs in the root of `virtual_camera`.

The camera shows the pictures of `/machine/pictures`, each four times, ten a second.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
import simplejpeg

from firmware.cameras.interfaces import CameraError
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.sources import opener_of
from firmware.codes import CameraFault
from tests.conftest import ROOT
from tests.support import virtual_picamera2
from tests.support.virtual_picamera2 import CONTROLS, library, set_period
from tests.support.waiting import eventually
from vision.camera import Frame, Image, NoCamera

PERIOD_MS: Final = 100
SAME: Final = 3.0
"""Mean difference in levels of brightness of a picture and the one that is shown, which the
camera's format makes: 1 was measured; between two pictures it is 25."""

PICTURES: Final = [
    np.asarray(cv2.imread(str(path)), np.uint8)
    for path in sorted(Path("/machine/pictures").glob("*.jpg"))
]


@pytest.fixture(autouse=True)
def plugged_in() -> Iterator[None]:
    library()
    set_period(PERIOD_MS)
    yield
    virtual_picamera2.bench().close()


@pytest.fixture
def live() -> Iterator[LiveCamera]:
    """The camera as the program opens it, which has given a picture."""
    camera = LiveCamera(opener_of("picamera2"))
    next_frame(camera)
    yield camera
    begun_s = time.monotonic()
    camera.close()
    camera.close()
    assert time.monotonic() - begun_s < 5


def next_frame(camera: LiveCamera, within_s: float = 10.0) -> Frame:
    found: list[Frame] = []

    def look() -> bool:
        if isinstance(seen := camera.read(), Frame):
            found.append(seen)
        return bool(found)

    eventually(look, within_s)
    return found[0]


def fault(camera: LiveCamera, within_s: float) -> NoCamera:
    found: list[NoCamera] = []

    def look() -> bool:
        if isinstance(seen := camera.read(), NoCamera):
            found.append(seen)
        return bool(found)

    eventually(look, within_s)
    return found[0]


def shown(image: Image) -> int:
    """Number of the picture of ours that an image is."""
    assert image.shape == PICTURES[0].shape == (864, 1536, 3)
    apart = [float(cv2.absdiff(image, picture).mean()) for picture in PICTURES]
    assert sorted(apart)[1] > 2 * SAME
    return [difference < SAME for difference in apart].index(True)


def test_the_libraries_are_ours_and_the_camera_is_the_systems() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert f"numpy=={np.__version__} ;" in lock
    assert simplejpeg.__file__.startswith("/machine/environment/")
    assert library().__file__.startswith("/usr/local/lib/python3.13/dist-packages/")
    picture = np.zeros((16, 16, 3), np.uint8)
    assert simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(picture)).shape == picture.shape


def test_the_systems_own_library_for_jpegs_would_not_do() -> None:
    words = ["/usr/bin/python3", "-c", "import simplejpeg"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert "numpy.dtype size changed" in done.stderr


def test_auto_takes_the_camera_and_our_pictures_arrive() -> None:
    messages: list[str] = []
    camera = opener_of("auto", tell=messages.append)()
    try:
        assert messages == ["camera.source = auto takes the camera of the Raspberry Pi"]
        images, ages_s, times_s = [], [], []
        for _ in range(4 * 5):
            picture = camera.read(1.0)
            assert picture is not None
            assert picture.image is not None
            ages_s.append(time.monotonic() - picture.time_s)
            times_s.append(picture.time_s)
            # The virtual camera reports no exposure.
            assert picture.exposure is None
            # Compared afterwards, which takes a busy machine longer than the camera's period.
            images.append(picture.image.copy())
    finally:
        camera.close()
    seen = [shown(image) for image in images]
    assert set(seen) == set(range(len(PICTURES)))
    steps = {(after - before) % len(PICTURES) for before, after in pairwise(seen)}
    assert steps == {0, 1}
    gaps_s = np.diff(times_s)
    assert gaps_s.min() > 0
    assert float(np.median(gaps_s)) == pytest.approx(PERIOD_MS / 1000, abs=0.05)
    assert min(ages_s) >= 0
    assert float(np.median(ages_s)) < 0.2, ages_s


def test_a_control_that_the_camera_lacks_is_not_locked() -> None:
    camera = RaspberryPiCamera(settle_s=0.1)
    assert set(camera.locks) == {"exposure", "gain", "white balance", "focus"}
    assert not any(camera.locks.values())
    camera.close()


def test_the_newest_picture_wins_and_numbers_rise(live: LiveCamera) -> None:
    first = next_frame(live)
    time.sleep(1.5)
    second = next_frame(live)
    assert time.monotonic() - second.time_s < 2.5 * PERIOD_MS / 1000
    third = next_frame(live)
    assert first.number < second.number < third.number
    assert first.time_s < second.time_s < third.time_s


def test_a_camera_that_is_unplugged_is_a_fault_and_comes_back_by_itself(live: LiveCamera) -> None:
    before = next_frame(live)
    virtual_picamera2.unplug()
    assert fault(live, 3.0).code is CameraFault.SILENT
    set_period(PERIOD_MS)
    assert next_frame(live, 15.0).number > before.number


def test_a_library_that_stopped_working_is_closed_in_time_and_the_camera_is_free() -> None:
    camera = RaspberryPiCamera(settle_s=0.1)
    # With the next picture it ends the thread of the library that hands pictures out.
    camera._camera.set_controls({"FrameDurationLimits": ("fast", "faster")})
    time.sleep(5 * PERIOD_MS / 1000)
    with suppress(CameraError):  # of a picture that it had in hand
        while camera.read(1.0) is not None:  # then a silent camera is closed
            pass
    begun_s = time.monotonic()
    camera.close()
    assert time.monotonic() - begun_s < 2
    RaspberryPiCamera(settle_s=0.1).close()


def test_forbidden_memory_has_its_sentence_until_it_is_allowed() -> None:
    (CONTROLS / "forbidden").touch()
    for _ in range(3):
        with pytest.raises(CameraError, match="group video") as caught:
            opener_of("picamera2")()
        assert caught.value.code is CameraFault.NO_PERMISSION
    (CONTROLS / "forbidden").unlink()
    opener_of("picamera2")().close()
