"""Training of the network of shapes with PyTorch (the `teaching` extra).

It runs on a GPU if there is one, else on one core.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tests.training.shapes.architecture import fresh
from tests.training.shapes.boards import ShapeSample
from tests.training.shapes.dataset import drawn
from tests.training.shapes.losses import (
    Batch,
    loss_of_colours,
    loss_of_edges,
    loss_of_places,
    loss_of_shapes,
    outputs_on,
)
from vision.shape.network import AWAY, COLOUR, KINDS, PARTED

_RATE, _WARM, _DECAY = 2e-3, 200, 1e-2
"""Highest step size of AdamW, steps until it is reached, and decay of the weights."""

_SURELY = 0.998
"""Share of a label that belongs to its class; the rest is spread over all classes."""

_PLACES = 8.0
"""Weight of the loss of places."""

_EDGES, _COLOURS = 0.5, 0.5
"""Weights of the losses of edges and of colours."""

_EVERY = 250
"""Steps between reports; the state is stored as often."""


class _Lessons(IterableDataset[Batch]):  # type: ignore[misc]
    """The lessons of each step; each process that makes some makes others."""

    def __init__(self, boards: Sequence[ShapeSample], size: int, seed: tuple[int, ...]) -> None:
        self._boards, self._size, self._seed = boards, size, seed

    def __iter__(self) -> Iterator[Batch]:
        info = get_worker_info()
        chance = np.random.default_rng([*self._seed, info.id if info else 0])
        return map(Batch.of, drawn(self._boards, self._size, chance))


def learned(
    boards: Sequence[ShapeSample],
    steps: int,
    seed: int,
    report: Callable[[int, list[float]], None],
    state: Path,
    size: int,
    processes: int,
) -> nn.Sequential:
    """Trains a network on boards, each degraded, turned and recoloured at random.

    Args:
        boards: training data.
        steps: number of steps.
        seed: seed of the weights and of the augmentation.
        report: called at intervals with the step and the mean losses of shapes, places, edges and
            colours.
        state: file of an interrupted training, from which it goes on; stored at intervals.
        size: lessons of a step.
        processes: further processes that make lessons; 0 for none.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = fresh().to(device)
    optimiser = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_DECAY)
    done, usual = 0, torch.ones(4, device=device)
    if state.exists():
        stored = torch.load(state, device)
        done = stored["done"]
        network.load_state_dict(stored["network"])
        optimiser.load_state_dict(stored["optimiser"])
    stream = _Lessons(boards, size, (seed, done))
    batches = DataLoader(stream, batch_size=None, num_workers=processes)
    for step, batch in zip(range(done + 1, steps + 1), batches, strict=False):
        for group in optimiser.param_groups:
            group["lr"] = _rate(step, steps)
        losses = _losses(network, batch.on(device))
        optimiser.zero_grad()
        losses.sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        usual += 0.02 * (losses.detach() - usual)
        if step % _EVERY == 0 or step == steps:
            report(step, usual.tolist())
            _store(state, network, optimiser, step)
    return network.cpu()


def _rate(step: int, steps: int) -> float:
    """Returns the step size: a short rise, then half a wave of a cosine."""
    falling = 0.51 + 0.5 * math.cos(math.pi * step / steps)
    return _RATE * min(1, step / _WARM) * falling


def _store(
    state: Path, network: nn.Sequential, optimiser: torch.optim.Optimizer, done: int
) -> None:
    stored = {
        "network": network.state_dict(),
        "optimiser": optimiser.state_dict(),
        "done": done,
    }
    unfinished = state.with_suffix(".unfinished")
    torch.save(stored, unfinished)
    unfinished.replace(state)


def _losses(network: nn.Module, batch: Batch) -> torch.Tensor:
    """Returns (4,) the weighted losses of shapes, places, edges and colours."""
    outputs = outputs_on(network, batch)
    parts = [
        loss_of_shapes(outputs[..., :KINDS], batch.shapes, _SURELY),
        _PLACES * loss_of_places(outputs[..., AWAY], batch.shapes, batch.away),
        _EDGES * loss_of_edges(outputs[..., PARTED], batch),
        _COLOURS * loss_of_colours(outputs[..., COLOUR], batch),
    ]
    return torch.stack(parts)
