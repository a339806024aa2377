"""Every broken rule with its squares, on positions written as text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.codes import Rule
from firmware.rules.errors import NotationError
from firmware.rules.position import Position
from tests.support.random_games import played, positions

BrokenRules = list[tuple[str, str, str]]

BOARD = Position.parse("duo free 1 | e10,f10,g10 | j5,j6,k6")
"""Purple's I3 on e10-g10, orange's V3 on j5, j6, k6; purple to move."""


def broken_rules(position: Position, squares: str, colour: int = 0) -> BrokenRules:
    """The broken rules as (rule, squares, against), squares in the order of records."""
    board = position.board
    return [
        (
            one.rule.value,
            board.format_squares(board.in_record_order(one.squares)),
            board.format_squares(board.in_record_order(one.against)),
        )
        for one in position.examine(board.parse_squares(squares), colour)
    ]


@pytest.mark.parametrize(
    ("squares", "expected"),
    [
        ("h9,h8", []),
        ("h11,i11", []),
        ("h10,i10", [
            ("touches-own-side", "h10", "g10"), ("no-own-corner", "h10,i10", ""),
        ]),
        ("h10,h9", [("touches-own-side", "h10", "g10")]),
        ("g10,h10", [
            ("overlap", "g10", "g10"),
            ("touches-own-side", "g10,h10", "f10,g10"),
            ("no-own-corner", "g10,h10", ""),
        ]),
        ("k6,l6", [("overlap", "k6", "k6"), ("no-own-corner", "k6,l6", "")]),
        ("a1,b1", [("no-own-corner", "a1,b1", "")]),
        ("h9,h8,h7", [("piece-used", "h7,h8,h9", "e10,f10,g10")]),
        ("h9,i9,j9,k9,l9,m9", [("not-a-piece", "h9,i9,j9,k9,l9,m9", "")]),
        ("h9,j9", [("two-pieces", "h9,j9", ""), ("no-own-corner", "j9", "")]),
        ("h9,i9,j9,a1", [
            ("two-pieces", "a1,h9,i9,j9", ""),
            ("piece-used", "h9,i9,j9", "e10,f10,g10"),
            ("no-own-corner", "a1", ""),
        ]),
        ("h9,i8", [("two-pieces", "i8,h9", "")]),
        ("f10,g10", [
            ("overlap", "f10,g10", "f10,g10"),
            ("touches-own-side", "f10,g10", "e10,f10,g10"),
            ("no-own-corner", "f10,g10", ""),
        ]),
        ("d9,h9,g9", [
            ("two-pieces", "d9,g9,h9", ""), ("touches-own-side", "g9", "g10"),
        ]),
        ("a1,a2,a3,a4,a5,a6,c1", [
            ("not-a-piece", "a1,a2,a3,a4,a5,a6", ""),
            ("two-pieces", "a1,c1,a2,a3,a4,a5,a6", ""),
            ("no-own-corner", "a1,a2,a3,a4,a5,a6", ""),
            ("no-own-corner", "c1", ""),
        ]),
    ],
)  # fmt: skip
def test_every_broken_rule_is_reported_with_its_squares(
    squares: str, expected: BrokenRules
) -> None:
    assert broken_rules(BOARD, squares) == expected


def test_a_piece_out_of_turn_is_refused_as_such_beside_what_else_it_breaks() -> None:
    assert broken_rules(BOARD, "l5", 1) == [("wrong-turn", "l5", "")]
    assert broken_rules(BOARD, "l6", 1) == [
        ("touches-own-side", "l6", "k6"),
        ("no-own-corner", "l6", ""),
        ("wrong-turn", "l6", ""),
    ]


def test_a_first_piece_has_to_cover_a_start_that_is_free() -> None:
    empty = Position.start("duo")
    assert broken_rules(empty, "a1") == [("misses-start", "a1", "j5,e10")]
    assert broken_rules(empty, "j5,j4") == []
    after = Position.parse("duo free 2 | e10 | ")
    assert broken_rules(after, "d9", 1) == [("misses-start", "d9", "j5")]
    assert broken_rules(after, "e10,e9", 1) == [
        ("overlap", "e10", "e10"),
        ("misses-start", "e9,e10", "j5"),
    ]


def test_under_fixed_starts_a_colour_has_its_own() -> None:
    classic = Position.start("classic", "fixed")
    assert broken_rules(classic, "t20") == [("misses-start", "t20", "a20")]
    assert broken_rules(Position.start("classic"), "t20") == []


def test_after_the_end_every_piece_is_refused_because_the_game_is_over() -> None:
    position = played("duo", 7, 90)
    rules = [one.rule for one in position.examine([0], 0)]
    assert rules[-1] is Rule.GAME_OVER
    assert Rule.WRONG_TURN not in rules


def test_touching_the_other_colour_in_any_way_breaks_nothing() -> None:
    position = Position.parse("duo free 1 | e10,f10 | g9,h9,g8")
    assert broken_rules(position, "g11,h11,h10") == []


@pytest.mark.parametrize(
    ("squares", "colour"), [([], 0), ([196], 0), ([-1], 0), ([0], 2), ([0], -1)]
)
def test_what_cannot_be_examined_is_refused(squares: list[int], colour: int) -> None:
    with pytest.raises(NotationError, match=r"covers at least one square|has no colour"):
        BOARD.examine(squares, colour)


@settings(max_examples=60)
@given(positions(), st.integers(0, 10**6))
def test_a_placement_breaks_no_rule_if_and_only_if_it_is_legal(
    position: Position, seed: int
) -> None:
    # Drawn by a generator of our own: hypothesis takes strategies that a position decides for
    # inconsistent ones.
    board, chance = position.board, np.random.default_rng(seed)
    legal = position.legal_moves
    chosen = chance.choice(legal.indices, 20).tolist() if legal else []
    for index in [*chosen, *chance.integers(0, board.placements, 20).tolist()]:
        move = board.move(index)
        for colour in position.game.colours:
            violations = position.examine(move.squares, colour)
            legal_now = colour == position.to_move and move in legal
            assert (not violations) == legal_now, f"{position!r}: {move!r} {violations}"
            assert {one.rule for one in violations}.isdisjoint({Rule.OFF_BOARD, Rule.NOT_A_PIECE})
            for one in violations:
                assert set(one.squares) <= set(move.squares)
