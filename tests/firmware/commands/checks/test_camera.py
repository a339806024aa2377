"""`cornerlight doctor` on cameras: there, readable, controls, rate, and a picture."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.cameras import sources
from firmware.cameras.interfaces import CameraDriver
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.usb import UsbCamera
from firmware.codes import CameraFault
from firmware.commands.checks import camera as camera_checks
from firmware.commands.checks.check import Check, fine
from firmware.commands.main import main
from firmware.machine.computer import Computer
from firmware.settings import CameraSettings
from tests.support.camera_benches import SETTLE_S, SIZE, http, rtsp
from tests.support.drawn_boards import EMPTY_ROWS, flat_board, photograph
from tests.support.example_pages import empty
from tests.support.http_camera import HttpCameraServer, picture, pictures
from tests.support.picamera2_library import Picamera2Library
from tests.support.stand_in_computer import StandInComputer
from tests.support.v4l2_device import VIVID, V4l2Device
from vision.camera import Image
from vision.io.image_file import encode_jpeg, load_picture
from web.contract import Page, RefereeState, RefereeStatus

pytestmark = pytest.mark.slow


def examined(
    capsys: pytest.CaptureFixture[str], *words: str | Path, status: int = 0
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The checks of the camera by name, and its facts."""
    assert main(["doctor", *map(str, words), "--json"]) == status
    line = json.loads(capsys.readouterr().out)
    checks = {one["name"]: one for one in line["checks"]}
    return checks, line["camera"]


def webcam(device: V4l2Device) -> CameraDriver:
    device.set_fps(20)
    return UsbCamera(0, SIZE, settle_s=SETTLE_S, capture_factory=device.capture, probe=device.probe)


def raspberry_pi(**_: object) -> CameraDriver:
    library = Picamera2Library(sizes=(SIZE,))
    library.set_fps(20)
    return RaspberryPiCamera(SIZE, settle_s=SETTLE_S, library=lambda: library)


@pytest.mark.parametrize("source", ["0", "picamera2", "auto"])
def test_a_camera_of_this_machine_is_measured(
    source: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "UsbCamera", lambda *_, **__: webcam(V4l2Device((SIZE,))))
    if source == "picamera2":
        monkeypatch.setattr(sources, "RaspberryPiCamera", raspberry_pi)
    checks, facts = examined(capsys, "--camera", source)
    assert facts["size"] == list(SIZE)
    assert 5 < facts["fps"] < 25
    assert facts["locked"] == ["exposure", "gain", "white balance", "focus"]
    assert checks["camera controls"]["found"].startswith("locked: exposure, gain")
    assert checks["camera pictures"]["found"].startswith("320x240 pixels, ")
    if source == "auto":
        assert "auto takes the USB camera /dev/video0; not taken: the library picamera2" in str(
            facts["auto"]
        )


def test_controls_that_a_camera_lacks_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        sources, "UsbCamera", lambda *_, **__: webcam(V4l2Device((SIZE,), controls=VIVID))
    )
    checks, facts = examined(capsys, "--camera", "0")
    assert facts["lacks"]
    assert (
        f"lacking or not to be locked: {', '.join(facts['lacks'])}"
        in checks["camera controls"]["found"]
    )


@pytest.fixture
def stream() -> Iterator[str]:
    bench = http("/video")
    camera = bench.open(SIZE)
    yield camera.name
    camera.close()
    bench.close()


