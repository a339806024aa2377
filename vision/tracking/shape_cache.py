"""What shapes tell of a table that is watched: asked once, kept for as long as nothing changes."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.features.blocks import CoarseView, blocks_of, unlike
from vision.features.square_features import SquareFeatures
from vision.geometry.grid import Grid


@dataclass(frozen=True, slots=True, eq=False)
class ShapeCache:
    """What the network of shapes told, and of what.

    Attributes:
        grid: where the board lay.
        blocks: (n * n, 48) what it looked at, as `vision.features.blocks.blocks_of` has it.
        reliefs: (n * n, 5) what is believed of `vision.shape.network.reliefs`; 0 where nothing is.
    """

    grid: Grid
    blocks: NDArray[np.float32]
    reliefs: NDArray[np.float32]

    def hold(self, grid: Grid, scene: CoarseView) -> NDArray[np.bool_]:
        """(n * n,) squares of which it still holds, since they look as they did.

        Args:
            grid: where the board lies now.
            scene: what is seen now, in coarse blocks.
        """
        if grid is not self.grid:
            return np.zeros(len(self.reliefs), np.bool_)
        return ~unlike(blocks_of(scene), self.blocks)

    def on(self, look: SquareFeatures, squares: NDArray[np.bool_]) -> SquareFeatures:
        """A look with what is told of some squares, (n * n,), and nothing of the others."""
        return replace(look, relief=np.where(squares[:, None], self.reliefs, np.float32(0)))
