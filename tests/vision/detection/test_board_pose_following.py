"""Tests of following a board that is pushed, in rendered frames of a table."""

from dataclasses import replace

import numpy as np
import pytest

from firmware.referee.referee import Phase
from firmware.simulator.table import FrameKind, TablePiece
from tests.evaluation.rim import laying
from tests.evaluation.soak import drawn
from tests.evaluation.soak.rendered_game import DECISIONS, RenderedGame
from tests.support.random_games import played
from tests.support.table_script import Push, Surround, Wait


@pytest.mark.parametrize(
    ("game", "frame", "pushed"),
    [
        ("duo", FrameKind.SQUARES, Push(15, 0)),
        ("classic", FrameKind.SQUARES, Push(0, -15)),
        ("classic", FrameKind.SQUARES, Push(-48, 0)),
        ("classic", FrameKind.RAISED, Push(-48, 0)),
        ("duo", FrameKind.COLOURED, Push(turn_deg=180)),
        ("classic", FrameKind.RAISED, Push(turn_deg=90)),
    ],
)
def test_a_board_is_followed_however_its_frame_and_lines_repeat(
    game: str, frame: FrameKind, pushed: Push
) -> None:
    position = played(game, 41, 14)
    dice = np.random.default_rng(41)
    setting = replace(drawn(game, dice, 1), fps=2.0, late=0, told=True, opacity=1.0, lights="")
    table = RenderedGame(setting, dice, position)
    pieces = (TablePiece(c, move) for c, moves in enumerate(position.laid) for move in moves)
    table.do(Surround(frame=frame), *map(laying, pieces), Wait(5))
    before = len(table.events)
    table.do(pushed, Wait(8))
    assert not [event for event in table.events[before:] if isinstance(event, DECISIONS)]
    assert table.follower.referee.phase is Phase.WAITING
