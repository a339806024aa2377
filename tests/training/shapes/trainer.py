"""Training of the network of shapes with PyTorch (the `teaching` extra)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

import numpy as np
import torch
from torch import nn

from tests.training.options import Report, Training
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
from tests.training.stepping import trained
from vision.squares.network import AWAY, COLOUR, KINDS, PARTED

_TIMES = 12
"""Times that a lesson is used, about, in one of eight ways to turn and mirror a board."""

_SURELY = 0.9998
"""Share of a label that belongs to its class; the rest is spread over all classes."""

_PLACES = 8.0
"""Weight of the loss of places."""

_EDGES, _COLOURS = 0.5, 0.5
"""Weights of the losses of edges and of colours."""


def learned(boards: Sequence[ShapeSample], training: Training, report: Report) -> nn.Sequential:
    """Trains a network on boards, each degraded, turned and recoloured at random.

    Args:
        boards: training data.
        training: how it learns.
        report: called at intervals with the step and the mean losses of shapes, places, edges and
            colours.
    """
    size = max(1, training.lessons // _TIMES)

    make = partial(_made, boards, size)
    return cast("nn.Sequential", trained(fresh, make, _losses, training, report))


def _made(boards: Sequence[ShapeSample], size: int, chance: np.random.Generator) -> Iterator[Batch]:
    return map(Batch.of, drawn(boards, size, chance))


def _losses(network: nn.Module, chosen: list[torch.Tensor]) -> torch.Tensor:
    """Returns (4,) the weighted losses of shapes, places, edges and colours.

    The lessons are all turned and mirrored alike, with their channels permuted.
    """
    quarters, mirror = int(torch.randint(4, ())), int(torch.randint(2, ())) * 2 - 1
    batch = Batch(*turned(chosen, quarters, mirror))
    batch = batch._replace(views=batch.views[..., torch.randperm(3).tolist()])
    outputs = outputs_on(network, batch)
    parts = [
        loss_of_shapes(outputs[..., :KINDS], batch.shapes, _SURELY),
        _PLACES * loss_of_places(outputs[..., AWAY], batch.shapes, batch.away),
        _EDGES * loss_of_edges(outputs[..., PARTED], batch),
        _COLOURS * loss_of_colours(outputs[..., COLOUR], batch),
    ]
    return torch.stack(parts)
