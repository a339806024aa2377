"""Training of the network that finds boards, with PyTorch (the `teaching` extra)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from tests.training.finder.architecture import FinderNetwork
from tests.training.finder.boards import FinderSample
from tests.training.finder.lessons import lesson
from tests.training.shapes.trainer import kept_share, store
from vision.detection.board_network import CORNER, FIELD, LARGER, MIDDLE, NEAR, normalised

_DECAY = 1e-2
_EVERY = 250
"""Steps between reports; the state is stored as often."""

_KEPT = 500
"""Groups of lessons that are kept; new ones replace the oldest."""

_GROUP = 4
"""Lessons that are made for a step, and kept together."""

_NEAREST = 0.2
"""Mark of a corner from which its place and the way to its middle are learned."""

_WEIGHTS = (1.0, 0.5, 4.0, 0.5, 0.5)
"""Weights of the losses of corners, places, middles, fields and sizes."""


class FinderBatch(NamedTuple):
    """Views, (k, 3, side, side), and outputs, (k, OUTPUTS, side / 4, side / 4)."""

    views: torch.Tensor
    outputs: torch.Tensor


class _Lessons(IterableDataset[FinderBatch]):  # type: ignore[misc]
    """New lessons without end, some at a time; each process makes others."""

    def __init__(self, boards: Sequence[FinderSample], size: int, seed: tuple[int, ...]) -> None:
        self._boards, self._size, self._seed = boards, size, seed

    def __iter__(self) -> Iterator[FinderBatch]:
        info = get_worker_info()
        chance = np.random.default_rng([*self._seed, info.id if info else 0])
        while True:
            lessons = [lesson(self._boards, chance) for _ in range(self._size)]
            views = np.stack([normalised(one.view, one.within) for one in lessons])
            outputs = np.stack([one.outputs for one in lessons])
            yield FinderBatch(
                torch.from_numpy(views.astype(np.float16)), torch.from_numpy(outputs).half()
            )


class _Newest:
    """The newest lessons, on the device that learns."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._kept: list[FinderBatch] = []
        self._next = 0

    def add(self, new: FinderBatch) -> None:
        """Adds some lessons in place of the oldest."""
        moved = FinderBatch(*(values.to(self._device) for values in new))
        if len(self._kept) < _KEPT:
            self._kept.append(moved)
        else:
            self._kept[self._next % _KEPT] = moved
            self._next += 1

    def some(self, groups: int) -> FinderBatch:
        """Returns random groups of lessons, turned and mirrored alike."""
        chosen = [self._kept[k] for k in torch.randint(len(self._kept), (groups,)).tolist()]
        batch = FinderBatch(*(torch.cat(values).float() for values in zip(*chosen, strict=True)))
        return turned(batch, int(torch.randint(4, ())), mirror=bool(torch.randint(2, ())))


def turned(batch: FinderBatch, quarters: int, *, mirror: bool) -> FinderBatch:
    """Returns lessons turned left by `quarters`, then mirrored, with their channels permuted."""
    views, outputs = batch.views[:, torch.randperm(3)], batch.outputs
    views = torch.rot90(views, quarters, (2, 3))
    outputs = torch.rot90(outputs, quarters, (2, 3)).clone()
    for _ in range(quarters):
        for part in (NEAR, MIDDLE):
            right, down = outputs[:, part].clone().unbind(1)
            # A way to the right becomes one upwards.
            outputs[:, part] = torch.stack([down, -right], 1)
    if mirror:
        views, outputs = views.flip(3), outputs.flip(3)
        outputs[:, [NEAR.start, MIDDLE.start]] *= -1
    return FinderBatch(views, outputs)


@dataclass(frozen=True, slots=True)
class FinderTraining:
    """How the network learns.

    Attributes:
        steps: number of steps.
        rate: highest step size of AdamW.
        seed: seed of the weights and of the lessons.
        state: file of an interrupted training, from which it goes on.
        lessons: lessons of a step.
        processes: further processes that make lessons.
    """

    steps: int
    rate: float
    seed: int
    state: Path
    lessons: int
    processes: int


def learned(
    boards: Sequence[FinderSample],
    training: FinderTraining,
    report: Callable[[int, list[float]], None],
) -> nn.Module:
    """Trains a network on boards; `report` gets the step and the mean losses at intervals."""
    torch.set_num_threads(1)
    torch.manual_seed(training.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = FinderNetwork().to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), training.rate, weight_decay=_DECAY)
    done, usual = 0, torch.ones(5, device=device)
    if training.state.exists():
        stored = torch.load(training.state, device)
        done = stored["done"]
        network.load_state_dict(stored["network"])
        optimiser.load_state_dict(stored["optimiser"])
    stream = _Lessons(boards, _GROUP, (training.seed, done))
    ahead = 8 if training.processes else None
    made = iter(
        DataLoader(stream, batch_size=None, num_workers=training.processes, prefetch_factor=ahead)
    )
    newest, groups = _Newest(device), training.lessons // _GROUP
    for _ in range(8 * groups):
        newest.add(next(made))
    for step, new in zip(range(done + 1, training.steps + 1), made, strict=False):
        newest.add(new)
        batch = newest.some(groups)
        for group in optimiser.param_groups:
            group["lr"] = training.rate * kept_share(step, training.steps)
        views = batch.views.contiguous(memory_format=torch.channels_last)
        # Half the digits are enough to learn, and three times as fast.
        with torch.autocast(device.type, torch.bfloat16):
            found = network(views)
        losses = _losses(found.float(), batch.outputs)
        optimiser.zero_grad()
        losses.sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        usual += 0.02 * (losses.detach() - usual)
        if step % _EVERY == 0 or step == training.steps:
            report(step, usual.tolist())
            store(training.state, network, optimiser, step)
    return network.cpu()


def _losses(found: torch.Tensor, true: torch.Tensor) -> torch.Tensor:
    """Returns (5,) the weighted losses of corners, places, middles, fields and sizes.

    That of corners is the focal loss of Law and Deng (CornerNet, 2018).
    """
    heat, sure = true[:, CORNER], found[:, CORNER]
    chance = torch.sigmoid(sure)
    is_corner = (heat > 0.85).float()
    right = is_corner * (1 - chance) ** 2 * nn.functional.logsigmoid(sure)
    wrong = (1 - is_corner) * (1 - heat) ** 4 * chance**2 * nn.functional.logsigmoid(-sure)
    count = is_corner.sum().clamp(min=1)
    corner = -(right + wrong).sum() / count
    near = (heat > _NEAREST).float()[:, None]
    total = near.sum().clamp(min=1)
    place = ((found[:, NEAR] - true[:, NEAR]).abs() * near).sum() / total
    middle = ((found[:, MIDDLE] - true[:, MIDDLE]).abs() * near).sum() / total
    field = nn.functional.binary_cross_entropy_with_logits(found[:, FIELD], true[:, FIELD])
    size = nn.functional.softplus(-found[:, LARGER] * true[:, LARGER]) * true[:, LARGER].abs()
    larger = size.sum() / true[:, LARGER].abs().sum().clamp(min=1)
    parts = [corner, place, middle, field, larger]
    return torch.stack([weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)])
