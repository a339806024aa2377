"""Reasons, compared with a slow count by the rules."""

import random

import pytest

from firmware.codes import MoveReasonCode
from firmware.game.reasons import Reason
from firmware.player.search.reasons import MoveReasons, wish_of
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.variants import GAMES
from tests.support.checked_reasons import check_reasons, games

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
def test_numbers_and_squares_are_those_of_a_slow_count(game: str) -> None:
    chance = random.Random(1)  # noqa: S311
    line = list(games(game, 1))
    few = chance.sample(line, 8)
    assert sum(check_reasons(position, wish_of(position), chance, 2) for position in few) > 0


def test_a_shared_colour_has_no_reasons_about_own_placements_and_is_no_opponent() -> None:
    shared = next(one for one in games("classic-3", 1) if one.to_move == one.game.shared)
    assert not {MoveReasonCode.KEEPS_OPTIONS, MoveReasonCode.REACHES} & set(
        MoveReasons(shared).numbers
    )
    own = next(one for one in games("classic-3", 1) if one.turn == 0 and len(one.pieces) > 8)
    without = own
    for move in own.laid[3]:
        without = without.lift(move, 3)
    move = next(iter(own.legal_moves))
    assert move in without.legal_moves
    numbers, others = MoveReasons(own), MoveReasons(without)
    assert (
        numbers.numbers[MoveReasonCode.TAKES_CORNERS][numbers.moves.index(move)]
        == others.numbers[MoveReasonCode.TAKES_CORNERS][others.moves.index(move)]
    )


def test_proofs_come_first_and_at_most_two_reasons_are_given() -> None:
    position = list(games("duo", 1))[14]
    plain = MoveReasons(position)
    move = next(
        move
        for move, one in zip(plain.moves, plain.give(plain.moves), strict=True)
        if len(one) == 2
    )
    worse = (SearchedMove(one, 1.0, 1, 0) for one in plain.moves if one != move)
    result = SearchResult((SearchedMove(move, 1.0, 3, 0, proved=3), *worse), proved=3)
    first = plain.give([move], result)[0]
    assert first[0] == Reason(MoveReasonCode.PROVEN, 3, ())
    assert len(first) == 2
