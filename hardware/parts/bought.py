"""Stand-ins for what is bought, as triangles: enough of their shape for pictures and checks.

Triangles are arrays (N, 3, 3) in millimetres, anticlockwise as seen from outside.
"""

from itertools import product
from typing import Final

import numpy as np

from hardware.parts.dimensions import (
    COMPUTER_CASE,
    LARGE_BOARD,
    LARGE_LENS_DOWN,
    PHONE_EDGE,
    PHONE_WIDE,
    SMALL_BOARD,
    SMALL_LENS,
    SMALL_LENS_DOWN,
    STRIP,
    STRIP_PITCH,
    TUBE,
    USB_LENS,
)
from hardware.parts.mesh import Triangles

_ROUND: Final = 48
"""Number of sides of a cylinder."""

_LED: Final = 5.0
"""Side of an LED 5050."""

_LED_HIGH: Final = 2.2
"""Height of an LED above the tape, with some air above it."""

_LED_GAP: Final = 0.6
"""Height of that air."""

_STRAP: Final = (2.0, 20.0)
"""Thickness and width of a strap of hook and loop."""

Point = tuple[float, float, float]


def box(least: Point, greatest: Point) -> Triangles:
    """Returns the triangles of a box between two corners."""
    size = np.array(greatest) - np.array(least)
    corners = np.array(list(product((0, 1), repeat=3))) * size + np.array(least)
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))]
    triangles: Triangles = corners[np.array(faces)]
    return triangles


def cylinder(radius: float, start: Point, end: Point) -> Triangles:
    """Returns the triangles of a closed cylinder between two points."""
    first, last = np.array(start, dtype=float), np.array(end, dtype=float)
    along = (last - first) / np.linalg.norm(last - first)
    side = np.cross(along, np.eye(3)[np.argmin(np.abs(along))])
    side /= np.linalg.norm(side)
    turns = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)[:, None]
    ring = radius * (np.cos(turns) * side + np.sin(turns) * np.cross(along, side))
    low, high = first + ring, last + ring
    next_low, next_high = np.roll(low, -1, axis=0), np.roll(high, -1, axis=0)
    bottom, top = np.broadcast_to(first, low.shape), np.broadcast_to(last, low.shape)
    return np.concatenate(
        [
            np.stack(corners, axis=1)
            for corners in (
                (low, next_low, next_high),
                (low, next_high, high),
                (bottom, next_low, low),
                (top, high, next_high),
            )
        ]
    )


def slab(side_x: float, side_y: float, low: float, high: float) -> Triangles:
    """Returns a box around x = y = 0 between two heights."""
    return box((-side_x / 2, -side_y / 2, low), (side_x / 2, side_y / 2, high))


def board(squares: int, pitch: float, outer: float, floor: float) -> Triangles:
    """Returns a bought board: its floor at a height, a ridge around each square, a rim."""
    half, thick, high = squares * pitch / 2, 0.8, 1.5
    lines = [-half + k * pitch for k in range(squares + 1)]
    across = [
        box((-half, y - thick / 2, floor), (half, y + thick / 2, floor + high)) for y in lines
    ]
    down = [box((x - thick / 2, -half, floor), (x + thick / 2, half, floor + high)) for x in lines]
    return np.concatenate([slab(outer, outer, 0.0, floor), *across, *down])


def camera(key: str) -> Triangles:
    """Returns a camera of `firmware.cameras.mounting.MODELS`, looking down from its lens at 0."""
    if key == "phone":
        edge, wide = PHONE_EDGE, sum(PHONE_WIDE) / 2
        return box((-PHONE_EDGE, edge - wide, 0.0), (150.0 - PHONE_EDGE, edge, 8.0))
    if key == "usb":
        body = box((-45.0, -USB_LENS + 20.0, -5.0), (45.0, USB_LENS - 12.0, 25.0))
        clip = box((-15.0, USB_LENS - 12.0, 0.0), (15.0, USB_LENS, 12.0))
        return np.concatenate([body, clip, cylinder(8.0, (0, 0, -7.0), (0, 0, 0.0))])
    if key in ("hq-6mm", "gs-6mm"):
        half, up = LARGE_BOARD / 2, LARGE_LENS_DOWN
        plate = box((-half, -half, up - 1.5), (half, half, up))
        mount = cylinder(18.0, (0, 0, up - 12.0), (0, 0, up - 1.5))
        return np.concatenate([plate, mount, cylinder(15.0, (0, 0, -20.0), (0, 0, up - 12.0))])
    wide, high = SMALL_BOARD
    up = SMALL_LENS_DOWN
    plate = box((-wide / 2, SMALL_LENS - high, up - 1.1), (wide / 2, SMALL_LENS, up))
    return np.concatenate([plate, slab(9.0, 9.0, -1.0, up - 1.1)])


def computer() -> Triangles:
    """Returns a Raspberry Pi in its case, strapped to a tube along z; its top is at 0."""
    wide, thick, high = COMPUTER_CASE
    tube, around = TUBE / 2, TUBE / 2 + _STRAP[0]
    case = box((-wide / 2, tube, -high), (wide / 2, tube + thick, 0.0))
    straps = [
        box((left, -around, z - _STRAP[1]), (right, end, z))
        for z in (-0.15 * high, -0.6 * high)
        for left, right, end in (
            (-around, around, -tube),
            (-around, -tube, tube),
            (tube, around, tube),
        )
    ]
    return np.concatenate([case, *straps])


def bolt_m6() -> Triangles:
    """Returns an M6 bolt of 70 that hangs down from its end at 0."""
    return np.concatenate(
        [cylinder(3.0, (0, 0, -70.0), (0, 0, 0)), cylinder(5.0, (0, 0, -74.0), (0, 0, -70.0))]
    )


def strips(squares: int) -> Triangles:
    """Returns the LEDs of a glowing board on their strips, which lie on z = 0."""
    wide, high = STRIP
    half = squares * STRIP_PITCH / 2
    places = [(k + 0.5) * STRIP_PITCH - half for k in range(squares)]
    tapes = [
        box((-half, y - wide / 2, 0.0), (half, y + wide / 2, high - _LED_HIGH)) for y in places
    ]
    leds = [
        box(
            (x - _LED / 2, y - _LED / 2, high - _LED_HIGH),
            (x + _LED / 2, y + _LED / 2, high - _LED_GAP),
        )
        for x in places
        for y in places
    ]
    return np.concatenate([*tapes, *leds])
