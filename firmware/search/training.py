"""Learns the prior from games that the player plays against itself.

Each position of a game is searched; what is learned is to say beforehand how the search will
share out its visits: a softmax over the weights of the legal moves, fitted by gradient descent
on the cross-entropy (Adam, Kingma and Ba 2015). Positions carry weight only where the game is
still open, since in one that is won all moves are alike.

    python -m firmware.search.training --size 14 --games 60 --simulations 800 --rounds 3
"""

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.rules.games import Starts
from firmware.rules.position import Position
from firmware.search.compiling import allocating, compiled
from firmware.search.features import (
    CLASSES,
    MOST_CLASSES,
    View,
    classes_of,
    look,
    new_view,
)
from firmware.search.kernels import MOVES, State, next_mover, refresh
from firmware.search.player import Budget, Player, Thought
from firmware.search.prior import FOLDER, Knowledge, knowledge, untrained
from firmware.search.scoring import Sides, sides_of, state_of
from firmware.search.tables import Floats, Ints, Tables, tables

_GAMES_BY_SIZE: Final = {14: ("duo",), 20: ("classic-2", "classic")}
_RANDOM_MOVES: Final = 0.12
"""Share of moves drawn by the visits instead of the most visited, so that games differ."""


class Sample(NamedTuple):
    """A position to learn from.

    Attributes:
        classes: (moves, 48) classes of each legal move.
        lengths: (moves,) how many classes each has.
        target: (moves,) the share of the visits.
        phase: of the game.
    """

    classes: NDArray[np.int16]
    lengths: NDArray[np.int16]
    target: Floats
    phase: int


@compiled
def _describe(
    board: Tables, state: State, sides: Sides, view: View, classes: Ints, lengths: Ints
) -> int:
    colour = next_mover(board, state)
    for other in range(len(state.tally)):
        refresh(board, state, other)
    look(board, state, sides, colour, view)
    for i in range(state.tally[colour, MOVES]):
        lengths[i] = classes_of(board, view, state.moves[colour, i], classes[i])
    return colour


def sample_of(position: Position, thought: Thought) -> Sample:
    """What a search has shown of a position."""
    board = tables(position.game.size)
    state = state_of(position)
    view = new_view(board)
    count = len(position.legal_moves)
    classes = np.zeros((count, MOST_CLASSES), np.int32)
    lengths = np.zeros(count, np.int32)
    colour = _describe(board, state, sides_of(position), view, classes, lengths)
    visits = {one.move.index: one.visits for one in thought.choices}
    target = np.array(
        [visits.get(int(move), 0) for move in state.moves[colour, :count]], np.float32
    )
    return Sample(
        classes.astype(np.int16),
        lengths.astype(np.int16),
        target / target.sum(),
        int(view.phase[0]),
    )


def play_games(
    games: tuple[str, ...], count: int, simulations: int, learned: Knowledge, chance: random.Random
) -> list[Sample]:
    """Games of the player against itself, as samples."""
    samples = []
    begun = time.perf_counter()
    for number in range(count):
        player = Player(seed=chance.randrange(1 << 30), learned=learned)
        position = Position.start(games[number % len(games)], Starts.FIXED)
        while not position.is_over:
            thought = player.think(position, Budget(simulations=simulations))
            best = thought.choices[0]
            if len(thought.choices) > 1 and 0.05 < best.value < 0.95:
                samples.append(sample_of(position, thought))
            move = best.move
            if chance.random() < _RANDOM_MOVES or not any(position.laid):
                weights = [one.visits + 0.01 for one in thought.choices]
                move = chance.choices(thought.choices, weights)[0].move
            position = position.play(move)
        _say(f"game {number + 1} of {count}, {time.perf_counter() - begun:.0f} s")
    return samples


@allocating
def _descend(
    weights: Floats,
    classes: NDArray[np.int16],
    lengths: NDArray[np.int16],
    target: Floats,
    gradient: Floats,
) -> float:
    """Adds the gradient of one position; returns its cross-entropy."""
    count = len(lengths)
    logits = np.zeros(count)
    for i in range(count):
        for j in range(lengths[i]):
            logits[i] += weights[classes[i, j]]
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    loss = 0.0
    for i in range(count):
        if target[i] > 0:
            loss -= target[i] * np.log(shares[i] + 1e-12)
        push = np.float32(shares[i] - target[i])
        for j in range(lengths[i]):
            gradient[classes[i, j]] += push
    return loss


def fit(samples: list[Sample], weights: Floats, rounds: int, seed: int) -> tuple[Floats, float]:
    """Weights that foretell the visits, from given ones.

    Returns:
        The weights and the mean cross-entropy on a tenth that was kept apart.
    """
    order = np.random.default_rng(seed)
    kept = [s for i, s in enumerate(samples) if i % 10 == 0]
    used = [s for i, s in enumerate(samples) if i % 10]
    weights = weights.copy()
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    step = 0
    for turn in range(rounds):
        rate = 0.02 * (1 - turn / rounds) + 0.001
        shuffled = order.permutation(len(used))
        for begin in range(0, len(used), 32):
            gradient = np.zeros_like(weights)
            for index in shuffled[begin : begin + 32]:
                one = used[index]
                _descend(
                    weights[one.phase], one.classes, one.lengths, one.target, gradient[one.phase]
                )
            gradient = gradient / 32 + 1e-4 * weights
            step += 1
            first = 0.9 * first + 0.1 * gradient
            second = 0.999 * second + 0.001 * gradient**2
            corrected = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
            weights = (weights - rate * corrected).astype(np.float32)
    return weights, loss_of(kept, weights)


def loss_of(samples: list[Sample], weights: Floats) -> float:
    """Mean cross-entropy of the visits."""
    nothing = np.zeros(CLASSES, np.float32)
    losses = [_descend(weights[s.phase], s.classes, s.lengths, s.target, nothing) for s in samples]
    return float(np.mean(losses))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def main(words: list[str]) -> int:
    """Plays, fits and writes the weights, round after round."""
    parser = argparse.ArgumentParser(prog="python -m firmware.search.training")
    parser.add_argument("--size", type=int, choices=_GAMES_BY_SIZE, default=14)
    parser.add_argument("--games", type=int, default=60, help="a round")
    parser.add_argument("--simulations", type=int, default=800, help="a move")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="begin with untrained weights")
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder for the weights")
    arguments = parser.parse_args(words)
    chance = random.Random(arguments.seed)  # noqa: S311
    learned = untrained() if arguments.fresh else knowledge(arguments.size)
    games = _GAMES_BY_SIZE[arguments.size]
    arguments.to.mkdir(exist_ok=True)
    for turn in range(arguments.rounds):
        samples = play_games(games, arguments.games, arguments.simulations, learned, chance)
        before = loss_of(samples, learned.weights)
        weights, loss = fit(samples, learned.weights, arguments.epochs, turn)
        _say(f"round {turn + 1}: {len(samples)} positions, loss {before:.3f}, fitted {loss:.3f}")
        learned = learned._replace(weights=weights)
        np.save(arguments.to / f"prior_{arguments.size}.npy", weights.astype(np.float16))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
