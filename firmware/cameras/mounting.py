"""Places of a camera above a board, from its field of view. Pure.

The camera hangs above the middle of the board and looks straight down; the shorter side of its
picture shows the board with its rim and `MARGIN`.
"""

import math
from dataclasses import dataclass
from typing import Final

from firmware.cameras.models import CameraModel, Size

MARGIN: Final = 0.15
"""Share by which the picture shows more than the board: for a mast that is a little off."""

LEAST_SQUARE_PX: Final = 12.0
"""Pixels a square below which a plan warns."""

USUAL_PITCH_MM: Final = {14: 14.0, 20: 18.0}
"""Distance in millimetres from square to square of boards that are sold, by squares along a side;
people measure ten squares of their own."""

FLOOR_MM: Final = 6.0
"""Height of the floor of the squares above the table, in millimetres."""

_FOOT_MM: Final = 20.0
"""Distance in millimetres of the middle of the mast from what the picture shows of the table."""


@dataclass(frozen=True, slots=True)
class BoardSize:
    """A board: squares along a side, their pitch, and the rim around them in millimetres."""

    squares: int
    pitch_mm: float
    rim_mm: float = 25.0

    @staticmethod
    def usual(squares: int) -> "BoardSize":
        """Returns the board that is sold, by its squares along a side: 14 or 20."""
        return BoardSize(squares, USUAL_PITCH_MM[squares])

    @property
    def outer_mm(self) -> float:
        """Length of a side with its rim."""
        return self.squares * self.pitch_mm + 2 * self.rim_mm


@dataclass(frozen=True, slots=True)
class MountingPlan:
    """A camera above a board.

    Attributes:
        camera: the camera.
        board: the board.
        pictures: width and height of its pictures in pixels.
        height_mm: distance from the lens to the floor of the squares.
        needed_mm: least such distance that shows the board with its margin.
        focal_px: focal length of the camera in pixels of the pictures.
    """

    camera: CameraModel
    board: BoardSize
    pictures: Size
    height_mm: float
    needed_mm: float
    focal_px: float

    @property
    def mast_mm(self) -> float:
        """Height of the lens above the table."""
        return self.height_mm + FLOOR_MM

    @property
    def arm_mm(self) -> float:
        """Distance from the middle of the board to a mast that the picture does not show.

        The mast stands at a longer side of the picture.
        """
        return self.pictures[1] / 2 / self.focal_px * self.mast_mm + _FOOT_MM

    @property
    def view_mm(self) -> tuple[float, float]:
        """Width and height of what the picture shows at the floor of the squares."""
        width, height = (side / self.focal_px * self.height_mm for side in self.pictures)
        return width, height

    @property
    def angles_deg(self) -> tuple[float, float]:
        """Angles that the width and the height of the picture span."""
        across, down = (
            2 * math.degrees(math.atan(side / 2 / self.focal_px)) for side in self.pictures
        )
        return across, down

    @property
    def square_px(self) -> float:
        """Side of a square in pixels."""
        return self.board.pitch_mm * self.focal_px / self.height_mm

    @property
    def corner_deg(self) -> float:
        """Angle between the view of a corner of the board, with its rim, and straight down."""
        return math.degrees(math.atan(self.board.outer_mm / math.sqrt(2) / self.height_mm))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Clauses on what is wrong with the plan, each with its remedy; empty if it is fine."""
        found = []
        if self.square_px < LEAST_SQUARE_PX:
            found.append(
                f"a square is only {self.square_px:.1f} pixels wide, {LEAST_SQUARE_PX:.0f} are "
                "the least: bring the camera closer or choose a higher resolution"
            )
        if self.height_mm < self.needed_mm:
            found.append(
                "the picture shows too little around the board: mount the camera "
                f"{math.ceil(self.needed_mm / 10)} cm above it or higher"
            )
        return tuple(found)


def plan_mounting(
    camera: CameraModel,
    board: BoardSize,
    pictures: Size | None = None,
    height_mm: float | None = None,
) -> MountingPlan:
    """Returns the plan for a camera above a board.

    Args:
        camera: the camera.
        board: the board.
        pictures: width and height of its pictures in pixels; those of this program by default.
        height_mm: height at which it hangs; None for the least that is needed, in whole
            millimetres.
    """
    size = pictures or camera.pictures
    focal = camera.focal_px(size)
    needed = math.ceil(board.outer_mm * (1 + MARGIN) * focal / min(size))
    return MountingPlan(camera, board, size, height_mm or needed, needed, focal)
