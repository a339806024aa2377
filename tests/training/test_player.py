"""The player's network: what it computes, and how it is stored."""

import random
from pathlib import Path

import numpy as np
import pytest

from firmware.player.search.features import ALONE, COVERED, REACH, PlayerView, look, new_view
from firmware.player.search.kernels import refresh
from firmware.player.search.network import POOLED, is_open, is_wanted, load, network_of, weigh
from firmware.player.search.player import SearchLimits
from firmware.player.search.scoring import sides_of, state_of
from firmware.player.search.tables import FRAME, tables
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.evaluation.levels.games import play
from tests.training.player.comparison import EVALUATIONS, chooser
from tests.training.player.dataset import (
    LabelledPosition,
    TrainingGame,
    read,
    write,
)
from tests.training.player.untrained import save, untrained


def position_after(game: str, plies: int) -> Position:
    chance = random.Random(plies)  # noqa: S311
    position = Position.start(game)
    for _ in range(plies):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


def view_of(position: Position) -> PlayerView:
    board, state = tables(position.game.size), state_of(position)
    for colour in position.game.colours:
        refresh(board, state, colour)
    view = new_view(board)
    assert position.to_move is not None
    look(board, state, sides_of(position), position.to_move, view)
    return view


def game_of_one_taste(seed: int, plies: int = 14) -> TrainingGame:
    """Returns a game whose labels always prefer the piece V5, while it is in hand."""
    chance = random.Random(seed)  # noqa: S311
    position = Position.start("duo", "fixed")
    moves, findings = [], []
    for ply in range(plies):
        legal = list(position.legal_moves)
        best = [one for one in legal if one.piece.name == "V5"] or legal
        findings.append(LabelledPosition(ply, 0.4, -3.0, tuple((one.index, 1) for one in best)))
        move = chance.choice(legal)
        assert position.to_move is not None
        moves.append((position.to_move, move.index))
        position = position.play(move)
    return TrainingGame("duo", tuple(moves), tuple(findings), (5, -5))


@pytest.mark.parametrize("game", ["duo", "classic-2"])
def test_the_network_is_a_convolution_with_one_hidden_layer(game: str) -> None:
    view = view_of(position_after(game, 9))
    board, network = tables(GAMES[game].size), untrained(seed=3)
    weigh(board, view, network)
    hidden = network.begin.shape[1]
    window = network.table.reshape(-1, 2 * REACH + 1, 2 * REACH + 1, hidden)
    stride = board.stride
    sums = network.begin[view.phase[0]] + network.ring[np.minimum(board.ring, 9)]
    grid = sums.reshape(stride, stride, hidden)
    inside = range(FRAME, FRAME + board.size)
    for row, column in ((r, c) for r in inside for c in inside):
        for kind in view.kind[row * stride + column]:
            if kind not in (COVERED, ALONE):
                grid[row - 2 : row + 3, column - 2 : column + 3] += window[kind]
    left = np.maximum(grid.reshape(-1, hidden), 0)
    squares = range(3 * stride, (FRAME + board.size + 1) * stride)
    wanted = [s for s in squares if is_wanted(board, view, s)]
    assert wanted
    np.testing.assert_allclose(
        view.worth[:, wanted], network.worth @ left[wanted].T, rtol=1e-3, atol=1e-4
    )
    pooled = POOLED * left[[s for s in squares if is_open(view, s)]].sum(axis=0)
    np.testing.assert_allclose(view.pooled[:hidden], pooled, rtol=1e-3)
    assert 0 < view.end[0] < 1


def test_games_are_read_as_they_were_written(tmp_path: Path) -> None:
    games = [game_of_one_taste(seed) for seed in (5, 6)]
    for one in games:
        write(one, tmp_path / "games.jsonl")
    assert list(read([tmp_path / "games.jsonl"])) == games


def test_what_was_learned_is_stored_in_half_precision(tmp_path: Path) -> None:
    network = untrained(seed=4)
    save(network, tmp_path / "network.npz")
    for stored, numbers in zip(load(tmp_path / "network.npz"), network, strict=True):
        np.testing.assert_allclose(stored, numbers, atol=2e-3)


@pytest.mark.parametrize("game", GAMES)
def test_what_was_learned_prefers_the_legal_moves_of_large_pieces(game: str) -> None:
    """At the first moves; an untrained network gives all moves the same probability."""
    position = position_after(game, 4)
    stored = network_of(position.game.size, len(position.game.colours))
    piece = stored.piece[1]
    assert piece[-12:].mean() > piece[:4].mean() + 1


def test_a_trained_network_beats_an_untrained_one() -> None:
    """The second player of a pair is the trained one, as in the report of `compare`."""
    limits = SearchLimits(simulations=30)
    untaught = chooser(untrained(), limits, EVALUATIONS["playouts"])
    taught = chooser(network_of(14, 2), limits, EVALUATIONS["network"])
    assert set(EVALUATIONS) == {"network", "playouts"}
    games = [play((untaught, taught), "duo", number) for number in range(4)]
    assert sum(one.lead > 0 for one in games) >= 3
