"""The part of the board that is drawn: all of it, or the field of a puzzle with a margin."""

from dataclasses import replace

from tests.support import example_pages
from web.contract import ArbiterPage, Page
from web.i18n.wording import Wording
from web.presentation.board_view import board_of, part_of


def reach(page: Page) -> tuple[range, range]:
    part = part_of(page)
    return part.columns, part.rows


def test_a_game_is_drawn_whole_and_without_a_border() -> None:
    part = part_of(example_pages.empty())
    assert (part.columns, part.rows, part.top) == (range(14), range(14), 0)
    assert not part.outside + part.border


def test_a_puzzle_on_the_whole_board_has_no_border() -> None:
    part = part_of(example_pages.puzzle("puzzle-all", 3))
    assert (part.columns, part.rows) == (range(20), range(20))
    assert not part.outside + part.border


def test_a_field_is_drawn_with_one_square_beyond_it() -> None:
    page = example_pages.puzzle()
    assert reach(page) == (range(9), range(9, 20))
    part = part_of(page)
    assert (part.width, part.height, part.top) == (180, 220, 180)
    assert part.border == "M0 200L160 200L160 400L0 400Z"
    assert part.outside


def test_what_lies_beyond_the_field_is_drawn_too() -> None:
    assert reach(example_pages.puzzle_refused()) == (range(11), range(9, 20))
    page = example_pages.puzzle()
    assert reach(replace(page, covered=((0, 19),))) == (range(20), range(20))


def test_places_are_dots_on_the_boards_of_paired_phones_alone() -> None:
    shown = ArbiterPage(piece="2", covers=((4, 4), (4, 5)), corners=((4, 4),))
    page = replace(example_pages.empty(), private=shown)
    assert board_of(page, Wording()).places == ("M90.0 90.0h0M110.0 90.0h0", "M90.0 90.0h0")
    assert board_of(page.public, Wording()).places == ()
