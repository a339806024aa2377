"""Bought electronics as simple shapes: computer, supply, strips and panels of LEDs, cables.

Lengths are in millimetres; each stands at its place on the plane z of that place.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hardware.drawings.drawing import DARK, PLAIN, Drawing
from hardware.drawings.solids import Point, box, cylinder, rod
from hardware.drawings.things import BLACK, METAL, WHITE, Spot

BOARD_GREEN: Final = "#7fb392"
"""Colour of circuit boards."""

GLOW: Final = "#ffe45c"
"""Colour of lit LEDs."""

COPPER: Final = "#d98b4a"
"""Colour of bare copper."""

RED: Final = "#d43d3d"
"""Colour of wires at 5 V, and of fuses."""

BLUE: Final = "#2f6fd0"
"""Colour of the wire of the second button, and of a capacitor."""

GREEN: Final = "#2f9e58"
"""Colour of data lines."""

_PI: Final = (85.0, 56.0, 1.6)
"""Width, depth and thickness of a Raspberry Pi 4 or 5."""


def computer(drawing: Drawing, at: Spot, colour: str = BOARD_GREEN) -> None:
    """Adds a Raspberry Pi, its header at the back and its plugs at the right."""
    wide, deep, thick = _PI
    parts = (
        (box(wide, deep, thick).moved(z=4), colour),
        (box(51, 5, 8.5).moved(-10, 24, 4 + thick), BLACK),
        (box(15, 15, 2).moved(-12, 2, 4 + thick), DARK),
        (box(17, 13.5, 15.5).moved(36, -18, 4 + thick), METAL),
        (box(17, 13.5, 15.5).moved(36, 0, 4 + thick), METAL),
        (box(21, 16, 13.5).moved(34, 18, 4 + thick), METAL),
        (box(3, 22, 5.5).moved(-2, -14, 4 + thick), WHITE),
        (box(9, 7, 3).moved(-31, -25, 4 + thick), METAL),
    )
    for solid, ink in parts:
        drawing.add(at.put(solid), ink)


def supply(drawing: Drawing, at: Spot, colour: str = DARK) -> None:
    """Adds a closed supply of 5 V."""
    drawing.add(at.put(box(125, 55, 34)), colour)


def clamps(drawing: Drawing, at: Spot, colour: str = PLAIN) -> None:
    """Adds the clamps at which power is shared, with the capacitor across them."""
    drawing.add(at.put(box(48, 18, 14)), colour)
    for k in range(6):
        drawing.add(at.put(cylinder(2.6, 0.6).moved(-20 + 8 * k, 3, 14)), METAL)
    drawing.add(at.put(cylinder(5, 20).turned("y", 90).moved(-10, -15, 5)), BLUE)


def fuse(drawing: Drawing, at: Spot, colour: str = RED) -> None:
    """Adds a holder with a blade fuse."""
    drawing.add(at.put(box(34, 14, 12)), BLACK)
    drawing.add(at.put(box(19, 5, 7).moved(z=12)), colour)


def shifter(drawing: Drawing, at: Spot, colour: str = BOARD_GREEN) -> None:
    """Adds the little board with the level shifter and its resistor."""
    drawing.add(at.put(box(34, 22, 1.6).moved(z=3)), colour)
    drawing.add(at.put(box(19, 7, 4).moved(-3, 0, 4.6)), BLACK)
    drawing.add(at.put(cylinder(1.4, 7).turned("y", 90).moved(9, 6, 6)), COPPER)


def strip(drawing: Drawing, at: Spot, leds: int, pitch: float, colour: str = WHITE) -> None:
    """Adds a strip of LEDs along x with its middle at a place."""
    drawing.add(at.put(box(leds * pitch, 10, 0.6)), colour)
    for k in range(leds):
        x = (k + 0.5 - leds / 2) * pitch
        drawing.add(at.put(box(5, 5, 1.6).moved(x, 0, 0.6)), GLOW)


def panel(drawing: Drawing, at: Spot, columns: int, rows: int, colour: str = BLACK) -> None:
    """Adds a panel of LEDs with a pitch of 10, flat on a place."""
    drawing.add(at.put(box(10 * columns, 10 * rows, 2)), colour)
    for row in range(rows):
        for column in range(columns):
            x, y = 10 * (column + 0.5) - 5 * columns, 10 * (row + 0.5) - 5 * rows
            drawing.add(at.put(box(5, 5, 1.4).moved(x, y, 2)), PLAIN)


def button(drawing: Drawing, at: Spot, side: float, colour: str) -> None:
    """Adds an arcade button of 30 on a box with sides of some length."""
    drawing.add(at.put(box(side, side, 26)), PLAIN)
    drawing.add(at.put(cylinder(16.5, 3).moved(z=26)), METAL)
    drawing.add(at.put(cylinder(12, 8).moved(z=26)), colour)


def cable(drawing: Drawing, points: Sequence[Point], colour: str, radius: float = 1.6) -> None:
    """Adds a cable along points."""
    for start, end in pairwise(points):
        drawing.add(rod(start, end, radius), colour)
