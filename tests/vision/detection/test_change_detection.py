"""Things over the rim cover squares, also where they are about as bright as the board."""

import numpy as np
import pytest

from vision.detection.change_detection import compare
from vision.detection.frame_features import BLOCKS, CoarseView

SIZE = 14
SIDE = (SIZE + 2) * BLOCKS


def scene(rim: float = 0.0, field: float = 0.0, blocks: int = 8) -> CoarseView:
    """An even view; at the middle of the bottom, margin and field differ by these logs of light."""
    light = np.zeros((SIDE, SIDE, 3), np.float32)
    middle = slice(SIDE // 2, SIDE // 2 + blocks)
    light[-BLOCKS:, middle] = rim
    light[-2 * BLOCKS : -BLOCKS, middle] = field
    return CoarseView(light, np.ones((SIDE, SIDE), np.bool_), 1.0, 120.0)


@pytest.mark.parametrize(
    ("rim", "field", "squares"),
    [
        (1.0, 1.0, 2),
        (1.0, 0.15, 2),  # a grey cup on a board of sand
        (1.0, 0.05, 0),  # a piece put down beside the board
        (0.15, 0.15, 0),  # a cloud
        (0.0, 1.0, 0),  # a piece laid on the field
    ],
)
def test_a_thing_over_the_rim_covers_the_squares_that_it_changes(
    rim: float, field: float, squares: int
) -> None:
    change = compare(scene(rim, field), scene())
    assert change.covered.sum() == squares
    assert change.hand == (squares > 0)


def test_a_faint_change_is_its_shadow_where_a_thing_covers_squares_clearly() -> None:
    view = scene(1.0, 1.0)
    view.light[-3 * BLOCKS : -2 * BLOCKS, : SIDE // 2 + 8] = 0.15
    assert compare(view, scene()).covered.sum() == 2
