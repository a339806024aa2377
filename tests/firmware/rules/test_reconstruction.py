"""Positions from squares alone: played ones are recovered, impossible ones are reported."""

import time
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, randoms, sampled_from

from firmware.codes import Rule
from firmware.rules.board import Board, Move, mask_of
from firmware.rules.errors import NotationError
from firmware.rules.pieces import LARGEST, PIECE_NAMED, PIECES
from firmware.rules.position import Position
from firmware.rules.reconstruction import Reconstruction, impossible, recover
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES
from tests.support.engine_games import DATA, read_games
from tests.support.random_games import positions

DUO = Board.of(14)

LINE = (
    "classic free 1 | "
    "a17,a18,a19,a20,b20 d15,b16,c16,d16,e16 h15,g16,h16,f17,g17 i17,j17,j18,i19,j19 "
    "k15,k16 m16,l17,m17,n17,m18 p13,p14,o15,p15,o16 o11,p11,o12 "
    "q10,r10,s10,t10 l9,m9,n9,o9,p9 q6,p7,q7,q8 o4,p4,o5,p5 "
    "n1,o1,n2,n3 k2,l2,l3,l4,m4 j5,k5,i6,j6 g2,h2,i2,i3,i4 "
    "e3,f3,d4,e4,e5 b6,c6,d6 e7,e8,d9,e9,f9 c10,b11,c11,b12,c12 "
    "a13 "
    "| | | "
)
"""All pieces of a colour in a chain: each touches a corner of the one before it only."""

DAMAGED = """
YYGGBYYYYYYGGYYGYYYY
GGYGBGGGYGGYGGYGYYYY
YGBBBGGYGGYYYYGGYYYY
GGGGGGRRGGRGG.GGGGG.
.RRRGYBRBBBYBYBBBYGB
GRRR.BBBY.....BYYBGB
.RRBB..Y.YBRRBGGGBBR
RRRBGGR...BRBB.RRBBR
RRRBBGRR.YBRBR.R.RRR
RRRRRRRRRBBR.RR..RRR
BRR.RRRRBRR.RBBBGRRR
BRR.R..R.BR.RRBY.RRR
BRR..R.BRRR.RRB.YBRR
RB.RRRRRRRR.RR.BBBRR
RBBRRRRRRRR.RR.RBRBR
RRRRRRRRRRRRRRRRRRBR
RRRRRRRRRRRRRRRRRBBR
RRRRRRRRRRRRRRRRRRBR
RRRRRRRRRRRRRRRRRRRR
RRRRRRRRRRRRRRRRRRRR
"""
"""Squares that were read from a JPEG of a board with a damaged byte."""


def of(position: Position, *, order_known: bool = True) -> Reconstruction:
    squares = [position.squares(colour) for colour in position.game.colours]
    return recover(position.game, squares, position.starts, order_known=order_known)


def on_duo(purple: str, orange: str = "", *, order_known: bool = True) -> Reconstruction:
    squares = [sum(1 << s for s in DUO.parse_squares(t)) if t else 0 for t in (purple, orange)]
    return recover(GAMES["duo"], squares, order_known=order_known)


def problems_of(recovered: Reconstruction) -> list[tuple[int, str, set[str], set[str]]]:
    board = recovered.position.board

    def names(squares: tuple[int, ...]) -> set[str]:
        return {board.format_square(square) for square in squares}

    return [
        (p.colour, p.violation.rule.value, names(p.violation.squares), names(p.violation.against))
        for p in recovered.problems
    ]


@settings(max_examples=60)
@given(positions())
def test_recovery_equals_history(position: Position) -> None:
    found = of(position)
    assert found.problems == ()
    assert found.unresolved == (0,) * len(position.laid)
    assert [set(laid) for laid in found.position.laid] == [set(laid) for laid in position.laid]
    if position.to_move is None:
        assert found.turns == ()
    else:
        assert position.to_move in found.turns
    for ours, true in zip(found.score.colours, score(position).colours, strict=True):
        assert (ours.placed, ours.basic) == (true.placed, true.basic)
        assert true.advanced is None or true.advanced - (ours.advanced or 0) in (0, 5)


