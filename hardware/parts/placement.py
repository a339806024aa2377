"""Where each part stands when a build is assembled, and how many there are. Needs no CAD kernel.

x is right and y up as the camera sees the board, z is up; the middle of the board is x = y = 0, its
first row is at the greatest y, and the table top is z = 0. The mast stands behind the board, at y.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.cameras.models import MODELS
from firmware.cameras.mounting import FLOOR_MM, BoardSize, MountingPlan, plan_mounting
from hardware.parts import bought
from hardware.parts.catalogue import PARTS, triangles_of
from hardware.parts.dimensions import (
    BORE_BEYOND,
    CLAMP_HALF,
    ELBOW_ASIDE,
    FOOT_JAW,
    FRAME_RIM,
    GLOWING_FLOOR,
    HEAD_PLATE,
    HEAD_STOP,
    LARGE_BLOCK,
    LARGE_LENS_DOWN,
    PHONE_ASIDE,
    PHONE_EDGE,
    PHONE_SHELF,
    PHONE_WIDE,
    SMALL_BLOCK,
    SMALL_LENS_DOWN,
    STANDOFF,
    STRIP_PITCH,
    TABLE_EDGE,
    TUBE,
    TUBE_OVER,
    USB_LENS,
    USB_PLATE,
    USB_SLOT,
)
from hardware.parts.mesh import Triangles

BUILDS: Final = ("twenty_minutes", "club_table", "glowing_board")
"""The builds, by the names of their folders."""

SQUARES: Final = {"duo": 14, "classic": 20}
"""Squares along a side of the board of each game."""

_UNTURNED: Final = np.eye(3)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A thing in its place.

    Attributes:
        name: of a part in `catalogue.PARTS`, or of a thing that is bought.
        triangles: its triangles (N, 3, 3) around its own origin.
        position: x, y, z of its origin (3,), in millimetres.
        rotation: matrix (3, 3) that turns its own axes to those of the table.
    """

    name: str
    triangles: Triangles
    position: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    rotation: NDArray[np.float64] = field(default_factory=lambda: _UNTURNED)

    @property
    def is_part(self) -> bool:
        """True if it is printed or cut, False if it is bought."""
        return self.name in PARTS

    @property
    def placed(self) -> Triangles:
        """Its triangles (N, 3, 3) on the table."""
        turned: Triangles = self.triangles @ self.rotation.T + self.position
        return turned


@dataclass(frozen=True, slots=True)
class HeadPlace:
    """A camera's lens beside the arm that carries it.

    Attributes:
        name: the head.
        lens_down: height of the arm's axis above the lens.
        arm_end: distance of the end of the arm's tube from the lens, along the arm.
        arm_aside: distance of the arm's axis from the lens, across the arm.
    """

    name: str
    lens_down: float
    arm_end: float
    arm_aside: float = 0.0


_STOP: Final = HEAD_STOP
_BOARD_DOWN: Final = HEAD_PLATE + STANDOFF - CLAMP_HALF
"""Height of the arm's axis above the back of a camera module; negative, as it is below."""

_SMALL: Final = HeadPlace("head-small", _BOARD_DOWN + SMALL_LENS_DOWN, SMALL_BLOCK + _STOP)
_LARGE: Final = HeadPlace("head-large", _BOARD_DOWN + LARGE_LENS_DOWN, LARGE_BLOCK + _STOP)

HEADS: Final = {
    "module-2": _SMALL,
    "module-3": _SMALL,
    "module-3-wide": _SMALL,
    "ai": _SMALL,
    "hq-6mm": _LARGE,
    "gs-6mm": _LARGE,
    "usb": HeadPlace("head-usb", sum(USB_SLOT) / 2, USB_LENS + USB_PLATE[1] + _STOP),
    "phone": HeadPlace("head-phone", CLAMP_HALF - PHONE_SHELF[1], PHONE_EDGE + _STOP, PHONE_ASIDE),
}
"""The head of each camera in `firmware.cameras.models.MODELS`."""


