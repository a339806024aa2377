"""Training of the network that finds boards, with PyTorch (the `teaching` extra)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from tests.training.finder.architecture import FinderNetwork
from tests.training.finder.boards import FinderSample
from tests.training.finder.lessons import lesson
from tests.training.options import Report, Training
from tests.training.stepping import trained
from vision.detection.board_network import CORNER, LARGER, MIDDLE, NEAR, SQUARES, normalised

_TIMES = 4
"""Times that a lesson is used, about, in one of eight ways to turn and mirror a view."""

_NEAREST = 0.2
"""Mark of a corner from which its place and the way to its middle are learned."""

_MARKED = 0.75
"""Mark from which a place has a corner; one in the middle of four places marks each with 0.78."""

_WEIGHTS = (1.0, 0.5, 4.0, 0.5, 0.5)
"""Weights of the losses of corners, places, middles, fields and sizes."""


class FinderBatch(NamedTuple):
    """Views, (k, 3, side, side), and outputs, (k, OUTPUTS, side / 4, side / 4)."""

    views: torch.Tensor
    outputs: torch.Tensor


def learned(boards: Sequence[FinderSample], training: Training, report: Report) -> nn.Module:
    """Trains a network on boards, each seen anew.

    Args:
        boards: training data.
        training: how it learns.
        report: called at intervals with the step and the mean losses of corners, places, middles,
            fields and sizes.
    """
    size = max(1, training.lessons // _TIMES)

    return trained(FinderNetwork, partial(_made, boards, size), _losses, training, report)


def _made(
    boards: Sequence[FinderSample], size: int, chance: np.random.Generator
) -> Iterator[FinderBatch]:
    while True:
        lessons = [lesson(boards, chance) for _ in range(size)]
        views = np.stack([normalised(one.view, one.within) for one in lessons])
        outputs = np.stack([one.outputs for one in lessons])
        yield FinderBatch(torch.from_numpy(views).half(), torch.from_numpy(outputs).half())


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


def _losses(network: nn.Module, chosen: list[torch.Tensor]) -> torch.Tensor:
    """Returns (5,) the weighted losses of lessons, all turned and mirrored alike."""
    lessons = FinderBatch(*(values.float() for values in chosen))
    batch = turned(lessons, int(torch.randint(4, ())), mirror=bool(torch.randint(2, ())))
    views = batch.views.contiguous(memory_format=torch.channels_last)
    # Half the digits are enough to learn, and three times as fast.
    with torch.autocast(views.device.type, torch.bfloat16):
        found = network(views)
    return _parts(found.float(), batch.outputs)


def _parts(found: torch.Tensor, true: torch.Tensor) -> torch.Tensor:
    """Returns (5,) the weighted losses of corners, places, middles, fields and sizes.

    That of corners is the focal loss of Law and Deng (CornerNet, 2018).
    """
    heat, sure = true[:, CORNER], found[:, CORNER]
    chance = torch.sigmoid(sure)
    is_corner = (heat > _MARKED).float()
    right = is_corner * (1 - chance) ** 2 * nn.functional.logsigmoid(sure)
    wrong = (1 - is_corner) * (1 - heat) ** 4 * chance**2 * nn.functional.logsigmoid(-sure)
    count = is_corner.sum().clamp(min=1)
    corner = -(right + wrong).sum() / count
    near = (heat > _NEAREST).float()[:, None]
    total = near.sum().clamp(min=1)
    place = ((found[:, NEAR] - true[:, NEAR]).abs() * near).sum() / total
    middle = ((found[:, MIDDLE] - true[:, MIDDLE]).abs() * near).sum() / total
    field = nn.functional.binary_cross_entropy_with_logits(found[:, SQUARES], true[:, SQUARES])
    size = nn.functional.softplus(-found[:, LARGER] * true[:, LARGER]) * true[:, LARGER].abs()
    larger = size.sum() / true[:, LARGER].abs().sum().clamp(min=1)
    parts = [corner, place, middle, field, larger]
    return torch.stack([weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)])
