import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.picture_files import bmp_of_size, jpeg_of_size, packed, plain
from vision.errors import SourceError, VisionError
from vision.io.recorded import FolderCamera, VideoCamera, open_recording


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


def test_numbers_in_names_are_in_the_order_of_numbers(tmp_path: Path) -> None:
    names = ("1", "2", "10", "a9 (2)", "a9 (10)", "a10")
    for level, name in enumerate(reversed(names), 1):
        paint(tmp_path / f"{name}.png", 10 * (len(names) - level))
    camera = FolderCamera(tmp_path)
    levels = [int(frame.image[0, 0, 0]) for frame in iter(camera.read, None)]
    assert levels == [10 * level for level in range(len(names))]


@pytest.mark.parametrize("name", ["1.png", "times.txt"])
def test_a_pipe_into_which_nobody_writes_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    paint(tmp_path / "2.png", 10)
    with pytest.raises(SourceError, match=f"{name}: it is a pipe or a device, not a file"):
        FolderCamera(tmp_path).read()
    (tmp_path / name).unlink()
    frame = FolderCamera(tmp_path).read()
    assert frame is not None
    assert frame.image[0, 0, 0] == 10


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


def test_the_name_of_a_video_is_never_taken_for_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = cv2.VideoWriter(
        str(tmp_path / "game.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48)
    )
    writer.write(np.full((48, 64, 3), 90, np.uint8))
    writer.release()
    monkeypatch.chdir(tmp_path)
    odd = Path("game.avi").rename("concat:game|%d.avi")
    assert VideoCamera(odd).read() is not None
    # OpenCV ends the whole process for such a name.
    with pytest.raises(SourceError, match=r"the name of the video .* is not UTF-8; rename it"):
        VideoCamera(odd.rename("\udcff.avi"))


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


@pytest.mark.parametrize("fps", [1e-320, float("inf"), float("nan"), -1.0])
def test_a_pace_that_none_has_is_refused(tmp_path: Path, fps: float) -> None:
    paint(tmp_path / "a.png", 10)
    with pytest.raises(SourceError, match="pictures a second"):
        FolderCamera(tmp_path, fps=fps)
    with pytest.raises(SourceError, match="pictures a second"):
        VideoCamera(tmp_path / "a.png", fps=fps)


@pytest.mark.parametrize("content", ["a.png nan\n", "a.png inf\n", "a.png\n", "a.png 1 2\n"])
def test_times_that_are_none_are_refused(tmp_path: Path, content: str) -> None:
    paint(tmp_path / "a.png", 10)
    (tmp_path / "times.txt").write_text(content)
    with pytest.raises(SourceError, match=r"the times in .*give --fps instead"):
        FolderCamera(tmp_path)


def test_a_list_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    paint(tmp_path / "a.png", 10)
    (tmp_path / "lit.txt").touch()
    os.truncate(tmp_path / "lit.txt", 20_000_000_000)
    with pytest.raises(SourceError, match="larger than 16 MB"):
        FolderCamera(tmp_path)


def test_a_very_large_picture_of_a_recording_is_reduced_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg_of_size(packed(plain(64, 64), "JPEG"), 8000, 6000))
    frame = FolderCamera(tmp_path).read()
    assert frame is not None
    assert (frame.image.shape, frame.reduced) == ((3000, 4000, 3), 2)


def film(path: Path, width: int, height: int, frames: int = 2) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (width, height))
    for _ in range(frames):
        writer.write(np.zeros((height, width, 3), np.uint8))
    writer.release()
    return path


def test_a_video_in_4k_is_played_and_a_larger_one_refused(tmp_path: Path) -> None:
    camera = VideoCamera(film(tmp_path / "4k.avi", 3840, 2160))
    frame = camera.read()
    camera.close()
    assert frame is not None
    assert frame.image.shape == (2160, 3840, 3)
    with pytest.raises(SourceError, match=r"5000x4000 pixels; give one of 3840x2160"):
        VideoCamera(film(tmp_path / "large.avi", 5000, 4000))


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: (folder / "x.mp4").write_text("ffconcat version 1.0\nfile good.avi\n"),
        lambda folder: (folder / "x.mp4").write_text("#EXTM3U\n#EXTINF:1,\ngood.avi\n"),
        lambda folder: (folder / "x.mp4").write_bytes(packed(plain(64, 64), "TIFF")),
        lambda folder: (folder / "x.mp4").write_bytes(packed(plain(64, 64), "GIF")),
        lambda folder: (folder / "x.mp4").write_bytes(bmp_of_size(64, 64)),
    ],
    ids=["list of videos", "playlist", "TIFF", "GIF", "BMP"],
)
def test_what_ffmpeg_reads_beside_videos_is_none(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    film(tmp_path / "good.avi", 64, 48)
    make(tmp_path)
    with pytest.raises(SourceError, match="not a video that can be read"):
        VideoCamera(tmp_path / "x.mp4")


def test_a_video_that_makes_its_decoder_hold_too_much_is_not_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = VideoCamera(film(tmp_path / "a.avi", 64, 48, frames=5))
    assert camera.read() is not None
    monkeypatch.setattr("vision.io.recorded.resident_bytes", lambda: 10**12)
    with pytest.raises(SourceError, match="takes too much memory"):
        camera.read()
    monkeypatch.undo()
    assert camera.read() is None
