"""A recording is played at its own pace, and ends."""

from pathlib import Path

import numpy as np
import pytest

from firmware.cameras.interfaces import EndOfPictures
from firmware.cameras.playback import PlaybackCamera
from vision.io.image_file import encode_jpeg


class Clock:
    def __init__(self) -> None:
        self.now_s = 50.0

    def __call__(self) -> float:
        return self.now_s

    def pause(self, seconds: float) -> None:
        self.now_s += seconds


def recording(folder: Path, times: tuple[float, ...]) -> Path:
    for number in range(1, len(times) + 1):
        picture = np.full((60, 80, 3), 20 * number, np.uint8)
        (folder / f"{number}.jpg").write_bytes(encode_jpeg(picture, 80))
    (folder / "times.txt").write_text("".join(f"{k}.jpg {t}\n" for k, t in enumerate(times, 1)))
    (folder / "lit.txt").write_text("2.jpg 5 7\n")
    return folder


@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_pictures_come_when_they_are_due(tmp_path: Path, speed: float) -> None:
    clock = Clock()
    camera = PlaybackCamera(recording(tmp_path, (0.5, 1.0, 3.0)), speed, clock, clock.pause)
    first = camera.read(0.5)
    assert first is not None
    assert (first.time_s, clock.now_s) == (0.5, 50.0)
    second = camera.read(0.5)
    assert second is not None
    assert second.lit == {5, 7}
    assert clock.now_s == pytest.approx(50 + 0.5 / speed)
    waits = 0
    while camera.read(0.25) is None:
        waits += 1
    assert waits == (7 if speed == 1.0 else 1)
    assert clock.now_s == pytest.approx(50 + 2.5 / speed)
    with pytest.raises(EndOfPictures):
        camera.read(0.5)


def test_a_damaged_picture_is_skipped(tmp_path: Path) -> None:
    clock = Clock()
    folder = recording(tmp_path, (0.5, 1.0, 1.5))
    (folder / "2.jpg").write_bytes(b"\xff\xd8 nothing")
    camera = PlaybackCamera(folder, 1.0, clock, clock.pause)
    found = [camera.read(0.5) for _ in range(4)]
    assert [one.time_s for one in found if one] == [0.5, 1.5]
    camera.close()
    with pytest.raises(EndOfPictures):
        camera.read(0.5)
