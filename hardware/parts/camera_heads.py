"""Heads: each carries a camera at the end of the arm, so that it looks straight down.

The origin is the lens seen from above, level with the axis of the arm, which comes from y. Heads of
camera modules and webcams are printed upside down, that of a phone as it is used.
"""

from collections.abc import Iterable

from build123d import (
    Align,
    Axis,
    Box,
    Cylinder,
    GridLocations,
    Location,
    Locations,
    Part,
    Plane,
    Pos,
    SlotOverall,
    chamfer,
    extrude,
)

from hardware.parts.clamp import clamp, clamp_cut
from hardware.parts.dimensions import (
    BOLT_M4,
    BORE_BEYOND,
    CLAMP_HALF,
    CLAMP_LONG,
    HEAD_PLATE,
    HEAD_STOP,
    LARGE_BLOCK,
    LARGE_BOARD,
    LARGE_HOLES,
    PHONE_ASIDE,
    PHONE_EDGE,
    PHONE_JAW,
    PHONE_JAW_BASE,
    PHONE_SHELF,
    PHONE_WIDE,
    QUARTER_INCH,
    RIBBON,
    SMALL_BLOCK,
    SMALL_BOARD,
    SMALL_HOLES,
    SMALL_LENS,
    STANDOFF,
    STANDOFF_WIDE,
    TAP_M2,
    TAP_M2_5,
    USB_LENS,
    USB_PLATE,
    USB_SLOT,
)
from hardware.parts.solids import BEHIND

_TOP = (Align.CENTER, Align.MIN, Align.MAX)
"""Alignment of a solid that lies at y and -z of its place, with its middle at x."""

_MIDDLE = (Align.CENTER, Align.MIN, Align.CENTER)
"""Alignment of a solid that lies at y of its place, with its middle at x and z."""

_EDGE = 2.0
"""Distance of the plate's edge from the edge of the camera's board."""


def small_head() -> Part:
    """Returns the head of boards of 25 x 24: Camera Module 2, 3, 3 Wide and AI Camera."""
    across, down = SMALL_HOLES
    holes = Locations(*((x, y) for x in (-across / 2, across / 2) for y in (0, -down)))
    front = SMALL_BOARD[1] - SMALL_LENS + _EDGE
    return _module_head(2 * CLAMP_HALF, front, SMALL_BLOCK, holes, TAP_M2)


def large_head() -> Part:
    """Returns the head of boards of 38 x 38: HQ and Global Shutter Camera."""
    holes = GridLocations(LARGE_HOLES, LARGE_HOLES, 2, 2)
    side = LARGE_BOARD + 2 * _EDGE
    return _module_head(side, side / 2, LARGE_BLOCK, holes, TAP_M2_5)


def usb_head() -> Part:
    """Returns the head of a webcam, whose thread is screwed to an upright plate."""
    wide, thick = USB_PLATE
    start = USB_LENS + thick
    high = CLAMP_HALF + USB_SLOT[1] + wide / 8
    body = _block(start, 1) + Pos(0, USB_LENS, CLAMP_HALF) * Box(wide, thick, high, align=_TOP)
    slot = SlotOverall(USB_SLOT[1] - USB_SLOT[0], QUARTER_INCH, rotation=90)
    middle = Plane((0, USB_LENS, -sum(USB_SLOT) / 2), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
    body = chamfer(body.edges().filter_by(Axis.Y).group_by(Axis.Z)[0], wide / 8)
    return body - extrude(middle * slot, amount=thick, both=True) - _block_cut(start, 1)


def phone_head() -> Part:
    """Returns the shelf of a phone that lies on its back, its camera beyond the shelf."""
    wide, thick = PHONE_SHELF
    high, jaw = PHONE_JAW
    free = PHONE_WIDE[1] + PHONE_JAW_BASE[1] + jaw
    long = free + jaw
    bottom = Pos(0, PHONE_EDGE - free, -CLAMP_HALF)
    shelf = bottom * Box(wide, long, thick, align=BEHIND)
    wall = Pos(0, PHONE_EDGE, -CLAMP_HALF) * Box(wide, jaw, thick + high, align=BEHIND)
    slot = SlotOverall(PHONE_WIDE[1] - PHONE_WIDE[0] + 2 * BOLT_M4, BOLT_M4, rotation=90)
    middle = PHONE_EDGE - sum(PHONE_WIDE) / 2 - jaw - PHONE_JAW_BASE[1] / 2
    cut = extrude(Pos(0, middle, -CLAMP_HALF) * slot, thick)
    start = PHONE_EDGE
    shelf = chamfer(shelf.edges().filter_by(Axis.Z).group_by(Axis.Y)[0], 6)
    return Pos(PHONE_ASIDE) * (shelf + wall + _block(start, -1) - cut - _block_cut(start, -1))


def phone_jaw() -> Part:
    """Returns the jaw that moves; its origin is where the phone's edge meets the shelf."""
    high, thick = PHONE_JAW
    wide, deep = PHONE_JAW_BASE
    whole = thick + deep
    base = Pos(0, -whole) * Box(wide, whole, thick, align=BEHIND)
    wall = Pos(0, -thick) * Box(wide, thick, high, align=BEHIND)
    hole = Pos(0, -thick - deep / 2) * Cylinder(BOLT_M4 / 2, 3 * thick)
    return base + wall - hole


def _module_head(
    wide: float, front: float, start: float, holes: Iterable[Location], tap: float
) -> Part:
    """Returns a head with a plate from -`front` to its clamp at `start`, and posts at `holes`."""
    plate = Pos(0, -front, CLAMP_HALF) * Box(wide, front + start, HEAD_PLATE, align=_TOP)
    below = Pos(0, 0, CLAMP_HALF - HEAD_PLATE - STANDOFF / 2)
    posts = [below * place * Cylinder(STANDOFF_WIDE / 2, STANDOFF) for place in holes]
    taps = [place * Cylinder(tap / 2, 4 * CLAMP_HALF) for place in holes]
    long, thick = RIBBON
    ribbon = Pos(0, start - 2 - thick / 2, CLAMP_HALF) * Box(long, thick, 3 * HEAD_PLATE)
    return plate + posts + _block(start, 1) - taps - ribbon - _block_cut(start, 1)


def _along_arm(start: float, up: int) -> Plane:
    """Returns the place of a clamp around the arm, its ear down (`up` is 1) or up (-1)."""
    middle = start + HEAD_STOP + BORE_BEYOND + CLAMP_LONG / 2
    return Plane((0, middle, 0), x_dir=(0, 0, -up), z_dir=(0, 1, 0))


def _block(start: float, up: int) -> Part:
    """Returns the clamp that begins at `start`, with the wall at which the tube ends."""
    wall = HEAD_STOP + BORE_BEYOND
    stop = Pos(0, start) * Box(2 * CLAMP_HALF, wall, 2 * CLAMP_HALF, align=_MIDDLE)
    return _along_arm(start, up) * clamp() + stop


def _block_cut(start: float, up: int) -> Part:
    """Returns what is cut from that clamp."""
    return _along_arm(start, up) * clamp_cut()
