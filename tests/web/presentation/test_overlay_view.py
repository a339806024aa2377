import unicodedata
from dataclasses import replace

import pytest

from firmware.codes import HintStep
from tests.support import example_pages
from web.contract import ArbiterPage, HintAllowance, Page, RefereeState
from web.i18n.wording import Wording
from web.presentation.overlay_view import LONGEST_NAME, SLOTS, overlay_of, short

WORDING = Wording()


@pytest.mark.parametrize("name", example_pages.ALL)
def test_every_page_has_the_same_number_of_slots(name: str) -> None:
    view = overlay_of(example_pages.ALL[name](), WORDING)
    assert len(view.slots) == SLOTS
    assert view.slots[-1] is not None


def test_two_sides_stand_in_the_slots_next_to_the_board() -> None:
    view = overlay_of(example_pages.duo_refused(), WORDING)
    names = [slot.names if slot else None for slot in view.slots]
    assert names == [None, None, ("Anna",), ("Ben",)]
    assert [slot.on_turn for slot in view.slots if slot] == [False, True]


def test_a_refused_piece_is_shown_with_its_rule_in_words() -> None:
    refusal = overlay_of(example_pages.duo_refused(), WORDING).refusal
    assert refusal is not None
    assert "may touch each other only at corners" in refusal.reasons[0][1]


def test_the_last_move_and_after_the_end_the_result() -> None:
    page = example_pages.duo_refused()
    last = overlay_of(page, WORDING).last
    assert last is not None
    assert last.ply == page.ply
    assert last.piece is not None
    over = overlay_of(example_pages.duo_over(), WORDING)
    assert over.last is not None
    assert over.last.who.startswith("Ben wins by 6")
    assert over.next


def test_before_the_first_move_there_is_none() -> None:
    assert overlay_of(example_pages.empty(), WORDING).last is None


def test_hints_are_never_part_of_it() -> None:
    page = example_pages.duo_over()
    board = example_pages.empty()
    where = HintStep.WHERE
    hints = HintAllowance((1, 1), 0, step=where, colour=0, squares=((0, 0), (0, 1)))
    hinted = replace(board, private=ArbiterPage(hints=hints))
    assert overlay_of(hinted, WORDING) == overlay_of(board, WORDING)
    assert overlay_of(page, WORDING).board.hint == ""


def test_the_answer_about_a_puzzle_is_a_hint() -> None:
    page = example_pages.puzzle_impossible()
    assert page.puzzle is not None
    assert page.puzzle.culprit
    view = overlay_of(page, WORDING)
    assert view.board.culprit == ""
    taken = next(slot for slot in view.slots if slot and slot.taken).taken
    assert taken is not None
    assert taken.solvability == ""


def test_who_meets_next_comes_before_the_rematch() -> None:
    view = overlay_of(example_pages.duo_over(), WORDING, ("Cleo", "X" * 100))
    assert view.next.startswith("Next: Cleo – XXX")
    assert view.next.endswith("…")


def wide(text: str) -> int:
    return sum(
        2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
        if not unicodedata.combining(letter)
    )


@pytest.mark.parametrize("name", ["Anna", "山田太郎", "M" * LONGEST_NAME, "e\u0301" * LONGEST_NAME])
def test_a_name_that_fits_stays(name: str) -> None:
    assert short(name) == name


@pytest.mark.parametrize(
    "name", ["M" * 200, "山田太郎左衛門尉藤原朝臣" * 9, "e\u0301" * 90, "…" * 80]
)
def test_a_long_name_is_cut_where_it_no_longer_fits(name: str) -> None:
    cut = short(name)
    assert cut.endswith("…")
    assert wide(cut) <= LONGEST_NAME
    assert not unicodedata.combining(cut[-1])


def test_a_refusal_names_nobody_at_length() -> None:
    page = example_pages.duo_refused()
    assert page.state.code is RefereeState.REFUSED
    view = overlay_of(renamed(page, "N" * 150), WORDING)
    assert view.refusal is not None
    assert "N" * (LONGEST_NAME + 1) not in view.refusal.reasons[0][1]


def renamed(page: Page, name: str) -> Page:
    return replace(page, colours=tuple(replace(one, player=name) for one in page.colours))
