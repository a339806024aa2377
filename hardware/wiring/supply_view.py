"""The supply in a drawing, its fuses, the clamps and the capacitor."""

from typing import Final

from schemdraw import elements

from hardware.wiring.canvas import NORMAL
from hardware.wiring.header_view import BOTTOM as PI_BOTTOM
from hardware.wiring.sheet import BARS, Sheet

_EDGE: Final = 104.0
"""Right edge of the supply in pixels."""

_FUSE: Final = (146.0, 182.0)
"""Both ends of a fuse."""

_CLAMPS: Final = ((236.0, 624.0), (994.0, 710.0))
"""Two corners of the clamps."""

_CAPACITOR: Final = 290.0
"""Place of the capacitor."""

_TO_PI: Final = {"+": (594.0, 252.0), "−": (570.0, 224.0)}
"""Height at the supply of the wires to the Raspberry Pi, and their place at its USB socket."""


def draw_supply(sheet: Sheet) -> None:
    """Draws the supply, the clamps and what is between them."""
    ratings = sheet.harness.ratings
    supply = sheet.canvas.group("supply", "Supply")
    supply.box((14, 552 if sheet.harness.build.pi_ma else 606), (_EDGE, 710), "seashell")
    supply.text("Supply", (22, 634), NORMAL)
    supply.text("5 V", (22, 652), NORMAL)
    supply.text(f"{ratings.supply_a:g} A", (22, 670), NORMAL)
    block = sheet.canvas.group("X1", "Clamps")
    block.box(*_CLAMPS, "seashell")
    for (name, height), colour in zip(BARS.items(), ("red", "black"), strict=True):
        block.line([(252, height), (985, height)], colour, 4.0)
        block.text(name, (306, height + (-9 if colour == "red" else 11)))
    plus, minus = BARS["X1 +"], BARS["X1 −"]
    _draw_fuse(sheet, "F1", ratings.fuse_a, plus)
    sheet.wire("Supply +", "F1", [(_EDGE, plus), (_FUSE[0], plus)], (125, plus - 9), "center")
    sheet.wire("F1", "X1 +", [(_FUSE[1], plus), (252, plus)], (209, plus - 9), "center")
    sheet.wire("Supply −", "X1 −", [(_EDGE, minus), (252, minus)], (164, minus - 9), "center")
    plug = sheet.canvas.group("USB-C", "USB-C socket of the Raspberry Pi")
    plug.box((210, PI_BOTTOM - 20), (270, PI_BOTTOM), "white")
    plug.text("USB-C", (240, PI_BOTTOM - 10), align="center")
    poles = [("+", plus), ("−", minus)]
    if sheet.harness.build.pi_ma:
        _draw_pi(sheet)
        poles += [(pole, height) for pole, (height, _) in _TO_PI.items()]
    else:
        plug.text("its own supply", (276, PI_BOTTOM - 10))
    for pole, height in poles:
        supply.text(pole, (_EDGE - 6, height), NORMAL, "right")
    _draw_capacitor(sheet, plus, minus)
    joints = sheet.canvas.group("joints-of-X1")
    joints.dots([(252, plus)], "red")
    joints.dots([(252, minus)], "black")


def _draw_fuse(sheet: Sheet, name: str, amperes: float, height: float) -> None:
    fuse = sheet.canvas.group(name, f"Fuse {amperes:g} A")
    fuse.part(elements.FuseIEC(), (_FUSE[0], height), (_FUSE[1], height))
    fuse.text(f"{name} {amperes:g} A", (sum(_FUSE) / 2, height + 20), align="center")


def _draw_capacitor(sheet: Sheet, plus: float, minus: float) -> None:
    upper, lower = plus + 12, minus - 12
    part = sheet.canvas.group("C1", "Capacitor 1000 µF")
    part.part(elements.Capacitor(polar=True), (_CAPACITOR, upper), (_CAPACITOR, lower))
    part.text("C1 1000 µF, 10 V", (_CAPACITOR + 16, (plus + minus) / 2))
    for end, pole, height, ending in (
        ("C1 +", "X1 +", plus, upper),
        ("C1 −", "X1 −", minus, lower),
    ):
        label = (_CAPACITOR - 11, (height + ending) / 2 + (3 if pole == "X1 +" else -3))
        sheet.wire(pole, end, [(_CAPACITOR, height), (_CAPACITOR, ending)], label, "right")


def _draw_pi(sheet: Sheet) -> None:
    """Draws the wires to the Raspberry Pi."""
    (plus, right), (minus, left) = _TO_PI["+"], _TO_PI["−"]
    _draw_fuse(sheet, "F2", sheet.harness.ratings.pi_fuse_a, plus)
    sheet.wire("Supply +", "F2", [(_EDGE, plus), (_FUSE[0], plus)], (125, plus - 9), "center")
    points = [(_FUSE[1], plus), (right, plus), (right, PI_BOTTOM)]
    sheet.wire("F2", "Pi USB-C 5V", points, (right + 7, PI_BOTTOM + 18))
    points = [(_EDGE, minus), (left, minus), (left, PI_BOTTOM)]
    sheet.wire("Supply −", "Pi USB-C GND", points, (left - 7, PI_BOTTOM + 18), "right")
