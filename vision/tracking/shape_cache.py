"""Cache of the results of the network of shapes, valid while a square does not change."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.features.blocks import CoarseView, blocks_of, unlike
from vision.features.square_features import SquareFeatures
from vision.geometry.grid import Grid


@dataclass(frozen=True, slots=True, eq=False)
class ShapeCache:
    """Result of the network of shapes on one frame.

    Attributes:
        grid: place of the board.
        blocks: (n * n, 48) the frame in blocks, from `vision.features.blocks.blocks_of`.
        reliefs: (n * n, 5) trusted part of `vision.shape.network.reliefs`, 0 elsewhere.
    """

    grid: Grid
    blocks: NDArray[np.float32]
    reliefs: NDArray[np.float32]

    def valid(self, grid: Grid, scene: CoarseView) -> NDArray[np.bool_]:
        """(n * n,) squares that are unchanged, so that the result is valid for them.

        Args:
            grid: current place of the board.
            scene: current frame in coarse blocks.
        """
        if grid is not self.grid:
            return np.zeros(len(self.reliefs), np.bool_)
        return ~unlike(blocks_of(scene), self.blocks)

    def renewed(
        self, unchanged: NDArray[np.bool_], scene: CoarseView, reliefs: NDArray[np.float32]
    ) -> "ShapeCache":
        """Returns the cache with the result of a new frame on the other squares.

        A square that changes slowly is compared with the frame in which it was classified.

        Args:
            unchanged: (n * n,) squares that keep their result and their blocks.
            scene: the new frame in coarse blocks.
            reliefs: (n * n, 5) result on it.
        """
        is_unchanged = unchanged[:, None]
        return ShapeCache(
            self.grid,
            np.where(is_unchanged, self.blocks, blocks_of(scene)),
            np.where(is_unchanged, self.reliefs, reliefs),
        )

    def applied_to(self, observed: SquareFeatures, squares: NDArray[np.bool_]) -> SquareFeatures:
        """Returns features with the stored likelihoods on some squares, (n * n,), 0 on others."""
        return replace(observed, relief=np.where(squares[:, None], self.reliefs, np.float32(0)))
