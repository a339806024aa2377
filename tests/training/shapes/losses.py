"""Losses of networks that see the squares of a board, with PyTorch (the `teaching` extra)."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.training.shapes.dataset import RULED_OUT
from tests.training.shapes.worsening import Lesson
from vision.shape.network import OUTSIDE, UNDER, levelled

_NEAR = 0.05
"""Error of a place in squares from which its loss is linear."""


def outputs_on(network: nn.Sequential, lessons: Sequence[Lesson]) -> torch.Tensor:
    """Returns (k, n + 2, n + 2, outputs) the outputs of a network on some lessons."""
    views = torch.from_numpy(np.stack([levelled(lesson.view) for lesson in lessons]))
    with torch.autocast("cpu", torch.bfloat16):
        outputs = network(views.permute(0, 3, 1, 2))
    return outputs.float().permute(0, 2, 3, 1)


def loss_of_shapes(outputs: torch.Tensor, shapes: NDArray[np.intp], surely: float) -> torch.Tensor:
    """Returns the cross entropy of the classes, `ANY_SHADE` as either.

    Args:
        outputs: (k, n + 2, n + 2, 7) outputs for the classes.
        shapes: (k, n + 2, n + 2) labels.
        surely: share of a label that belongs to its class; the rest is spread over all classes.
    """
    chances = torch.log_softmax(outputs, -1)
    right = torch.logsumexp(chances + torch.from_numpy(RULED_OUT[shapes]), -1)
    loss = -(surely * right + (1 - surely) * chances.mean(-1))
    return loss[torch.from_numpy(shapes >= 0)].mean()


def loss_of_places(
    outputs: torch.Tensor, shapes: NDArray[np.intp], away: NDArray[np.float32]
) -> torch.Tensor:
    """Returns the loss of the offsets of visible squares.

    Args:
        outputs: (k, n + 2, n + 2, 2) offsets by the network.
        shapes: (k, n + 2, n + 2) labels.
        away: (k, n + 2, n + 2, 2) true offsets.
    """
    off = nn.functional.smooth_l1_loss(
        outputs, torch.from_numpy(away), reduction="none", beta=_NEAR
    )
    visible = torch.from_numpy((shapes >= 0) & ~np.isin(shapes, (UNDER, OUTSIDE)))
    return (off * visible[..., None]).mean()
