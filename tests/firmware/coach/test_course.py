"""A course: its positions, legality, and the result that its scoring gives."""

import pytest

from firmware.coach.course import Course
from firmware.codes import Scoring
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.reviewed_games import random_course, read_course


@pytest.mark.parametrize("game", GAMES)
def test_the_shares_of_all_sides_add_up_to_half_of_their_number(game: str) -> None:
    shares = random_course(game).shares()
    assert shares is not None
    assert sum(shares) == pytest.approx(len(shares) / 2)


def test_the_scoring_of_the_record_decides() -> None:
    # With the monomino last, advanced scoring gives 20 points for what basic calls 0 left.
    course = random_course("duo", 3)
    basic = Course(course.plies, course.final, Scoring.BASIC).shares()
    assert basic is not None
    assert sorted(basic) in ([0.0, 1.0], [0.5, 0.5])


def test_an_unfinished_game_has_no_shares() -> None:
    assert Course((), Position.start("duo")).shares() is None


def test_a_move_out_of_turn_is_not_legal() -> None:
    course = read_course(b"(;GM[Blokus Duo];B[e10,f10];B[g11])")
    assert [ply.is_legal for ply in course.plies] == [True, False]
    assert course.side_at(1) == 1
