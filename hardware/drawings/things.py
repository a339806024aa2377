"""Things that are bought or there already, as simple shapes: table, board, phone, computer.

Each stands on the table, the plane z = 0; lengths are in millimetres.
"""

from dataclasses import dataclass
from typing import Final

from firmware.cameras.mounting import FLOOR_MM, BoardSize
from firmware.printing.marker_layout import MarkerLayout
from firmware.printing.marker_sheet import MODULES, black_modules
from hardware.drawings.drawing import DARK, FAINT, PLAIN, Drawing
from hardware.drawings.solids import Solid, box, cylinder, joined, rod, rounded_box

WOOD: Final = "#f3e9d8"
"""Colour of a table."""

WHITE: Final = "#ffffff"
"""Colour of paper, opal sheets, LED strips and connectors."""

BLACK: Final = "#222b36"
"""Colour of print, of wires at ground, and of black plastic."""

METAL: Final = "#c3cad3"
"""Colour of tubes, sockets, screws, the light grid, and lines on a page."""

PURPLE: Final = "#8b5fc7"
"""Colour of the first player's pieces."""

ORANGE: Final = "#ef7d33"
"""Colour of the second player's pieces."""

SCREEN: Final = "#26323f"
"""Colour of a screen that is dark."""

_PAPER_MM: Final = 0.7
"""Thickness that paper has in drawings."""

