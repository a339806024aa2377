"""The camera of a phone: the newest picture, and a fault while no phone sends any."""

import threading
import time
from contextlib import closing

import numpy as np
import pytest

from firmware.cameras import phone as phone_module
from firmware.cameras.interfaces import CameraDriver, CameraError, Picture
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.phone import PhoneCamera
from firmware.cameras.sources import opener_of
from firmware.codes import PHONE_CAMERA, CameraFault
from tests.support.picture_files import jpeg_of_size
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from vision.camera import Frame, NoCamera
from vision.errors import SourceError
from vision.io.image_file import encode_jpeg

FIRST, SECOND = (encode_jpeg(np.full((48, 64, 3), grey, np.uint8), 90) for grey in (90, 160))


class StillCamera:
    """A camera with ever the same picture."""

    name = "webcam"

    def __init__(self) -> None:
        self.is_closed = False

    def read(self, timeout_s: float) -> Picture:
        return Picture(time.monotonic(), encoded=FIRST)

    def close(self) -> None:
        self.is_closed = True


def test_before_the_first_picture_the_fault_says_what_to_do() -> None:
    with pytest.raises(CameraError, match="open the page /camera on the phone") as caught:
        opener_of(PHONE_CAMERA, phone=PhoneCamera())()
    assert caught.value.code is CameraFault.NO_PHONE


def test_the_newest_picture_is_read_once() -> None:
    camera = PhoneCamera()
    camera.take(FIRST)
    camera.take(SECOND)
    picture = camera.opened().read(0.0)
    assert picture is not None
    assert picture.encoded == SECOND
    assert camera.read(0.0) is None


def test_a_picture_of_more_pixels_than_a_phone_sends_is_not_even_decoded() -> None:
    camera = PhoneCamera()
    camera.take(FIRST)
    camera.take(jpeg_of_size(SECOND, 40_000, 40_000))
    camera.take(b"\xff\xd8\xff no picture")
    picture = camera.read(0.0)
    assert picture is not None
    assert picture.encoded == FIRST


@WALL_CLOCK
def test_who_waits_is_woken_by_a_picture() -> None:
    camera = PhoneCamera()
    camera.take(FIRST)
    camera.read(0.0)
    began = time.monotonic()
    threading.Timer(0.1, camera.take, (SECOND,)).start()
    picture = camera.read(2.0)
    assert picture is not None
    assert picture.time_s - began < 1.0


def test_auto_takes_another_camera_until_a_phone_sends_pictures() -> None:
    phone, own = PhoneCamera(), StillCamera()
    camera = LiveCamera(phone.before(lambda: own))
    with closing(camera):
        eventually(lambda: isinstance(camera.read(), Frame))
        assert camera.name == own.name
        phone.take(FIRST)

        def is_phone() -> bool:
            phone.take(SECOND)
            return isinstance(camera.read(), Frame) and camera.name == PHONE_CAMERA

        eventually(is_phone)
        assert own.is_closed


def test_without_another_camera_auto_says_so_until_a_phone_comes() -> None:
    def missing() -> CameraDriver:
        raise CameraError(CameraFault.MISSING, "there is none")

    phone = PhoneCamera()
    with pytest.raises(CameraError, match="there is none"):
        phone.before(missing)()
    phone.take(FIRST)
    assert phone.before(missing)() is phone


def test_old_lights_may_be_in_a_picture_that_was_on_its_way() -> None:
    phone = PhoneCamera()
    phone.take(FIRST)
    picture = phone.read(0.0)
    assert picture is not None
    assert picture.exposure == (picture.time_s - 2.0, picture.time_s)


def test_a_phone_that_goes_and_comes_back_is_a_camera_that_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(phone_module, "_SILENT_S", 0.2)
    phone = PhoneCamera()
    camera = LiveCamera(opener_of(PHONE_CAMERA, phone=phone))

    def fault() -> str | None:
        found = camera.read()
        return found.code if isinstance(found, NoCamera) else None

    with closing(camera):
        eventually(lambda: fault() == CameraFault.NO_PHONE)
        for picture in (FIRST, SECOND):

            def is_seen(picture: bytes = picture) -> bool:
                phone.take(picture)
                return isinstance(camera.read(), Frame)

            eventually(is_seen)
            eventually(lambda: fault() == CameraFault.NO_PHONE)


def test_a_verb_without_a_page_has_no_phone() -> None:
    with pytest.raises(SourceError, match="cornerlight run"):
        opener_of(PHONE_CAMERA)
