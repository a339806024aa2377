"""The network of shapes as a PyTorch module, and its file for OpenCV."""

from pathlib import Path

import torch
from torch import nn

from vision.squares.network import MARGIN, OUTPUTS, SCALE

_WIDTHS = (32, 56, 96, 160)
"""Channels after each of the four layers that halve the view, down to one place per square."""

_LEAK = 0.1


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions whose result is added to their input (He and others 2016)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.steps = nn.Sequential(
            *convolution(width, width, 3, 1), *convolution(width, width, 3, 1)[:2]
        )
        self.end = nn.LeakyReLU(_LEAK)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Returns (k, width, h, w) values."""
        result: torch.Tensor = self.end(values + self.steps(values))
        return result


def fresh() -> nn.Sequential:
    """Returns a network with random weights."""
    first, second, third, last = _WIDTHS
    parts = nn.Sequential(
        *convolution(3, first, 4, 2),
        *convolution(first, second, 4, 2),
        *convolution(second, third, 4, 2),
        Residual(third),
        *convolution(third, last, 4, 2),
        Residual(last),
        *convolution(last, last, 3, 1),
        nn.Conv2d(last, OUTPUTS, 1),
    )
    return parts.to(memory_format=torch.channels_last)


def convolution(before: int, after: int, kernel: int, stride: int) -> list[nn.Module]:
    """Returns a convolution with its normalisation and its activation."""
    part = nn.Conv2d(before, after, kernel, stride, 1, bias=False)
    nn.init.kaiming_normal_(part.weight, _LEAK)
    return [part, nn.BatchNorm2d(after), nn.LeakyReLU(_LEAK)]


def export(network: nn.Sequential, path: Path) -> None:
    """Writes a network as ONNX, for views of any size."""
    side = (14 + 2 * MARGIN) * SCALE
    torch.onnx.export(network.eval(), (torch.zeros(1, 3, side, side),), path, dynamo=False)
