"""Places of cameras above a board, for the step of the set-up in which one is mounted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CameraMounting:
    """A camera above a board, as the program of the table reckons it; lengths in millimetres.

    Attributes:
        camera: key of the camera.
        title: its name in English.
        squares: squares along a side of the board.
        pitch_mm: distance from square to square.
        rim_mm: rim of the board around its squares.
        height_mm: from the lens to the squares.
        mast_mm: from the lens to the table.
        arm_mm: from the mast to the middle of the board.
        view_mm: width and height of what the picture shows.
        square_px: pixels a square.
        corner_deg: angle in degrees between the view of a corner and straight down.
        is_coarse: True if that are too few pixels.
    """

    camera: str
    title: str
    squares: int
    pitch_mm: float
    rim_mm: float
    height_mm: float
    mast_mm: float
    arm_mm: float
    view_mm: tuple[float, float]
    square_px: float
    corner_deg: float
    is_coarse: bool
