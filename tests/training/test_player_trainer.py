"""The training of the player's network: the model is the player's network, and it learns."""

import numpy as np
import pytest

from firmware.player.search.network import forward, is_wanted
from firmware.player.search.tables import tables
from tests.training.player.dataset import lessons_of
from tests.training.player.untrained import untrained
from tests.training.test_player import game_of_one_taste, position_after, view_of

torch = pytest.importorskip("torch", reason="PyTorch is missing; install the extra teaching")

from tests.training.player.trainer import Model, Trainer  # noqa: E402


@pytest.mark.parametrize("game", ["duo", "classic-2"])
def test_the_model_computes_what_the_player_does(game: str) -> None:
    position = position_after(game, 9)
    board, view, network = tables(position.game.size), view_of(position), untrained(seed=3)
    network.ring[:] = np.random.default_rng(3).normal(0, 0.1, network.ring.shape)
    forward(board, view, network)
    with torch.no_grad():
        prediction = Model(board, network).predict(
            torch.from_numpy(view.kind.astype(np.int64))[None],
            torch.from_numpy(view.phase.astype(np.int64)),
            torch.from_numpy(view.facts)[None],
        )
    wanted = [square for square in range(len(view.own)) if board_has(square, board.stride)]
    wanted = [square for square in wanted if is_wanted(board, view, square)]
    assert wanted
    np.testing.assert_allclose(
        prediction.worth[0][:, wanted], view.worth[:, wanted], rtol=1e-3, atol=1e-4
    )
    end = [float(prediction.odds[0]), float(prediction.margin[0])]
    np.testing.assert_allclose(end, view.end, rtol=1e-3, atol=1e-4)


def board_has(square: int, stride: int) -> bool:
    """True for squares whose neighbours lie in the frame of the tables."""
    return 3 <= square // stride < stride - 3 and 3 <= square % stride < stride - 3


def test_a_trained_network_predicts_better_than_an_untrained_one() -> None:
    trainer = Trainer(14, lessons_of([game_of_one_taste(seed) for seed in range(4)]))
    before = trainer.loss(untrained())
    after = trainer.loss(trainer.learn(untrained(), epochs=100, rate=0.01))
    assert after.moves < 0.8 * before.moves
    assert after.margin < before.margin
