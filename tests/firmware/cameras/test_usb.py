"""Webcams: locks, times, damaged pictures, and a sentence for every refusal."""

import errno
import fcntl
import os
import stat
import struct
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cameras.interfaces import CameraError, Picture
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.usb import UsbCamera
from firmware.codes import CameraFault
from tests.support.camera_benches import SIZE, WAIT_S, read_on
from tests.support.v4l2_device import VIVID, YUYV, V4l2Capture, V4l2Device
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from vision.camera import Frame, NoCamera

SIZES = (SIZE, (640, 480))

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="device files are of Linux")


def opened(device: V4l2Device, path: str | int = 0) -> UsbCamera:
    return UsbCamera(path, SIZE, settle_s=0.05, capture_factory=device.capture, probe=device.probe)


def next_of(camera: UsbCamera) -> Picture:
    picture = camera.read(WAIT_S)
    assert picture is not None
    return picture


def refused(device: V4l2Device) -> CameraError:
    with pytest.raises(CameraError) as caught:
        opened(device)
    return caught.value


def test_all_controls_of_a_webcam_are_locked_at_their_last_automatic_values() -> None:
    device = V4l2Device(SIZES)
    camera = opened(device)
    assert set(camera.locks) == {"exposure", "gain", "white balance", "focus"}
    assert all(camera.locks.values())
    exposure = device.control(cv2.CAP_PROP_EXPOSURE)
    assert exposure > 156
    for _ in range(3):
        next_of(camera)
    assert device.control(cv2.CAP_PROP_EXPOSURE) == exposure
    assert device.control(cv2.CAP_PROP_AUTO_EXPOSURE) == 1
    camera.close()


def test_locks_of_an_earlier_program_are_made_automatic_first() -> None:
    device = V4l2Device(SIZES)
    opened(device).close()
    exposure = device.control(cv2.CAP_PROP_EXPOSURE)
    camera = opened(device)
    assert device.control(cv2.CAP_PROP_EXPOSURE) > exposure
    camera.close()


def test_controls_that_a_camera_lacks_are_named() -> None:
    camera = opened(V4l2Device(SIZES, controls=VIVID))
    assert camera.locks == {"exposure": False, "gain": True, "white balance": False, "focus": False}
    next_of(camera)
    camera.close()


def test_a_gain_that_changes_after_it_was_taken_is_not_locked() -> None:
    device = V4l2Device(SIZES, controls=VIVID)
    device.unsteady = frozenset({cv2.CAP_PROP_GAIN})
    camera = opened(device)
    assert not any(camera.locks.values())
    camera.close()


def test_a_control_that_does_not_keep_its_value_stays_automatic() -> None:
    device = V4l2Device(SIZES)

    class _Stubborn(V4l2Capture):
        def set(self, control: int, value: float, /) -> bool:
            other = value + 7 if control == cv2.CAP_PROP_FOCUS else value
            return super().set(control, other)

    camera = UsbCamera(
        0,
        SIZE,
        settle_s=0.0,
        capture_factory=lambda *_: _Stubborn(device, opened=True),
        probe=device.probe,
    )
    assert not camera.locks["focus"]
    assert device.control(cv2.CAP_PROP_AUTOFOCUS) == 1
    assert camera.locks["exposure"]
    camera.close()


def test_the_jpeg_of_the_camera_is_kept_without_what_follows_its_end() -> None:
    device = V4l2Device(SIZES)
    device.padding = bytes(100)
    camera = opened(device)
    picture = next_of(camera)
    assert picture.image is None
    assert picture.encoded is not None
    assert picture.encoded.startswith(b"\xff\xd8")
    assert picture.encoded.endswith(b"\xff\xd9")
    camera.close()


def test_a_camera_without_jpeg_gives_pixels() -> None:
    camera = opened(V4l2Device(SIZES, formats=(YUYV,)))
    picture = next_of(camera)
    assert picture.encoded is None
    assert picture.image is not None
    assert picture.image.dtype == np.uint8
    camera.close()


@pytest.mark.parametrize("compressed", [True, False])
def test_pictures_that_arrived_in_part_are_skipped(*, compressed: bool) -> None:
    device = V4l2Device(SIZES) if compressed else V4l2Device(SIZES, formats=(YUYV,))
    camera = opened(device)
    next_of(camera)
    device.damaged = 10
    pictures = []
    while device.damaged:
        pictures.append(camera.read(0.05))
    pictures += [next_of(camera), next_of(camera)]
    assert len(pictures) < 12
    for picture in filter(None, pictures):
        encoded, image = picture.encoded, picture.image
        assert encoded is None or encoded.endswith(b"\xff\xd9")
        assert image is None or image[-1].min() >= 64
    camera.close()


