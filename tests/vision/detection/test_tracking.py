"""Place of a tracked board: tracked by its lines, corrected by its shapes after a movement."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph, with_hand
from vision.camera import Frame, Image
from vision.detection.board_pose import fit_squares
from vision.geometry.grid import Grid, sides_of
from vision.io.image_file import load_picture
from vision.reader import Reader
from vision.reading import Reading

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """List with an entry for each correction of the place by squares."""
    times: list[int] = []

    def counted(image: Image, grid: Grid) -> Grid | None:
        times.append(1)
        return fit_squares(image, grid)

    for module in ("board_detector", "board_pose", "markerless"):
        monkeypatch.setattr(f"vision.detection.{module}.fit_squares", counted)
    return times


def seen(reader: Reader, image: Image, number: int) -> Reading:
    reading = reader.read(Frame(image, number / 2, number))
    assert isinstance(reading, Reading), reading.reason
    return reading


def test_corners_are_measured_to_a_tenth_of_a_square(samples: Path, truth: dict[str, Any]) -> None:
    for number, name in enumerate(("markers_005.jpg", "markers_008.jpg")):
        true = np.array(truth[name]["corners"])
        reading = seen(Reader(14), load_picture(samples / name), number)
        away = np.linalg.norm(reading.corners - true, axis=1).max()
        assert away * 14 / sides_of(true).mean() < 0.1


def test_squares_are_asked_for_the_place_when_it_is_new(asked: list[int]) -> None:
    still = photograph(flat_board(EMPTY_ROWS))
    pushed = photograph(flat_board(EMPTY_ROWS), corners=CORNERS + np.array([9.0, -6.0]))
    reader, times = Reader(14), []
    for number, image in enumerate((still, still, with_hand(pushed), pushed, pushed)):
        asked.clear()
        seen(reader, image, number)
        times.append(bool(asked))
    assert times == [True, False, True, True, False]
