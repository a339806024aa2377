from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError, VisionError
from vision.recorded import FolderCamera, VideoCamera, open_recording


def paint(path: Path, level: int) -> Path:
    cv2.imwrite(str(path), np.full((48, 64, 3), level, np.uint8))
    return path


def test_a_folder_is_played_in_name_order(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.png", 10), ("c.png", 30)):
        paint(tmp_path / name, level)
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path, fps=4)
    frames = [frame for _ in range(3) if (frame := camera.read()) is not None]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 20, 30]
    assert [frame.number for frame in frames] == [1, 2, 3]
    assert [frame.time_s for frame in frames] == [0.25, 0.5, 0.75]
    assert camera.read() is None


def test_a_closed_recording_gives_no_more(tmp_path: Path) -> None:
    paint(tmp_path / "a.png", 10)
    camera = open_recording(tmp_path)
    camera.close()
    assert camera.read() is None


def test_a_video_is_played_at_the_pace_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    codec = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(path), codec, 10, (64, 48))
    for k in range(20):
        writer.write(np.full((48, 64, 3), 10 * k, np.uint8))
    writer.release()
    camera = VideoCamera(path, fps=2)
    levels, times = [], []
    while (frame := camera.read()) is not None:
        levels.append(round(float(frame.image.mean()) / 10))
        times.append(frame.time_s)
    camera.close()
    assert levels == [4, 9, 14, 19]
    assert times == [0.5, 1.0, 1.5, 2.0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: folder / "none", "no recording"),
        (lambda folder: folder, "no picture in the folder"),
        (lambda folder: _text(folder / "game.mp4"), "not a video"),
    ],
    ids=["missing", "empty folder", "no video"],
)
def test_what_cannot_be_played_is_named(
    tmp_path: Path, make: object, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert callable(make)
    with pytest.raises(SourceError, match=words) as caught:
        open_recording(make(tmp_path))
    assert str(tmp_path) in str(caught.value)
    assert isinstance(caught.value, VisionError)


def _text(path: Path) -> Path:
    path.write_text("this is not a video")
    return path


def test_a_pace_of_nothing_is_refused(tmp_path: Path) -> None:
    paint(tmp_path / "a.png", 10)
    with pytest.raises(SourceError, match="0 pictures a second"):
        FolderCamera(tmp_path, fps=0)
