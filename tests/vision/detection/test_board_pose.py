"""Place of a tracked board: tracked by its lines, corrected by its shapes after a movement."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph, with_hand
from vision.camera import Frame, Image
from vision.detection.board_detector import refined_by_shapes, squares_between
from vision.detection.grid_fit import GridFit
from vision.geometry.grid import Grid, sides_of
from vision.io.image_file import load_picture
from vision.reader import Reader
from vision.reading import Reading
from vision.squares.network import settled

pytestmark = pytest.mark.slow


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """List with an entry for each correction of the place by shapes."""
    times: list[int] = []

    def counted(image: Image, grid: Grid) -> Grid:
        times.append(1)
        return settled(image, grid)

    monkeypatch.setattr("vision.detection.board_detector.settled", counted)
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


def test_shapes_are_asked_for_the_place_when_it_is_new_and_plainly_seen(asked: list[int]) -> None:
    still = photograph(flat_board(EMPTY_ROWS))
    pushed = photograph(flat_board(EMPTY_ROWS), corners=CORNERS + np.array([9.0, -6.0]))
    reader, times = Reader(14), []
    for number, image in enumerate((still, still, with_hand(pushed), pushed, pushed)):
        asked.clear()
        seen(reader, image, number)
        times.append(bool(asked))
    assert times == [True, False, False, True, False]


@pytest.mark.parametrize(("shrinks", "off"), [(0.5, 0.02), (1.0, 0.4)], ids=["settles", "drifts"])
def test_a_place_is_corrected_while_the_steps_shrink_else_not_at_all(
    monkeypatch: pytest.MonkeyPatch, shrinks: float, off: float
) -> None:
    image = photograph(flat_board(EMPTY_ROWS))
    true = Grid.of(CORNERS, 14, image.shape)
    steps = [0.2]

    def step(_: Image, grid: Grid) -> Grid:
        steps.append(steps[-1] * shrinks)
        return grid.with_corners(grid.corners - steps[-2] * grid.square_px)

    monkeypatch.setattr("vision.detection.board_detector.settled", step)
    far = true.with_corners(CORNERS + 0.4 * true.square_px)
    found = refined_by_shapes(image, GridFit(far, 1.0, 0.01, 2.0), None)
    assert squares_between(true, found.grid) == pytest.approx(off, abs=0.05)
