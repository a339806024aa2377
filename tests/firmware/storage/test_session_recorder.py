"""A recorded session can be watched again, at its original pace."""

import json
from pathlib import Path

import numpy as np
import pytest

from firmware.drivers.interfaces import DeviceError
from firmware.game.events import HandLeft, MoveAccepted
from firmware.rules.board import Move
from firmware.storage.session_recorder import EVENTS, SessionRecorder
from tests.support.disk import MountError, fill, small_disk
from vision.camera import Frame
from vision.errors import SourceError
from vision.io.recorded import FolderCamera, open_recording
from vision.io.recording_notes import LIT, TIMES

EDITION = ("purple", "orange")


class JitteryCamera:
    """A camera with uneven intervals between frames."""

    def __init__(self) -> None:
        self.remaining = [Frame(np.full((40, 40, 3), k, np.uint8), k / 7, k) for k in (1, 2, 5)]
        self.closed = False

    def read(self) -> Frame | None:
        return self.remaining.pop(0) if self.remaining else None

    def close(self) -> None:
        self.closed = True


def test_what_was_kept_is_played_again_with_its_times(tmp_path: Path) -> None:
    camera = JitteryCamera()
    recorder = SessionRecorder(camera, tmp_path / "kept", 14)
    while recorder.read() is not None:
        pass
    recorder.close()
    assert camera.closed
    again = open_recording(tmp_path / "kept")
    frames = [frame for _ in range(3) if (frame := again.read()) is not None]
    assert [frame.time_s for frame in frames] == pytest.approx([1 / 7, 2 / 7, 5 / 7], abs=0.001)
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [1, 2, 5]


def test_what_glowed_is_stored_with_the_frames(tmp_path: Path) -> None:
    glows = {1: frozenset({3, 195}), 2: frozenset[int]()}
    recorder = SessionRecorder(
        JitteryCamera(), tmp_path, 14, lambda frame: glows.get(frame.number, frozenset())
    )
    while recorder.read() is not None:
        pass
    again = open_recording(tmp_path, fps=10.0)
    frames = [frame for _ in range(3) if (frame := again.read()) is not None]
    assert [frame.lit for frame in frames] == [{3, 195}, frozenset(), frozenset()]
    (tmp_path / LIT).write_text("000001.jpg some\n", encoding="utf-8")
    with pytest.raises(SourceError, match="cannot be read"):
        FolderCamera(tmp_path)


def test_events_are_stored_as_watch_prints_them(tmp_path: Path) -> None:
    recorder = SessionRecorder(JitteryCamera(), tmp_path, 14)
    recorder.record(HandLeft(3, 0.3), EDITION)
    recorder.record(MoveAccepted(4, 0.4, 1, 0, Move.parse("e10,f10", 14), 0.999), EDITION)
    lines = (tmp_path / EVENTS).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [line["event"] for line in rows] == ["clear", "move"]
    assert rows[1]["cells"] == ["e10", "f10"]
    assert rows[1]["color"] == "purple"


def test_a_disk_that_is_full_ends_the_recording_and_not_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        with small_disk(tmp_path / "disk", "40k") as disk:
            camera = JitteryCamera()
            recorder = SessionRecorder(camera, disk / "kept", 14)
            assert recorder.read() is not None
            recorder.record(HandLeft(1, 0.1), EDITION)
            fill(disk)
            (disk / "kept" / EVENTS).write_text("x" * 4090)  # six bytes remain of its block
            recorder.record(HandLeft(2, 0.2), EDITION)
            frame = recorder.read()
            assert isinstance(frame, Frame)
            assert frame.number == 2
            recorder.record(HandLeft(2, 0.2), EDITION)
            assert caplog.text.count("nothing more is recorded in") == 1
            assert len(open_recording(disk / "kept")) == 1  # type: ignore[arg-type]
            assert (disk / "kept" / EVENTS).stat().st_size == 4090
    except MountError as error:
        pytest.skip(str(error))


def test_no_recording_is_written_over(tmp_path: Path) -> None:
    SessionRecorder(JitteryCamera(), tmp_path, 14).read()
    with pytest.raises(DeviceError, match="holds a recording already"):
        SessionRecorder(JitteryCamera(), tmp_path, 14)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("000001.jpg 2\n000002.jpg 1\n", "go backwards"),
        ("000001.jpg soon\n", "cannot be read"),
        ("000001.jpg\n", "cannot be read"),
    ],
)
def test_times_that_make_no_sense_are_refused(tmp_path: Path, text: str, words: str) -> None:
    recorder = SessionRecorder(JitteryCamera(), tmp_path, 14)
    recorder.read()
    recorder.read()
    (tmp_path / TIMES).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=words):
        FolderCamera(tmp_path)
    assert FolderCamera(tmp_path, fps=10.0).read() is not None
