"""Reasons by compiled code, compared with a slow count by the rules."""

import random
from collections.abc import Iterator

import pytest

from firmware.coach.reasons import ProvedMoves, Reason, ReasonCode
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.search.reasons import MoveReasons, wish_of
from tests.support.slow_reasons import recount

pytestmark = pytest.mark.slow


def games(game: str, count: int) -> Iterator[Position]:
    """The positions of random games of large pieces."""
    for seed in range(count):
        chance = random.Random(f"{game} {seed}")  # noqa: S311
        position = Position.start(game)
        while not position.is_over:
            yield position
            moves = list(position.legal_moves)
            large = max(move.piece.size for move in moves) - (chance.random() < 0.2)
            position = position.play(
                chance.choice([one for one in moves if one.piece.size >= large])
            )


def check(position: Position, chance: random.Random, moves: int) -> int:
    """Compares the numbers of some moves, and the reasons given for them; returns their number."""
    wish = wish_of(position)
    reasons = MoveReasons(position, wish)
    assert sorted(one.index for one in reasons.moves) == position.legal_moves.indices.tolist()
    stated = 0
    given = dict(zip(reasons.moves, reasons.give(reasons.moves), strict=True))
    with_reason = [move for move in reasons.moves if given[move]]
    few = chance.sample(with_reason, min(moves, len(with_reason)))
    for move in (*few, chance.choice(reasons.moves)):
        slow = recount(position, move, wish)
        index = reasons.moves.index(move)
        fast = {code: int(numbers[index]) for code, numbers in reasons.numbers.items()}
        assert {code: number for code, number in fast.items() if number} == {
            code: one.number for code, one in slow.items()
        }
        for reason in given[move]:
            assert (reason.number, frozenset(reason.squares)) == (
                slow[reason.code].number,
                slow[reason.code].squares,
            )
            stated += 1
    return stated


@pytest.mark.parametrize("game", GAMES)
def test_numbers_and_squares_are_those_of_a_slow_count(game: str) -> None:
    chance = random.Random(1)  # noqa: S311
    line = list(games(game, 1))
    few = chance.sample(line, 8)
    assert sum(check(position, chance, 2) for position in few) > 0


def test_a_shared_colour_has_no_reasons_about_own_placements_and_is_no_opponent() -> None:
    shared = next(one for one in games("classic-3", 1) if one.to_move == one.game.shared)
    assert not {ReasonCode.KEEPS_OPTIONS, ReasonCode.REACHES} & set(MoveReasons(shared).numbers)
    own = next(one for one in games("classic-3", 1) if one.turn == 0 and len(one.pieces) > 8)
    without = own
    for move in own.laid[3]:
        without = without.lift(move, 3)
    move = next(iter(own.legal_moves))
    assert move in without.legal_moves
    numbers, others = MoveReasons(own), MoveReasons(without)
    assert (
        numbers.numbers[ReasonCode.TAKES_CORNERS][numbers.moves.index(move)]
        == others.numbers[ReasonCode.TAKES_CORNERS][others.moves.index(move)]
    )


def test_proofs_come_first_and_at_most_two_reasons_are_given() -> None:
    position = list(games("duo", 1))[14]
    plain = MoveReasons(position)
    move = next(
        move
        for move, one in zip(plain.moves, plain.give(plain.moves), strict=True)
        if len(one) == 2
    )
    worse = dict.fromkeys(plain.moves, 1) | {move: 3}
    first = plain.give([move], ProvedMoves(3, {move: 3}, worse))[0]
    assert first[0] == Reason(ReasonCode.PROVEN, 3, ())
    assert len(first) == 2