@settings(max_examples=30)
@given(positions())
def test_a_recovered_position_can_have_been_played_in_its_order(position: Position) -> None:
    recovered = of(position).position
    for colour, laid in enumerate(recovered.laid):
        so_far = Position.start(position.game)
        for move in laid:
            assert move in so_far.moves_of(colour)
            so_far = so_far.put(move, colour)


@settings(max_examples=30)
@given(positions(("duo",)))
def test_without_an_order_either_colour_of_duo_may_have_begun(position: Position) -> None:
    squares = [position.squares(1), position.squares(0)]
    found = recover(position.game, squares, order_known=False)
    assert found.problems == ()
    if position.to_move is not None:
        assert 1 - position.to_move in found.turns


def test_on_an_empty_board_the_first_colour_moves_if_there_is_one() -> None:
    assert on_duo("").turns == (0,)
    assert on_duo("", order_known=False).turns == (0, 1)


def test_after_equal_numbers_of_pieces_the_first_colour_moves() -> None:
    assert on_duo("e10", "j5").turns == (0,)
    assert on_duo("e10", "j5", order_known=False).turns == (0, 1)
    assert on_duo("e10,f9,f8", "j5").turns == (1,)


def test_a_colour_with_pieces_it_had_no_turns_for_is_named() -> None:
    found = on_duo("e10,f9,f8,g7,g6,g5", "j5")
    assert found.turns == ()
    assert problems_of(found) == [(0, "wrong-turn", set(), set())]


def scattered(board: Board, pieces: Iterable[str], taken: int) -> int:
    """The mask of the named pieces, laid so that none touches another or a taken square."""
    laid = 0
    for name in pieces:
        near = taken | board.edge_neighbours(taken) | board.corner_neighbours(taken)
        open_ = board.of_piece[PIECE_NAMED[name].index] & ~board.covering_any(near)
        move = board.move(int(board.indices(open_)[0]))
        laid |= move.mask
        taken |= move.mask
    return laid


def in_classic(*colours: str, order_known: bool = True) -> Reconstruction:
    board = Board.of(20)
    squares = [mask_of(board.parse_squares(text)) if text else 0 for text in colours]
    return recover(GAMES["classic"], squares, order_known=order_known)


def test_the_colour_that_is_ahead_is_the_one_that_is_named() -> None:
    assert problems_of(in_classic("a20", "", "t1", "")) == [(2, "wrong-turn", set(), set())]
    unknown = in_classic("a20", "", "t1", "", order_known=False)
    assert (unknown.turns, unknown.problems) == ((), ())
    assert in_classic("a20", "t20", "t1", "").turns == (3,)
    assert in_classic("a20", "t20", "t1", "a1").turns == (0,)


def test_a_piece_twice_does_not_hide_that_a_colour_is_ahead() -> None:
    rules = [rule for _, rule, _, _ in problems_of(on_duo("e10,f9,f8,g7,h7", "j5"))]
    assert rules == ["piece-used", "wrong-turn"]


def test_a_colour_without_a_piece_had_a_start_at_its_first_turn() -> None:
    # Purple on both starts, with a chain of pieces between them, and nothing of orange.
    found = on_duo("e10,f9,f8,g7,h7,i7,j6,j5,k5")
    assert found.turns == ()
    assert (0, "wrong-turn", set(), set()) in problems_of(found)


def test_squares_that_are_no_piece_have_to_lie_somewhere_too() -> None:
    assert [rule for _, rule, _, _ in problems_of(on_duo("a1,b1,c1,d1,e1,f1", "j5"))] == [
        "not-a-piece",
        "misses-start",
    ]
    assert [rule for _, rule, _, _ in problems_of(on_duo("e10,a1,b1,c1,d1,e1,f1", "j5"))] == [
        "not-a-piece",
        "no-own-corner",
    ]