@dataclass(frozen=True, slots=True)
class MastPlan:
    """A mast for a camera above a board.

    Attributes:
        plan: the camera above the board.
        floor_mm: height of the floor of the squares above the table.
    """

    plan: MountingPlan
    floor_mm: float

    @property
    def head(self) -> HeadPlace:
        """The head at the end of the arm."""
        return HEADS[self.plan.camera.key]

    @property
    def lens_mm(self) -> float:
        """Height of the lens above the table."""
        return self.plan.height_mm + self.floor_mm

    @property
    def arm_mm(self) -> float:
        """Distance from the lens to the axis of the upright, along the arm.

        That of the plan, for a board whose floor may be higher than the plan's.
        """
        slope = self.plan.view_mm[1] / 2 / self.plan.height_mm
        return self.plan.arm_mm + slope * (self.lens_mm - self.plan.mast_mm)

    @property
    def arm_axis_mm(self) -> float:
        """Height of the arm's axis above the table."""
        return self.lens_mm + self.head.lens_down

    @property
    def upright_x_mm(self) -> float:
        """Distance of the axis of the upright from the lens, across the arm."""
        return self.head.arm_aside - ELBOW_ASIDE

    @property
    def upright_tube(self) -> tuple[float, float]:
        """Heights of the ends of the upright's tube, cut to whole millimetres."""
        seat = FOOT_JAW - BORE_BEYOND
        return seat, seat + round(self.arm_axis_mm + CLAMP_HALF + TUBE_OVER - seat)

    @property
    def arm_tube(self) -> tuple[float, float]:
        """Distances of the ends of the arm's tube from the lens, cut to whole millimetres."""
        stop = self.head.arm_end
        return stop, stop + round(self.arm_mm + CLAMP_HALF + TUBE_OVER - stop)

    @property
    def tube_lengths_mm(self) -> tuple[float, float]:
        """Lengths to which the tubes of upright and arm are cut."""
        (low, high), (near, far) = self.upright_tube, self.arm_tube
        return high - low, far - near


def board_of(build: str, game: str) -> BoardSize:
    """Returns the board of a build, in millimetres."""
    squares = SQUARES[game]
    if build == "glowing_board":
        return BoardSize(squares, STRIP_PITCH, FRAME_RIM)
    return BoardSize.usual(squares)


def floor_of(build: str) -> float:
    """Returns the height in millimetres of the floor of the squares above the table."""
    return GLOWING_FLOOR if build == "glowing_board" else FLOOR_MM


def mast_plan(build: str, game: str, camera: str) -> MastPlan:
    """Returns the mast of a build, for a game's board and a camera of `MODELS`."""
    plan = plan_mounting(MODELS[camera], board_of(build, game))
    return MastPlan(plan, floor_of(build))


def assembly(build: str, game: str, camera: str) -> tuple[Placed, ...]:
    """Returns everything that a build consists of, each in its place, from the table up.

    Args:
        build: one of `BUILDS`.
        game: one of `SQUARES`.
        camera: a key of `firmware.cameras.models.MODELS`.
    """
    mast = mast_plan(build, game, camera)
    return (*_table(mast), *_board(build, game), *mast_parts(mast))


def quantities(build: str, game: str, camera: str) -> dict[str, int]:
    """Returns how many of each part a build needs, by the part's name."""
    return dict(Counter(one.name for one in assembly(build, game, camera) if one.is_part))


def mast_parts(mast: MastPlan) -> tuple[Placed, ...]:
    """Returns foot, tubes, elbow and head of a mast, and the camera."""
    x, y, aside = mast.upright_x_mm, mast.arm_mm, mast.head.arm_aside
    (low, high), (near, far) = mast.upright_tube, mast.arm_tube
    upright = bought.cylinder(TUBE / 2, (0, 0, low), (0, 0, high))
    arm = bought.cylinder(TUBE / 2, (0, near, 0), (0, far, 0))
    return (
        _part("mast-foot", x, y, 0.0),
        Placed("upright", upright, _at(x, y, 0.0)),
        _part("mast-elbow", aside, y, mast.arm_axis_mm),
        Placed("arm", arm, _at(aside, 0.0, mast.arm_axis_mm)),
        _part(mast.head.name, 0.0, 0.0, mast.arm_axis_mm),
        *_camera(mast),
    )


def _camera(mast: MastPlan) -> tuple[Placed, ...]:
    """Returns the camera, and what holds it besides its head. Its origin is the lens."""
    key = mast.plan.camera.key
    camera = Placed("camera", bought.camera(key), _at(0.0, 0.0, mast.lens_mm))
    if key != "phone":
        return (camera,)
    free = PHONE_EDGE - sum(PHONE_WIDE) / 2
    return camera, _part("phone-jaw", mast.head.arm_aside, free, mast.lens_mm)


def _table(mast: MastPlan) -> tuple[Placed, ...]:
    """Returns the table top, whose edge the foot holds."""
    edge, wide, thick = mast.arm_mm + TABLE_EDGE, 350.0, 25.0
    return (Placed("table", bought.box((-wide, -edge, -thick), (wide, edge, 0.0))),)


def _board(build: str, game: str) -> tuple[Placed, ...]:
    """Returns the board."""
    size = board_of(build, game)
    shape = bought.board(size.squares, size.pitch_mm, size.outer_mm, FLOOR_MM)
    return (Placed("board", shape),)


def _part(name: str, x: float, y: float, z: float) -> Placed:
    """Returns a part that is not turned."""
    return Placed(name, triangles_of(name), _at(x, y, z))


def _at(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Returns a position (3,)."""
    return np.array((x, y, z), dtype=np.float64)
