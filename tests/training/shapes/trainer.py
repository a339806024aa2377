"""Training of the network of shapes with PyTorch (the `teaching` extra), on one core."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import nn

from tests.training.shapes.boards import ShapeSample
from tests.training.shapes.dataset import drawn
from tests.training.shapes.losses import loss_of_places, loss_of_shapes, outputs_on
from tests.training.shapes.worsening import Lesson
from vision.shape.network import KINDS, SHAPES, Layer

CHANNELS = (3, 16, 32, 48, 80, 80, 80, 80, KINDS + 2)
_LEAK = 0.1
_RATE, _WARM, _DECAY = 2e-3, 100, 1e-3
_SURELY = 0.99
_PLACES = 4.0
"""Weight of the loss of places."""

_EVERY = 250


def learned(
    boards: Sequence[ShapeSample],
    steps: int,
    chance: np.random.Generator,
    report: Callable[[int, float], None],
    start: tuple[Layer, ...] | None = None,
) -> tuple[Layer, ...]:
    """Trains layers on boards, each degraded, turned and recoloured at random.

    Args:
        boards: training data.
        steps: number of steps of a few lessons each.
        chance: random choices of the augmentation.
        report: called at intervals with the step and the mean loss.
        start: initial layers; None for random ones.

    Returns:
        The trained layers.
    """
    torch.set_num_threads(1)
    torch.manual_seed(int(chance.integers(2**31)))
    network = _fresh()
    for part, layer in zip(_learning(network), start or (), strict=start is not None):
        _put(part, layer)
    optimiser = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_DECAY)
    usual = 1.0
    for step, lessons in enumerate(drawn(boards, steps, chance), 1):
        for group in optimiser.param_groups:
            group["lr"] = _RATE * min(1, step / _WARM) * (0.51 + 0.5 * np.cos(np.pi * step / steps))
        loss = _loss(network, lessons)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        usual += 0.02 * (loss.item() - usual)
        if step % _EVERY == 0:
            report(step, usual)
    return tuple(_layer(part) for part in _learning(network))


def _learning(network: nn.Sequential) -> list[nn.Conv2d]:
    return [part for part in network if isinstance(part, nn.Conv2d)]


def _put(part: nn.Conv2d, layer: Layer) -> None:
    """The reverse of `_layer`."""
    out, before, rows, columns = part.weight.shape
    weight = torch.from_numpy(layer[0]).reshape(rows, columns, before, out).permute(3, 2, 0, 1)
    with torch.no_grad():
        part.weight.copy_(weight)
        part.bias.copy_(torch.from_numpy(layer[1]))


def _fresh() -> nn.Sequential:
    """Returns a network with random weights (He and others 2015)."""
    parts: list[nn.Module] = []
    for shape, before, after in zip(SHAPES, CHANNELS[:-1], CHANNELS[1:], strict=True):
        part = nn.Conv2d(before, after, *shape)
        nn.init.kaiming_normal_(part.weight, _LEAK)
        nn.init.zeros_(part.bias)
        parts += [part, nn.LeakyReLU(_LEAK)]
    return nn.Sequential(*parts[:-1]).to(memory_format=torch.channels_last)


def _layer(part: nn.Conv2d) -> Layer:
    """Returns the weights in the order of `vision.shape.network.patches_of`."""
    weight = part.weight.detach().permute(2, 3, 1, 0).reshape(-1, part.out_channels)
    return weight.contiguous().numpy(), part.bias.detach().numpy()


def _loss(network: nn.Sequential, lessons: Sequence[Lesson]) -> torch.Tensor:
    """Returns the loss of the shapes, plus that of places."""
    outputs = outputs_on(network, lessons)
    shapes, away = (
        np.stack([getattr(one, name) for one in lessons]) for name in ("shapes", "away")
    )
    shape_loss = loss_of_shapes(outputs[..., :KINDS], shapes, _SURELY)
    return shape_loss + _PLACES * loss_of_places(outputs[..., KINDS:], shapes, away)