@settings(max_examples=40)
@given(positions())
def test_a_position_that_was_played_is_possible(position: Position) -> None:
    assert impossible(position) == ()


def test_a_large_group_that_splits_in_one_way_only_is_two_pieces_that_touch() -> None:
    board = Board.of(20)
    together = mask_of(board.parse_squares("b3,a2,b2,c2,b1,d2"))
    others = [piece.name for piece in PIECES if piece.name not in ("X", "1")]
    own = together | scattered(board, others, together)
    found = recover(GAMES["classic"], [own, 0, 0, 0])
    assert (0, "touches-own-side", {"d2"}, {"c2"}) in problems_of(found)
    assert {str(move) for move in found.position.laid[0]} >= {"d2", "b1,a2,b2,c2,b3"}
    assert found.unresolved == (0, 0, 0, 0)
    # With more pieces in hand the same squares split in other ways too.
    fewer = [name for name in others if name not in ("I4", "2", "V3")]
    found = recover(GAMES["classic"], [together | scattered(board, fewer, together), 0, 0, 0])
    assert "not-a-piece" in {rule for _, rule, _, _ in problems_of(found)}


@pytest.mark.parametrize("squares", ["e10,f10,g10,h10,i10,j10", "e10,e9,f10,f9,g10,g9"])
def test_a_large_group_that_splits_in_several_ways_is_no_piece(squares: str) -> None:
    found = on_duo(squares)
    assert problems_of(found) == [(0, "not-a-piece", set(squares.split(",")), set())]
    assert found.unresolved[0].bit_count() == 6
    assert found.turns == ()


def test_a_large_group_is_divided_where_pieces_are_seen_to_end() -> None:
    board = Board.of(14)
    own = mask_of(board.parse_squares("e10,f10,g10,h10,i10,j10"))
    f10, g10 = board.parse_squares("f10,g10")
    seen = recover(GAMES["duo"], [own, 0], borders=frozenset({frozenset((f10, g10))}))
    assert {str(move) for move in seen.position.laid[0]} == {"e10,f10", "g10,h10,i10,j10"}
    assert "touches-own-side" in {rule for _, rule, _, _ in problems_of(seen)}


@pytest.mark.parametrize("more", ["", ",a1,b1"])
def test_a_border_that_would_give_a_piece_twice_divides_nothing(more: str) -> None:
    board = Board.of(14)
    own = mask_of(board.parse_squares("e10,f10,g10,h10,i10,j10" + more))
    pair = board.parse_squares("f10,g10" if more else "g10,h10")
    seen = recover(GAMES["duo"], [own, 0], borders=frozenset({frozenset(pair)}))
    assert "not-a-piece" in {rule for _, rule, _, _ in problems_of(seen)}


def test_a_piece_twice_is_named_with_the_other() -> None:
    found = on_duo("e10,f9,f8,g7,h7", "j5")
    assert (0, "piece-used", {"g7", "h7"}, {"f8", "f9"}) in problems_of(found) or (
        0, "piece-used", {"f8", "f9"}, {"g7", "h7"},
    ) in problems_of(found)  # fmt: skip


def test_a_colour_on_no_start_is_named_with_the_starts_it_misses() -> None:
    assert problems_of(on_duo("a1")) == [(0, "misses-start", {"a1"}, {"e10", "j5"})]
    assert problems_of(on_duo("e10", "a1")) == [(1, "misses-start", {"a1"}, {"j5"})]


def test_one_colour_on_both_starts_leaves_none_for_the_other() -> None:
    assert (1, "misses-start", {"a1"}, set()) in problems_of(on_duo("e10,j5", "a1"))


def test_a_piece_that_touches_no_other_at_a_corner_is_named() -> None:
    assert problems_of(on_duo("e10,m1,n1", "j5"))[0] == (0, "no-own-corner", {"m1", "n1"}, set())


