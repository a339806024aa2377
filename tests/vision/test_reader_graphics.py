"""Computer graphics, screenshots and fronts of boxes are read right, or refused with the reason."""

import random

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, SCALE, flat_board
from tests.support.random_games import played
from vision.camera import Image
from vision.errors import BoardFailure
from vision.reader import read_picture

pytestmark = pytest.mark.slow

SURE = 0.95
BESIDE = (MARGIN - 1) * SCALE
"""Pixels around a drawn board and its frame."""


def rows_of(seed: int) -> list[str]:
    """Returns a position of a random game, in purple and orange."""
    rows = [list(row) for row in EMPTY_ROWS]
    for letter, moves in zip("PO", played("duo", seed, 8 + 2 * seed).laid, strict=True):
        for square in (square for move in moves for square in move.squares):
            rows[square // 14][square % 14] = letter
    return ["".join(row) for row in rows]


def drawing(rows: list[str], px: int) -> Image:
    tight = flat_board(rows, markers=False)[BESIDE:-BESIDE, BESIDE:-BESIDE]
    return np.asarray(cv2.resize(tight, (px, px), interpolation=cv2.INTER_AREA), np.uint8)


def packed(image: Image, quality: int) -> Image:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def box_front(rows: list[str], chance: random.Random) -> Image:
    """Draws a box on a table: on its front a title, coloured pieces, and a board at a slant."""
    front = np.zeros((900, 1200, 3), np.uint8)
    front[:] = [chance.randrange(40, 220) for _ in range(3)]
    for _ in range(12):
        x, y = chance.randrange(1200), chance.randrange(900)
        colour = [chance.randrange(256) for _ in range(3)]
        cv2.rectangle(front, (x, y), (x + 120, y + 60), colour, -1)
    cv2.putText(front, "CORNERS", (60, 170), cv2.FONT_HERSHEY_TRIPLEX, 5, (250, 250, 250), 14)
    side = 520.0
    start = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    lean = np.array([[chance.uniform(-60, 60) for _ in range(2)] for _ in range(4)], np.float32)
    shift = cv2.getPerspectiveTransform(start, start + lean + np.array([600, 300], np.float32))
    board = drawing(rows, int(side))
    inside = cv2.warpPerspective(np.full((int(side),) * 2, 255, np.uint8), shift, (1200, 900))
    printed = cv2.warpPerspective(board, shift, (1200, 900))
    front[inside > 127] = printed[inside > 127]
    noise = np.random.default_rng(chance.randrange(1000)).normal(0, 3, front.shape)
    return packed(np.asarray(np.clip(cv2.blur(front, (3, 3)) + noise, 0, 255), np.uint8), 85)


def counted(image: Image, rows: list[str]) -> tuple[int, int] | None:
    """Returns the numbers of squares read wrong and left open; None if it is refused."""
    reading = read_picture(image, 14)
    if isinstance(reading, BoardFailure):
        assert reading.reason
        return None
    names = np.array([".", *(name[0].upper() for name in reading.palette)])
    contents = names[reading.probabilities.argmax(axis=1)]
    sure = reading.probabilities.max(axis=1) > SURE
    wrong = sure & (contents != np.array([*"".join(rows)]))
    return int(wrong.sum()), int((~sure).sum())


@pytest.mark.parametrize("px", [200, 400])
@pytest.mark.parametrize("quality", [40, 90])
def test_a_packed_drawing_is_read_right(px: int, quality: int) -> None:
    for seed in range(2):
        found = counted(packed(drawing(rows_of(seed), px), quality), rows_of(seed))
        assert found is None or (found[0] == 0 and found[1] <= 20)


def test_the_front_of_a_box_is_read_right_or_refused() -> None:
    for seed in range(6):
        found = counted(box_front(rows_of(seed), random.Random(seed)), rows_of(seed))  # noqa: S311
        assert found is None or found[0] == 0
