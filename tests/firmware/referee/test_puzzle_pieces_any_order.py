"""New pieces of a puzzle, in any order of colours."""

from firmware.referee.puzzle_pieces import arrange
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position


def laid(colour: int, squares: str) -> LaidPiece:
    return colour, Move.parse(squares, 20)


FIRST = laid(0, "a1,b1,b2")
JOINED = laid(0, "c3,d3,e3")
OTHER = laid(2, "t20,t19,t18")


def test_pieces_count_in_whatever_order_makes_them_legal() -> None:
    found = arrange(Position.start("puzzle-all"), [JOINED, OTHER, FIRST])
    assert set(found.legal) == {FIRST, JOINED, OTHER}
    assert found.legal.index(FIRST) < found.legal.index(JOINED)
    assert not found.contested
    assert not found.illegal
    assert sum(map(len, found.after.laid)) == 3


def test_a_piece_that_is_illegal_in_every_order_is_refused_alone() -> None:
    lonely = laid(0, "j10,k10")
    found = arrange(Position.start("puzzle-all"), [FIRST, lonely, OTHER])
    assert (set(found.legal), found.illegal) == ({FIRST, OTHER}, (lonely,))


def test_of_two_pieces_that_exclude_each_other_neither_counts() -> None:
    elsewhere = laid(0, "t1,t2,s2,r2")
    found = arrange(Position.start("puzzle-all"), [FIRST, elsewhere, OTHER])
    assert found.legal == (OTHER,)
    assert set(found.contested) == {FIRST, elsewhere}
    assert not found.illegal


def test_what_needs_a_contested_piece_waits() -> None:
    elsewhere = laid(0, "t1,t2,s2,r2")
    found = arrange(Position.start("puzzle-all"), [FIRST, JOINED, elsewhere])
    assert not found.legal
    assert JOINED not in (*found.contested, *found.illegal)


def test_larger_pieces_come_first_also_if_they_are_of_other_colours() -> None:
    five, four = laid(0, "a1,b1,c1,d1,e1"), laid(2, "t20,t19,t18,t17")
    found = arrange(Position.start("puzzle-all-by-size"), [four, five])
    assert (found.legal, found.illegal) == ((five,), (four,))
