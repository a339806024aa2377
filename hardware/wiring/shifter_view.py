"""The level shifter in a drawing, and its wires."""

from schemdraw import elements

from hardware.wiring.canvas import NORMAL, Point
from hardware.wiring.header import PIN_OF_GPIO
from hardware.wiring.header_view import way_right
from hardware.wiring.sheet import BARS, Sheet

_LEFT = 406.0
"""Left edge of the level shifter in pixels."""

RIGHT = 570.0
"""Right edge of the level shifter in pixels."""

_GROUND = 470.0
"""Place of its pin 7, which is at ground."""

_POWER = 516.0
"""Place of its pin 14, which is at 5 V."""

_OFF_GROUND = 434.0
"""Place of pins wired to ground: the enable of the gate in use, and inputs of the others."""

_OFF_POWER = 545.0
"""Place of the pins that are not used and are wired to 5 V."""

_HIGHEST = 270.0
"""Highest place of its data, in pixels from the top."""

_LOWEST = 400.0
"""Lowest place of its data, in pixels from the top."""

_ABOVE = 42.0
"""Distance of its upper edge from its data."""

_BELOW = 58.0
"""Distance of its lower edge from its data."""

_TURN_GROUND = 383.0
"""Place at which the ground wire from the header changes its height."""

_TURN_DATA = 393.0
"""Place at which the data wire from the header changes its height."""


def draw_shifter(sheet: Sheet) -> float:
    """Draws the level shifter and its wires; returns the height of its output."""
    harness = sheet.harness
    pin = PIN_OF_GPIO[harness.data]
    ground = harness.grounds[pin]
    data_way, ground_way = way_right(pin, is_above=True), way_right(ground, is_above=False)
    data = data_way[-1][1]
    height = min(max(data, _HIGHEST), _LOWEST)
    bottom = height + _BELOW
    _draw_chip(sheet, height)
    bends = [] if data == height else [(_TURN_DATA, data), (_TURN_DATA, height)]
    points = [*data_way, *bends, (_LEFT, height)]
    sheet.wire(f"J8 {pin}", "U1 2", points, ((376 + _LEFT) / 2, min(data, height) - 10), "center")
    joint = bottom + 40
    side = ground_way[-1][1]
    bends = [(_TURN_GROUND, side), (_TURN_GROUND, joint), (_GROUND, joint)]
    sheet.wire(
        "X1 −", "U1 7", [(_GROUND, BARS["X1 −"]), (_GROUND, bottom)], (_GROUND - 7, 600), "right"
    )
    sheet.wire("X1 +", "U1 14", [(_POWER, BARS["X1 +"]), (_POWER, bottom)], (_POWER + 7, 600))
    sheet.wire(f"J8 {ground}", "U1 7", [*ground_way, *bends], (_TURN_GROUND + 6, joint - 9))
    _draw_bridges(sheet, bottom)
    _draw_capacitor(sheet, bottom + 84)
    joints = sheet.canvas.group("joints-of-U1")
    joints.dots([(_GROUND, joint), (_GROUND, bottom + 13), (_GROUND, bottom + 84)], "black", 3.0)
    joints.dots([(_POWER, bottom + 13), (_POWER, bottom + 84)], "red", 3.0)
    joints.dots([(_GROUND, BARS["X1 −"])], "black")
    joints.dots([(_POWER, BARS["X1 +"])], "red")
    return height


def _draw_chip(sheet: Sheet, height: float) -> None:
    chip = sheet.canvas.group("U1", "Level shifter 74AHCT125")
    bottom = height + _BELOW
    chip.box((_LEFT, height - _ABOVE), (RIGHT, bottom), "aliceblue")
    middle = (_LEFT + RIGHT) / 2
    chip.text("U1 level shifter", (middle, height - _ABOVE - 25), NORMAL, "center")
    chip.text("74AHCT125", (middle, height - _ABOVE - 10), NORMAL, "center")
    chip.text("2  1A", (_LEFT + 6, height))
    chip.text("1Y  3", (RIGHT - 6, height), align="right")
    gate: list[Point] = [(middle - 14, height - 14), (middle - 14, height + 14)]
    chip.line([*gate, (middle + 14, height), gate[0]])
    for place, words in (
        (_OFF_GROUND, "1 5 9 12"),
        (_GROUND, "7"),
        (_POWER - 2, "14"),
        (_OFF_POWER, "4 10 13"),
    ):
        chip.text(words, (place, bottom - 9), align="center")


def _draw_bridges(sheet: Sheet, bottom: float) -> None:
    low = bottom + 13
    for start, end, place, off in (
        ("U1 14", "U1 4, 10, 13", _POWER, _OFF_POWER),
        ("U1 7", "U1 1, 5, 9, 12", _GROUND, _OFF_GROUND),
    ):
        points = [(place, low), (off, low), (off, bottom)]
        sheet.wire(start, end, points, (off, low + 12), "center")


def _draw_capacitor(sheet: Sheet, height: float) -> None:
    left, right = (_GROUND + _POWER) / 2 - 9, (_GROUND + _POWER) / 2 + 9
    part = sheet.canvas.group("C2", "Capacitor 100 nF")
    part.part(elements.Capacitor(), (left, height), (right, height))
    part.text("C2 100 nF", (_POWER + 8, height + 8))
    sheet.wire("U1 14", "C2 +", [(_POWER, height), (right, height)], (_POWER + 8, height - 8))
    sheet.wire("U1 7", "C2 −", [(_GROUND, height), (left, height)], (_GROUND - 7, height), "right")
