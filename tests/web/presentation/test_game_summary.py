from dataclasses import replace
from itertools import pairwise

import pytest

from firmware.codes import Scoring
from tests.support import example_pages
from web.contract import MoveEntry
from web.i18n.wording import Wording
from web.presentation.game_summary import summarise_game
from web.presentation.graph import HEIGHT

ENGLISH = Wording()


def test_a_score_adds_up() -> None:
    page = example_pages.duo_over()
    for account, side in zip(summarise_game(page, ENGLISH).accounts, page.sides, strict=True):
        assert account.laid + account.in_hand == 89
        assert account.bonus - account.in_hand == side.score
    assert [one.first for one in summarise_game(page, ENGLISH).accounts] == [False, True]


def test_a_bonus_is_what_lies_beyond_the_squares() -> None:
    page = example_pages.duo_over()
    purple, orange = page.colours
    done = replace(page, colours=(replace(purple, left=(), placed=89), orange))
    done = replace(done, sides=(replace(page.sides[0], score=20), page.sides[1]))
    assert summarise_game(done, ENGLISH).accounts[0].bonus == 20
    basic = replace(page, scoring=Scoring.BASIC)
    assert not summarise_game(basic, ENGLISH).with_bonus


@pytest.mark.parametrize("game", ["duo", "classic", "classic-3", "classic-teams"])
def test_the_course_is_drawn_for_every_side(game: str) -> None:
    page = example_pages.page_of(example_pages.played(game, 30, seed=2))
    outcome = summarise_game(page, ENGLISH)
    assert len(outcome.course.runs) == len(page.sides)
    assert len({run.dash for run in outcome.course.runs}) == len(page.sides)
    heights = [float(p.split(",")[1]) for run in outcome.course.runs for p in run.points.split()]
    assert all(0 <= height <= HEIGHT for height in heights)
    places = sorted(run.sign_y for run in outcome.course.runs)
    assert all(b - a >= 16 for a, b in pairwise(places))


def test_who_has_laid_more_is_drawn_higher() -> None:
    moves = (MoveEntry(1, 0, "I5", ((0, 0),) * 5), MoveEntry(2, 1, "1", ((5, 5),)))
    outcome = summarise_game(replace(example_pages.empty(), moves=moves), ENGLISH)
    ends = [float(run.points.split()[-1].split(",")[1]) for run in outcome.course.runs]
    assert ends[0] < HEIGHT / 2 < ends[1]
    assert [mark for _, mark in outcome.course.marks] == ["−4", "−2", "0", "+2", "+4"]


def test_before_the_first_move_the_course_is_flat() -> None:
    outcome = summarise_game(example_pages.empty(), ENGLISH)
    assert all(run.points == f"0,{HEIGHT // 2}" for run in outcome.course.runs)
    assert outcome.sentence == ""