def test_pieces_that_hang_together_but_not_with_the_start_are_named_together() -> None:
    problems = problems_of(on_duo("e10,m2,n1,m4,m5", "j5"))
    assert (0, "no-own-corner", {"m2", "n1"}, set()) in problems or (
        0, "no-own-corner", {"n1", "m2"}, set(),
    ) in problems  # fmt: skip
    assert (0, "no-own-corner", {"m4", "m5"}, set()) in problems


def test_what_is_no_piece_still_links_what_touches_it() -> None:
    found = on_duo("e10,e9,f10,f9,g10,g9,h8,i8", "j5")
    assert [rule for _, rule, _, _ in problems_of(found)] == ["not-a-piece"]


def test_the_single_square_last_is_possible_but_not_counted() -> None:
    for game in read_games(DATA / "duo_bonus.json"):
        final = game.positions()[-1]
        found = of(final)
        for colour, bonus in enumerate(game.bonus):
            points = found.score.colours[colour].advanced
            if bonus:
                assert points == 15


def test_the_single_square_that_can_only_be_last_is_counted() -> None:
    position = Position.parse(LINE)
    found = of(position)
    assert found.score.colours[0].advanced == 20


@pytest.mark.parametrize(
    ("squares", "message"),
    [([1, 1], "a14 cannot have two colours"), ([1], "2 colours"), ([1 << 196, 0], "lies off")],
)
def test_squares_that_cannot_be_are_refused(squares: list[int], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        recover(GAMES["duo"], squares)


def test_rules_are_those_of_the_vocabulary() -> None:
    assert all(problem.violation.rule in Rule for problem in on_duo("a1,b1,n14").problems)


def test_squares_that_are_no_position_are_looked_at_quickly_again_and_again() -> None:
    rows = DAMAGED.split()
    begun = time.process_time()
    for changed in range(40):
        masks = [0] * 4
        for square, letter in enumerate("".join(rows)):
            if letter != "." and square != 5 * changed:
                masks["BYRG".index(letter)] |= 1 << square
        found = recover(GAMES["classic"], masks)
        assert any(found.unresolved)
    assert time.process_time() - begun < 6.0


@settings(max_examples=30)
@given(sampled_from([DUO, Board.of(20)]), integers(2, 4), randoms(use_true_random=False))
def test_pieces_that_touch_are_distinguished_if_there_is_one_way_only(
    board: Board, count: int, chance: Random
) -> None:
    group = sum(part.mask for part in _touching(board, count, chance))
    if group.bit_count() <= LARGEST:
        return  # they look like one piece
    game = GAMES["duo" if board is DUO else "classic"]
    found = recover(game, [group, *[0] * (len(game.colours) - 1)])
    ways = _ways(board, group)
    if len(ways) == 1:
        assert sorted(move.mask for move in found.position.laid[0]) == ways[0]
    else:
        assert found.unresolved[0] == group


def _touching(board: Board, count: int, chance: Random) -> list[Move]:
    """Some pieces, each of which shares a side with an earlier one."""
    parts: list[Move] = []
    for piece in chance.sample(PIECES, count):
        taken = sum(part.mask for part in parts)
        open_ = board.of_piece[piece.index] & ~board.covering_any(taken)
        if parts:
            open_ &= board.covering_any(board.edge_neighbours(taken))
        parts.append(board.move(chance.choice(board.indices(open_).tolist())))
    return parts


def _ways(board: Board, group: int) -> list[list[int]]:
    """Every way to lay different pieces on a group of squares, as sorted masks."""
    outside = board.covering_any((1 << board.squares) - 1 & ~group)
    within = board.indices((1 << board.placements) - 1 & ~outside).tolist()
    return _covers(group, [board.move(index) for index in within])


def _covers(rest: int, moves: list[Move]) -> list[list[int]]:
    if not rest:
        return [[]]
    return [
        sorted([move.mask, *others])
        for move in moves
        if move.mask & rest & -rest
        for others in _covers(
            rest & ~move.mask,
            [m for m in moves if not m.mask & move.mask and m.piece is not move.piece],
        )
    ]
