"""Boxes for one or two arcade buttons, and their lids.

The origin is the middle of the plane where box and lid meet; the cable leaves at y. A box is
printed upside down, on the plate with the buttons; a lid as it is used.
"""

from build123d import Box, Cylinder, GridLocations, Part, Pos, Rot

from hardware.parts.dimensions import (
    BOX_POST,
    BOX_ROUND,
    BOX_WALL,
    BUTTON_BOX,
    BUTTON_HOLE,
    BUTTON_PITCH,
    BUTTON_PLATE,
    CABLE_HIGH,
    CABLE_HOLE,
    PASS_M3,
    TAP_M3,
    TIE_SLOT,
)
from hardware.parts.solids import HANGING, STANDING, rounded


def button_box(buttons: int) -> Part:
    """Returns the box of a number of buttons in a row."""
    wide, (deep, high) = _wide(buttons), BUTTON_BOX
    outer = rounded(Box(wide, deep, high, align=STANDING), BOX_ROUND)
    inside = (wide - 2 * BOX_WALL, deep - 2 * BOX_WALL, high - BUTTON_PLATE)
    inner = rounded(Box(*inside, align=STANDING), BOX_WALL)
    posts = [
        place * Cylinder(BOX_POST[0] / 2, high - 1, align=STANDING) for place in _posts(buttons)
    ]
    taps = [place * Cylinder(TAP_M3 / 2, high / 2) for place in _posts(buttons)]
    holes = [
        place * Cylinder(BUTTON_HOLE / 2, 3 * high)
        for place in GridLocations(BUTTON_PITCH, 1, buttons, 1)
    ]
    cable = Pos(0, deep / 2, CABLE_HIGH) * Rot(90) * Cylinder(CABLE_HOLE / 2, 4 * BOX_WALL)
    return outer - inner + posts - taps - holes - cable


def button_lid(buttons: int) -> Part:
    """Returns the lid of the box of a number of buttons."""
    lid = rounded(Box(_wide(buttons), BUTTON_BOX[0], BOX_WALL, align=HANGING), BOX_ROUND)
    holes = [place * Cylinder(PASS_M3 / 2, 4 * BOX_WALL) for place in _posts(buttons)]
    wide, thick, apart = TIE_SLOT
    inside = Pos(0, BUTTON_BOX[0] / 2 - BOX_WALL - 2 * CABLE_HOLE)
    ties = [inside * Pos(x) * Box(thick, wide, 4 * BOX_WALL) for x in (-apart / 2, apart / 2)]
    return lid - holes - ties


def _wide(buttons: int) -> float:
    """Returns the width of the box of a number of buttons."""
    return BUTTON_BOX[0] + (buttons - 1) * BUTTON_PITCH


def _posts(buttons: int) -> GridLocations:
    """Returns where the posts of the screws stand."""
    inside = 2 * BOX_POST[1]
    return GridLocations(_wide(buttons) - inside, BUTTON_BOX[0] - inside, 2, 2)
