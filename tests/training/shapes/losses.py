"""Losses of the network that sees the squares of a board, with PyTorch (the `teaching` extra)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from tests.training.shapes.boards import ANY_SHADE
from tests.training.shapes.dataset import RULED_OUT
from tests.training.shapes.worsening import Lesson
from vision.squares.network import (
    APART,
    BARE,
    DARK,
    LIGHT,
    OUTSIDE,
    PARTIAL,
    UNDER,
    levelled,
)

_NEAR = 0.05
"""Error of a place in squares from which its loss is linear."""

_TILES, _BARE = 48, 16
"""Most tiles and bare squares of a view that are compared in pairs."""


class Batch(NamedTuple):
    """Some lessons as tensors.

    Attributes:
        views: (k, side, side, 3) float16, from `levelled`.
        shapes: (k, n + 2, n + 2) labels; see `Lesson`.
        colours: (k, n + 2, n + 2) numbers of the colours.
        pieces: (k, n + 2, n + 2) numbers of the pieces.
        away: (k, n + 2, n + 2, 2) offsets of the squares.
    """

    views: torch.Tensor
    shapes: torch.Tensor
    colours: torch.Tensor
    pieces: torch.Tensor
    away: torch.Tensor

    @staticmethod
    def of(lessons: Sequence[Lesson]) -> "Batch":
        """Returns some lessons as tensors."""
        views = np.stack([levelled(lesson.view) for lesson in lessons]).astype(np.float16)
        names = ("shapes", "colours", "pieces", "away")
        labels = (np.stack([getattr(lesson, name) for lesson in lessons]) for name in names)
        return Batch(*map(torch.from_numpy, (views, *labels)))


def outputs_on(network: nn.Module, batch: Batch) -> torch.Tensor:
    """Returns (k, n + 2, n + 2, outputs) the outputs of a network on the lessons of a step."""
    with torch.autocast(batch.views.device.type, torch.bfloat16):
        outputs = network(batch.views.permute(0, 3, 1, 2))
    return outputs.float().permute(0, 2, 3, 1)


def loss_of_shapes(outputs: torch.Tensor, shapes: torch.Tensor, surely: float) -> torch.Tensor:
    """Returns the cross entropy of the classes, `ANY_SHADE` as either.

    Args:
        outputs: (k, n + 2, n + 2, 7) outputs for the classes.
        shapes: (k, n + 2, n + 2) labels.
        surely: share of a label that belongs to its class; the rest is spread over all classes.
    """
    chances = torch.log_softmax(outputs, -1)
    ruled_out = torch.from_numpy(RULED_OUT).to(outputs.device)
    right = torch.logsumexp(chances + ruled_out[shapes], -1)
    loss = -(surely * right + (1 - surely) * chances.mean(-1))
    return _mean(loss, shapes >= 0)


def loss_of_places(outputs: torch.Tensor, shapes: torch.Tensor, away: torch.Tensor) -> torch.Tensor:
    """Returns the loss of the offsets of visible squares.

    Args:
        outputs: (k, n + 2, n + 2, 2) offsets by the network.
        shapes: (k, n + 2, n + 2) labels.
        away: (k, n + 2, n + 2, 2) true offsets.
    """
    off = nn.functional.smooth_l1_loss(outputs, away, reduction="none", beta=_NEAR)
    visible = (shapes >= 0) & (shapes != UNDER) & (shapes != OUTSIDE)
    return (off * visible[..., None]).mean()


def loss_of_edges(outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Returns the cross entropy of edges of pieces between squares, of which one has a tile.

    Args:
        outputs: (k, n + 2, n + 2, 2) log odds of an edge at the right and below.
        batch: the lessons.
    """
    shapes, pieces = batch.shapes, batch.pieces
    seen = (shapes >= 0) & (shapes != UNDER) & (shapes != PARTIAL) & (pieces >= 0)
    tile, losses = _are_tiles(shapes), []
    for number, (one, other) in enumerate(
        (
            (np.s_[:, :, :-1], np.s_[:, :, 1:]),
            (np.s_[:, :-1], np.s_[:, 1:]),
        )
    ):
        known = seen[one] & seen[other] & (tile[one] | tile[other])
        ends = (pieces[one] != pieces[other]).float()
        lead = outputs[one][..., number]
        loss = nn.functional.binary_cross_entropy_with_logits(lead, ends, reduction="none")
        losses.append(_mean(loss, known))
    return torch.stack(losses).mean()


def loss_of_colours(outputs: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Returns the cross entropy of pairs of squares of a view, of one colour or of two.

    Bare squares have a colour of their own, even if the plastic has the colour of the board.

    Args:
        outputs: (k, n + 2, n + 2, 6) places of the colours.
        batch: the lessons.
    """
    tiles, bare = _are_tiles(batch.shapes) & (batch.colours > 0), batch.shapes == BARE
    chosen = [_some(tiles.flatten(1), _TILES), _some(bare.flatten(1), _BARE)]
    squares, there = (torch.cat(parts, 1) for parts in zip(*chosen, strict=True))
    width = outputs.shape[-1]
    places = outputs.flatten(1, 2).gather(1, squares[..., None].expand(-1, -1, width))
    colours = batch.colours.flatten(1).gather(1, squares)
    apart = (places[:, :, None] - places[:, None]).square().sum(-1) - APART
    differ = (colours[:, :, None] != colours[:, None]).float()
    pair = torch.triu(there[:, :, None] & there[:, None], 1)
    loss = nn.functional.binary_cross_entropy_with_logits(apart, differ, reduction="none")
    count = pair.sum((1, 2))
    return _mean((loss * pair).sum((1, 2)) / count.clamp(min=1), count > 0)


def _some(wanted: torch.Tensor, most: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns (k, most) squares chosen at random, and which of them are wanted ones.

    Args:
        wanted: (k, squares) squares to choose from.
        most: number of squares.
    """
    keys = torch.rand(wanted.shape, device=wanted.device) + wanted
    chosen = keys.topk(most, 1).indices
    return chosen, wanted.gather(1, chosen)


def _mean(values: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Returns the mean of the known values, 0 if there are none."""
    return (values * known).sum() / known.sum().clamp(min=1)


def _are_tiles(shapes: torch.Tensor) -> torch.Tensor:
    return (shapes == DARK) | (shapes == LIGHT) | (shapes == ANY_SHADE)
