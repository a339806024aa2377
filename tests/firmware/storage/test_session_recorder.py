"""A recorded session can be watched again, at its original pace."""

import json
import os
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from firmware.drivers.interfaces import DeviceError
from firmware.game.config import GameConfig
from firmware.game.events import HandLeft, MoveAccepted
from firmware.rules.board import Move
from firmware.rules.variants import GAMES
from firmware.storage.session_inputs import INPUTS, BegunGame
from firmware.storage.session_recorder import EVENTS, SessionRecorder
from tests.support.disk import MountError, fill, small_disk
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from vision.camera import CameraOrientation, Frame
from vision.errors import SourceError
from vision.io.image_file import encode_jpeg
from vision.io.recorded import FolderCamera, open_recording
from vision.io.recording_notes import LIT, ORIENTATIONS, STUCK, TIMES

EDITION = ("purple", "orange")
DARK = frozenset[int]()


def frame(number: int, time_s: float = 0.0, **known: object) -> Frame:
    noise = np.random.default_rng(number).integers(0, 255, (40, 60, 3)).astype(np.uint8)
    return Frame(noise, time_s, number, **known)  # type: ignore[arg-type]


def saved(folder: Path, *frames: Frame) -> list[Frame]:
    """Records frames, and returns them as they are played."""
    with closing(SessionRecorder(folder, least_free=0)) as recorder:
        for one in frames:
            recorder.add_frame(one, DARK, DARK)
    return played(folder)


def played(folder: Path) -> list[Frame]:
    camera = open_recording(folder)
    return list(iter(camera.read, None))


def test_pixels_are_played_again_unchanged_and_with_their_times(tmp_path: Path) -> None:
    times = (71234.5, 71234.75, 71240.123456)
    frames = [frame(number, time_s) for number, time_s in enumerate(times, 4)]
    again = saved(tmp_path / "kept", *frames)
    assert [one.time_s for one in again] == pytest.approx([0.0, 0.25, 5.623456], abs=1e-6)
    assert all((a.image == b.image).all() for a, b in zip(frames, again, strict=True))
    assert sorted(path.name for path in (tmp_path / "kept").glob("*.png")) == [
        "000001.png", "000002.png", "000003.png",
    ]  # fmt: skip


def test_a_file_of_the_camera_stays_as_it_came(tmp_path: Path) -> None:
    jpeg = encode_jpeg(frame(1).image, 70) + b"some bytes after the end"
    png = frame(2)
    (first, second) = saved(tmp_path, frame(1, encoded=jpeg), png)
    assert (tmp_path / "000001.jpg").read_bytes() == jpeg == first.encoded
    assert (second.image == png.image).all()


def test_a_turned_picture_is_turned_again(tmp_path: Path) -> None:
    jpeg = encode_jpeg(frame(1).image, 70)
    orientation = CameraOrientation(turn=90, mirror=True)
    turned = frame(1, encoded=jpeg, orientation=orientation)
    (first,) = saved(tmp_path, turned)
    assert (tmp_path / "000001.jpg").read_bytes() == jpeg
    assert (tmp_path / ORIENTATIONS).read_text() == "000001.jpg 90 mirrored\n"
    assert first.image.shape == (60, 40, 3)


def test_a_turned_picture_without_a_file_is_not_turned_twice(tmp_path: Path) -> None:
    one = frame(1, orientation=CameraOrientation(turn=180))
    (first,) = saved(tmp_path, one)
    assert (first.image == one.image).all()


def test_what_glowed_is_stored_with_the_frames(tmp_path: Path) -> None:
    lit = [{3, 195}, {3, 195}, DARK, {3, 195}, {7}]
    with closing(SessionRecorder(tmp_path, least_free=0)) as recorder:
        for number, squares in enumerate(lit, 1):
            stuck = frozenset({9}) if number == 5 else DARK
            recorder.add_frame(frame(number, number / 2), frozenset(squares), stuck)
    assert [one.lit for one in played(tmp_path)] == [*lit[:4], {7, 9}]
    assert [one.stuck for one in played(tmp_path)] == [DARK, DARK, DARK, DARK, {9}]
    assert (tmp_path / LIT).read_text().splitlines()[1:3] == ["000002.png same", "000004.png same"]
    assert (tmp_path / STUCK).read_text() == "000005.png 9\n"
    (tmp_path / LIT).write_text("000001.png some\n", encoding="utf-8")
    with pytest.raises(SourceError, match="cannot be read"):
        FolderCamera(tmp_path)


