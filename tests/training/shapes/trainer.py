"""Training of the network of shapes with PyTorch (the `teaching` extra), on one core."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.training.shapes.architecture import fresh
from tests.training.shapes.boards import ANY_SHADE, ShapeSample
from tests.training.shapes.dataset import drawn
from tests.training.shapes.losses import loss_of_places, loss_of_shapes, outputs_on
from tests.training.shapes.worsening import Lesson
from vision.shape.network import (
    APART,
    AWAY,
    BARE,
    COLOUR,
    DARK,
    KINDS,
    LIGHT,
    PARTED,
    PARTIAL,
    UNDER,
)

_RATE, _WARM, _DECAY = 2e-3, 200, 1e-2
"""Highest step size of AdamW, steps until it is reached, and decay of the weights."""

_SURELY = 0.998
"""Share of a label that belongs to its class; the rest is spread over all classes."""

_PLACES = 8.0
"""Weight of the loss of places."""

_EDGES, _COLOURS = 0.5, 0.5
"""Weights of the losses of edges and of colours."""

_TILES, _BARE = 48, 16
"""Most tiles and bare squares of a view that are compared in pairs."""

_EVERY = 250
"""Steps between reports; the state is stored as often."""


def learned(
    boards: Sequence[ShapeSample],
    steps: int,
    seed: int,
    report: Callable[[int, list[float]], None],
    state: Path,
) -> nn.Sequential:
    """Trains a network on boards, each degraded, turned and recoloured at random.

    Args:
        boards: training data.
        steps: number of steps of a few lessons each.
        seed: seed of the weights and of the augmentation.
        report: called at intervals with the step and the mean losses of shapes, places, edges and
            colours.
        state: file of an interrupted training, from which it goes on; stored at intervals.
    """
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = fresh()
    optimiser = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_DECAY)
    done, usual = 0, np.ones(4)
    if state.exists():
        stored = torch.load(state)
        done = stored["done"]
        network.load_state_dict(stored["network"])
        optimiser.load_state_dict(stored["optimiser"])
    chance = np.random.default_rng([seed, done])
    for step, lessons in enumerate(drawn(boards, steps - done, chance), done + 1):
        for group in optimiser.param_groups:
            falling = 0.51 + 0.5 * math.cos(math.pi * step / steps)
            group["lr"] = _RATE * min(1, step / _WARM) * falling
        losses = _losses(network, lessons, chance)
        optimiser.zero_grad()
        losses.sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        usual += 0.02 * (losses.detach().numpy() - usual)
        if step % _EVERY == 0 or step == steps:
            report(step, usual.tolist())
            _store(state, network, optimiser, step)
    return network


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


def _losses(
    network: nn.Sequential, lessons: Sequence[Lesson], chance: np.random.Generator
) -> torch.Tensor:
    """Returns (4,) the weighted losses of shapes, places, edges and colours."""
    outputs = outputs_on(network, lessons)
    shapes, pieces, away = (
        np.stack([getattr(lesson, name) for lesson in lessons])
        for name in ("shapes", "pieces", "away")
    )
    parts = [
        loss_of_shapes(outputs[..., :KINDS], shapes, _SURELY),
        _PLACES * loss_of_places(outputs[..., AWAY], shapes, away),
        _EDGES * _loss_of_edges(outputs[..., PARTED], shapes, pieces),
        _COLOURS * _loss_of_colours(outputs[..., COLOUR], lessons, chance),
    ]
    return torch.stack(parts)


def _loss_of_edges(
    outputs: torch.Tensor, shapes: NDArray[np.intp], pieces: NDArray[np.intp]
) -> torch.Tensor:
    """Returns the cross entropy of edges of pieces between squares, of which one has a tile."""
    seen, tile = (shapes >= 0) & ~np.isin(shapes, (UNDER, PARTIAL)), _are_tiles(shapes)
    losses = []
    for number, (one, other) in enumerate(
        (
            (np.s_[:, :, :-1], np.s_[:, :, 1:]),
            (np.s_[:, :-1], np.s_[:, 1:]),
        )
    ):
        told = (pieces[one] >= 0) & (pieces[other] >= 0)
        known = torch.from_numpy(seen[one] & seen[other] & (tile[one] | tile[other]) & told)
        ends = torch.from_numpy((pieces[one] != pieces[other]).astype(np.float32))
        lead = outputs[one][..., number]
        loss = nn.functional.binary_cross_entropy_with_logits(lead, ends, reduction="none")
        losses.append((loss * known).sum() / known.sum().clamp(min=1))
    return torch.stack(losses).mean()


def _loss_of_colours(
    outputs: torch.Tensor, lessons: Sequence[Lesson], chance: np.random.Generator
) -> torch.Tensor:
    """Returns the cross entropy of pairs of squares of a view, of one colour or of two.

    Bare squares have a colour of their own, even if the plastic has the colour of the board.
    """
    losses = []
    for output, lesson in zip(outputs, lessons, strict=True):
        tiles = np.argwhere(_are_tiles(lesson.shapes) & (lesson.colours > 0))
        bare = np.argwhere(lesson.shapes == BARE)
        few = (chance.permutation(tiles)[:_TILES], chance.permutation(bare)[:_BARE])
        rows, columns = np.concatenate(few).T
        if len(rows) < 2:
            continue
        places = output[rows, columns]
        apart = (places[:, None] - places[None]).square().sum(-1) - APART
        colours = torch.from_numpy(lesson.colours[rows, columns])
        differ = (colours[:, None] != colours[None]).float()
        pair = torch.triu(torch.ones_like(apart), 1) > 0
        losses.append(nn.functional.binary_cross_entropy_with_logits(apart[pair], differ[pair]))
    return torch.stack(losses).mean() if losses else outputs.sum() * 0


def _are_tiles(shapes: NDArray[np.intp]) -> NDArray[np.bool_]:
    return np.isin(shapes, (DARK, LIGHT, ANY_SHADE))
