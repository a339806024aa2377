"""Sources that people name, and the choice of `auto`."""

import time
from pathlib import Path

import pytest

from firmware.cameras import raspberry_pi, sources, usb
from firmware.cameras.interfaces import CameraDriver, CameraError
from firmware.cameras.playback import PlaybackCamera
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.sources import opener_of
from firmware.cameras.stored_exposure import ExposureMemory
from firmware.cameras.usb import UsbCamera
from firmware.codes import CameraFault
from firmware.storage.camera_memory import CameraMemory
from tests.support.camera_benches import SETTLE_S, SIZE
from tests.support.http_camera import HttpCameraServer, numbered_jpeg, picture
from tests.support.picamera2_library import Picamera2Library
from tests.support.v4l2_device import V4l2Device
from tests.support.wall_clock import WALL_CLOCK
from vision.errors import SourceError

SETTLED_S = 2.0
"""Seconds for which a camera settles without a kept exposure."""

GONE = CameraError(CameraFault.MISSING, "the camera of the Raspberry Pi is not there; plug it in")


def missing(device: int | str, **_: object) -> CameraDriver:
    raise CameraError(CameraFault.MISSING, f"the USB camera {device} is not there; plug it in")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of devices of a machine without any camera."""

    def no_pi(**_: object) -> CameraDriver:
        raise GONE

    monkeypatch.setattr(sources, "_DEVICES", tmp_path)
    monkeypatch.setattr(sources, "RaspberryPiCamera", no_pi)
    monkeypatch.setattr(sources, "UsbCamera", missing)
    return tmp_path


def webcam(_: int | str, exposures: ExposureMemory, mains_hz: int) -> CameraDriver:
    device = V4l2Device((SIZE,))
    return UsbCamera(
        1,
        SIZE,
        exposures=exposures,
        mains_hz=mains_hz,
        settle_s=SETTLE_S,
        capture_factory=device.capture,
        probe=device.probe,
    )


def test_auto_takes_the_camera_of_the_raspberry_pi_first(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Picamera2Library(sizes=(SIZE,))
    monkeypatch.setattr(
        sources,
        "RaspberryPiCamera",
        lambda **_: RaspberryPiCamera(SIZE, settle_s=SETTLE_S, library=lambda: library),
    )
    messages: list[str] = []
    opener_of("auto", tell=messages.append)().close()
    assert messages == ["camera.source = auto takes the camera of the Raspberry Pi"]


def test_auto_takes_a_webcam_and_says_why_not_the_others(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "video0").touch()
    (machine / "video1").touch()
    monkeypatch.setattr(
        sources,
        "UsbCamera",
        lambda device, **rest: (webcam if device == 1 else missing)(device, **rest),
    )
    messages: list[str] = []
    memory = CameraMemory(None)
    opener_of("auto", tell=messages.append, exposures=memory)().close()
    assert memory.exposure_of("USB camera /dev/video1", SIZE)
    (sentence,) = messages
    assert sentence == (
        "camera.source = auto takes the USB camera /dev/video1; not taken: "
        f"{GONE}; the USB camera 0 is not there; plug it in"
    )


def test_auto_without_any_camera_names_each_reason(machine: Path) -> None:
    with pytest.raises(CameraError) as caught:
        opener_of("auto")()
    assert caught.value.code is CameraFault.MISSING
    assert str(caught.value) == f"{GONE}; the USB camera 0 is not there; plug it in"


def test_a_camera_that_is_busy_is_told_before_one_that_is_missing(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> CameraDriver:
        raise CameraError(CameraFault.BUSY, "it is in use by another program; close that program")

    monkeypatch.setattr(sources, "UsbCamera", busy)
    with pytest.raises(CameraError) as caught:
        opener_of("auto")()
    assert caught.value.code is CameraFault.BUSY


@pytest.mark.parametrize(
    "source", ["http:/ann:s3cret@cam/video", "ann:s3cret@a..b/video", "ftp://ann:s3cret@cam/"]
)
def test_a_wrong_source_is_refused_without_its_password(source: str) -> None:
    with pytest.raises(SourceError) as caught:
        opener_of(source)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__context__ is None or "s3cret" not in str(caught.value.__context__)


@WALL_CLOCK
@pytest.mark.parametrize("source", ["0", "/dev/video0", "picamera2"])
def test_the_exposure_of_a_camera_of_this_machine_is_kept(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    device, library = V4l2Device(fps=200), Picamera2Library()
    monkeypatch.setattr(usb, "_opencv", device.capture)
    monkeypatch.setattr(usb, "_probe", device.probe)
    monkeypatch.setattr(raspberry_pi, "_picamera2", lambda: library)
    memory = CameraMemory(None)
    opener = opener_of(source, exposures=memory)
    opener().close()
    begun_s = time.monotonic()
    camera = opener()
    assert time.monotonic() - begun_s < SETTLED_S / 2
    size = (1536, 864) if source == "picamera2" else (1280, 720)
    assert memory.exposure_of(camera.name, size)
    camera.close()


def test_a_folder_is_played(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").touch()
    camera = opener_of(str(tmp_path))()
    assert isinstance(camera, PlaybackCamera)
    camera.close()


@pytest.mark.parametrize("login", ["", "ann:s3cret@"])
def test_an_address_without_http_is_tried_with_it(login: str) -> None:
    with HttpCameraServer(picture(numbered_jpeg(1))) as server:
        camera = opener_of(f"{login}127.0.0.1:{server.port}/video")()
        assert camera.name == server.url()
        assert camera.read(2.0) is not None
        camera.close()
