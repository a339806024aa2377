"""Black and white plastic on a dark board over time, recognised by shapes, not by light alone."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_boards import EMPTY_ROWS
from tests.support.reading_scores import rows
from vision.camera import Frame, Image
from vision.geometry.grid import Grid
from vision.io.image_file import load_picture
from vision.reader import Reader
from vision.reading import Reading
from vision.squares.network import Shapes, shapes_of

pytestmark = pytest.mark.slow

BLACK = [*EMPTY_ROWS[:3], "....K.........", "...KKK........", "....K.........", *EMPTY_ROWS[:8]]
WHITE = [*BLACK[:7], ".........W....", "........WWW...", ".........W....", *EMPTY_ROWS[:4]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """List with an entry for each run of the network of shapes."""
    times: list[int] = []

    def counted(image: Image, grid: Grid, wanted: NDArray[np.bool_] | None = None) -> Shapes:
        times.append(1)
        return shapes_of(image, grid, wanted)

    monkeypatch.setattr("vision.detection.shape_cache.shapes_of", counted)
    return times


def watched(samples: Path, reader: Reader, *numbers: int) -> list[Reading]:
    readings = []
    for place, number in enumerate(numbers):
        image = load_picture(samples / f"black_white_{number}.jpg")
        reading = reader.read(Frame(image, 0.5 * place, place))
        assert isinstance(reading, Reading)
        readings.append(reading)
    return readings


@pytest.mark.parametrize("palette", [None, ("black", "white")])
def test_black_and_white_are_recognised_from_the_first_piece_on(
    samples: Path, palette: tuple[str, ...] | None
) -> None:
    empty, first, second = watched(samples, Reader(14, palette), 1, 2, 3)
    assert rows(empty) == EMPTY_ROWS
    assert rows(first) == BLACK
    assert rows(second) == WHITE
    assert set(second.palette) == {"black", "white"}


def test_shapes_are_asked_only_when_something_has_changed(samples: Path, asked: list[int]) -> None:
    reader, counts = Reader(14, ("black", "white")), []
    for number in (1, 1, 1, 2, 2, 2):
        watched(samples, reader, number)
        counts.append(len(asked))
    assert counts == [1, 2, 2, 3, 3, 3], "the first frame is looked at twice"
