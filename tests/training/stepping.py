"""Training with PyTorch (the `teaching` extra) by lessons that are made as it goes.

It runs on a GPU if there is one, else on one core.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tests.training.options import Report, Training

Lessons = Sequence[torch.Tensor]
"""Values of some lessons, each (k, ...)."""

_WARM, _DECAY = 200, 1e-2
"""Steps until AdamW has its highest step size, and decay of the weights."""

_KEPT = 3000
"""Lessons on the device; new ones replace the oldest."""

_AHEAD = 8
"""Parts that each process makes ahead."""

_EVERY = 250
"""Steps between reports; the state is stored as often."""


class _Made(IterableDataset[Any]):  # type: ignore[misc]
    """New lessons without end; each process that makes some makes others."""

    def __init__(
        self, make: Callable[[np.random.Generator], Iterator[Lessons]], seed: tuple[int, ...]
    ) -> None:
        self._make, self._seed = make, seed

    def __iter__(self) -> Iterator[Lessons]:
        info = get_worker_info()
        return self._make(np.random.default_rng([*self._seed, info.id if info else 0]))


class _Newest:
    """The newest lessons, on the device that learns."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._values: list[torch.Tensor] = []
        self.count = 0

    def add(self, new: Lessons) -> None:
        """Adds lessons; the oldest make room."""
        count = len(new[0])
        if not self._values:
            shapes = [(_KEPT, *values.shape[1:]) for values in new]
            self._values = [
                torch.empty(shape, dtype=values.dtype, device=self._device)
                for shape, values in zip(shapes, new, strict=True)
            ]
        places = torch.arange(self.count, self.count + count, device=self._device) % _KEPT
        for kept, values in zip(self._values, new, strict=True):
            kept[places] = values.to(self._device)
        self.count += count

    def some(self, size: int) -> list[torch.Tensor]:
        """Returns random lessons."""
        places = torch.randint(min(self.count, _KEPT), (size,), device=self._device)
        return [values[places] for values in self._values]


def trained(
    fresh: Callable[[], nn.Module],
    make: Callable[[np.random.Generator], Iterator[Lessons]],
    losses_of: Callable[[nn.Module, list[torch.Tensor]], torch.Tensor],
    training: Training,
    report: Report,
) -> nn.Module:
    """Trains a network, from the state of an earlier training if there is one.

    Args:
        fresh: makes a network with random weights.
        make: makes new lessons without end, for one step at a time.
        losses_of: the weighted losses, (parts,), of a network on random lessons.
        training: how it learns.
        report: called at intervals with the step and the mean losses.
    """
    torch.set_num_threads(1)
    torch.manual_seed(training.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = fresh().to(device)
    optimiser = torch.optim.AdamW(network.parameters(), training.rate, weight_decay=_DECAY)
    done = 0
    if training.state.exists():
        stored = torch.load(training.state, device)
        done = stored["done"]
        network.load_state_dict(stored["network"])
        optimiser.load_state_dict(stored["optimiser"])
    ahead = _AHEAD if training.processes else None
    stream = _Made(make, (training.seed, done))
    made = iter(
        DataLoader(stream, batch_size=None, num_workers=training.processes, prefetch_factor=ahead)
    )
    newest, usual = _Newest(device), torch.ones(1, device=device)
    while newest.count < training.lessons:
        newest.add(next(made))
    for step, new in zip(range(done + 1, training.steps + 1), made, strict=False):
        for group in optimiser.param_groups:
            group["lr"] = training.rate * _share(step, training.steps)
        newest.add(new)
        losses = losses_of(network, newest.some(training.lessons))
        optimiser.zero_grad()
        losses.sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        usual = usual + 0.02 * (losses.detach() - usual)
        if step % _EVERY == 0 or step == training.steps:
            report(step, usual.tolist())
            _store(training.state, network, optimiser, step)
    return network.cpu()


def _share(step: int, steps: int) -> float:
    """Returns the share of the highest step size: a short rise, then half a wave of a cosine."""
    return min(1, step / _WARM) * (0.51 + 0.5 * math.cos(math.pi * step / steps))


def _store(state: Path, network: nn.Module, optimiser: torch.optim.Optimizer, done: int) -> None:
    stored = {
        "network": network.state_dict(),
        "optimiser": optimiser.state_dict(),
        "done": done,
    }
    unfinished = state.with_suffix(".unfinished")
    torch.save(stored, unfinished)
    unfinished.replace(state)
