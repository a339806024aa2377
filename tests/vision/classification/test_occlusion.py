import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph
from tests.support.reading_scores import rows, score
from vision.camera import Image
from vision.classification.occlusion import covered_odds, near_large
from vision.reader import read_picture
from vision.reading import Reading

pytestmark = pytest.mark.slow

PIECES = [*EMPTY_ROWS[:5], ".....PP.......", "......PP.OO...", "......P..OOO..", *EMPTY_ROWS[:6]]
SKIN = (120, 155, 205)
ALL_SEEN = np.full(196, 4)


def reached_over(picture: Image) -> tuple[Image, np.ndarray]:
    """Draws an arm from the left over the lower rows; also returns the squares that it touches."""
    arm = picture.copy()
    cv2.line(arm, (0, 470), (420, 440), SKIN, 90)
    changed = np.abs(arm.astype(int) - picture).max(axis=2).astype(np.float32)
    flat = np.array([[0, 0], [280, 0], [280, 280], [0, 280]], np.float32)
    matrix = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), flat)
    seen = cv2.warpPerspective(changed, matrix, (280, 280)) > 0
    return arm, np.asarray(seen.reshape(14, 20, 14, 20).any(axis=(1, 3)))


def read(picture: Image, palette: tuple[str, ...] = ("purple", "orange")) -> Reading:
    reading = read_picture(picture, 14, palette)
    assert isinstance(reading, Reading)
    return reading


def test_skin_is_no_orange_piece() -> None:
    arm, hidden = reached_over(photograph(flat_board(PIECES)))
    reading = read(arm)
    assert reading.hand
    assert score(reading, PIECES, hidden).wrong == 0
    assert (reading.covered.reshape(14, 14) & hidden).sum() > 0.7 * hidden.sum()
    below = np.array([list(row) for row in rows(reading)])[hidden]
    assert set(below) <= {"?", "."}


def test_a_clear_board_is_not_taken_for_covered() -> None:
    for noise in (0, 20):
        grain = np.random.default_rng(2).normal(0, noise, (720, 960, 3))
        picture = np.clip(photograph(flat_board(PIECES)) + grain, 0, 255).astype(np.uint8)
        reading = read(picture)
        assert not reading.hand
        assert rows(reading) == PIECES


def test_a_patch_without_lines_is_covered() -> None:
    lines = ALL_SEEN.copy().reshape(14, 14)
    lines[4:8, 4:8] = 1
    covered = covered_odds(lines.ravel(), np.zeros(196), 14) > 0
    assert np.array_equal(covered.reshape(14, 14), lines < 4)


def test_where_ridges_hardly_show_few_lines_mean_little() -> None:
    lines = np.random.default_rng(3).choice([2, 3, 4], 196, p=[0.3, 0.4, 0.3])
    familiar = np.full(196, -6.0)
    assert (covered_odds(lines, familiar, 14) > 0).mean() < 0.02


@pytest.mark.parametrize(("count", "large"), [(2, False), (3, True)])
def test_a_thing_covers_some_squares_together(count: int, *, large: bool) -> None:
    covered = np.zeros((14, 14), bool)
    covered[5, 5 : 5 + count] = True
    near = near_large(covered.ravel(), 14).reshape(14, 14)
    assert near[4, 5] == large
    assert not near[9, 9]