PIECES: Final = (
    (PURPLE, ((4, 9), (4, 8), (5, 8), (6, 8), (5, 7))),
    (ORANGE, ((9, 4), (9, 5), (8, 5), (10, 5), (9, 6))),
    (PURPLE, ((3, 6), (2, 6), (2, 5), (2, 4))),
    (ORANGE, ((8, 7), (7, 7), (7, 6), (7, 8))),
)
"""Pieces of a game that has begun: colour, and squares (column, row from the front)."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place, and the angle in degrees of what stands there."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    turn_deg: float = 0.0

    def put(self, solid: Solid) -> Solid:
        """Returns a shape that stands there."""
        return solid.turned("z", self.turn_deg).moved(self.x, self.y, self.z)


ORIGIN: Final = Spot()
"""Place of things for which none is given: on the table, at the middle of the board."""


def table(drawing: Drawing, width: float, depth: float, at: Spot = ORIGIN) -> None:
    """Adds the top of a table."""
    drawing.add(at.put(rounded_box(width, depth, 22, 12).moved(z=-22)), WOOD)


def board(drawing: Drawing, size: BoardSize, colour: str = PLAIN, at: Spot = ORIGIN) -> None:
    """Adds a board with its squares."""
    drawing.add(at.put(rounded_box(size.outer_mm, size.outer_mm, FLOOR_MM, 6)), colour)
    grid(drawing, size, Spot(at.x, at.y, at.z + FLOOR_MM))


def grid(drawing: Drawing, size: BoardSize, at: Spot, colour: str = FAINT) -> None:
    """Adds the lines between squares."""
    half = size.squares * size.pitch_mm / 2
    for k in range(size.squares + 1):
        along = k * size.pitch_mm - half
        for ends in (((along, -half), (along, half)), ((-half, along), (half, along))):
            drawing.line([(at.x + x, at.y + y, at.z) for x, y in ends], colour)


def pieces(drawing: Drawing, size: BoardSize, at: Spot) -> None:
    """Adds the pieces of a game that has begun, on a surface at the height of `at`."""
    side = size.pitch_mm * 0.94
    for colour, squares in PIECES:
        for column, row in squares:
            x, y = ((place + 0.5 - size.squares / 2) * size.pitch_mm for place in (column, row))
            drawing.add(box(side, side, 5).moved(at.x + x, at.y + y, at.z), colour)


def marker(
    drawing: Drawing, layout: MarkerLayout, name: int, at: Spot, colour: str = WHITE
) -> None:
    """Adds a marker on its card."""
    drawing.add(at.put(box(layout.card_mm, layout.card_mm, _PAPER_MM)), colour)
    half, step = layout.marker_mm / 2, layout.marker_mm / MODULES
    for row, column in black_modules(name):
        x, y = (column + 0.5) * step - half, half - (row + 0.5) * step
        black = box(step, step, 0.2).moved(x, y, _PAPER_MM)
        drawing.add(at.put(black), BLACK, has_lines=False)


def markers(drawing: Drawing, layout: MarkerLayout, z: float = 0.0, colour: str = WHITE) -> None:
    """Adds the four markers beside a board whose middle is at x = y = 0."""
    for name, (x, y) in enumerate(layout.centres):
        marker(drawing, layout, name, Spot(x, -y, z), colour)


def sheet(drawing: Drawing, width: float, depth: float, at: Spot, colour: str = WHITE) -> None:
    """Adds a sheet of paper."""
    drawing.add(at.put(box(width, depth, _PAPER_MM)), colour)


def phone(drawing: Drawing, at: Spot, colour: str = PLAIN, *, face_up: bool = True) -> None:
    """Adds a phone that lies flat, with its screen up or with its camera up."""
    drawing.add(at.put(rounded_box(152, 72, 8, 9)), colour)
    if face_up:
        drawing.add(at.put(rounded_box(140, 64, 0.4, 5).moved(z=8)), SCREEN)
    else:
        drawing.add(at.put(cylinder(6, 2).moved(-60, 20, 8)), DARK)


def laptop(drawing: Drawing, at: Spot, colour: str = PLAIN, *, shows_code: bool = False) -> None:
    """Adds a laptop that shows the page or a code to scan, its keys at y < 0."""
    drawing.add(at.put(rounded_box(300, 205, 14, 8)), colour)
    drawing.add(at.put(rounded_box(262, 96, 0.5, 3).moved(y=28, z=14)), DARK)
    drawing.add(at.put(rounded_box(90, 54, 0.4, 3).moved(y=-66, z=14)), METAL)
    page = rounded_box(268, 164, 0.5, 3).moved(y=102, z=7)
    field = box(128, 128, 0.3).moved(-58, 102, 7.5)
    lines = [box(88, 10, 0.3).moved(72, 150 - 24 * k, 7.5) for k in range(4)]
    squares = [
        (box(8.6, 8.6, 0.3).moved(-117.4 + 9.14 * column, 42.6 + 9.14 * row, 7.8), ink)
        for ink, places in PIECES
        for column, row in places
    ]
    if shows_code:
        step = 128 / MODULES
        dots = [(column + 0.5, row + 0.5) for row, column in black_modules(1)]
        dot = box(step, step, 0.3).moved(-122, 166, 7.8)
        squares = [(dot.moved(step * x, -step * y), BLACK) for x, y in dots]
    lid = [
        (rounded_box(300, 200, 7, 8).moved(y=100), colour, True),
        (page, WHITE, True),
        (field, PLAIN, True),
        *((line, METAL, False) for line in lines),
        *((square, ink, False) for square, ink in squares),
    ]
    for part, ink, has_lines in lid:
        # It lies on its back behind the hinge, then it is raised towards the reader.
        raised = part.turned("x", 72).moved(y=98, z=14)
        drawing.add(at.put(raised), ink, has_lines=has_lines)


def arm(drawing: Drawing, foot: Spot, lens_mm: float, reach_mm: float, colour: str = PLAIN) -> None:
    """Adds an arm with a clamp at the edge of a table, and a holder at its end.

    Args:
        drawing: where to add it.
        foot: middle of its upright at the surface of the table.
        lens_mm: height of the holder above the table.
        reach_mm: length of the part that reaches out towards -y.
        colour: its colour.
    """
    x, y, top = foot.x, foot.y, lens_mm + 14
    clamp = joined(
        [box(44, 60, 12), box(44, 12, 60).moved(y=24, z=-48), box(44, 60, 8).moved(z=-48)]
    )
    drawing.add(clamp.moved(x, y), colour)
    drawing.add(rod((x, y, -44), (x, y, -24), 5), METAL)
    drawing.add(rod((x, y, 12), (x, y, top), 8), colour)
    drawing.add(rod((x, y, top), (x, y - reach_mm, top), 7), colour)
    drawing.add(box(30, 30, 26).moved(x, y, top - 13), colour)
    holder = joined(
        [box(40, 84, 3).moved(z=10), box(40, 3, 13).moved(y=-40), box(40, 3, 13).moved(y=40)]
    )
    drawing.add(holder.moved(x, y - reach_mm, lens_mm - 2), METAL)
