"""Reasons checked against a slow recount, and positions to check them on."""

import random
from collections.abc import Iterator

from firmware.player.search.reasons import MoveReasons
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.slow_reasons import recount


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


def check_reasons(position: Position, wish: Move | None, chance: random.Random, count: int) -> int:
    """Recounts all numbers of some moves, and the squares of the reasons given for them.

    Args:
        position: a position.
        wish: the move that is expected of the next opponent, or None.
        chance: source of the choice of moves.
        count: number of moves with a reason; one more is any legal move.

    Returns:
        Number of reasons that were recounted.
    """
    reasons = MoveReasons(position, wish)
    assert sorted(one.index for one in reasons.moves) == position.legal_moves.indices.tolist()
    given = dict(zip(reasons.moves, reasons.give(reasons.moves), strict=True))
    with_reason = [move for move in reasons.moves if given[move]]
    few = chance.sample(with_reason, min(count, len(with_reason)))
    recounted = 0
    for move in (*few, chance.choice(reasons.moves)):
        slow, index = recount(position, move, wish), reasons.moves.index(move)
        fast = {code: int(numbers[index]) for code, numbers in reasons.numbers.items()}
        expected = {code: one.number for code, one in slow.items()}
        assert {code: number for code, number in fast.items() if number} == expected
        for reason in given[move]:
            assert reason.number == slow[reason.code].number
            assert frozenset(reason.squares) == slow[reason.code].squares
            recounted += 1
    return recounted
