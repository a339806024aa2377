"""The decision table of the design: refused pieces."""

import random

import pytest

from firmware.codes import Rule
from firmware.game.events import MoveRefused, Withdrawn
from firmware.referee.referee import Phase
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD, duo, names, only, rules

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("moves", "piece", "broken"),
    [
        ((), "a1,a2,a3", [Rule.MISSES_START]),
        ((FIRST, SECOND), "a1,a2,a3", [Rule.NO_OWN_CORNER]),
        ((FIRST, SECOND), "g7,g6,g5", [Rule.TOUCHES_OWN_SIDE, Rule.NO_OWN_CORNER]),
        ((FIRST, SECOND), "h7,i7,j7", [Rule.OVERLAP]),
        ((FIRST, SECOND), "h7,i7,i6,j6,j5", [Rule.OVERLAP, Rule.PIECE_USED]),
        ((FIRST, SECOND), "h7,h6,h5,h4,h3,h2", [Rule.NOT_A_PIECE]),
        ((FIRST, SECOND), "h7,h6,d11,d12", [Rule.TWO_PIECES]),
        ((FIRST, SECOND), "h7,i7,i6,i5,h5,h4", [Rule.NOT_A_PIECE]),
    ],
)
def test_a_piece_that_breaks_a_rule_is_refused(
    moves: tuple[str, ...], piece: str, broken: list[Rule]
) -> None:
    match = duo(*moves)
    match.table.lay("purple", piece)
    # A legal piece and a square more may lie askew, and has seconds to be straightened.
    may_lie_askew = {Rule.NOT_A_PIECE, Rule.OVERLAP, Rule.PIECE_USED}
    event = only(match.after_hand(8 if may_lie_askew.intersection(broken) else 2))
    assert rules(event) == broken
    assert isinstance(event, MoveRefused)
    assert set(event.squares) == set(match.table.squares(piece))
    assert match.referee.phase is Phase.REFUSED
    assert names(match.settle(10)) == []


def test_a_piece_of_the_wrong_colour_is_refused() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]


def test_an_illegal_piece_beside_a_legal_place_is_never_read_as_its_neighbour() -> None:
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    chance = random.Random(8)  # noqa: S311
    indices = position.legal_moves.indices.tolist()
    for index in chance.sample(indices, 60):
        legal = position.board.move(index)
        for shift in (-14, -1, 1, 14):
            near = position.board.find(square + shift for square in legal.squares)
            if near is None or position.board.move(near) in position.legal_moves:
                continue
            move = position.board.move(near)
            if move.mask & position.occupied:
                continue
            match = duo(FIRST, SECOND, noise=0.4, seed=index)
            match.table.lay("purple", move)
            event = only(match.after_hand(8))
            assert isinstance(event, MoveRefused)
            assert set(event.squares) == set(move.squares)


def test_nobody_is_early_while_the_piece_before_may_be_a_faint_square() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("h7", purple=-1.3)
    match.table.lay("orange", OFF)
    assert names(match.after_hand(4)) == []
    match.table.faint.clear()
    match.table.lay("purple", "h7")
    assert names(match.after_hand()) == ["move", "move"]


def test_a_refused_piece_taken_back_is_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.lift("a1,a2,a3")
    event = only(match.after_hand())
    assert isinstance(event, Withdrawn)
    assert set(event.squares) == set(match.table.squares("a1,a2,a3"))
    assert match.referee.phase is Phase.WAITING


def test_a_refused_piece_slid_to_a_legal_place_is_withdrawn_and_then_moved() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "g7,g6,h6")
    assert names(match.after_hand()) == ["illegal"]
    match.table.lift("g7,g6,h6")
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["withdrawn", "move"]


def test_a_refused_piece_slid_to_another_illegal_place_is_refused_again() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.lift("a1,a2,a3")
    match.table.lay("purple", "b1,b2,b3")
    assert names(match.after_hand()) == ["withdrawn", "illegal"]


def test_a_refused_piece_hidden_by_something_is_not_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.covered = set(match.table.squares("a1,a2,a3,a4,b1,b2,b3"))
    assert names(match.settle(6)) == []
    assert match.referee.phase is Phase.REFUSED


def test_a_second_piece_beside_a_refused_one_is_refused_with_it() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.lay("purple", THIRD)
    event = only(match.after_hand())
    assert Rule.TWO_PIECES in rules(event)
    match.table.lift("a1,a2,a3")
    assert names(match.after_hand()) == ["withdrawn", "move"]


@pytest.mark.parametrize(("odds", "expected"), [(2.8, "unsure"), (4.5, "illegal")])
def test_a_piece_of_which_a_square_is_faint_is_asked_about_and_not_refused(
    odds: float, expected: str
) -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("b2", purple=odds)
    assert names(match.after_hand(12)) == [expected]


def test_a_faint_square_does_not_make_two_pieces_of_a_move() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.blur("b2", purple=2.8)
    assert "illegal" not in names(match.after_hand(12))
