"""Places of all parts in an assembled build, and their numbers. Needs no CAD kernel.

x is right and y up as the camera sees the board, z is up; the middle of the board is x = y = 0, its
first row is at the greatest y, and the table top is z = 0. The mast stands behind the board, at y.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.cameras.mounting import FLOOR_MM, MODELS, BoardSize, MountingPlan, plan_mounting
from firmware.printing.marker_layout import MarkerLayout
from firmware.rules.pieces import PIECES
from hardware.parts import bought
from hardware.parts.catalogue import PARTS, triangles_of
from hardware.parts.dimensions import (
    BASE_HIGH,
    BORE_BEYOND,
    BOX_WALL,
    BUTTON_BOX,
    BUTTON_HOLE,
    CLAMP_HALF,
    COMPUTER_BELOW,
    COMPUTER_CASE,
    ELBOW_ASIDE,
    FOOT_JAW,
    FOOT_PAD,
    FRAME_RIM,
    GLOWING_FLOOR,
    GRID_HIGH,
    HEAD_PLATE,
    HEAD_STOP,
    LARGE_BLOCK,
    LARGE_LENS_DOWN,
    MARKER_CARD,
    PANEL,
    PANEL_FLOOR,
    PANEL_FOOT,
    PANEL_HIGH,
    PANEL_LEDGE,
    PANEL_SCREWS,
    PANEL_TILT_DEG,
    PHONE_ASIDE,
    PHONE_EDGE,
    PHONE_SHELF,
    PHONE_WIDE,
    RIBBON_BENDS,
    SEAT_AWAY,
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

PLAYERS: Final = {"duo": 2, "classic": 4}
"""Sets of pieces of each game, and people with a button."""

_BUTTON_Y: Final = {"duo": (0.0,), "classic": (-70.0, 70.0)}
"""Places of the buttons along both sides of the board, between the markers."""

_CARD_THICK: Final = 0.3
"""Thickness of a card with a marker."""

_TABLE_THICK: Final = 25.0
"""Thickness of the table top."""

_TABLE_BEYOND: Final = 60.0
"""Width of the table beyond what stands on it."""

_PANEL_AWAY: Final = 20.0
"""Distance of the panels from the buttons."""

_UNTURNED: Final = np.eye(3)
"""Rotation of a part that is not turned."""


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
"""Thickness of the wall of a head at which the tube of the arm ends."""

_BOARD_DOWN: Final = HEAD_PLATE + STANDOFF - CLAMP_HALF
"""Height of the arm's axis above the back of a camera module; negative, as it is below."""

_SMALL: Final = HeadPlace("head-small", _BOARD_DOWN + SMALL_LENS_DOWN, SMALL_BLOCK + _STOP)
"""Head of the camera modules on boards of 25 x 24."""

