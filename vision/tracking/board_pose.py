"""Place of a tracked board: its lines are tracked, and corrected by its shapes.

A ridge is lit from one side, so that its edge appears beside its middle, by up to a tenth of a
square. The network of shapes corrects the place when a board was found or has moved, in a frame
that shows it plainly; from frame to frame its lines are enough.
"""

from dataclasses import dataclass

import numpy as np

from vision.camera import Image
from vision.detection.board_detector import TRUSTED, refined_by_shapes, squares_between
from vision.detection.grid_fit import GridFit
from vision.features.frame_features import MARGIN, SCALE
from vision.geometry.grid import Warp
from vision.geometry.lens import Lens


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """Place of a board.

    Attributes:
        lines: fit of its lines.
        warp: warp to a view of its squares from above.
        is_exact: True if shapes have corrected the place since it was found there.
    """

    lines: GridFit
    warp: Warp
    is_exact: bool

    @staticmethod
    def of(lines: GridFit) -> "BoardPose":
        """Returns the place of a board whose lines have been found."""
        return BoardPose(lines, Warp.of(lines.grid, SCALE, MARGIN), is_exact=False)

    def corrected(self, image: Image, lens: Lens | None) -> "BoardPose":
        """Returns the place corrected by shapes, if that is within `TRUSTED` of the lines.

        Args:
            image: (height, width, 3) uint8.
            lens: lens of the camera, if it was measured.
        """
        exact = refined_by_shapes(image, self.lines, lens).grid
        near = squares_between(self.lines.grid, exact) < TRUSTED
        warp = Warp.of(exact, SCALE, MARGIN) if near else self.warp
        return BoardPose(self.lines, warp, is_exact=True)

    def at(self, lines: GridFit) -> "BoardPose":
        """Moves the board with its lines; the correction by shapes is carried over."""
        here = self.lines.grid
        corners = lines.grid.project(here.unproject(self.warp.grid.corners))
        warp = Warp.of(lines.grid.with_corners(corners), SCALE, MARGIN)
        return BoardPose(lines, warp, is_exact=False)

    def away_px(self, before: "BoardPose") -> float:
        """Largest distance in pixels of its corners from those of `before`, by its lines."""
        away = self.lines.grid.corners - before.lines.grid.corners
        return float(np.linalg.norm(away, axis=1).max())
