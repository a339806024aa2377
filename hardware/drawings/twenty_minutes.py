"""Pictures of build A: the board that you have, a phone on an arm, printed markers, a computer."""

from typing import Final

from firmware.cameras.mounting import FLOOR_MM, MODELS, BoardSize, plan_mounting
from firmware.printing.marker_layout import MarkerLayout
from hardware.drawings.drawing import FAINT, INK, NEW, NEW_PAPER, PLAIN, Drawing
from hardware.drawings.notes import NOTE
from hardware.drawings.solids import box
from hardware.drawings.things import (
    Spot,
    arm,
    board,
    laptop,
    marker,
    markers,
    phone,
    pieces,
    sheet,
    table,
)
from hardware.drawings.view import View

_SIZE: Final = BoardSize.usual(14)
"""The usual board of Duo, which the pictures show: 14 squares along a side."""

_LAYOUT: Final = MarkerLayout(_SIZE)
"""Places of the markers beside that board."""

_PLAN: Final = plan_mounting(MODELS["phone"], _SIZE)
"""Mounting of a phone above that board, from which the pictures have its height."""

_LENS_MM: Final = _PLAN.mast_mm
"""Height of the phone's lens above the table."""

_FOOT_Y: Final = 205.0
"""Distance of the arm's foot behind the middle of the board: beyond what the picture shows."""

_PHONE: Final = Spot(60, -20, _LENS_MM)
"""Middle of the phone; its lens, near a corner, is above the middle of the board."""

_LAPTOP: Final = Spot(430, 40, turn_deg=-18)
"""Place of the laptop, right of the board and turned to a person in front of the board."""


def pictures() -> dict[str, Drawing]:
    """Returns the pictures by the names of their files, without suffix."""
    return {
        "whole": _whole(),
        "ruler": measuring(),
        "sheets": _print(),
        "step-1": _markers(),
        "step-2": _desk("The laptop runs the program and shows a code", shows_code=True),
        "step-3": _scan(),
        "step-4": _camera(),
        "step-5": _game(),
    }


def _whole() -> Drawing:
    drawing = Drawing("A board with four markers, a phone on an arm above it, and a laptop")
    _table(drawing)
    board(drawing, _SIZE)
    pieces(drawing, _SIZE, Spot(z=FLOOR_MM))
    markers(drawing, _LAYOUT)
    _arm(drawing, PLAIN)
    laptop(drawing, _LAPTOP)
    drawing.number(1, (-60, -118, FLOOR_MM), (-60, -215, 0))
    drawing.number(2, (-152, -101, 1), (-235, -160, 0))
    drawing.number(3, (_PHONE.x - 60, _PHONE.y, _LENS_MM + 8), (-110, -20, _LENS_MM + 40))
    drawing.number(4, (_PHONE.x, _FOOT_Y, 230), (_PHONE.x + 110, _FOOT_Y, 230))
    drawing.number(5, (440, -60, 14), (470, -200, 0))
    return drawing


def _table(drawing: Drawing) -> None:
    table(drawing, 1040, 490, Spot(130, -15))


def _arm(drawing: Drawing, colour: str) -> None:
    arm(drawing, Spot(_PHONE.x, _FOOT_Y), _LENS_MM, _FOOT_Y - _PHONE.y, colour)
    phone(drawing, _PHONE, colour)


def measuring() -> Drawing:
    """Returns the picture of ten squares that are measured."""
    drawing = Drawing("A ruler along ten squares of the board", View(12, 52))
    board(drawing, _SIZE)
    start = -_SIZE.squares * _SIZE.pitch_mm / 2
    end = start + 10 * _SIZE.pitch_mm
    top, edge = FLOOR_MM + 1.5, start - 1
    drawing.add(box(200, 22, 1.5).moved(start + 100, edge - 11, FLOOR_MM), NEW)
    for k in range(0, 201, 2):
        long = 9 if k % 10 == 0 else 5
        drawing.line([(start + k, edge - long, top), (start + k, edge, top)], INK)
    for x in (start, end):
        drawing.line([(x, edge, FLOOR_MM), (x, start + 44, FLOOR_MM)], NOTE)
    along = start + 40
    drawing.length((start, along, FLOOR_MM), (end, along, FLOOR_MM), "ten squares: 140 mm here")
    return drawing


