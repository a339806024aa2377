from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from tests.support import example_pages
from web.contract import Page
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.wording import Wording
from web.presentation.share_image import WIDTH, ShareImagePainter, paint


def opened(page: Page, wording: Wording) -> Image.Image:
    image = Image.open(BytesIO(paint(page, wording)))
    assert image.format == "PNG"
    return image.convert("RGB")


def ink_at(image: Image.Image, at: tuple[int, int]) -> str:
    pixel = image.getpixel(at)
    assert isinstance(pixel, tuple)
    return "#" + bytes(pixel).hex()


def test_the_pieces_are_where_they_lie() -> None:
    page = example_pages.duo_over()
    image = opened(page, Wording())
    cell, left, top = 68, (WIDTH - 14 * 68) // 2, 130
    inks = {colour.ink for colour in page.colours}
    for piece in page.pieces:
        for row, column in piece.squares:
            # Off the letter, inside the edge.
            at = (left + column * cell + 14, top + row * cell + 14)
            assert ink_at(image, at) == page.colours[piece.colour].ink
    covered = {square for piece in page.pieces for square in piece.squares}
    free = next(s for s in ((r, c) for r in range(14) for c in range(14)) if s not in covered)
    at = (left + free[1] * cell + 14, top + free[0] * cell + 14)
    assert ink_at(image, at) not in inks


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_picture(language: str) -> None:
    assert opened(example_pages.classic_middle(), wording_of(language)).width == WIDTH


def test_a_name_that_no_font_can_write_gives_way_to_the_colour() -> None:
    page = example_pages.duo_over()
    strange = replace(page.colours[0], player="\U0001f40c" * 3)
    nameless = replace(page.colours[0], player="")
    pictures = {
        paint(replace(page, colours=(one, page.colours[1])), Wording())
        for one in (strange, nameless)
    }
    assert len(pictures) == 1


def test_the_newest_picture_is_stored() -> None:
    painter, page = ShareImagePainter(), example_pages.duo_over()
    first = painter.paint(page, "en", Wording(), "2026-11-23")
    assert painter.paint(page, "en", Wording(), "2026-11-23") is first
    assert painter.paint(replace(page, title="Classic"), "en", Wording(), "2026-11-23") != first


def test_the_day_of_the_game_is_in_the_picture() -> None:
    page = example_pages.duo_over()
    days = {paint(page, Wording(), day) for day in ("", "2026-11-22", "2026-11-23")}
    assert len(days) == 3


def test_of_a_puzzle_the_field_alone_is_in_the_picture() -> None:
    page = example_pages.puzzle_solved()
    image = opened(page, Wording())
    cell = 960 // 10
    left = (WIDTH - 8 * cell) // 2
    assert ink_at(image, (left - 60, 700)) == ink_at(image, (10, 10)), "nothing beside the field"
    for piece in page.pieces:
        row, column = piece.squares[0]
        middle = (left + column * cell + 14, 130 + (row - 10) * cell + 14)
        assert ink_at(image, middle) == page.colours[piece.colour].ink
