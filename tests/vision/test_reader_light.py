"""In the dark, in bright light and under a mirrored lamp squares are right, or left in doubt."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.confidence import rendered
from tests.support.degraded_pictures import WORSENINGS
from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, SCALE
from tests.support.reading_scores import NAMED, named, rows, score
from vision.camera import Frame, Image
from vision.io.image_file import load_picture
from vision.reader import Reader, read_picture
from vision.reading import Reading

pytestmark = pytest.mark.slow

PURPLE_ORANGE = ("purple", "orange")
FIELD = np.array([[0, 0], [14, 0], [14, 14], [0, 14]]) * SCALE + MARGIN * SCALE - 0.5
WAYS = {way.name: way.apply for way in WORSENINGS}


def dark(image: Image, stops: float) -> Image:
    return WAYS["dark"](image, FIELD, stops, np.random.default_rng(1))[0]


def test_what_a_lamp_washes_out_is_seldom_read_wrong(samples: Path, truth: dict[str, Any]) -> None:
    known = truth["markers_008.jpg"]
    image, corners = load_picture(samples / "markers_008.jpg"), np.array(known["corners"])
    wrong = 0
    for place in range(8):
        lit, _ = WAYS["glare"](image, corners, 0.7, np.random.default_rng(place))
        reading = read_picture(lit, 14, PURPLE_ORANGE, corners)
        assert isinstance(reading, Reading)
        result = score(reading, named(known["cells"], *PURPLE_ORANGE))
        assert result.unsure < 22, place
        wrong += result.wrong
    assert wrong <= 8, "of 1,568 squares"


def test_a_game_that_turns_dark_is_followed(samples: Path, truth: dict[str, Any]) -> None:
    reader = Reader(14)
    names = ["game_30.jpg", "game_30.jpg", "game_42.jpg"]
    for number, (name, stops) in enumerate(zip(names, (0, 3, 4), strict=True)):
        image = dark(load_picture(samples / name), stops)
        reading = [reader.read(Frame(image, number + part, 1)) for part in (0.0, 0.5)][-1]
        assert isinstance(reading, Reading)
        assert score(reading, named(truth[name]["cells"], *PURPLE_ORANGE)).wrong == 0


def test_a_moved_lamp_is_no_movement_of_the_board_and_no_hand(samples: Path) -> None:
    before, first, second = (
        load_picture(samples / f"{name}.jpg") for name in ("lamp_47", "lamp_51", "lamp_52")
    )
    reader = Reader(14, PURPLE_ORANGE)
    known = [reader.read(Frame(before, number / 2, number)) for number in range(3)][-1]
    moved, clear = (
        reader.read(Frame(image, 2 + number / 2, 3 + number))
        for number, image in enumerate((first, second))
    )
    assert isinstance(known, Reading)
    assert isinstance(moved, Reading)
    assert isinstance(clear, Reading)
    assert not clear.hand
    assert not clear.covered.any()
    assert clear.shift_px < 1
    assert (clear.probabilities.argmax(axis=1) == known.probabilities.argmax(axis=1)).all()


@pytest.mark.parametrize("watched", [True, False])
def test_where_blue_has_burnt_out_to_cyan_it_is_not_taken_for_green(
    samples: Path, *, watched: bool
) -> None:
    image, palette = load_picture(samples / "overexposed.jpg"), ("blue", "green")
    frame = Frame(image, 0.0, 1)
    reading = Reader(14, palette).read(frame) if watched else read_picture(image, 14, palette)
    assert isinstance(reading, Reading)
    blue = [*EMPTY_ROWS[:2], "........BB....", ".........BB...", "..GG.....B....", "..GG......B..."]
    both = [*blue, "..G.GG....BB..", *["....G......B.."] * 2, "....G.........", *EMPTY_ROWS[:4]]
    assert rows(reading) == both


@pytest.mark.parametrize("seed", [995016, 995022])
def test_a_light_board_far_too_bright_is_read_and_no_colour_is_invented(seed: int) -> None:
    picture = rendered(seed)
    bright = np.asarray(np.clip(picture.image * 1.6, 0, 255), np.uint8)
    reading = read_picture(bright, 20, None, picture.corners)
    assert isinstance(reading, Reading)
    result = score(reading, ["".join(row) for row in picture.cells], sure=NAMED)
    assert (result.wrong, result.unsure <= 20) == (0, True), result


def test_white_that_has_burnt_out_is_recognised_by_its_shape(samples: Path) -> None:
    reader = Reader(14)
    for number in (1, 2):
        frame = Frame(load_picture(samples / f"burnt_white_{number}.jpg"), number / 2, number)
        reading = reader.read(frame)
        assert isinstance(reading, Reading)
        assert reading.palette == ("black", "white")
        white = sum(row.count("W") for row in rows(reading))
        assert (white, sum(row.count("K") for row in rows(reading))) == ((number - 1) * 5, 5)
        assert not reading.covered.any()
