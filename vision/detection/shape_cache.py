"""Outputs of the network of shapes, computed again only where a square has changed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.frame_features import CoarseView, blocks_of, unlike
from vision.geometry.grid import Grid
from vision.reading import on_border
from vision.squares.network import BARE, Shapes, next_to_border, shapes_of, tiles


@dataclass(frozen=True, slots=True, eq=False)
class ShapeCache:
    """Outputs of the network, each square's from the frame in which it last changed.

    Attributes:
        grid: place of the board.
        blocks: (n + 2, n + 2, 48) each square in that frame, also around, from
            `vision.detection.frame_features.blocks_of`.
        shapes: the outputs.
        hasty: (n * n,) squares whose outputs are of a frame in which something moved.
    """

    grid: Grid
    blocks: NDArray[np.float32]
    shapes: Shapes
    hasty: NDArray[np.bool_]

    @staticmethod
    def of(image: Image, grid: Grid, scene: CoarseView, *, is_hasty: bool) -> "ShapeCache":
        """Runs the network on all squares of a frame; see `renewed`."""
        hasty = np.full(grid.size**2, is_hasty)
        return ShapeCache(grid, blocks_of(scene), shapes_of(image, grid), hasty)

    def changed(self, scene: CoarseView) -> NDArray[np.bool_]:
        """(n * n,) squares that look different now, so that their outputs are not valid."""
        return np.asarray(unlike(blocks_of(scene), self.blocks)[1:-1, 1:-1].ravel())

    def changed_beyond(self, scene: CoarseView) -> NDArray[np.bool_]:
        """(n * n,) tiles on the border beyond which the table looks different now."""
        beyond = next_to_border(unlike(blocks_of(scene), self.blocks))
        return on_border(beyond) & (tiles(self.shapes) > self.shapes.classes[:, BARE])

    def renewed(
        self, image: Image, scene: CoarseView, squares: NDArray[np.bool_], *, is_hasty: bool
    ) -> "ShapeCache":
        """Returns the cache with the outputs of a new frame on some squares.

        A square that changes slowly is compared with the frame in which it was classified.

        Args:
            image: (height, width, 3) uint8.
            scene: the same frame in coarse blocks.
            squares: (n * n,) squares to compute.
            is_hasty: True if something moves in the frame.
        """
        if not squares.any():
            return self
        shapes = self.shapes.replaced(squares, shapes_of(image, self.grid, squares))
        # What is around the field belongs to the squares of the border.
        seen = np.pad(squares.reshape(self.grid.size, -1), 1, mode="edge")
        blocks = np.where(seen[..., None], blocks_of(scene), self.blocks)
        return ShapeCache(self.grid, blocks, shapes, np.where(squares, is_hasty, self.hasty))
