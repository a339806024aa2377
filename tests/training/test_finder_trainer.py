"""The training of the network that finds boards: it learns, and lessons are turned rightly."""

import numpy as np
import pytest

from tests.training.finder.lessons import outputs_of
from tests.training.test_finder import PLACE
from vision.detection.board_network import CORNER, MIDDLE, NEAR, OUTPUTS, STRIDE, VIEW_PX
from vision.geometry.grid import Points

torch = pytest.importorskip("torch", reason="PyTorch is missing; install the extra teaching")

from tests.training.finder.architecture import FinderNetwork  # noqa: E402
from tests.training.finder.trainer import FinderBatch, turned  # noqa: E402


def turned_left(corners: Points, quarters: int, *, mirror: bool) -> Points:
    for _ in range(quarters):
        corners = np.stack([corners[:, 1], VIEW_PX - 1 - corners[:, 0]], axis=1)
    return np.stack([VIEW_PX - 1 - corners[:, 0], corners[:, 1]], axis=1) if mirror else corners


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("mirror", [False, True])
def test_outputs_turn_with_their_view(quarters: int, mirror: bool) -> None:  # noqa: FBT001
    views = torch.zeros(1, 3, VIEW_PX, VIEW_PX)
    batch = FinderBatch(views, torch.from_numpy(outputs_of([(PLACE, 14)]))[None])
    found = turned(batch, quarters, mirror=mirror).outputs[0].numpy()
    wanted = outputs_of([(turned_left(PLACE, quarters, mirror=mirror), 14)])
    at = wanted[CORNER] > 0.2
    assert np.allclose(found[CORNER], wanted[CORNER], atol=1e-5)
    for part in (NEAR, MIDDLE):
        assert np.allclose(found[part][:, at], wanted[part][:, at], atol=1e-4)


def test_the_network_is_small() -> None:
    network = FinderNetwork()
    assert sum(values.numel() for values in network.parameters()) < 500_000
    outputs = network(torch.zeros(1, 3, VIEW_PX, VIEW_PX))
    assert tuple(outputs.shape) == (1, OUTPUTS, VIEW_PX // STRIDE, VIEW_PX // STRIDE)
