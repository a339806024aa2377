"""The network that finds boards as a PyTorch module, and its file for OpenCV."""

from pathlib import Path

import torch
from torch import nn

from tests.training.shapes.architecture import Residual, convolution
from vision.detection.board_network import CORNER, OUTPUTS, VIEW_PX

_WIDTHS = (16, 32, 48, 64, 78)
"""Channels of the layers, each at half the scale of the one before."""


_RARE = -4.0
"""Log odds of a corner before anything is learned."""


class FinderNetwork(nn.Module):  # type: ignore[misc]
    """A pyramid of features, each added to the next finer one (Lin and others 2017)."""

    def __init__(self) -> None:
        super().__init__()
        first, *widths = _WIDTHS
        self.start = nn.Sequential(*convolution(3, first, 4, 2))
        self.down, self.side = nn.ModuleList(), nn.ModuleList()
        for before, after in zip(_WIDTHS, widths, strict=False):
            step = nn.Sequential(*convolution(before, after, 4, 2), Residual(after))
            self.down.append(step)
        self.up = nn.ModuleList()
        for coarse, fine in zip(widths[::-1], widths[-2::-1], strict=False):
            self.side.append(nn.Conv2d(coarse, fine, 1))
            self.up.append(nn.Sequential(*convolution(fine, fine, 3, 1)))
        self.end = nn.Sequential(
            *convolution(widths[0], widths[0], 3, 1), nn.Conv2d(widths[0], OUTPUTS, 1)
        )
        self.end[-1].bias.data[CORNER] = _RARE
        self.to(memory_format=torch.channels_last)

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """Returns (k, OUTPUTS, h / 4, w / 4) outputs for (k, 3, h, w) views."""
        found = [self.start(views)]
        for step in self.down:
            found.append(step(found[-1]))
        values = found.pop()
        for side, step in zip(self.side, self.up, strict=True):
            larger = nn.functional.interpolate(side(values), scale_factor=2, mode="nearest")
            values = step(larger + found.pop())
        return torch.as_tensor(self.end(values))


def export(network: nn.Module, path: Path) -> None:
    """Writes a network as ONNX."""
    views = (torch.zeros(1, 3, VIEW_PX, VIEW_PX),)
    torch.onnx.export(network.eval(), views, path, dynamo=False)
