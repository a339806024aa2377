"""The course of a record: its moves and positions, legality, and the result by its scoring."""

import pytest

from firmware.codes import Scoring
from firmware.records.course import Course
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.random_games import random_game
from tests.support.reviewed_games import random_course, read_course


@pytest.mark.parametrize("game", GAMES)
def test_the_moves_of_a_whole_game(game: str) -> None:
    record, final = random_game(game, 2)
    course = read_course(record.write())
    assert course.final == final
    assert all(ply.is_legal for ply in course.plies)
    assert [ply.number for ply in course.plies] == list(range(1, len(course.plies) + 1))
    for ply, following in zip(course.plies, course.positions[1:], strict=True):
        assert ply.after == following


def test_an_overruled_move_counts_and_is_not_legal() -> None:
    course = read_course(b"(;GM[Blokus Duo];B[e10];W[a1,a2]CLOVERRULED[misses-start];B[f11])")
    assert [ply.is_legal for ply in course.plies] == [True, False, False]
    assert course.final.occupied.bit_count() == 4


def test_squares_that_are_no_piece_are_left_out() -> None:
    course = read_course(b"(;GM[Blokus Duo];B[e10];W[a1,n14];B[f11,f12])")
    assert [ply.number for ply in course.plies] == [1, 3]


def test_a_set_position_is_between_two_moves() -> None:
    course = read_course(b"(;GM[Blokus Duo];B[e10];AE[e10]AB[e10,e11]PL[W];W[j5])")
    before, after = course.plies[1].before, course.plies[0].after
    assert before != after
    assert course.final.occupied.bit_count() == 3


def test_an_empty_record_has_no_moves_and_its_scoring_counts() -> None:
    course = read_course(b"(;GM[Blokus Duo]CLSCORING[basic])")
    assert course.plies == ()
    assert course.scoring is Scoring.BASIC


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
