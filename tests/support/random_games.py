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


def overruled_game(game: str, seed: int, plies: int) -> tuple[Record, Position]:
    """Returns a random game that breaks off, and its last position.

    In every fourth ply a piece is laid anywhere, which an arbiter accepts.
    """
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game)
    record, board = Record.new(position.game), position.board
    for ply in range(1, plies + 1):
        colour = position.to_move
        if colour is None:
            break
        move = board.move(int(chance.choice(position.legal_moves.indices)))
        if ply % 4 == 0:
            colour = chance.choice(position.game.colours)
            move = board.move(chance.randrange(board.placements))
            while move.mask & position.occupied:
                move = board.move(chance.randrange(board.placements))
        broken = position.examine(move.squares, colour)
        record.play(move, colour, overruled=[one.rule for one in broken])
        position = position.put(move, colour)
    return record, position


def positions(games: tuple[str, ...] = tuple(GAMES)) -> st.SearchStrategy[Position]:
    """Returns a strategy for positions of random games, from the empty board to the end."""
    return st.builds(played, st.sampled_from(games), st.integers(0, 10**6), st.integers(0, 90))
