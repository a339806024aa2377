"""Games before a phone that looks from the side, in small pictures: every move counts at once."""

import numpy as np
import pytest

from firmware.game.events import MoveAccepted, Unsure
from tests.evaluation.soak.rendered_game import (
    DECISIONS,
    Misplacement,
    RenderedGame,
    reported_piece,
)
from tests.support.table_script import ScriptSetup, Surround, Tilt, Wait

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "edition", "moves"),
    [("duo", "black-white", 8), ("classic", "blue-yellow-red-green", 8)],
)
def test_every_move_counts_at_35_degrees_without_markers(
    game: str, edition: str, moves: int
) -> None:
    dice = np.random.default_rng(35)
    table = RenderedGame(ScriptSetup(game, edition, width=640, height=480), dice)
    table.do(Surround(markers=False), Tilt(35.0, float(dice.uniform(0, 360))), Wait(4))
    for _ in range(moves):
        colour = table.position.to_move
        assert colour is not None
        legal = table.position.legal_moves
        most = max(move.piece.size for move in legal)
        large = [move for move in legal if move.piece.size == most]
        move = large[int(dice.integers(len(large)))]
        before = len(table.events)
        table.place(colour, move, Misplacement(*dice.normal(0, (0.5, 0.5, 1.0)).round(2).tolist()))
        table.do(Wait(6))
        (told,) = [one for one in table.events[before:] if isinstance(one, (*DECISIONS, Unsure))]
        assert isinstance(told, MoveAccepted)
        assert reported_piece(told).squares == frozenset(move.squares)
        table.position = table.position.play(move)