def _print() -> Drawing:
    drawing = Drawing("Printed sheets with markers; the ruler on each is 100 mm long", View(12, 52))
    for k, x in enumerate((-232.0, 0.0, 232.0)):
        sheet(drawing, 210, 297, Spot(x), NEW_PAPER)
        for tick in range(0, 101, 10):
            drawing.line([(x - 92 + tick, -138, 1), (x - 92 + tick, -134, 1)], INK)
        drawing.line([(x - 92, -138, 1), (x + 8, -138, 1)], INK)
        if k:
            _half_mat(drawing, x, k)
        else:
            _cards(drawing, x)
    drawing.length((-324, -160, 1), (-224, -160, 1), "100 mm")
    return drawing


def _cards(drawing: Drawing, x: float) -> None:
    """Draws the first sheet: board and markers small, and the markers to cut out."""
    for k in range(15):
        along = -50 + 100 / 14 * k
        drawing.line([(x + along, 0, 1), (x + along, 100, 1)], FAINT)
        drawing.line([(x - 50, along + 50, 1), (x + 50, along + 50, 1)], FAINT)
    for name in range(4):
        marker(drawing, _LAYOUT, name, Spot(x - 72 + 48 * name, -60, 0.8))


def _half_mat(drawing: Drawing, x: float, part: int) -> None:
    """Draws a sheet of the mat: half of the board's outline and two markers."""
    side = (-1, 1)[part - 1]
    drawing.line(
        [
            (x - side * 90, -110, 1),
            (x + side * 33, -110, 1),
            (x + side * 33, 136, 1),
            (x - side * 90, 136, 1),
        ],
        FAINT,
    )
    for name, y in zip(((3, 0), (2, 1))[part - 1], (-89, 115), strict=True):
        marker(drawing, _LAYOUT, name, Spot(x + side * 58, y, 0.8))


def _markers() -> Drawing:
    drawing = Drawing(
        "Four markers left and right of the board, level with its corners", View(18, 46)
    )
    table(drawing, 460, 330)
    board(drawing, _SIZE)
    markers(drawing, _LAYOUT, colour=NEW)
    for name, (x, y) in enumerate(_LAYOUT.centres):
        drawing.number(name, (x, -y, 1), (1.34 * x, -1.02 * y, 1))
    return drawing


def _camera() -> Drawing:
    drawing = Drawing("The phone lies flat on the arm, its lens above the middle of the board")
    table(drawing, 560, 490, Spot(0, -15))
    board(drawing, _SIZE)
    markers(drawing, _LAYOUT)
    _arm(drawing, NEW)
    drawing.length((0, 0, FLOOR_MM), (0, 0, _LENS_MM), f"{_PLAN.height_mm / 10:.0f} cm")
    return drawing


def _desk(title: str, colour: str = NEW, *, shows_code: bool = False) -> Drawing:
    drawing = Drawing(title)
    _table(drawing)
    board(drawing, _SIZE)
    markers(drawing, _LAYOUT)
    laptop(drawing, _LAPTOP, colour, shows_code=shows_code)
    return drawing


def _scan() -> Drawing:
    drawing = _desk("The phone's camera app reads the code from the laptop", PLAIN, shows_code=True)
    phone(drawing, Spot(270, -150, 60, 72), NEW)
    drawing.arrow((300, -70, 90), (380, 90, 130))
    return drawing


def _game() -> Drawing:
    drawing = _desk("The laptop and a second phone show what lies on the board")
    _arm(drawing, PLAIN)
    pieces(drawing, _SIZE, Spot(z=FLOOR_MM))
    phone(drawing, Spot(190, -190, turn_deg=80), NEW)
    return drawing
