"""Checks and measurements of a set-up from the command line."""

import json
import tracemalloc
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands import calibrate
from firmware.commands.main import main
from tests.conftest import ROOT
from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph
from tests.support.http_camera import HttpCameraServer, pictures
from tests.support.picture_files import jpeg_of_size, packed, plain
from vision.camera import Image
from vision.geometry.calibration import load
from vision.geometry.grid import Points
from vision.geometry.image_quality import Brightness
from vision.io.image_file import encode_jpeg
from vision.setup.report import SetupReport

pytestmark = pytest.mark.slow

SAMPLE = ROOT / "tests" / "vision" / "data" / "markers_005.jpg"


def words(values: Points) -> str:
    return ",".join(str(value) for value in values.ravel())


def test_a_good_picture_is_fine_and_a_black_one_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--check", str(SAMPLE), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["source"] == str(SAMPLE)
    assert line["fine"]
    assert line["size"] == 14
    assert [check["level"] for check in line["checks"]].count("mend") == 0
    black = tmp_path / "black.png"
    cv2.imwrite(str(black), np.zeros((480, 640, 3), np.uint8))
    assert main(["calibrate", "--check", str(black)]) == 1
    output = capsys.readouterr().out
    assert f"{black}: no board, to be mended" in output
    assert "MEND   exposure    0.00  white 0" in output


def test_the_pictures_of_a_folder_are_frames_of_one_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = photograph(flat_board(EMPTY_ROWS))
    paths = [tmp_path / f"{k}.png" for k in range(2)]
    for path in paths:
        cv2.imwrite(str(path), picture)
    known = ["--game", "duo", "--corners", words(CORNERS)]
    main(["calibrate", "--check", "--json", *known, str(tmp_path)])
    (line,) = capsys.readouterr().out.splitlines()
    flicker = json.loads(line)["checks"][-1]
    assert (flicker["check"], flicker["level"]) == ("flicker", "fine")


def test_a_lens_is_measured_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    picture, file = folder / "empty.png", tmp_path / "camera.json"
    cv2.imwrite(str(picture), photograph(flat_board(EMPTY_ROWS)))
    assert main(["calibrate", str(picture), "--save", str(file)]) == 0
    assert f"written to {file}" in capsys.readouterr().out
    known = load(file)
    assert known.lens is not None
    assert known.lens.size == (960, 720)
    assert known.corners is None
    assert main(["calibrate", "--check", str(picture), "--lens", str(file)]) == 0
    assert main(["read", str(picture), "--calibration", str(file)]) == 0
    wide = tmp_path / "wide.png"
    cv2.imwrite(str(wide), np.full((720, 1280, 3), 128, np.uint8))
    words_of = [str(wide), "--calibration", str(file), "--corners", words(CORNERS)]
    assert main(["read", *words_of]) == 2
    assert "another shape" in capsys.readouterr().err


def test_corners_are_stored_where_there_are_no_markers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    picture, file = folder / "empty.png", tmp_path / "camera.json"
    cv2.imwrite(str(picture), photograph(flat_board(EMPTY_ROWS, markers=False)))
    cv2.imwrite(str(tmp_path / "none.png"), np.full((720, 960, 3), 128, np.uint8))
    assert main(["calibrate", str(tmp_path / "none.png"), "--save", str(file)]) == 1
    assert not file.exists()
    options = ["--corners", words(CORNERS), "--game", "duo", "--save", str(file)]
    assert main(["calibrate", str(picture), *options]) == 0
    known = load(file)
    assert known.corners is not None
    assert np.abs(known.corners - CORNERS).max() < 3
    assert (known.board, known.size) == (14, (960, 720))
    calibration = ["--calibration", str(file), "--json"]
    assert main(["read", str(picture), *calibration]) == 0
    assert main(["watch", str(folder), *calibration]) == 0
    assert '"event": "board-found"' in capsys.readouterr().out
    assert main(["read", str(picture), *calibration, "--corners", words(CORNERS)]) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--check", "none.jpg"], "none.jpg"),
        (["--check", str(SAMPLE), "--save", "x.json"], "--check writes no file"),
        ([str(SAMPLE), "--lens", "none.json"], "--lens goes with --check"),
        ([], "give pictures, or a camera"),
        ([str(SAMPLE), "--camera", "0"], "give pictures, or a camera"),
        (["--camera", "/dev/video99", "--check"], "/dev/video99 is not there; plug it in"),
        (["--check", str(SAMPLE), "--lens", "none.json"], "cannot read the calibration"),
    ],
)
def test_wrong_use_is_reported(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *options]) == 2
    assert message in capsys.readouterr().err


def test_flicker_is_measured_over_frames_of_which_few_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = jpeg_of_size(packed(plain(64, 64), "JPEG"), 4000, 3000)
    for number in range(9):
        (tmp_path / f"{number}.jpg").write_bytes(large)
    measured: list[int] = []

    def check(image: Image, frames: list[Brightness], **_: object) -> SetupReport:
        measured.append(len(frames))
        return SetupReport(())

    monkeypatch.setattr(calibrate, "check_setup", check)
    tracemalloc.start()
    try:
        assert main(["calibrate", "--check", str(tmp_path)]) == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert measured == [9]
    assert peak < 5 * (4000 * 3000 * 3)


def test_corners_are_given_and_printed_in_pixels_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = photograph(flat_board(EMPTY_ROWS, markers=False))
    vast = np.repeat(np.repeat(picture, 5, axis=0), 5, axis=1)
    path, calibration = tmp_path / "vast.jpg", tmp_path / "camera.json"
    cv2.imwrite(str(path), vast)
    options = ["--game", "duo", "--corners", words(5 * (CORNERS + 0.5) - 0.5), "--json"]
    main(["calibrate", "--check", str(path), *options])
    line = json.loads(capsys.readouterr().out)
    assert np.abs(np.array(line["corners"]) - 5 * CORNERS).max() < 20
    assert main(["calibrate", str(path), *options, "--save", str(calibration)]) == 0
    known = load(calibration)
    # They are stored in pixels of the picture that was read, with its size.
    assert known.size == (2400, 1800)
    assert known.corners is not None
    assert np.abs(known.corners - 2.5 * CORNERS).max() < 10


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[str]:
    """The address of a phone over an empty board."""
    picture = photograph(flat_board(EMPTY_ROWS))
    jpegs = []
    for seed in range(20):
        noise = np.random.default_rng(seed).integers(0, 4, picture.shape, np.uint8)
        jpegs.append(encode_jpeg(np.asarray(cv2.add(picture, noise), np.uint8), 90))
    with HttpCameraServer(pictures(cycle(jpegs))) as server:
        yield server.url("/shot.jpg")


def test_a_live_camera_is_checked_on_its_newest_pictures(
    phone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--camera", phone, "--check", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["source"], line["size"]) == (phone, 14)
    assert line["checks"][-1]["level"] == "fine", "flicker takes several frames"


def test_a_lens_is_measured_on_a_live_camera_as_it_is_mounted(
    phone: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calibrate, "_MOVING_S", 0.1)
    monkeypatch.setattr(calibrate, "_MOST_FRAMES", 3)
    config, file = tmp_path / "table.toml", tmp_path / "camera.json"
    config.write_text(f'[camera]\nsource = "{phone}"\nturn = 90\n')
    assert main(["calibrate", "--config", str(config), "--save", str(file)]) == 0
    lens = load(file).lens
    assert lens is not None
    assert lens.size == (720, 960)
    assert "picture 3 of 3" in capsys.readouterr().err
