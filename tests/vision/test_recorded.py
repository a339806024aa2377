from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import SourceError, VisionError
from vision.recorded import FolderCamera, VideoCamera, load_picture, open_recording


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


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    _, data = cv2.imencode(".jpg", np.zeros((40, 80, 3), np.uint8))
    exif = b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06"
    exif += b"\x00\x00\x00\x00\x00\x00"
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    path = tmp_path / "turned.jpg"
    path.write_bytes(data.tobytes()[:2] + segment + data.tobytes()[2:])
    assert load_picture(path).shape == (80, 40, 3)


@pytest.mark.parametrize("kept", [0.3, 0.9])
@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_picture_that_is_cut_short_is_refused(tmp_path: Path, ending: str, kept: float) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    data = cv2.imencode(ending, noise)[1].tobytes()
    path = tmp_path / f"cut{ending}"
    path.write_bytes(data[: round(len(data) * kept)])
    with pytest.raises(SourceError, match="cut short"):
        load_picture(path)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\x00" * 400])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.jpg"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"odd\.jpg is not a picture"):
        load_picture(path)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.jpg"):
        load_picture(tmp_path / "none.jpg")


def test_a_speck_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "speck.png"), np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(SourceError, match="too small"):
        load_picture(tmp_path / "speck.png")