def test_a_phone_is_measured_and_its_picture_saved_as_people_see_it(
    stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, out = tmp_path / "table.toml", tmp_path / "seen.png"
    config.write_text(f'[camera]\nsource = "{stream}"\nturn = 90\n')
    checks, facts = examined(capsys, "--config", config, "--picture", out)
    assert 3 < facts["fps"] < 12
    assert facts["size"] == [240, 320]
    assert "out of reach" in checks["camera controls"]["found"]
    assert load_picture(out).shape == (320, 240, 3)
    assert checks["picture"]["found"] == f"saved to {out}"


def test_a_camera_with_rtsp_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    bench = rtsp()
    camera = bench.open(SIZE)
    _, facts = examined(capsys, "--camera", camera.name)
    camera.close()
    bench.close()
    assert facts["size"] == list(SIZE)
    assert 5 < facts["fps"] < 25


def test_a_camera_that_is_not_there_is_wrong_only_where_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_DEVICES", tmp_path)
    checks, facts = examined(capsys)
    assert facts is None
    assert checks["camera"]["found"].startswith("none, camera.source is 'auto': ")
    for words in (["--camera", "auto"], ["--camera", "/dev/video99"]):
        checks, _ = examined(capsys, *words, status=1)
        assert "is not there; plug it in" in checks["camera"]["found"]
    out = tmp_path / "none.png"
    checks, _ = examined(capsys, "--picture", out, status=1)
    assert not checks["picture"]["fine"]
    assert not out.exists()


def mirrored() -> Image:
    return np.ascontiguousarray(photograph(flat_board(EMPTY_ROWS))[:, ::-1])


def noisy(image: Image, seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 4, image.shape, np.uint8)
    return encode_jpeg(np.asarray(cv2.add(image, noise), np.uint8), 90)


def test_a_mirrored_camera_is_told_with_its_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_checks, "_MEASURED_S", 0.5)
    jpegs = [noisy(mirrored(), seed) for seed in range(30)]
    with HttpCameraServer(pictures(jpegs * 4)) as phone:
        checks, facts = examined(capsys, "--camera", phone.url("/shot.jpg"), status=1)
        assert facts["mirrored"]
        assert "camera.mirror = true" in checks["camera pictures"]["found"]
        config = tmp_path / "table.toml"
        config.write_text("[camera]\nmirror = true\n")
        _, facts = examined(capsys, "--config", config, "--camera", phone.url("/shot.jpg"))
        assert not facts["mirrored"]


def banded(k: int) -> bytes:
    """The k-th picture under a lamp that flickers."""
    phase = np.linspace(0, 4 * np.pi, SIZE[1]) + 2.3 * k
    shade = 120 * (1 + 0.2 * np.sin(phase))[:, None, None]
    return encode_jpeg(np.asarray(np.broadcast_to(shade, (*SIZE[::-1], 3)), np.uint8), 80)


def test_bands_of_a_lamp_are_told_with_their_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    with HttpCameraServer(pictures(map(banded, range(100)))) as phone:
        checks, facts = examined(capsys, "--camera", phone.url("/shot.jpg"), status=1)
    assert facts["bands"]
    assert "bands run through the picture" in checks["camera pictures"]["found"]


def test_a_picture_that_stands_still_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    with HttpCameraServer(picture(noisy(mirrored(), 0))) as phone:
        checks, _ = examined(capsys, "--camera", phone.url("/shot.jpg"), status=1)
    assert "sends the same one again and again" in checks["camera"]["found"]


def in_use(page: Page | None, source: str = "auto") -> list[Check]:
    settings = CameraSettings(source=source)
    return list(camera_checks.camera_in_use(settings, page).checks)


def test_the_camera_of_a_running_table_is_told_by_the_table() -> None:
    camera, controls = in_use(empty())
    assert camera == fine("camera", "the table gets pictures of it")
    assert controls.fine is None
    assert controls.found.endswith("run: sudo systemctl stop cornerlight-table")
    _, controls = in_use(empty(), "http://phone/video")
    assert controls.found.startswith("out of reach from here")
    away = RefereeStatus(RefereeState.CAMERA_AWAY, fault=CameraFault.SILENT)
    (camera,) = in_use(replace(empty(), state=away))
    assert camera.fine is False
    assert camera.found.startswith("the table has no pictures: it has sent none for 3 s")
    (camera,) = in_use(None)
    assert camera.fine is None


def test_cameras_are_listed_without_the_codecs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi = StandInComputer(tmp_path)
    names = {0: "unicam-image", 2: "HD Webcam", 10: "bcm2835-codec-decode", 20: "pispbe-output"}
    for number, name in names.items():
        pi.write(f"dev/video{number}", "")
        pi.write(f"sys/class/video4linux/video{number}/name", f"{name}\n")
    check = camera_checks.check_cameras(pi.computer, "auto")
    remedy = "sudo apt update && sudo apt install python3-picamera2"
    assert (check.fine, check.remedy) == (None, remedy)
    assert camera_checks.check_cameras(pi.computer, "http://phone/video").fine is True
    monkeypatch.setattr("firmware.cameras.raspberry_pi.connected", lambda: ["imx708"])
    assert camera_checks.check_cameras(pi.computer, "auto") == fine(
        "cameras",
        "imx708 of the Raspberry Pi, /dev/video0 (unicam-image), /dev/video2 (HD Webcam); "
        "2 more of /dev/video* are codecs",
    )
    assert camera_checks.check_cameras(Computer(tmp_path / "none"), "auto").fine is True


def test_a_wrong_source_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera", "ftp://ann:s3cret@cam/"]) == 2
    error = capsys.readouterr().err
    assert "cameras with ftp:// cannot be read" in error
    assert "s3cret" not in error
