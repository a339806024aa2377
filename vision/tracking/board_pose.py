"""Where a watched board lies: its lines are followed, its shapes say how far these are off.

A ridge is lit from one side, so that its edge is seen beside its middle, by up to a tenth of a
square. Shapes are asked for the place when a board has been found or has moved, in a frame that
shows it plainly; for following it from frame to frame its lines are enough.
"""

from dataclasses import dataclass

import numpy as np

from vision.camera import Image
from vision.detection.board_detector import TRUSTED, exactly, squares_between
from vision.detection.grid_fit import GridFit
from vision.features.frame_features import MARGIN, SCALE
from vision.geometry.grid import Warp
from vision.geometry.lens import Lens


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """Where a board lies.

    Attributes:
        lines: where its lines are seen.
        warp: to a view of its squares from above.
        is_exact: whether shapes have been asked since it was found there.
    """

    lines: GridFit
    warp: Warp
    is_exact: bool

    @staticmethod
    def of(lines: GridFit) -> "BoardPose":
        """Where a board lies whose lines have been found."""
        return BoardPose(lines, Warp.of(lines.grid, SCALE, MARGIN), is_exact=False)

    def put_right(self, image: Image, lens: Lens | None) -> "BoardPose":
        """The same where shapes have it, as far as that can be.

        Args:
            image: (height, width, 3) uint8.
            lens: of the camera, if it was measured.
        """
        exact = exactly(image, self.lines, lens).grid
        near = squares_between(self.lines.grid, exact) < TRUSTED
        warp = Warp.of(exact, SCALE, MARGIN) if near else self.warp
        return BoardPose(self.lines, warp, is_exact=True)

    def at(self, lines: GridFit) -> "BoardPose":
        """Where the same board may lie when its lines are seen elsewhere."""
        here = self.lines.grid
        corners = lines.grid.project(here.unproject(self.warp.grid.corners))
        warp = Warp.of(lines.grid.with_corners(corners), SCALE, MARGIN)
        return BoardPose(lines, warp, is_exact=False)

    def away_px(self, before: "BoardPose") -> float:
        """How far its corners are from where they were, at most, in pixels, as its lines tell."""
        away = self.lines.grid.corners - before.lines.grid.corners
        return float(np.linalg.norm(away, axis=1).max())
