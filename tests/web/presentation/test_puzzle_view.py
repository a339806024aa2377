"""Progress of a puzzle: what is left, the time, and whether it can still be solved."""

from dataclasses import replace

import pytest

from tests.support import example_pages
from web.contract import AnswerCode, Page
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.wording import Wording, time_text
from web.presentation.puzzle_view import puzzle_of

ENGLISH = Wording()


def answered(answer: AnswerCode) -> Page:
    page = example_pages.puzzle()
    assert page.puzzle is not None
    return replace(page, puzzle=replace(page.puzzle, answer=answer))


def test_a_game_has_no_progress() -> None:
    assert puzzle_of(example_pages.empty(), ENGLISH) is None


def test_pieces_and_squares_are_counted() -> None:
    view = puzzle_of(example_pages.puzzle(plies=9), ENGLISH)
    assert view is not None
    assert view.left == "11 pieces left, 44 squares"
    assert sum(view.by_colour) == 11
    assert view.laid_share == 45
    assert (view.time, view.running, view.best) == ("1:23", True, "Best time so far: 1:01.")
    assert not view.solved


def test_a_solved_puzzle_says_how_long_it_took() -> None:
    view = puzzle_of(example_pages.puzzle_solved(), ENGLISH)
    assert view is not None
    assert (view.left, view.laid_share, view.solved) == ("Solved in 3:12", 100, True)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (AnswerCode.NOT_ASKED, ""),
        (AnswerCode.THINKING, "Looking whether it can be solved."),
        (AnswerCode.SOLVABLE, "It can still be solved."),
        (AnswerCode.IMPOSSIBLE, "It can no longer be solved."),
        (AnswerCode.UNKNOWN, "Nobody knows whether it can still be solved."),
    ],
)
def test_every_answer_is_a_sentence(answer: AnswerCode, sentence: str) -> None:
    view = puzzle_of(answered(answer), ENGLISH)
    assert view is not None
    assert view.solvability == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_impossible_puzzle_names_the_move_and_its_squares(language: str) -> None:
    view = puzzle_of(example_pages.puzzle_impossible(), wording_of(language))
    assert view is not None
    assert "8" in view.solvability
    assert "f4, f5, g5, f6" in view.solvability.replace("、", ", ")
    assert "{" not in view.solvability


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.9, "0:59"), (60, "1:00"), (3725, "1:02:05")]
)
def test_a_time_is_in_whole_seconds(seconds: float, text: str) -> None:
    assert time_text(seconds) == text
