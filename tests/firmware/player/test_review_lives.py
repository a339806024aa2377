"""The last places of pieces left over, recounted square by square."""

import pytest

from firmware.player.review import mobility, piece_lives
from firmware.records.course import Course
from firmware.rules.pieces import PIECES, Piece
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.naive_rules import legality
from tests.support.reviewed_games import random_course, read_course
from web.contract.review import PieceLifeEntry


def has_place(position: Position, colour: int, piece: Piece) -> bool:
    """Returns True if a placement of a piece is legal, by slow rules."""
    is_legal = legality(position, colour)
    board = position.board
    moves = map(board.move, board.indices(board.of_piece[piece.index]).tolist())
    return any(map(is_legal, moves))


def recount(course: Course, life: PieceLifeEntry) -> int | None:
    """Returns the ply after which a piece never has a place again; None if it has one."""
    piece = next(one for one in PIECES if one.name == life.piece)
    places = [has_place(one, life.colour, piece) for one in course.positions]
    if places[-1]:
        return None
    last = max((at for at, has in enumerate(places) if has), default=-1)
    return last + 1


@pytest.mark.parametrize("game", ["duo", "duo-4-3"])
def test_lives_agree_with_a_slow_recount(game: str) -> None:
    course = random_course(game, 5)
    lives = piece_lives(course)
    assert len(lives) == course.final.count_in_hand
    for life in lives[:: max(1, len(lives) // 8)]:
        assert life.ply == recount(course, life)
        assert life.ply is not None
        assert life.taken_by == course.plies[life.ply - 1].colour


@pytest.mark.parametrize("game", GAMES)
def test_nobody_has_a_place_at_the_end(game: str) -> None:
    course = random_course(game)
    assert all(life.ply for life in piece_lives(course))
    assert set(mobility(course)[-1]) == {0}
    assert len(mobility(course)) == len(course.plies) + 1


def test_a_piece_of_an_unfinished_game_has_its_place() -> None:
    lives = piece_lives(read_course(b"(;GM[Blokus Duo];B[e10,f10,f9,g9,g8])"))
    assert {life.ply for life in lives} == {None}
    assert len(lives) == 41


def test_a_place_that_was_taken_by_hand_has_no_colour() -> None:
    """The arbiter sets a position in which the first colour is shut in."""
    record = b"(;GM[Blokus Duo];B[e10];AW[d11,d12][f11,f12,g12][d9,d8][f9,f8,f7])"
    lives = piece_lives(read_course(record))
    taken = {(life.ply, life.taken_by) for life in lives if life.colour == 0}
    assert taken == {(1, None)}
