from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from markupsafe import escape

from firmware.codes import HintStep
from tests.support import example_pages
from web.contract import ArbiterPage, HintAllowance, RefereeState, RefereeStatus
from web.i18n.wording import Wording
from web.presentation.overlay import PARTS, overlay_of, without_hints
from web.presentation.view_model import view_of

WORDING = Wording()


@pytest.fixture(autouse=True)
def application() -> Iterator[None]:
    app = Flask("web")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    with app.app_context():
        yield


@pytest.mark.parametrize("name", example_pages.ALL)
def test_every_page_has_the_same_boxes_and_slots(name: str) -> None:
    parts = overlay_of(example_pages.ALL[name](), WORDING)
    assert tuple(parts) == PARTS
    for part in ("names", "score", "clock"):
        assert parts[part].count('class="slot"') == 4


def test_two_sides_stand_in_the_slots_next_to_the_board() -> None:
    names = overlay_of(example_pages.duo_refused(), WORDING)["names"].splitlines()
    slots = [line for line in names if "slot" in line]
    assert ["data-used" in slot for slot in slots] == [False, False, True, True]
    assert "<b>Anna</b>" in slots[2]
    assert "<b>Ben</b>" in slots[3]
    assert ["data-turn" in slot for slot in slots[2:]] == [False, True]


def test_a_refused_piece_is_shown_with_its_rule_in_words() -> None:
    rule = overlay_of(example_pages.duo_refused(), WORDING)["rule"]
    assert "may touch each other only at corners" in rule


@pytest.mark.parametrize("name", ["unsure", "astray", "to-lift"])
def test_watchers_read_why_the_game_stands_still_and_see_where(name: str) -> None:
    page = example_pages.ALL[name]()
    parts = overlay_of(page, WORDING)
    assert "told" in parts["rule"]
    assert escape(view_of(page, WORDING).sentence) in parts["rule"]
    marks = ('class="attention"', 'class="way"', 'data-mark="to-lift"')
    assert any(mark in parts["board"] for mark in marks)


@pytest.mark.parametrize("code", ["board-lost", "camera-away", "paused", "new-game-asked"])
def test_watchers_read_that_the_table_sees_or_plays_nothing(code: str) -> None:
    page = replace(example_pages.classic_middle(), state=RefereeStatus(RefereeState(code)))
    assert escape(view_of(page, WORDING).sentence) in overlay_of(page, WORDING)["rule"]


def test_the_last_move_and_after_the_end_the_result() -> None:
    page = example_pages.duo_refused()
    last = overlay_of(page, WORDING)["last"]
    assert f"Move {page.ply}" in last
    assert 'class="laid"' in last
    over = overlay_of(example_pages.duo_over(), WORDING)
    assert "<b>Ben wins by 6" in over["last"]
    assert over["next"]


def test_before_the_first_move_and_the_first_page_there_is_none() -> None:
    assert overlay_of(example_pages.empty(), WORDING)["last"] == ""
    assert overlay_of(None, WORDING)["last"] == ""


def test_hints_are_never_part_of_it() -> None:
    board = example_pages.empty()
    where = HintStep.WHERE
    hints = HintAllowance((1, 1), 0, step=where, colour=0, squares=((0, 0), (0, 1)))
    hinted = replace(board, private=ArbiterPage(hints=hints))
    assert overlay_of(hinted, WORDING) == overlay_of(board, WORDING)


def test_the_answer_about_a_puzzle_is_a_hint() -> None:
    page = example_pages.puzzle_impossible()
    assert page.puzzle is not None
    assert page.puzzle.culprit
    silent = without_hints(page)
    assert silent.puzzle is not None
    assert silent.puzzle.culprit == ()
    assert overlay_of(page, WORDING) == overlay_of(silent, WORDING)
    assert overlay_of(page, WORDING)["clock"].count("data-used") == 1
