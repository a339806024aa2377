"""Playouts compared with `rules`: every move is legal, and they end when no colour has one."""

import random

import numpy as np
import pytest

from firmware.player.search.playout import learn_replies, new_game, play_out
from firmware.player.search.scoring import judge, sides_of, state_of
from firmware.player.search.tables import tables
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES

pytestmark = pytest.mark.slow

_TIMES = 6
"""Playouts of a position, so that good replies are repeated."""


@pytest.mark.parametrize("game", GAMES)
def test_a_playout_is_a_game_by_the_rules(game: str) -> None:
    chance = random.Random(game)  # noqa: S311
    begin = Position.start(game)
    for _ in range(chance.randrange(8)):
        begin = begin.play(chance.choice(list(begin.legal_moves)))
    board, sides = tables(begin.game.size), sides_of(begin)
    course = new_game(board, len(begin.game.colours), 3)
    verdict = np.zeros((4, sides.number), np.float32)
    for _ in range(_TIMES):
        position, state = begin, state_of(begin)
        course.length[0] = 0
        play_out(board, state, sides, course)
        for colour, index in zip(
            course.colours, course.placements[: course.length[0]], strict=False
        ):
            move = begin.board.move(int(index))
            assert position.to_move == colour
            assert move in position.legal_moves
            position = position.play(move)
        assert position.is_over
        judge(state, sides, verdict, 0.0)
        assert verdict[0].tolist() == [side.advanced for side in score(position).sides]
        learn_replies(course, verdict[3])


def test_a_reply_that_won_is_played_again_until_it_loses() -> None:
    board = tables(14)
    course = new_game(board, 2, 1)
    course.length[0] = 2
    course.colours[:2] = 0, 1
    course.placements[:2] = 700, 900
    course.sides[:2] = 0, 1
    learn_replies(course, np.array([0, 1], np.float32))
    assert course.reply[1, 700] == 901
    learn_replies(course, np.array([1, 0], np.float32))
    assert course.reply[1, 700] == 0
