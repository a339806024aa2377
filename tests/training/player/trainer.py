"""Fits the network to lessons by gradient descent (Adam, Kingma and Ba 2015).

Three things are learned at once: to foretell how a search shares out its visits (cross-entropy
of a softmax over the legal moves), whether the side to move wins, and by how much. Each time a
position is seen it is turned or mirrored by chance, since the rules know no left and right.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.search.network import MARGIN_UNIT, Network
from firmware.search.tables import Ints, tables
from tests.training.player.backprop import Room, Target, new_room, study
from tests.training.player.dataset import Lessons

_BATCH: Final = 32
_DECAY: Final = 0.03
_WARM: Final = 50
"""Steps until the first are large."""

_APART: Final = 15
"""One game in so many is kept apart to see what was learned."""

_ENDED: Final = 0.5
"""Share of how the game ended in the value that is learned; the rest is what the search found."""


class Loss(NamedTuple):
    """What the network is wrong by, on average.

    Attributes:
        moves: cross-entropy of the visits.
        best: share of the positions whose likeliest move is the most visited.
        value: cross-entropy of the value.
        margin: root of the mean square, in points.
    """

    moves: float
    best: float
    value: float
    margin: float


def _symmetries(stride: int) -> Ints:
    """(8, squares) where each square of a turned or mirrored board comes from."""
    straight = np.arange(stride * stride, dtype=np.int32).reshape(stride, stride)
    boards = [np.rot90(one, turns) for one in (straight, straight.T) for turns in range(4)]
    return np.array([one.ravel() for one in boards])


def target_of(lessons: Lessons) -> Target:
    """What to learn of each position; moves count little where the game is decided."""
    open_still = 6 * lessons.value * (1 - lessons.value)
    return Target(
        np.clip(open_still, 0.05, 1).astype(np.float32),
        (_ENDED * lessons.win + (1 - _ENDED) * lessons.value).astype(np.float32),
        (lessons.margin / MARGIN_UNIT).astype(np.float32),
    )


class _Adam:
    """Steps along a gradient.

    Args:
        network: where it begins.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._first = [np.zeros_like(one) for one in network]
        self._second = [np.zeros_like(one) for one in network]
        self._steps = 0

    def step(self, gradient: Network, rate: float) -> None:
        """One step, along the gradient of a batch."""
        self._steps += 1
        changed = []
        for i, (numbers, total) in enumerate(zip(self.network, gradient, strict=True)):
            slope = total / np.float32(_BATCH)
            self._first[i] = 0.9 * self._first[i] + 0.1 * slope
            self._second[i] = 0.999 * self._second[i] + 0.001 * slope**2
            mean = self._first[i] / (1 - 0.9**self._steps)
            spread = np.sqrt(self._second[i] / (1 - 0.999**self._steps)) + 1e-7
            changed.append(
                (numbers * (1 - rate * _DECAY) - rate * mean / spread).astype(np.float32)
            )
        self.network = Network(*changed)


class Trainer:
    """Learns from lessons.

    Args:
        size: of the board.
        lessons: what to learn from; one game in fifteen is kept apart.
        seed: of the chance.
    """

    def __init__(self, size: int, lessons: Lessons, seed: int = 1) -> None:
        self._board: Final = tables(size)
        self._lessons: Final = lessons
        self._target: Final = target_of(lessons)
        self._chance: Final = np.random.default_rng(seed)
        self._symmetries: Final = _symmetries(self._board.stride)
        apart = lessons.number % _APART == 0
        self._kept: Final = np.flatnonzero(apart).astype(np.int32)
        self._used: Final = np.flatnonzero(~apart).astype(np.int32)

    def learn(self, network: Network, epochs: int, rate: float) -> Network:
        """Goes through the lessons some times, at a rate that falls to nothing."""
        adam, room = _Adam(network), new_room(self._board, network)
        steps = max(1, epochs * (len(self._used) // _BATCH))
        made = 0
        for _ in range(epochs):
            shuffled = self._chance.permutation(self._used)
            for begin in range(0, len(shuffled) - _BATCH + 1, _BATCH):
                indices = shuffled[begin : begin + _BATCH]
                turned = self._symmetries[self._chance.integers(0, 8, _BATCH)]
                for numbers in room.gradient:
                    numbers[:] = 0
                self._study(adam.network, indices, turned, room)
                made += 1
                adam.step(room.gradient, rate * min(1, made / _WARM) * (1.02 - made / steps))
        return adam.network

    def loss(self, network: Network) -> Loss:
        """What the network is wrong by on the games that are kept apart."""
        room = new_room(self._board, network)
        turned = np.tile(self._symmetries[0], (len(self._kept), 1))
        self._study(network, self._kept, turned, room)
        positions, weights, moves, best, value, margin = map(float, room.loss)
        off = MARGIN_UNIT * (margin / positions) ** 0.5
        return Loss(moves / weights, best / positions, value / positions, off)

    def _study(self, network: Network, indices: Ints, turned: Ints, room: Room) -> None:
        study(self._board, network, self._lessons, self._target, indices, turned, room)
