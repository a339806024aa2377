"""Compiled positions compared with `rules`: equal moves, turn and score."""

import random

import numpy as np
import pytest

from firmware.codes import Scoring
from firmware.player.search.kernels import MOVES, BoardState, next_mover, put, refresh
from firmware.player.search.scoring import judge, mover_side, sides_of, state_of
from firmware.player.search.tables import tables
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES

pytestmark = pytest.mark.slow


def open_to(state: BoardState, colour: int) -> list[int]:
    found: list[int] = state.moves[colour, : state.tally[colour, MOVES]].tolist()
    return sorted(found)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("starts", ["free", "fixed"])
def test_a_random_game_has_the_moves_and_the_score_of_the_rules(game: str, starts: str) -> None:
    chance = random.Random(f"{game} {starts}")  # noqa: S311
    position = Position.start(game, starts)
    board, sides = tables(position.game.size), sides_of(position)
    state = state_of(position)
    while True:
        mover = next_mover(board, state)
        assert mover == (-1 if position.to_move is None else position.to_move)
        for colour in position.game.colours:
            refresh(board, state, colour)
            assert open_to(state, colour) == position.moves_of(colour).indices.tolist()
        if position.to_move is None:
            break
        assert mover_side(state, sides, mover) == position.next_side
        move = chance.choice(list(position.legal_moves))
        put(board, state, mover, move.index)
        position = position.play(move)
    verdict = np.zeros((4, sides.number), np.float32)
    judge(state, sides, verdict, 0.0)
    assert verdict[0].tolist() == [side.advanced for side in score(position).sides]
    leaders = score(position).leaders(Scoring.ADVANCED)
    assert (verdict[2] >= 0).sum() == len(leaders)


def test_a_position_with_pieces_that_break_the_rules_has_the_moves_of_the_rules() -> None:
    chance = random.Random(3)  # noqa: S311
    position = Position.start("duo")
    board = position.board
    for _ in range(10):
        free = [
            m for m in map(board.move, range(board.placements)) if not m.mask & position.occupied
        ]
        position = position.put(chance.choice(free), position.turn)
    state = state_of(position)
    for colour in position.game.colours:
        assert open_to(state, colour) == position.moves_of(colour).indices.tolist()
