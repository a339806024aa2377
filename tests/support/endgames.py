"""Late positions of two colours, and their exact results by a slow search that is easily checked."""

import random
from collections.abc import Iterator

from firmware.rules.position import Position
from firmware.rules.scoring import Scoring, score


class TooLongError(Exception):
    """A search would take too long."""


def minimax(position: Position, scoring: Scoring, budget: list[int]) -> int:
    """The final margin of the first colour under best play of both, without any pruning.

    Args:
        position: a position of two colours.
        scoring: the scoring.
        budget: one number: the positions that may still be visited; it is reduced.

    Raises:
        TooLongError: they did not suffice.
    """
    budget[0] -= 1
    if budget[0] < 0:
        raise TooLongError
    if position.is_over:
        first, second = score(position).sides
        if scoring is Scoring.BASIC:
            return second.basic - first.basic
        return first.advanced - second.advanced
    values = [minimax(position.play(move), scoring, budget) for move in position.legal_moves]
    return max(values) if position.to_move == 0 else min(values)


def crowded(chance: random.Random) -> Position:
    """A position of few empty squares and few pieces in hand, such as only an arbiter accepts.

    The second colour lays whatever has room, and so does the first one at times. Both may come to
    lay all their pieces, which random games never do.
    """
    position = Position.start("duo")
    board = position.board
    left = chance.randint(2, 6)
    while position.count_in_hand > left:
        most = max((len(position.in_hand(c)), c) for c in position.game.colours)[1]
        sizes = sorted({piece.size for piece in position.in_hand(most)})
        in_hand = {piece.index for piece in position.in_hand(most)}
        room = [
            i
            for i in chance.sample(range(board.placements), 4000)
            if board.piece_of[i] in in_hand
            and board.move(i).piece.size >= sizes[-1] - 1
            and not board.move(i).mask & position.occupied
        ]
        if not room:
            return crowded(chance)
        position = position.put(board.move(room[0]), most)
    return position.with_turn(chance.randint(0, 1))


def random_endings(seed: int, last: int) -> Iterator[Position]:
    """The last positions of random games, with a preference for large pieces, without an end."""
    chance = random.Random(seed)  # noqa: S311
    while True:
        line = [Position.start("duo")]
        while not line[-1].is_over:
            moves = list(line[-1].legal_moves)
            size = max(move.piece.size for move in moves)
            large = [move for move in moves if move.piece.size == size]
            line.append(line[-1].play(chance.choice(large if chance.random() < 0.8 else moves)))
        yield from line[-last - 1 : -1]
