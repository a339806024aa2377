"""What is kept for each camera survives the program, and damage to it is no end."""

import json
import logging
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware.storage.camera_memory import CAMERAS, CameraMemory, StoredCamera, StoredCorners
from vision.geometry.calibration import Calibration
from vision.geometry.lens import Lens

PHONE, SIZE = "the camera at http://phone/video", (1280, 720)
CORNERS = ((0.1, 0.2), (0.9, 0.21), (0.88, 0.9), (0.12, 0.91))
FOUND = ((0.15, 0.2), (0.9, 0.21), (0.88, 0.9), (0.12, 0.91))
LENS = Calibration(
    Lens(np.diag([900.0, 900.0, 1.0]), np.array([-0.1, 0.0, 0.0, 0.0, 0.0]), SIZE),
    focal_known=True,
    residual_px=0.3,
    pictures=6,
)
STORED = StoredCamera(
    {14: StoredCorners(CORNERS, FOUND), 20: StoredCorners(CORNERS)},
    LENS,
    {"exposure_us": 8000.0},
    4,
    checked=True,
    lights_board=True,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / CAMERAS
    CameraMemory(path).change(PHONE, SIZE, lambda _: STORED)
    return path


def test_everything_is_there_at_the_next_start(path: Path) -> None:
    stored = CameraMemory(path).of(PHONE, SIZE)
    assert dict(stored.boards) == dict(STORED.boards)
    assert dict(stored.exposure) == {"exposure_us": 8000.0}
    assert (stored.dark_frames, stored.checked, stored.lights_board) == (4, True, True)
    assert stored.lens is not None
    assert stored.lens.to_json() == LENS.to_json()


def test_values_that_were_kept_before_panels_are_still_there(path: Path) -> None:
    content = json.loads(path.read_text())
    for camera in content["cameras"]:
        del camera["lights_board"]
    path.write_text(json.dumps(content))
    stored = CameraMemory(path).of(PHONE, SIZE)
    assert (stored.checked, stored.lights_board) == (True, None)


@pytest.mark.parametrize("other", [(PHONE, (720, 1280)), ("another camera", SIZE)])
def test_another_camera_or_size_has_values_of_its_own(
    path: Path, other: tuple[str, tuple[int, int]]
) -> None:
    memory = CameraMemory(path)
    assert not memory.of(*other).boards
    memory.change(*other, lambda _: StoredCamera(dark_frames=7))
    again = CameraMemory(path)
    assert again.of(*other).dark_frames == 7
    assert again.of(PHONE, SIZE).dark_frames == 4


def test_corners_of_one_board_are_dropped_without_those_of_another(path: Path) -> None:
    memory = CameraMemory(path)
    memory.change(PHONE, SIZE, lambda _: memory.of(PHONE, SIZE).with_corners(14, None))
    assert set(CameraMemory(path).of(PHONE, SIZE).boards) == {20}


def test_a_hundred_cameras_leave_a_small_file(path: Path) -> None:
    memory = CameraMemory(path)
    for number in range(100):
        memory.change(f"camera {number}", SIZE, lambda _: STORED)
    assert path.stat().st_size < 100_000
    assert CameraMemory(path).of("camera 99", SIZE).checked
    assert not CameraMemory(path).of("camera 0", SIZE).checked


def changed(path: Path, **values: object) -> None:
    table = json.loads(path.read_text())
    table["cameras"][0].update(values)
    path.write_text(json.dumps(table))


@pytest.mark.parametrize(
    "values",
    [
        {"size": [0, 720]},
        {"size": [1280]},
        {"size": ["1280", "720"]},
        {"boards": {"14": {"corners": [[0.1, 0.2]], "detected": []}}},
        {"boards": {"14": {"corners": [], "detected": []}}},
        {"boards": {"14": {"corners": [[0.1, 2]] * 4, "detected": []}}},
        {"boards": {"fourteen": {"corners": [[0.1, 0.2]] * 4, "detected": []}}},
        {"boards": []},
        {"lens": {"version": 1}},
        {"lens": Calibration().to_json()},
        {"dark_frames": -1},
        {"dark_frames": True},
        {"exposure": {"gain": "much"}},
        {"exposure": {"gain": float("nan")}},
        {"exposure": {"ExposureTime": 1e300}},
    ],
    ids=str,
)
def test_wrong_values_are_set_aside_with_one_sentence(
    path: Path, caplog: pytest.LogCaptureFixture, values: dict[str, object]
) -> None:
    changed(path, **values)
    assert_set_aside(path, caplog)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b'{"version": 2, "cameras": []}', b"\xff\xfe", b"[" * 50_000),
        b'{"version": 1, "cameras": [' + b" " * 300_000,
    ],
    ids=lambda content: repr(content[:20]),
)
def test_a_damaged_file_is_set_aside_with_one_sentence(
    path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    path.write_bytes(content)
    assert_set_aside(path, caplog)


def assert_set_aside(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    content = path.read_bytes()
    with caplog.at_level(logging.WARNING):
        memory = CameraMemory(path)
    assert not memory.of(PHONE, SIZE).boards
    [record] = caplog.records
    assert "set the table up again" in record.getMessage()
    assert path.with_name("cameras.damaged.json").read_bytes() == content
    memory.change(PHONE, SIZE, lambda _: STORED)
    assert CameraMemory(path).of(PHONE, SIZE).checked


def test_a_disk_that_refuses_keeps_the_values_for_this_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory = CameraMemory(tmp_path / "missing" / CAMERAS)
    memory.change(PHONE, SIZE, lambda _: replace(STORED, dark_frames=3))
    memory.change(PHONE, SIZE, lambda _: replace(STORED, dark_frames=5))
    assert memory.of(PHONE, SIZE).dark_frames == 5
    assert "cannot keep the set-up" in memory.trouble
    assert len(caplog.records) == 1
    (tmp_path / "missing").mkdir()
    memory.change(PHONE, SIZE, lambda _: STORED)
    assert not memory.trouble


def test_an_exposure_changes_nothing_else_and_an_equal_one_writes_nothing(path: Path) -> None:
    memory = CameraMemory(path)
    memory.keep_exposure(PHONE, SIZE, {"gain": 3.0})
    again = CameraMemory(path)
    assert again.exposure_of(PHONE, SIZE) == {"gain": 3.0}
    assert again.of(PHONE, SIZE).dark_frames == 4
    path.unlink()
    again.keep_exposure(PHONE, SIZE, {"gain": 3.0})
    assert not path.exists()


def test_changes_of_several_threads_are_all_kept(path: Path) -> None:
    memory = CameraMemory(path)
    memory.change(PHONE, SIZE, lambda _: replace(STORED, dark_frames=1, dark_s=0.0))

    def count_up(stored: StoredCamera) -> StoredCamera:
        frames = stored.dark_frames or 0
        time.sleep(0.001)
        return replace(stored, dark_frames=frames + 1)

    def many() -> None:
        for _ in range(20):
            memory.change(PHONE, SIZE, count_up)

    threads = [threading.Thread(target=many) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert CameraMemory(path).of(PHONE, SIZE).dark_frames == 61


def test_without_a_file_values_are_kept_until_the_end() -> None:
    memory = CameraMemory(None)
    memory.change(PHONE, SIZE, lambda _: STORED)
    assert memory.of(PHONE, SIZE) is STORED
