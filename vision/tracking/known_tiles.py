"""Tiles that look foreign by colour, as under a mirrored lamp, and are known by their shape."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_classifier import SquarePosteriors
from vision.features.blocks import CoarseView
from vision.tracking.change_detection import changed_squares


@dataclass(frozen=True, slots=True, eq=False)
class KnownTiles:
    """Squares that showed surely tiles in a still picture, whatever their colours look like.

    Attributes:
        squares: (n * n,) bool, these squares.
        palette: names of the colours.
        evidence: (n * n, 1 + k) probabilities of their content.
        scene: that picture, in coarse blocks.
    """

    squares: NDArray[np.bool_]
    palette: tuple[str, ...]
    evidence: NDArray[np.float64]
    scene: CoarseView

    def unchanged(self, scene: CoarseView) -> NDArray[np.bool_]:
        """(n * n,) those of the squares that look as they did."""
        if not self.squares.any():
            return self.squares
        return self.squares & ~changed_squares(scene, self.scene)

    def applied_to(
        self, posteriors: SquarePosteriors, squares: NDArray[np.bool_]
    ) -> SquarePosteriors:
        """Returns posteriors with the known content of some squares."""
        evidence = np.where(squares[:, None], self.evidence, posteriors.evidence)
        return replace(posteriors, evidence=evidence)