_LARGE: Final = HeadPlace("head-large", _BOARD_DOWN + LARGE_LENS_DOWN, LARGE_BLOCK + _STOP)
"""Head of the camera modules on boards of 38 x 38."""

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
"""The head of each camera in `firmware.cameras.mounting.MODELS`."""


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

    @property
    def computer_mm(self) -> float:
        """Height above the table of the top of the case, which is strapped below the elbow."""
        return self.arm_axis_mm - CLAMP_HALF - COMPUTER_BELOW

    @property
    def ribbon_mm(self) -> float:
        """Least length of the camera's cable, from the far end of the Raspberry Pi's case."""
        bottom = self.computer_mm - COMPUTER_CASE[2]
        return self.arm_mm + self.arm_axis_mm - bottom + RIBBON_BENDS


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

    Pieces are left out: `piece_on_board` places them.

    Args:
        build: one of `BUILDS`.
        game: one of `SQUARES`.
        camera: a key of `firmware.cameras.mounting.MODELS`.
    """
    mast = mast_plan(build, game, camera)
    parts = (*_board(build, game), *_beside(build, game), *mast_parts(mast))
    if build != "twenty_minutes":
        place = _at(mast.upright_x_mm, mast.arm_mm, mast.computer_mm)
        parts = (*parts, Placed("computer", bought.computer(), place))
    return (_table(mast, parts), *parts)


def quantities(build: str, game: str, camera: str) -> dict[str, int]:
    """Returns how many of each part a build needs, by the part's name.

    Every player of the glowing board has 21 printed pieces: two play Duo, four play Classic.
    """
    count = Counter(one.name for one in assembly(build, game, camera) if one.is_part)
    if build == "glowing_board":
        count.update({f"piece-{piece.name.lower()}": PLAYERS[game] for piece in PIECES})
    return dict(count)


def fasteners(build: str, game: str, camera: str) -> dict[str, int]:
    """Returns how many of each screw a build needs, by its name in `PartEntry.fixed_by`."""
    count: Counter[str] = Counter()
    for name, parts in quantities(build, game, camera).items():
        for screw, each in PARTS[name].fixed_by:
            count[screw] += parts * each
    return dict(count)


def piece_on_board(name: str, game: str, row: int, column: int) -> Placed:
    """Returns a printed piece on a glowing board.

    Args:
        name: of a piece in `firmware.rules.pieces.PIECES`.
        game: one of `SQUARES`.
        row: row of the first row of its first shape, 0 the one at the mast.
        column: column of the first column of that shape.
    """
    half = SQUARES[game] * STRIP_PITCH / 2
    x, y = column * STRIP_PITCH - half, half - row * STRIP_PITCH
    return _part(f"piece-{name.lower()}", x, y, GLOWING_FLOOR)


def mast_parts(mast: MastPlan) -> tuple[Placed, ...]:
    """Returns foot, tubes, elbow and head of a mast, and the camera."""
    x, y, aside = mast.upright_x_mm, mast.arm_mm, mast.head.arm_aside
    (low, high), (near, far) = mast.upright_tube, mast.arm_tube
    upright = bought.cylinder(TUBE / 2, (0, 0, low), (0, 0, high))
    arm = bought.cylinder(TUBE / 2, (0, near, 0), (0, far, 0))
    return (
        _part("mast-foot", x, y, 0.0),
        _part("foot-pad", x, y, -_TABLE_THICK),
        Placed("bolt-m6", bought.bolt_m6(), _at(x, y, FOOT_PAD[2] - FOOT_PAD[1] - _TABLE_THICK)),
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


def _table(mast: MastPlan, parts: tuple[Placed, ...]) -> Placed:
    """Returns a table top for the parts, whose edge the foot holds."""
    corners = np.concatenate([part.placed.reshape(-1, 3) for part in parts])
    left, front = corners[:, :2].min(axis=0) - _TABLE_BEYOND
    right = corners[:, 0].max() + _TABLE_BEYOND
    edge = mast.arm_mm + TABLE_EDGE
    return Placed("table", bought.box((left, front, -_TABLE_THICK), (right, edge, 0.0)))


def _board(build: str, game: str) -> tuple[Placed, ...]:
    """Returns the board, with the cards of the markers."""
    size = board_of(build, game)
    if build == "glowing_board":
        return (*_glowing_board(game), *_cards(size, GLOWING_FLOOR))
    shape = bought.board(size.squares, size.pitch_mm, size.outer_mm, FLOOR_MM)
    return (Placed("board", shape), *_cards(size, 0.0))


def _cards(size: BoardSize, height: float) -> list[Placed]:
    """Returns the cards of the markers beside a board."""
    layout = MarkerLayout(size)
    card = bought.slab(layout.card_mm, layout.card_mm, 0.0, _CARD_THICK)
    return [Placed("marker-card", card, _at(x, -y, height)) for x, y in layout.centres]


def _glowing_board(game: str) -> list[Placed]:
    """Returns a glowing board, from its base plate up."""
    squares = SQUARES[game]
    half = squares * STRIP_PITCH / 2 + FRAME_RIM
    seat = half - MARKER_CARD / 2
    grid = [(f"light-grid-{game}-{name}", turn) for name in "ab" for turn in (0, 180)]
    return [
        _part(f"base-{game}", 0.0, 0.0, 0.0),
        Placed("strips", bought.strips(squares), _at(0.0, 0.0, BASE_HIGH)),
        *(_part(name, 0.0, 0.0, BASE_HIGH, turn) for name, turn in grid),
        *(_part(f"frame-corner-{game}", 0.0, 0.0, BASE_HIGH, 90 * k) for k in range(4)),
        _part(f"opal-{game}", 0.0, 0.0, BASE_HIGH + GRID_HIGH),
        *(_part("marker-seat", -half, y, BASE_HIGH) for y in (-seat, seat)),
        *(_part("marker-seat", half, y, BASE_HIGH, 180) for y in (-seat, seat)),
    ]


def _beside(build: str, game: str) -> tuple[Placed, ...]:
    """Returns what stands beside the board: buttons, and the panel of a club table."""
    if build == "twenty_minutes":
        return ()
    layout = MarkerLayout(board_of(build, game))
    middle = layout.board.outer_mm / 2 + SEAT_AWAY + BUTTON_BOX[0] / 2
    buttons = [one for y in _BUTTON_Y[game] for one in _buttons(middle, y)]
    if build == "glowing_board":
        return tuple(buttons)
    return (*buttons, *_PANELS[game](middle + BUTTON_BOX[0] / 2 + _PANEL_AWAY))


def _buttons(x: float, y: float) -> list[Placed]:
    """Returns a box with a button at both sides of the board, cables away from it."""
    button = bought.cylinder(BUTTON_HOLE / 2 + 1.5, (0, 0, 0), (0, 0, 4.0))
    top = BOX_WALL + BUTTON_BOX[1]
    return [
        one
        for side in (-1, 1)
        for one in (
            _part("button-lid-1", side * x, y, BOX_WALL, -90 * side),
            _part("button-box-1", side * x, y, BOX_WALL, -90 * side),
            Placed("button", button, _at(side * x, y, top)),
        )
    ]


def _one_panel(left: float) -> list[Placed]:
    """Returns one panel on its wedges, leaning towards the players."""
    _, low, long = PANEL_FOOT
    x, tilt = left + PANEL / 2 + PANEL_LEDGE + BOX_WALL, np.radians(PANEL_TILT_DEG)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    middle = _at(x, 0.0, low + long / 2 * np.tan(tilt))
    panel = bought.slab(PANEL, PANEL, PANEL_FLOOR, PANEL_FLOOR + 2.0)
    above = middle + lean @ _at(0.0, 0.0, PANEL_FLOOR + PANEL_HIGH)
    wedges = [x - PANEL_SCREWS[0] / 2, x + PANEL_SCREWS[0] / 2]
    return [
        *(_part("panel-wedge", at, -long / 2, 0.0) for at in wedges),
        Placed("panel-tray", triangles_of("panel-tray"), middle, lean),
        Placed("panel", panel, middle, lean),
        Placed("panel-opal-one", triangles_of("panel-opal-one"), above, lean),
    ]


def _four_panels(left: float) -> list[Placed]:
    """Returns four panels in one square, flat on blocks."""
    middle = _at(left + PANEL + PANEL_LEDGE + BOX_WALL, 0.0, PANEL_FOOT[1])
    panel = bought.slab(PANEL, PANEL, PANEL_FLOOR, PANEL_FLOOR + 2.0)
    across, along = PANEL_SCREWS
    found = []
    for turn in (_about_z(90 * k) for k in range(4)):
        place = middle + turn @ _at(-PANEL / 2, PANEL / 2, 0.0)
        found += [
            Placed("panel-corner", triangles_of("panel-corner"), place, turn),
            Placed("panel", panel, place, turn),
        ]
        for side in (-1, 1):
            foot = place + turn @ _at(-side * across / 2, side * along / 2, -PANEL_FOOT[1])
            found.append(Placed("panel-block", triangles_of("panel-block"), foot, turn))
    above = middle + _at(0.0, 0.0, PANEL_FLOOR + PANEL_HIGH)
    return [*found, Placed("panel-opal-four", triangles_of("panel-opal-four"), above)]


_PANELS: Final = {"duo": _one_panel, "classic": _four_panels}
"""Panels of a club table, right of some x: 16 x 16 LEDs show Duo, Classic takes 20 x 20 of four."""


def _part(name: str, x: float, y: float, z: float, turn_deg: float = 0.0) -> Placed:
    """Returns a part, turned about z."""
    return Placed(name, triangles_of(name), _at(x, y, z), _about_z(turn_deg))


def _about_z(degrees: float) -> NDArray[np.float64]:
    """Returns the matrix (3, 3) of a turn, anticlockwise as seen from above."""
    turn = np.radians(degrees)
    return np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])


def _at(x: float, y: float, z: float) -> NDArray[np.float64]:
    """Returns a position (3,)."""
    return np.array((x, y, z), dtype=np.float64)
