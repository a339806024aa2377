"""Trains the player's network by PyTorch (the `teaching` extra), with AdamW.

Three things are learned at once: how a search shares out its visits (cross-entropy of a softmax
over the legal moves), whether the side to move wins, and by how much. Each time a position is
seen it is turned or mirrored at random, since the rules know no left and right.
"""

from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from firmware.player.search.features import ALONE, CLASSES, COVERED, EXPOSED, OPEN, REACH
from firmware.player.search.network import MARGIN_UNIT, POOLED, Network
from firmware.player.search.tables import ANCHOR, FRAME, ORIENTATION, PIECE, Floats, Tables, tables
from tests.training.player.dataset import Lessons

_BATCH: Final = 32
_DECAY: Final = 0.03
_WARM: Final = 50
"""Warm-up steps of the learning rate."""

_HELD_OUT: Final = 15
"""One game in so many is held out to measure what was learned."""

_ENDED: Final = 0.5
"""Share of the end of the game in the value that is learned; the rest is the search's estimate."""

_VALUE: Final = 1.5
_MARGIN: Final = 0.3
"""Weights of the errors of value and margin, beside one of the moves."""

Indices = NDArray[np.int64]


class Loss(NamedTuple):
    """Mean errors of a network.

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


class Prediction(NamedTuple):
    """Output of the network for some positions.

    Attributes:
        worth: (positions, 3, squares) of a square that a move covers, lies along, touches.
        odds: (positions,) natural logarithm of the odds to win.
        margin: (positions,) points ahead, in units of the network.
    """

    worth: torch.Tensor
    odds: torch.Tensor
    margin: torch.Tensor


def symmetries(stride: int) -> Indices:
    """(8, squares) for each symmetry of a board, the square that each square comes from."""
    straight = np.arange(stride * stride).reshape(stride, stride)
    boards = [np.rot90(one, turns) for one in (straight, straight.T) for turns in range(4)]
    return np.array([one.ravel() for one in boards])


class Model:
    """The network of `firmware.player.search.network` for PyTorch, many positions at a time.

    Args:
        board: tables of the board.
        network: its numbers.
    """

    def __init__(self, board: Tables, network: Network) -> None:
        self._stride: Final = board.stride
        inside = np.zeros((board.stride, board.stride), np.bool_)
        inside[FRAME : FRAME + board.size, FRAME : FRAME + board.size] = True
        self._inside: Final = torch.from_numpy(inside.ravel())
        ring = np.minimum(board.ring, len(network.ring) - 1)
        self._ring: Final = torch.from_numpy(ring.astype(np.int64))
        self.numbers: Final = [torch.nn.Parameter(torch.from_numpy(one.copy())) for one in network]

    @property
    def network(self) -> Network:
        """The numbers as the player takes them."""
        return Network(*(one.detach().numpy().copy() for one in self.numbers))

    def predict(self, kind: torch.Tensor, phase: torch.Tensor, facts: torch.Tensor) -> Prediction:
        """Runs the network.

        Args:
            kind: (positions, squares, 3) classes of each square.
            phase: (positions,) phases of the game.
            facts: (positions, 3) see `features.look`.
        """
        net: Any = Network(*self.numbers)
        hidden = torch.relu(self._sums(net, kind, phase))
        worth = torch.einsum("ih,bhs->bis", net.worth, hidden)
        is_open = (kind[:, :, 0] >= OPEN) | (kind[:, :, 1] >= EXPOSED)
        pooled = POOLED * torch.einsum("bhs,bs->bh", hidden, is_open.float())
        judges = torch.relu(net.judge_begin[phase] + pooled @ net.judge + facts @ net.judge_fact)
        end = net.end_begin.T[phase] + judges @ net.end.T + facts @ net.end_fact.T
        return Prediction(worth, end[:, 0], end[:, 1])

    def _sums(self, net: Any, kind: torch.Tensor, phase: torch.Tensor) -> torch.Tensor:
        """(positions, hidden, squares) sums of squares: a convolution over one-hot planes."""
        planes = torch.zeros(*kind.shape[:2], CLASSES)
        adds = torch.stack(
            [torch.ones_like(kind[:, :, 0]), kind[:, :, 1] != COVERED, kind[:, :, 2] != ALONE], 2
        )
        planes.scatter_add_(2, kind, adds.float() * self._inside[None, :, None])
        planes = planes.transpose(1, 2).reshape(-1, CLASSES, self._stride, self._stride)
        hidden, side = net.begin.shape[1], 2 * REACH + 1
        table = net.table.reshape(CLASSES, side, side, hidden).permute(0, 3, 1, 2)
        around = functional.conv_transpose2d(planes, table, padding=REACH).flatten(2)
        return around + net.begin[phase][:, :, None] + net.ring[self._ring].T[None]


class Trainer:
    """Trains networks on lessons.

    Args:
        size: squares along a side of the board.
        lessons: positions to learn from; one game in fifteen is held out.
        seed: of the random numbers.
    """

    def __init__(self, size: int, lessons: Lessons, seed: int = 1) -> None:
        torch.set_num_threads(1)
        self._board: Final = tables(size)
        self._lessons: Final = lessons
        self._chance: Final = np.random.default_rng(seed)
        self._symmetries: Final = symmetries(self._board.stride)
        self._touched: Final = torch.from_numpy(_touched(self._board))
        self._pieces: Final = torch.from_numpy(self._board.info[:, PIECE].astype(np.int64))
        held_out = lessons.number % _HELD_OUT == 0
        self._held_out: Final = np.flatnonzero(held_out)
        self._used: Final = np.flatnonzero(~held_out)

    def learn(self, network: Network, epochs: int, rate: float) -> Network:
        """Goes through the lessons some times, at a rate that falls to nothing."""
        model = Model(self._board, network)
        optimiser = torch.optim.AdamW(model.numbers, rate, eps=1e-7, weight_decay=_DECAY)
        steps = max(1, epochs * (len(self._used) // _BATCH))
        made = 0
        for _ in range(epochs):
            shuffled = self._chance.permutation(self._used)
            for begin in range(0, len(shuffled) - _BATCH + 1, _BATCH):
                made += 1
                for group in optimiser.param_groups:
                    group["lr"] = rate * min(1, made / _WARM) * (1.02 - made / steps)
                turned = self._symmetries[self._chance.integers(0, 8, _BATCH)]
                optimiser.zero_grad()
                self._error(model, shuffled[begin : begin + _BATCH], turned).backward()
                optimiser.step()
        return model.network

    def loss(self, network: Network) -> Loss:
        """Mean errors on the games that are held out."""
        model, indices = Model(self._board, network), self._held_out
        straight = np.tile(self._symmetries[0], (len(indices), 1))
        with torch.no_grad():
            prediction = self._predict(model, indices, straight)
            logits, shares = self._moves(model, prediction, indices)
            weight = self._weight(indices)
            crossed = functional.cross_entropy(logits, shares, reduction="none")
            chosen = shares.gather(1, logits.argmax(1, keepdim=True))[:, 0]
            best = (chosen == shares.amax(1)).float().mean()
            value = functional.binary_cross_entropy_with_logits(
                prediction.odds, self._value(indices)
            )
            margin = functional.mse_loss(prediction.margin, self._margin(indices)).sqrt()
        moves = (weight * crossed).sum() / weight.sum()
        return Loss(float(moves), float(best), float(value), MARGIN_UNIT * float(margin))

    def _error(self, model: Model, indices: Indices, turned: Indices) -> torch.Tensor:
        """The error to make smaller, a mean over positions."""
        prediction = self._predict(model, indices, turned)
        logits, shares = self._moves(model, prediction, indices)
        moves = functional.cross_entropy(logits, shares, reduction="none")
        value = functional.binary_cross_entropy_with_logits(prediction.odds, self._value(indices))
        margin = functional.huber_loss(prediction.margin, self._margin(indices))
        return (self._weight(indices) * moves).mean() + _VALUE * value + _MARGIN * margin

    def _predict(self, model: Model, indices: Indices, turned: Indices) -> Prediction:
        """The prediction for turned boards, its worths turned back."""
        kinds = np.take_along_axis(self._lessons.kind[indices], turned[:, :, None], axis=1)
        prediction = model.predict(
            torch.from_numpy(kinds.astype(np.int64)),
            torch.from_numpy(self._lessons.phase[indices].astype(np.int64)),
            torch.from_numpy(self._lessons.facts[indices]),
        )
        back = torch.from_numpy(turned.argsort(axis=1))[:, None, :].expand(-1, 3, -1)
        return prediction._replace(worth=prediction.worth.gather(2, back))

    def _moves(
        self, model: Model, prediction: Prediction, indices: Indices
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """(positions, moves) logits and shares of the visits, padded with impossible moves."""
        first = self._lessons.first
        pieces: Any = Network(*model.numbers).piece
        rows, shares = [], []
        for row, index in enumerate(indices):
            span = slice(first[index], first[index + 1])
            moves = torch.from_numpy(self._lessons.move[span].astype(np.int64))
            worth = torch.cat([prediction.worth[row].flatten(), torch.zeros(1)])
            phase = int(self._lessons.phase[index])
            rows.append(worth[self._touched[moves]].sum(1) + pieces[phase, self._pieces[moves]])
            shares.append(torch.from_numpy(self._lessons.share[span]))
        pad = torch.nn.utils.rnn.pad_sequence
        return pad(rows, True, -1e9), pad(shares, True, 0.0)  # noqa: FBT003 (batch first)

    def _weight(self, indices: Indices) -> torch.Tensor:
        """Weights of the moves, small where the game is decided."""
        value = self._lessons.value[indices]
        return _floats(np.clip(6 * value * (1 - value), 0.05, 1))

    def _value(self, indices: Indices) -> torch.Tensor:
        ended = self._lessons.win[indices]
        return _floats(_ENDED * ended + (1 - _ENDED) * self._lessons.value[indices])

    def _margin(self, indices: Indices) -> torch.Tensor:
        return _floats(self._lessons.margin[indices] / MARGIN_UNIT)


def _floats(numbers: Floats) -> torch.Tensor:
    return torch.from_numpy(np.asarray(numbers, np.float32))


def _touched(board: Tables) -> Indices:
    """(placements, 25) places in `worth`, flattened, that each placement adds up.

    Rows are padded with the place behind the last.
    """
    squares = board.stride**2
    places = np.full((len(board.info), 5 + 12 + 8), 3 * squares)
    for row, info in zip(places, board.info.astype(np.int64), strict=True):
        orientation, anchor = info[ORIENTATION], info[ANCHOR]
        covered = info[: board.sizes[orientation]]
        found = [covered]
        for plane, around in enumerate((board.sides, board.corners), 1):
            count, *offsets = around[orientation].astype(np.int64)
            found.append(plane * squares + anchor + np.array(offsets[:count], np.int64))
        together = np.concatenate(found)
        row[: len(together)] = together
    return places
