"""The LEDs in a drawing, seen from above, their data and the wires of their power."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from schemdraw import elements

from firmware.codes import ChainDirection
from firmware.lights.led_layout import LedLayout
from hardware.wiring.canvas import NORMAL, Align, Point
from hardware.wiring.feeds import Feed, pieces_of
from hardware.wiring.harness import FIVE_V, GROUND
from hardware.wiring.joint_view import PADS, joint
from hardware.wiring.sheet import BARS, Sheet
from hardware.wiring.shifter_view import RIGHT as RIGHT_OF_SHIFTER

LEFT: Final = 648.0
"""Left edge of the panel in pixels."""

RIGHT: Final = 936.0
"""Right edge of the panel in pixels."""

TOP: Final = 56.0
"""Upper edge of the panel in pixels."""

BOTTOM: Final = 380.0
"""Lower edge of the panel in pixels."""

_CHAIN: Final = ((730.0, 106.0), (856.0, 336.0))
"""Places of the top left and of the bottom right LED."""

_STEP: Final = 44.0
"""Least distance of two places where power enters, on one side."""

_DATA: Final = -13.0
"""Height of the data of the first LED, beside its 5 V."""

_WIRES: Final = {FIVE_V: ("X1 +", 0.0), GROUND: ("X1 −", 13.0)}
"""Clamp and height of the wires of a place where power enters."""

_COLUMN: Final = 7.0
"""Distance of two wires side by side at most, in pixels."""

_ASIDE: Final = 12.0
"""Distance of the nearest wire from the panel."""

_ROOM: Final = 36.0
"""Width in pixels within which all wires side by side are."""

_DATA_COLUMN: Final = 583.0
"""Place of the vertical part of the data line."""

_OVER: Final = 44.0
"""Height at which data pass over the panel, if the first LED is on the right."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A place where power enters.

    Attributes:
        feed: the place along the chain.
        is_left: True if wires come from the left.
        height: height of its 5 V in pixels.
    """

    feed: Feed
    is_left: bool
    height: float


def draw_leds(sheet: Sheet, output: float) -> None:
    """Draws the LEDs and their wires.

    Args:
        sheet: where to draw.
        output: height of the output of the level shifter.
    """
    _draw_panel(sheet)
    entries = _entries(sheet.harness.layout, sheet.harness.feeds)
    for is_left in (True, False):
        _draw_feeds(sheet, [entry for entry in entries if entry.is_left is is_left])
    _draw_data(sheet, next(entry for entry in entries if entry.feed.led == 0), output)


def _place(layout: LedLayout, led: int) -> Point:
    """The place of an LED in pixels."""
    row, column = layout.place(led)
    (left, top), (right, bottom) = _CHAIN
    return (
        left + (right - left) * column / max(layout.columns - 1, 1),
        top + (bottom - top) * row / max(layout.rows - 1, 1),
    )


def _draw_panel(sheet: Sheet) -> None:
    harness = sheet.harness
    layout = harness.layout
    panel = sheet.canvas.group("LEDs", harness.build.leds)
    panel.box((LEFT, TOP), (RIGHT, BOTTOM), "whitesmoke")
    middle = (LEFT + RIGHT) / 2
    panel.text(
        f"{layout.columns} x {layout.rows} = {layout.length} LEDs", (middle, 72), NORMAL, "center"
    )
    panel.text("WS2812B, seen from above", (middle, 88), align="center")
    places = [_place(layout, led) for led in range(layout.length)]
    pieces = pieces_of(layout, harness.build)
    for piece in pieces:
        panel.line([places[led] for led in piece], "lightgray", 7.0)
    if len(pieces) > 1:
        _draw_joints(
            sheet, [(places[one[-1]], places[after[0]]) for one, after in pairwise(pieces)]
        )
    lit = sheet.canvas.group("chain", f"{layout.length} LEDs")
    lit.dots(places, "white", 2.0)


def _draw_joints(sheet: Sheet, ends: list[tuple[Point, Point]]) -> None:
    """Draws the wires from each piece to the next."""
    layout, build = sheet.harness.layout, sheet.harness.build
    upright = build.is_cut and layout.along is ChainDirection.COLUMNS
    # A strip that runs back is turned, so its upper edge is below.
    turns = build.is_cut and layout.serpentine
    (left, top), (right, bottom) = _CHAIN
    centre = (top + bottom if upright else left + right) / 2
    lines = layout.columns if upright else layout.rows
    gap = (right - left if upright else bottom - top) / max(lines - 1, 1)
    length = pieces_of(layout, build)[0].stop
    for number, (out, into) in enumerate(PADS):
        ways = []
        for k, pair in enumerate(ends):
            pad = 2 - number if turns and k % 2 else number
            end, start = (_swapped(one) for one in pair) if upright else pair
            way = joint(end, start, pad, centre, gap)
            ways.append([_swapped(one) for one in way] if upright else way)
        label = (LEFT + (14, 88, 200)[number], BOTTOM - 14)
        sheet.thin_wires(f"LED {length} {out}", f"LED {length + 1} {into}", ways, label)


def _swapped(point: Point) -> Point:
    return point[1], point[0]


def _entries(layout: LedLayout, feeds: tuple[Feed, ...]) -> list[_Entry]:
    """Returns where power enters, each with room for its names."""
    entries: list[_Entry] = []
    below = {True: -_STEP, False: -_STEP}
    for feed in sorted(feeds, key=lambda one: (one.row, one.column)):
        is_left = feed.column < layout.columns / 2
        height = max(_place(layout, feed.led)[1], below[is_left] + _STEP)
        below[is_left] = height
        entries.append(_Entry(feed, is_left, height))
    return entries


def _draw_feeds(sheet: Sheet, entries: list[_Entry]) -> None:
    """Draws the wires of power on one side, the highest outermost so that none cross."""
    wires = [(entry, signal) for entry in entries for signal in _WIRES]
    step = min(_COLUMN, _ROOM / max(len(wires) - 1, 1))
    for number, (entry, signal) in enumerate(wires):
        aside = _ASIDE + step * (len(wires) - 1 - number)
        edge, column = (LEFT, LEFT - aside) if entry.is_left else (RIGHT, RIGHT + aside)
        clamp, below = _WIRES[signal]
        height, led = entry.height + below, entry.feed.led + 1
        points = [(column, BARS[clamp]), (column, height), (edge, height)]
        label, align = _beside(entry, height)
        wire = sheet.wire(clamp, f"LED {led} {signal}", points, label, align, signal)
        wire.dots([points[0]], "red" if signal == FIVE_V else "black")
    for entry in entries:
        led = entry.feed.led + 1
        group = sheet.canvas.group(f"LED-{led}", f"LED {led}: power enters here")
        group.dots([_place(sheet.harness.layout, entry.feed.led)], "red", 3.0)
        edge = LEFT if entry.is_left else RIGHT
        group.dots([(edge, entry.height)], "red", 3.5)
        group.dots([(edge, entry.height + _WIRES[GROUND][1])], "black", 3.5)
        label, align = _beside(entry, entry.height + (2 * _DATA if led == 1 else _DATA))
        group.text(f"LED {led}", label, align=align)


def _beside(entry: _Entry, height: float) -> tuple[Point, Align]:
    """The place of a text inside the panel, beside where power enters."""
    return ((LEFT + 8, height), "left") if entry.is_left else ((RIGHT - 8, height), "right")


def _draw_data(sheet: Sheet, entry: _Entry, output: float) -> None:
    """Draws the data line with its resistor."""
    height = entry.height + _DATA
    into: list[Point] = [(LEFT, height)]
    corner = height if entry.is_left else _OVER
    if not entry.is_left:
        into = [(RIGHT + 5, _OVER), (RIGHT + 5, height), (RIGHT, height)]
    sign = 1 if output > corner else -1
    middle = corner + sign * min(54.0, abs(output - corner) / 2)
    near, far = middle - sign * 18, middle + sign * 18
    part = sheet.canvas.group("R1", "Resistor 330 ohm")
    part.part(elements.Resistor(), (_DATA_COLUMN, far), (_DATA_COLUMN, near))
    part.text("R1 330 Ω", (_DATA_COLUMN - 15, middle), align="right")
    points = [(RIGHT_OF_SHIFTER, output), (_DATA_COLUMN, output), (_DATA_COLUMN, far)]
    sheet.wire("U1 3", "R1", points, (_DATA_COLUMN - 7, far + sign * 14), "right")
    label, align = _beside(entry, height)
    points = [(_DATA_COLUMN, near), (_DATA_COLUMN, corner), *into]
    sheet.wire("R1", "LED 1 DIN", points, label, align, "DIN")
    sheet.canvas.group("DIN").dots([into[-1]], "green", 3.5)
