"""Cameras that people mount above a board, what each of them sees, and the place for it. Pure.

The camera hangs above the middle of the board and looks straight down; the shorter side of its
picture shows the board with its rim and `MARGIN`. A further camera is a further row of `MODELS`.
"""

import math
from dataclasses import dataclass
from typing import Final

Size = tuple[int, int]
"""Width and height in pixels."""

RASPBERRY_PI_PICTURES: Final[Size] = (1536, 864)
"""Pictures that `firmware.cameras.raspberry_pi` takes, of every camera at the ribbon connector."""

USB_PICTURES: Final[Size] = (1280, 720)
"""Pictures that `firmware.cameras.usb` takes."""

_WIDE_SCREEN: Final[Size] = (1920, 1080)
"""Size in pixels of pictures at 16:9."""

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
class CameraModel:
    """A camera with its lens, as a pinhole.

    Attributes:
        key: name on the command line.
        title: name in sentences, in English.
        sensor: width and height in pixels of a mode that shows its whole field of view.
        down_deg: angle in degrees that the height of such a picture spans.
        source: where the angle comes from.
        pictures: width and height in pixels of the pictures that this program takes.
    """

    key: str
    title: str
    sensor: Size
    down_deg: float
    source: str
    pictures: Size

    def focal_px(self, pictures: Size | None = None) -> float:
        """Returns the focal length in pixels.

        Args:
            pictures: width and height of the pictures; those of this program by default. Pictures
                of another shape than the sensor's lack what lies beyond two of its sides.
        """
        width, height = pictures or self.pictures
        whole = self.sensor[1] / 2 / math.tan(math.radians(self.down_deg / 2))
        return whole * max(width / self.sensor[0], height / self.sensor[1])


def _of_lens(focal_mm: float, sensor_mm: float) -> float:
    """Returns the angle in degrees that a sensor of some height sees through a lens."""
    return 2 * math.degrees(math.atan(sensor_mm / 2 / focal_mm))


def _of_diagonal(diagonal_deg: float, size: Size) -> float:
    """Returns the angle in degrees across the height from that across the diagonal."""
    share = size[1] / math.hypot(*size)
    return 2 * math.degrees(math.atan(share * math.tan(math.radians(diagonal_deg / 2))))


def _of_raspberry_pi(
    key: str, title: str, sensor: Size, down_deg: float, source: str
) -> CameraModel:
    """Returns a camera at the ribbon connector; its field of view is from the documentation."""
    source = f"Raspberry Pi documentation, camera hardware: {source}"
    return CameraModel(key, title, sensor, down_deg, source, RASPBERRY_PI_PICTURES)


MODELS: Final = {
    model.key: model
    for model in (
        _of_raspberry_pi("module-2", "Camera Module 2", (1640, 1232), 48.8, "62.2 x 48.8 degrees"),
        _of_raspberry_pi("module-3", "Camera Module 3", (2304, 1296), 41.0, "66 x 41 degrees"),
        _of_raspberry_pi(
            "module-3-wide", "Camera Module 3 Wide", (2304, 1296), 67.0, "102 x 67 degrees"
        ),
        _of_raspberry_pi("ai", "AI Camera", (2028, 1520), 52.3, "66 x 52.3 degrees"),
        _of_raspberry_pi(
            "hq-6mm",
            "HQ Camera, 6 mm lens",
            (2028, 1520),
            _of_lens(6.0, 4.712),
            "sensor IMX477, 6.287 x 4.712 mm; lens of 6 mm",
        ),
        _of_raspberry_pi(
            "gs-6mm",
            "Global Shutter Camera, 6 mm lens",
            (1456, 1088),
            _of_lens(6.0, 1088 * 0.00345),
            "sensor IMX296, pixels of 3.45 um; lens of 6 mm",
        ),
        CameraModel(
            "usb",
            "USB webcam, 1080p, 70 degrees across the diagonal",
            _WIDE_SCREEN,
            _of_diagonal(70.0, _WIDE_SCREEN),
            "assumed; usual webcams state 65 to 78 degrees across the diagonal",
            USB_PICTURES,
        ),
        CameraModel(
            "phone",
            "phone, 79 degrees across the diagonal",
            _WIDE_SCREEN,
            _of_diagonal(79.0, _WIDE_SCREEN),
            "assumed; main cameras of phones correspond to lenses of 24 to 28 mm, 75 to 84 degrees",
            _WIDE_SCREEN,
        ),
    )
}
"""The cameras by key. The field of view of the Module 1 is known too, but its focus is fixed at a
metre and more."""


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
