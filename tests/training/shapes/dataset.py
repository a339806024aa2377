"""Training data of the network of shapes: views of augmented boards, and their truth."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, ShapeSample
from tests.training.shapes.worsening import Lesson, worsened
from vision.squares.network import DARK, KINDS, LIGHT


def drawn(
    boards: Sequence[ShapeSample], size: int, chance: np.random.Generator
) -> Iterator[list[Lesson]]:
    """Yields lessons without end, some at a time.

    Args:
        boards: boards to augment.
        size: lessons at a time.
        chance: random choices of the augmentation.
    """
    while True:
        chosen = (boards[k] for k in chance.integers(len(boards), size=size))
        yield [worsened(board, chance) for board in chosen]


def turned(values: Sequence[Any], quarters: int, mirror: int) -> list[Any]:
    """Returns lessons turned left by `quarters`, then mirrored if `mirror` is -1.

    Args:
        values: views, shapes, colours, pieces and offsets, each (k, side, side, ...): arrays of
            NumPy, or tensors of PyTorch.
        quarters: quarter turns.
        mirror: 1 or -1.
    """
    for _ in range(quarters):
        values = [_reversed(one.swapaxes(1, 2), 1) for one in values]
        # An offset to the right becomes one upwards.
        values[-1] = values[-1][..., [1, 0]]
        values[-1][..., 1] *= -1
    if mirror < 0:
        values = [_reversed(one, 2) for one in values]
        values[-1][..., 0] *= -1
    return list(values)


def _reversed(values: Any, axis: int) -> Any:
    order = list(range(values.shape[axis]))[::-1]
    return values[:, order] if axis == 1 else values[:, :, order]


def _ruled_out() -> NDArray[np.float32]:
    """Returns large negative numbers for shapes that a label excludes; last row: `NOT_KNOWN`."""
    allowed = np.zeros((ANY_SHADE + 2, KINDS), bool)
    allowed[range(KINDS), range(KINDS)] = True
    allowed[ANY_SHADE, [DARK, LIGHT]] = True
    allowed[-1] = True
    return np.where(allowed, 0, -1e9).astype(np.float32)


RULED_OUT: Final = _ruled_out()
"""(9, 7) large negative numbers for the shapes that each label, a row, excludes."""