@WALL_CLOCK
def test_a_time_from_another_clock_is_replaced_by_that_of_the_arrival() -> None:
    device = V4l2Device(SIZES)
    device.foreign_clock = True
    camera = opened(device)
    assert abs(time.monotonic() - next_of(camera).time_s) < 1
    camera.close()


def test_only_damaged_pictures_and_none_at_all_are_silence() -> None:
    device = V4l2Device(SIZES)
    camera = LiveCamera(lambda: opened(device))
    eventually(lambda: isinstance(camera.read(), Frame))
    device.damaged = 1_000_000
    eventually(lambda: isinstance(camera.read(), NoCamera), 5.0)
    fault = camera.read()
    assert isinstance(fault, NoCamera)
    assert fault.code is CameraFault.SILENT
    camera.close()


@WALL_CLOCK
def test_a_camera_that_stalls_is_closed_in_time_and_its_thread_ends() -> None:
    device = V4l2Device(SIZES)
    camera = opened(device, "/dev/stalling")
    device.stall()
    start_s = time.monotonic()
    camera.close()
    assert time.monotonic() - start_s < 5
    assert not any("stalling" in thread.name for thread in threading.enumerate())


def test_a_camera_that_gives_no_first_picture_is_silent() -> None:
    device = V4l2Device(SIZES)
    device.stall()
    error = refused(device)
    assert error.code is CameraFault.SILENT


def test_an_unplugged_camera_is_opened_again_after_it_was_plugged_in() -> None:
    device = V4l2Device(SIZES)
    camera = opened(device)
    device.unplug()
    with pytest.raises(CameraError, match="check its plug") as caught:
        read_on(camera)
    assert caught.value.code is CameraFault.FAILED
    camera.close()
    assert refused(device).code is CameraFault.MISSING
    device.plug_in()
    again = opened(device)
    next_of(again)
    again.close()


def test_each_refusal_has_its_sentence() -> None:
    device = V4l2Device(SIZES)
    device.forbidden = True
    error = refused(device)
    assert error.code is CameraFault.NO_PERMISSION
    assert "/dev/video0" in str(error)
    assert "group video" in str(error)
    device.missing = True
    error = refused(device)
    assert error.code is CameraFault.MISSING
    assert "plug it in" in str(error)


def test_a_number_in_a_text_is_a_number() -> None:
    device = V4l2Device(SIZES)
    camera = opened(device, "2")
    assert camera.name == "USB camera /dev/video2"
    camera.close()


@linux_only
def test_a_real_path_without_a_camera_is_refused_in_silence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CameraError) as caught:
        UsbCamera(str(tmp_path / "no-camera"))
    assert caught.value.code is CameraFault.MISSING
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    with pytest.raises(CameraError, match="no camera") as caught:
        UsbCamera(str(plain))
    assert caught.value.code is CameraFault.BUSY
    assert capfd.readouterr() == ("", "")


@linux_only
@pytest.mark.skipif(not hasattr(os, "geteuid") or not os.geteuid(), reason="root may use all")
def test_a_real_path_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "forbidden"
    path.write_bytes(b"")
    path.chmod(stat.S_IRUSR)
    with pytest.raises(CameraError) as caught:
        UsbCamera(str(path))
    assert caught.value.code is CameraFault.NO_PERMISSION


@linux_only
@pytest.mark.parametrize(("mains_hz", "value"), [(50, 1), (60, 2), (0, 3)])
def test_the_frequency_of_the_mains_is_set_before_exposure_settles(
    mains_hz: int, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers are those of linux/videodev2.h and linux/v4l2-controls.h."""
    asked: list[tuple[int, bytes]] = []

    def ioctl(_: int, request: int, control: bytes) -> bytes:
        asked.append((request, control))
        raise OSError(errno.EINVAL, "a camera without the control")

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    path, device = tmp_path / "video0", V4l2Device(SIZES)
    path.touch()
    UsbCamera(
        str(path), SIZE, settle_s=0.05, mains_hz=mains_hz, capture_factory=device.capture
    ).close()
    assert asked == [(0xC008561C, struct.pack("=Ii", 0x00980918, value))]
