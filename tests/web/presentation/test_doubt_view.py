"""Candidates are drawn in the picture where the pieces lie in it."""

import json
import re
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from firmware.rules.position import Position
from tests.conftest import ROOT
from tests.support import example_pages
from web.contract import CandidateEntry, LivePicture, Page, PictureAudience, Square
from web.doubt_picture import DoubtPicture
from web.presentation.doubt_view import DoubtView, doubt_of
from web.presentation.svg import CELL

DATA = ROOT / "tests" / "vision" / "data"
NAME = "game_30.jpg"
TRUTH = json.loads((DATA / "truth.json").read_text())[NAME]
JPEG = (DATA / NAME).read_bytes()
SIZE = Image.open(BytesIO(JPEG)).size
CORNERS = tuple(((x + 0.5) / SIZE[0], (y + 0.5) / SIZE[1]) for x, y in TRUTH["corners"])
BOARD = Position.start("duo").board


def page_with(*candidates: tuple[Square, ...]) -> Page:
    return replace(
        example_pages.duo_unsure(),
        candidates=tuple(CandidateEntry(0, "P", squares, 0.5) for squares in candidates),
        pictures=PictureAudience.PAIRED,
    )


def doubt_in(
    page: Page,
    jpeg: bytes = JPEG,
    corners: tuple[tuple[float, float], ...] = CORNERS,
    turned: int = 0,
) -> DoubtView:
    question = tuple((one.colour, one.squares) for one in page.candidates)
    picture = DoubtPicture(question, LivePicture(jpeg), 7, corners, turned, is_final=True)
    view = doubt_of(page, picture)
    assert view is not None
    return view


def points_of(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_the_corners_of_the_board_are_where_the_table_found_them() -> None:
    whole = tuple((row, column) for row in range(14) for column in range(14))
    view = doubt_in(page_with(whole))
    assert (view.picture, view.width, view.height) == (7, *SIZE)
    expected = np.array(TRUTH["corners"]) + 0.5
    found = np.array(sorted(points_of(view.shapes[0])))
    assert np.abs(found - sorted(map(tuple, expected))).max() < 0.1


def test_the_squares_of_pieces_are_drawn_upon_pieces() -> None:
    """Mean colours of drawn squares: those of pieces differ from those of free squares."""
    image = np.asarray(Image.open(BytesIO(JPEG)).convert("HSV")).astype(float)
    saturation: dict[bool, list[float]] = {True: [], False: []}
    for row, line in enumerate(TRUTH["cells"]):
        for column, letter in enumerate(line):
            [shape] = doubt_in(page_with(((row, column),))).shapes
            x, y = np.mean(points_of(shape), axis=0)
            saturation[letter != "."].append(image[int(y), int(x), 1])
    assert np.median(saturation[True]) > 2 * np.median(saturation[False])
    assert np.quantile(saturation[True], 0.1) > np.quantile(saturation[False], 0.9)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_board_that_is_turned_in_the_picture_is_drawn_as_it_lies(quarters: int) -> None:
    seen = ((0, 0), (0, 1), (1, 0), (5, 9))
    turned = tuple(divmod(BOARD.turn(row * 14 + column, quarters), 14) for row, column in seen)
    assert set(turned) != set(seen)
    one = doubt_in(page_with(*((square,) for square in seen)))
    other = doubt_in(page_with(*((square,) for square in turned)), turned=90 * quarters)
    for shape, same in zip(one.shapes, other.shapes, strict=True):
        assert sorted(points_of(shape)) == sorted(points_of(same))


@pytest.mark.parametrize(
    ("jpeg", "corners"),
    [
        (b"\xff\xd8\xff\xe0 cut short", CORNERS),
        (JPEG, ()),
        (JPEG, ((0.5, 0.5),) * 4),
        (JPEG, ((0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9))),
    ],
    ids=["no size", "no corners", "corners in one point", "corners crossed"],
)
def test_without_a_place_in_the_picture_the_diagram_is_shown(
    jpeg: bytes, corners: tuple[tuple[float, float], ...]
) -> None:
    page = page_with(((6, 6), (6, 7)), ((6, 7), (6, 8)))
    view = doubt_in(page, jpeg, corners)
    assert view.picture is None
    assert view == doubt_of(page, None)
    left, top, width, height = map(float, view.view_box.split())
    assert (left, top) == ((6 - 1.25) * CELL, (6 - 1.25) * CELL)
    assert (width, height) == ((3 + 2.5) * CELL, (1 + 2.5) * CELL)
    assert points_of(view.shapes[0])[0] == (6 * CELL, 6 * CELL)


def test_a_picture_that_nobody_may_see_is_not_shown() -> None:
    page = page_with(((6, 6), (6, 7)))
    assert doubt_in(page).picture == 7
    assert doubt_in(replace(page, pictures=PictureAudience.NOBODY)).picture is None
    assert doubt_of(replace(page, candidates=()), None) is None


def test_every_candidate_lies_within_the_part_that_is_shown() -> None:
    page = page_with(((0, 0), (0, 1)), ((13, 12), (13, 13)))
    for view in (doubt_in(page), doubt_of(page, None)):
        assert view is not None
        left, top, width, height = map(float, view.view_box.split())
        for x, y in (point for shape in view.shapes for point in points_of(shape)):
            assert left < x < left + width
            assert top < y < top + height
