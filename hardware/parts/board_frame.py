"""Frame around a glowing board, in four equal corners, and the seats of the markers beside it.

The origin of a corner is the middle of the board on the base plate; it is drawn at -x and y, and
the three others are turned by quarters of a turn. The opal top lies within its deck, level with it.
A seat's origin is on the outside of the frame, its seat lies at -x, its top is level with the deck.
All are printed upside down, on their decks.
"""

from build123d import Align, Axis, Box, Cylinder, Location, Part, Pos, Rot, fillet

from hardware.parts.dimensions import (
    BASE_HIGH,
    FRAME_BOSS,
    FRAME_CABLE,
    FRAME_RIM,
    FRAME_SCREW_DEEP,
    FRAME_TAIL,
    FRAME_TAIL_IN,
    FRAME_TAIL_LOW,
    FRAME_TAIL_WALL,
    FRAME_WALL,
    GRID_HIGH,
    JOINT_GAP,
    MARKER_CARD,
    OPAL_BEYOND,
    OPAL_HIGH,
    SEAT_AWAY,
    SEAT_BORDER,
    SEAT_GROOVE,
    SEAT_TAIL,
    SEAT_WALL,
    SHEET_GAP,
    STRIP_PITCH,
    TAP_M3,
)
from hardware.parts.joint import socket, socket_block, tail
from hardware.parts.solids import STANDING

_HIGH = GRID_HIGH + OPAL_HIGH
"""Height of the frame on the base plate."""

_TAIL_HIGH = _HIGH - FRAME_TAIL_LOW
"""Height of dovetails and sockets, from `FRAME_TAIL_LOW` to the top of the frame."""

_BOX = (Align.MIN, Align.MAX, Align.MIN)
"""Alignment of a solid that lies at x, -y and z of its place."""

_BEHIND = (Align.CENTER, Align.MAX, Align.MIN)
"""Alignment of a solid that lies at -y and z of its place, with its middle at x."""

_BESIDE = (Align.MAX, Align.CENTER, Align.MAX)
"""Alignment of a solid that lies at -x and -z of its place, with its middle at y."""


def outer_half(squares: int) -> float:
    """Returns half the side of the frame of a board with some squares along a side."""
    return squares * STRIP_PITCH / 2 + FRAME_RIM


def screw_places(squares: int) -> tuple[tuple[float, float], ...]:
    """Returns x and y of the screws of one corner: in the corner, and along both of its arms."""
    edge = outer_half(squares) - FRAME_BOSS[1]
    along = outer_half(squares) / 3
    return (-edge, edge), (-along, edge), (-edge, along)


def frame_corner(squares: int) -> Part:
    """Returns a corner of the frame of a board with some squares along a side."""
    half = outer_half(squares)
    top, left = Pos(0, half - FRAME_TAIL_IN) * Rot(0, 0, -90), Pos(FRAME_TAIL_IN - half, 0)
    sockets = [(left, FRAME_TAIL), *((place, SEAT_TAIL) for place in _seat_places(half))]
    blocks = [
        place * _low(socket_block(size, _TAIL_HIGH, FRAME_TAIL_WALL)) for place, size in sockets
    ]
    cuts = [place * _low(socket(size, _TAIL_HIGH)) for place, size in sockets]
    body = _shell(squares) + blocks + _posts(squares) + top * _low(_corner_tail())
    return body - cuts - _taps(squares) - Pos(-half * 2 / 3, half) * _cable_opening()


def marker_seat() -> Part:
    """Returns the seat of a marker's card, with legs down to the table."""
    side = MARKER_CARD + 2 * SEAT_BORDER
    long, high = SEAT_AWAY + MARKER_CARD + SEAT_BORDER, _HIGH + BASE_HIGH
    whole = Box(long, side, high, align=_BESIDE)
    inside = Box(long, side - 2 * SEAT_WALL, high, align=_BESIDE)
    body = whole - Pos(SEAT_WALL, 0, -SEAT_WALL) * inside - _card_groove()
    body = fillet(body.edges().filter_by(Axis.Z).group_by(Axis.X)[0], 1)
    pad = Box(FRAME_TAIL_WALL, SEAT_TAIL[1], _TAIL_HIGH, align=_BESIDE)
    hook = Pos(0, 0, -_TAIL_HIGH) * Rot(0, 0, -90) * tail(SEAT_TAIL, _TAIL_HIGH)
    return Pos(0, 0, _HIGH) * (Pos(-JOINT_GAP) * (body + pad) + hook)


def _card_groove() -> Part:
    """Returns what is cut from the top of a seat, around the card."""
    wide, deep = SEAT_GROOVE
    outer = Box(MARKER_CARD + 2 * wide, MARKER_CARD + 2 * wide, 2 * deep)
    middle = Pos(JOINT_GAP - SEAT_AWAY - MARKER_CARD / 2)
    return middle * (outer - Box(MARKER_CARD, MARKER_CARD, 2 * deep))


def _shell(squares: int) -> Part:
    """Returns outer wall and deck of a corner."""
    half, opening = outer_half(squares), _opening(squares)
    outer = Pos(-half, half) * Box(half - JOINT_GAP / 2, half - JOINT_GAP / 2, _HIGH, align=_BOX)
    below = half - FRAME_WALL
    hollow = Pos(-below, below) * Box(2 * half, 2 * half, GRID_HIGH, align=_BOX)
    window = Pos(-opening, opening) * Box(2 * half, 2 * half, 2 * _HIGH, align=_BOX)
    return outer - hollow - window


def _opening(squares: int) -> float:
    """Returns half the side of the opening for the opal top."""
    return squares * STRIP_PITCH / 2 + OPAL_BEYOND + SHEET_GAP


def _seat_places(half: float) -> tuple[Location, Location]:
    """Returns where seats are hung in, at both outer walls of a corner."""
    along = half - MARKER_CARD / 2
    return Pos(-half, along) * Rot(0, 0, -90), Pos(-along, half) * Rot(0, 0, 180)


def _low(part: Part) -> Part:
    """Returns a dovetail, its socket or block at its height in the frame."""
    return Pos(0, 0, FRAME_TAIL_LOW) * part


def _corner_tail() -> Part:
    """Returns the dovetail of a corner, with the pad that joins it to the deck."""
    pad = Box(FRAME_TAIL[1], FRAME_TAIL_WALL, _TAIL_HIGH, align=_BEHIND)
    return tail(FRAME_TAIL, _TAIL_HIGH) + Pos(0, -JOINT_GAP / 2) * pad


def _cable_opening() -> Part:
    """Returns the opening for cables in the outer wall."""
    wide, high = FRAME_CABLE
    return Box(wide, 4 * FRAME_WALL, high, align=STANDING)


def _posts(squares: int) -> list[Part]:
    """Returns the posts of the screws."""
    post = Cylinder(FRAME_BOSS[0] / 2, GRID_HIGH, align=STANDING)
    return [Pos(x, y) * post for x, y in screw_places(squares)]


def _taps(squares: int) -> list[Part]:
    """Returns the holes of the screws."""
    tap = Cylinder(TAP_M3 / 2, FRAME_SCREW_DEEP, align=STANDING)
    return [Pos(x, y) * tap for x, y in screw_places(squares)]
