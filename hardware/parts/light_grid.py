"""Walls around the LEDs below the board, in four quarters that dovetails join.

The origin is the middle of the board on the base plate. Quarter `a` is that of the first rows and
columns, at -x and y, and has the walls on the seams; quarter `b` is the one at x and y. Each is
used twice, the second time turned half a turn. The walls have notches for the strips, which run
along x. They are printed upside down, so that the notches are open to above.
"""

from build123d import Align, Box, Location, Part, Plane, Polygon, Pos, Rot, extrude, mirror

from hardware.parts.dimensions import (
    GRID_HIGH,
    GRID_TAIL,
    GRID_TAIL_WALL,
    GRID_WALL,
    JOINT_GAP,
    STRIP,
    STRIP_GAP,
    STRIP_PITCH,
)
from hardware.parts.joint import socket, socket_block, tail
from hardware.parts.solids import CORNER

_HALF = GRID_WALL / 2
"""Half the thickness of a wall, whose middle is the line between two rows of squares."""

_SEAM = _HALF + JOINT_GAP
"""Distance from the middle of a seam at which quarter `b` begins."""


def quarter_a(squares: int) -> Part:
    """Returns the quarter with the walls on its seams, of some squares along a side."""
    sockets = [place * socket(GRID_TAIL, GRID_HIGH) for place in _sockets(squares)]
    above = STRIP[1] + STRIP_GAP
    block = Pos(0, 0, above) * socket_block(GRID_TAIL, GRID_HIGH - above, GRID_TAIL_WALL)
    blocks = [place * block for place in _sockets(squares)]
    walls = mirror(_walls(squares, -_HALF), about=Plane.YZ)
    return walls + blocks - sockets - _far_corner()


def quarter_b(squares: int) -> Part:
    """Returns the quarter without walls on its seams, of some squares along a side."""
    tails = [place * _tail() for place in _tails(squares)]
    return _walls(squares, _SEAM) + tails


def _walls(squares: int, start: float) -> Part:
    """Returns walls at x and y with their notches; those on the seams only if they fit in."""
    end = squares * STRIP_PITCH + _HALF
    long = end - start
    lines = [k * STRIP_PITCH for k in range(squares + 1) if k * STRIP_PITCH >= start]
    across = [Pos(start, y - _HALF) * Box(long, GRID_WALL, GRID_HIGH, align=CORNER) for y in lines]
    down = [Pos(x - _HALF, start) * Box(GRID_WALL, long, GRID_HIGH, align=CORNER) for x in lines]
    wide, high = STRIP[0] + 2 * STRIP_GAP, STRIP[1] + STRIP_GAP
    notch = Box(end + 4, wide, high, align=(Align.MIN, Align.CENTER, Align.MIN))
    notches = [Pos(-2, (k + 0.5) * STRIP_PITCH) * notch for k in range(squares)]
    return Part() + across + (Part() + down - notches)


def _joints(squares: int) -> tuple[float, float]:
    """Returns where along a seam the dovetails are: at walls, two squares from its ends."""
    return 2 * STRIP_PITCH, (squares - 2) * STRIP_PITCH


def _sockets(squares: int) -> list[Location]:
    """Returns the places of the sockets of quarter `a`, on both of its seams."""
    beside = [Pos(_HALF, y) * Rot(0, 0, 90) for y in _joints(squares)]
    below = [Pos(-x, -_HALF) for x in _joints(squares)]
    return [*beside, *below]


def _tails(squares: int) -> list[Location]:
    """Returns the places of the dovetails of quarter `b`, on both of its seams."""
    beside = [Pos(_HALF, y) * Rot(0, 0, 90) for y in _joints(squares)]
    below = [Pos(x, _HALF) * Rot(0, 0, 180) for x in _joints(squares)]
    return [*beside, *below]


def _tail() -> Part:
    """Returns a dovetail with the pad that joins it to its wall."""
    pad = Box(GRID_TAIL[1], GRID_WALL, GRID_HIGH, align=(Align.CENTER, Align.MAX, Align.MIN))
    return tail(GRID_TAIL, GRID_HIGH) + Pos(0, -JOINT_GAP) * pad


def _far_corner() -> Part:
    """Returns what is cut where both quarters `a` meet, beyond the diagonal."""
    gap, far = JOINT_GAP / 2, 2 * GRID_WALL
    outline = ((-far - gap, gap - far), (far, -far), (far - gap, far + gap))
    return extrude(Polygon(*outline, align=None), GRID_HIGH)
