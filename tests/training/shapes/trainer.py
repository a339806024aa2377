"""Training of the network of shapes with PyTorch (the `teaching` extra).

It runs on a GPU if there is one, else on one core.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tests.training.shapes.architecture import fresh
from tests.training.shapes.boards import ShapeSample
from tests.training.shapes.dataset import drawn, turned
from tests.training.shapes.losses import (
    Batch,
    loss_of_colours,
    loss_of_edges,
    loss_of_places,
    loss_of_shapes,
    outputs_on,
)
from vision.squares.network import AWAY, COLOUR, KINDS, PARTED

_WARM, _DECAY = 200, 1e-2
"""Steps until AdamW has its highest step size, and decay of the weights."""

_TIMES = 12
"""Times that a lesson is used, about, in one of eight ways to turn and mirror a board."""

_KEPT = 3000
"""Lessons on the device; new ones replace the oldest."""

_AHEAD = 8
"""Parts that each process makes ahead."""

_SURELY = 0.9998
"""Share of a label that belongs to its class; the rest is spread over all classes."""

_PLACES = 8.0
"""Weight of the loss of places."""

_EDGES, _COLOURS = 0.5, 0.5
"""Weights of the losses of edges and of colours."""

_EVERY = 250
"""Steps between reports; the state is stored as often."""


class _Lessons(IterableDataset[Batch]):  # type: ignore[misc]
    """New lessons without end; each process that makes some makes others."""

    def __init__(self, boards: Sequence[ShapeSample], size: int, seed: tuple[int, ...]) -> None:
        self._boards, self._size, self._seed = boards, size, seed

    def __iter__(self) -> Iterator[Batch]:
        info = get_worker_info()
        chance = np.random.default_rng([*self._seed, info.id if info else 0])
        return map(Batch.of, drawn(self._boards, self._size, chance))


class _Newest:
    """The newest lessons, on the device that learns."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._values: list[torch.Tensor] = []
        self.count = 0

    def add(self, new: Batch) -> None:
        """Adds lessons; the oldest make room."""
        count = len(new.views)
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

    def some(self, size: int) -> Batch:
        """Returns random lessons, all turned and mirrored alike, with their channels permuted."""
        places = torch.randint(min(self.count, _KEPT), (size,), device=self._device)
        chosen = [values[places] for values in self._values]
        quarters, mirror = int(torch.randint(4, ())), int(torch.randint(2, ())) * 2 - 1
        batch = Batch(*turned(chosen, quarters, mirror))
        return batch._replace(views=batch.views[..., torch.randperm(3).tolist()])


@dataclass(frozen=True, slots=True)
class Training:
    """How a network learns.

    Attributes:
        steps: number of steps.
        rate: highest step size of AdamW.
        seed: seed of the weights and of the augmentation.
        state: file of an interrupted training, from which it goes on; stored at intervals.
        lessons: lessons of a step.
        processes: further processes that make lessons; 0 for none.
    """

    steps: int
    rate: float
    seed: int
    state: Path
    lessons: int
    processes: int


def learned(
    boards: Sequence[ShapeSample],
    training: Training,
    report: Callable[[int, list[float]], None],
) -> nn.Sequential:
    """Trains a network on boards, each degraded, turned and recoloured at random.

    Args:
        boards: training data.
        training: how it learns.
        report: called at intervals with the step and the mean losses of shapes, places, edges and
            colours.
    """
    torch.set_num_threads(1)
    torch.manual_seed(training.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = fresh().to(device)
    optimiser = torch.optim.AdamW(network.parameters(), training.rate, weight_decay=_DECAY)
    done, usual = 0, torch.ones(4, device=device)
    if training.state.exists():
        stored = torch.load(training.state, device)
        done = stored["done"]
        network.load_state_dict(stored["network"])
        optimiser.load_state_dict(stored["optimiser"])
    newest, made = _Newest(device), iter(_made(boards, training, done))
    while newest.count < training.lessons:
        newest.add(next(made))
    for step, new in zip(range(done + 1, training.steps + 1), made, strict=False):
        for group in optimiser.param_groups:
            group["lr"] = training.rate * kept_share(step, training.steps)
        newest.add(new)
        losses = _losses(network, newest.some(training.lessons))
        optimiser.zero_grad()
        losses.sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        usual += 0.02 * (losses.detach() - usual)
        if step % _EVERY == 0 or step == training.steps:
            report(step, usual.tolist())
            store(training.state, network, optimiser, step)
    return network.cpu()


def _made(boards: Sequence[ShapeSample], training: Training, done: int) -> Iterable[Batch]:
    """Returns new lessons without end, for one step at a time."""
    size, processes = max(1, training.lessons // _TIMES), training.processes
    stream = _Lessons(boards, size, (training.seed, done))
    ahead = _AHEAD if processes else None
    lessons: Iterable[Batch] = DataLoader(
        stream, batch_size=None, num_workers=processes, prefetch_factor=ahead
    )
    return lessons


def kept_share(step: int, steps: int) -> float:
    """Returns the share of the highest step size: a short rise, then half a wave of a cosine."""
    return min(1, step / _WARM) * (0.51 + 0.5 * math.cos(math.pi * step / steps))


def store(state: Path, network: nn.Sequential, optimiser: torch.optim.Optimizer, done: int) -> None:
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
