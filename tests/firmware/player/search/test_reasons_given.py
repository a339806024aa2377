"""Reasons that are given for a move, by the numbers of all legal moves."""

from dataclasses import replace

import numpy as np
import pytest

from firmware.codes import MoveReasonCode
from firmware.game.reasons import Reason
from firmware.player.search.reasons import FEW, proof_of, superlatives
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Board


def test_only_the_best_twentieth_has_a_reason() -> None:
    given = superlatives({MoveReasonCode.BLOCKS: np.arange(1, 101)})
    assert [bool(one) for one in given] == [False] * 95 + [True] * 5


def test_equal_moves_count_as_better() -> None:
    numbers = np.array([9] * 6 + [1] * 94)
    assert not any(superlatives({MoveReasonCode.BLOCKS: numbers}))


def test_a_reason_that_does_not_hold_is_never_given() -> None:
    assert not any(superlatives({MoveReasonCode.STRANDS: np.zeros(100, np.int64)}))


def test_among_few_moves_none_stands_out() -> None:
    assert not any(superlatives({MoveReasonCode.BLOCKS: np.arange(1, 20)}))
    assert any(superlatives({MoveReasonCode.BLOCKS: np.arange(1, 21)}))


def test_the_rarest_reason_comes_first() -> None:
    blocks = np.array([9] * 3 + [1] * 97)
    corners = np.array([2] + [1] * 99)
    given = superlatives({MoveReasonCode.BLOCKS: blocks, MoveReasonCode.TAKES_CORNERS: corners})
    assert given[0] == (MoveReasonCode.TAKES_CORNERS, MoveReasonCode.BLOCKS)
    assert given[1] == (MoveReasonCode.BLOCKS,)


def test_a_large_piece_is_urgent_while_it_has_few_placements() -> None:
    numbers = np.array([2, 2] + [FEW] * 8 + [0] * 90)
    given = superlatives({MoveReasonCode.LARGE_NOW: numbers})
    assert [len(one) for one in given] == [1, 1] + [0] * 98


@pytest.mark.parametrize(
    ("best", "at_most", "expected"),
    [
        (3, (3, 0, -5), MoveReasonCode.ONLY_WINNING),
        (3, (3, 1, -5), MoveReasonCode.PROVEN),
        (0, (0, 0, -5), MoveReasonCode.PROVEN),
        (-2, (-2, -5), MoveReasonCode.PROVEN),
        (3, (3, 3), None),
        (3, (3,), None),
    ],
)
def test_a_proof_is_that_of_a_best_move_where_another_is_worse(
    best: int, at_most: tuple[int, ...], expected: MoveReasonCode | None
) -> None:
    moves = [Board.of(14).move(index) for index in range(len(at_most))]
    first, *others = [
        SearchedMove(move, 0.5, most, 0) for move, most in zip(moves, at_most, strict=True)
    ]
    result = SearchResult((replace(first, proved=best), *others), proved=best)
    proof = proof_of(moves[0], result)
    assert proof == (None if expected is None else Reason(expected, best, ()))


def test_a_move_that_is_not_proved_to_be_best_has_no_proof() -> None:
    first, second = map(Board.of(14).move, range(2))
    choices = SearchedMove(first, 1.0, 3, 0, proved=3), SearchedMove(second, 1.0, 3, 0)
    assert proof_of(second, SearchResult(choices, proved=3)) is None
