from dataclasses import replace
from itertools import pairwise

import pytest

from firmware.codes import Scoring
from tests.support import example_pages
from web.contract import GameResult, MoveEntry, Page, TrayPiece
from web.i18n.wording import Wording
from web.presentation.game_summary import summarise_game
from web.presentation.graph import HEIGHT
from web.presentation.view_model import cards_of, scores_of

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


def two_winners(scoring: Scoring, last: str) -> Page:
    """Returns the end of Classic for two: squares left 0 + 12 against 5 + 5."""
    page = example_pages.page_of(example_pages.played("classic-2", 0))
    five, seven = (tuple((0, k) for k in range(n)) for n in (5, 7))
    left = [
        (),
        (TrayPiece("I5", five),),
        (TrayPiece("I5", five), TrayPiece("?", seven)),
        (TrayPiece("I5", five),),
    ]
    colours = tuple(
        replace(one, left=pieces) for one, pieces in zip(page.colours, left, strict=True)
    )
    points = (15 + 5 * (last == "1") - 12, -10) if scoring is Scoring.ADVANCED else (12, 10)
    return replace(
        page,
        colours=colours,
        sides=tuple(replace(a, score=b) for a, b in zip(page.sides, points, strict=True)),
        moves=(MoveEntry(1, 0, "I5", five), MoveEntry(2, 0, last, ((9, 9),))),
        scoring=scoring,
        result=GameResult(winner=(0, 2) if scoring is Scoring.ADVANCED else (1, 3)),
        turn=None,
    )


@pytest.mark.parametrize(("last", "points"), [("1", 8), ("L5", 3)])
def test_where_the_scores_name_different_winners_the_page_says_so(last: str, points: int) -> None:
    by_points, by_squares = (two_winners(one, last) for one in (Scoring.ADVANCED, Scoring.BASIC))
    for page in (by_points, by_squares):
        assert [scores_of(page, side) for side in page.sides] == [(12, points), (10, -10)]
    *_, said = summarise_game(by_points, ENGLISH).reasons
    assert said == "If the fewest squares left decided, Ben would be first."
    *_, said = summarise_game(by_squares, ENGLISH).reasons
    assert said == "If points decided, Anna would be first."
    agreed = replace(by_squares, result=GameResult(winner=(0, 2)))
    for page in (agreed, replace(by_points, result=None), example_pages.duo_over()):
        assert not any("would be" in one for one in summarise_game(page, ENGLISH).reasons)


def test_a_game_begins_at_the_squares_left_with_the_points_beside() -> None:
    for scoring in Scoring:
        page = replace(example_pages.empty(), scoring=scoring)
        points = -89 if scoring is Scoring.ADVANCED else 89
        page = replace(page, sides=tuple(replace(one, score=points) for one in page.sides))
        shown = [(card.score, card.other) for card in cards_of(page, ENGLISH)]
        assert shown == [("89", "−89 points")] * 2
    over = cards_of(two_winners(Scoring.ADVANCED, "1"), ENGLISH)
    assert [(card.score, card.other) for card in over] == [
        ("8", "12 left"),
        ("−10", "10 left"),
    ]


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