def test_events_are_stored_as_watch_prints_them(tmp_path: Path) -> None:
    move = Move.parse("e10,f10", 14)
    with closing(SessionRecorder(tmp_path, least_free=0)) as recorder:
        recorder.add_event(HandLeft(3, 0.3), 14, EDITION)
        recorder.add_event(MoveAccepted(4, 0.4, 1, 0, move, 0.999), 14, EDITION)
    lines = (tmp_path / EVENTS).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [line["event"] for line in rows] == ["clear", "move"]
    assert rows[1]["cells"] == ["e10", "f10"]
    assert rows[1]["color"] == "purple"


def test_a_disk_that_is_full_ends_the_recording_and_not_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        with small_disk(tmp_path / "disk", "60k") as disk:
            recorder = SessionRecorder(disk / "kept", least_free=0)
            recorder.add_frame(frame(1), DARK, DARK)
            recorder.add_event(HandLeft(1, 0.1), 14, EDITION)
            eventually((disk / "kept" / EVENTS).exists)
            fill(disk)
            (disk / "kept" / EVENTS).write_text("x" * 4090)  # six bytes remain of its block
            assert recorder.works
            recorder.add_event(HandLeft(2, 0.2), 14, EDITION)
            eventually(lambda: not recorder.works)
            recorder.add_frame(frame(2), DARK, DARK)
            recorder.add_event(HandLeft(2, 0.2), 14, EDITION)
            recorder.close()
            assert caplog.text.count("nothing more is recorded in") == 1
            assert len(played(disk / "kept")) == 1
            assert (disk / "kept" / EVENTS).stat().st_size == 4090
    except MountError as error:
        pytest.skip(str(error))


def test_a_picture_that_does_not_fit_leaves_no_part_of_it(tmp_path: Path) -> None:
    try:
        with small_disk(tmp_path / "disk", "40k") as disk:
            recorder = SessionRecorder(disk, least_free=0)
            for number in range(1, 9):
                recorder.add_frame(frame(number), DARK, DARK)
            eventually(lambda: not recorder.works)
            recorder.close()
            assert 1 <= len(played(disk)) < 8
    except MountError as error:
        pytest.skip(str(error))


def test_a_recording_ends_while_500_mb_are_still_free(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        with small_disk(tmp_path / "disk", "470m") as disk:
            recorder = SessionRecorder(disk / "kept")
            recorder.add_frame(frame(1), DARK, DARK)
            eventually(lambda: not recorder.works)
            recorder.close()
            assert "less than 500 MB are free on its disk; the game goes on" in caplog.text
            assert list((disk / "kept").iterdir()) == []
        with small_disk(tmp_path / "larger", "480m") as disk:
            recorder = SessionRecorder(disk / "kept")
            recorder.add_frame(frame(1), DARK, DARK)
            recorder.close()
            assert recorder.works
    except MountError as error:
        pytest.skip(str(error))


def test_the_next_recording_of_a_folder_goes_beside_the_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "kept"
    for number in range(1, 4):
        saved(folder, frame(number))
    for number, name in enumerate(("kept", "kept-2", "kept-3"), 1):
        (one,) = played(tmp_path / name)
        assert np.array_equal(one.image, frame(number).image)
    assert "holds a recording already; this one goes to" in caplog.text


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DeviceError, match="cannot make the folder"):
        SessionRecorder(tmp_path / "file")


def test_a_recording_is_for_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        saved(tmp_path / "kept", frame(1))
    finally:
        os.umask(before)
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "kept").iterdir()} == {0o600}


def test_the_game_on_the_table_is_recorded_before_any_frame(tmp_path: Path) -> None:
    with closing(SessionRecorder(tmp_path, least_free=0)) as recorder:
        recorder.begin(BegunGame(GameConfig(GAMES["duo"])), ())
    (line,) = (tmp_path / INPUTS).read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["game"]["game"] == "duo"


@WALL_CLOCK
def test_a_frame_costs_the_loop_no_writing(tmp_path: Path) -> None:
    large = Frame(np.zeros((1232, 1640, 3), np.uint8), 1.0, 1)
    with closing(SessionRecorder(tmp_path, least_free=0)) as recorder:
        begun = time.perf_counter()
        for _ in range(5):
            recorder.add_frame(large, frozenset({1, 2}), DARK)
        assert time.perf_counter() - begun < 0.05
    assert len(list(tmp_path.glob("*.png"))) == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("000001.png 2\n000002.png 1\n", "go backwards"),
        ("000001.png soon\n", "cannot be read"),
        ("000001.png\n", "cannot be read"),
    ],
)
def test_times_that_make_no_sense_are_refused(tmp_path: Path, text: str, words: str) -> None:
    saved(tmp_path, frame(1), frame(2))
    (tmp_path / TIMES).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=words):
        FolderCamera(tmp_path)
    assert FolderCamera(tmp_path, fps=10.0).read() is not None
