"""Random games for property tests."""

import random

from hypothesis import strategies as st

from firmware.records.record import Record
from firmware.rules.position import Position
from firmware.rules.variants import GAMES


def played(game: str, seed: int, plies: int) -> Position:
    """Returns the position after some random legal moves, or at an earlier end of the game."""
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    for _ in range(plies):
        if position.is_over:
            break
        indices = position.legal_moves.indices
        position = position.play(position.board.move(int(chance.choice(indices))))
    return position


def random_game(game: str, seed: int) -> tuple[Record, Position]:
    """Returns a whole random game as a record, and its final position."""
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    record = Record.new(position.game)
    while position.to_move is not None:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        record.play(move, position.to_move)
        position = position.play(move)
    return record, position


def positions(games: tuple[str, ...] = tuple(GAMES)) -> st.SearchStrategy[Position]:
    """Returns a strategy for positions of random games, from the empty board to the end."""
    return st.builds(played, st.sampled_from(games), st.integers(0, 10**6), st.integers(0, 90))
