"""Late positions of two colours, and their exact results by a slow and plain search."""

import random
from collections.abc import Iterator

import numpy as np

from firmware.codes import Scoring
from firmware.rules.position import Position
from firmware.rules.scoring import score


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
    """A position with one to three small pieces in hand a colour, such as only an arbiter accepts.

    The others lie packed row by row, whatever the rules, and some squares below them are empty. So
    both colours may come to lay all their pieces, which random games never do.
    """
    position = Position.start("duo")
    board = position.board
    rest = []
    for colour in position.game.colours:
        hand = set(chance.sample(range(9), chance.randint(1, 3)))
        rest += [(colour, piece) for piece in range(21) if piece not in hand]
    flags = np.zeros(board.squares + 1, np.bool_)
    square = 0
    while rest and square < board.squares:
        if not flags[square]:
            covering = board.indices(board.covering[square])
            fits = covering[~flags[board.cells[covering]].any(axis=1)]
            for colour, piece in sorted(rest, key=lambda one: (-one[1], chance.random()))[:8]:
                ways = [i for i in fits.tolist() if board.piece_of[i] == piece]
                if ways:
                    move = board.move(chance.choice(ways[:2]))
                    position = position.put(move, colour)
                    flags[list(move.squares)] = True
                    rest.remove((colour, piece))
                    break
        square += 1
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
