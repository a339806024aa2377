"""Every part: its files, the function that draws it, how it lies on the print bed."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.pieces import PIECES
from hardware.parts.dimensions import STRIP_PITCH
from hardware.parts.mesh import Triangles, read_stl, volume

FILES: Final = Path(__file__).parent / "files"
"""Folder of the generated files."""

AS_USED: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
"""Rotation from use to print bed of a part that is printed as it is used."""

UPSIDE_DOWN: Final = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
"""Rotation from use to print bed by half a turn about x."""

ON_ITS_SIDE: Final = ((0, 0, -1), (0, 1, 0), (1, 0, 0))
"""Rotation from use to print bed after which -x is below."""

_DENSITY: Final = 1.27e-3
"""Grams of a cubic millimetre of PETG; PLA has 1.24e-3."""

Rotation = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class PartEntry:
    """A part that is printed or cut.

    Attributes:
        name: name of its files, without their endings.
        title: name in sentences, in English.
        module: module of this package that draws it.
        function: function of that module.
        arguments: what it is called with.
        bed_rotation: rotation from its place in use to its place on the print bed.
        material: what it is made of.
        is_cut: True for a flat part that is cut from a sheet, and has a DXF file.
        scored: function that returns lines to be scored into it; empty if there are none.
        instead_of: part in whose place it may be taken; empty if it has a place of its own.
        fixed_by: screws of one such part, and how many of each.
    """

    name: str
    title: str
    module: str
    function: str
    arguments: tuple[float | str, ...] = ()
    bed_rotation: Rotation = AS_USED
    material: str = "PETG or PLA"
    is_cut: bool = False
    scored: str = ""
    instead_of: str = ""
    fixed_by: tuple[tuple[str, int], ...] = ()

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of its files."""
        return (".step", ".stl", *((".dxf",) if self.is_cut else ()))

    def file(self, suffix: str) -> Path:
        """Returns the path of one of its files."""
        return FILES / f"{self.name}{suffix}"

    @property
    def turn(self) -> NDArray[np.float64]:
        """Rotation (3, 3) from use to print bed."""
        return np.array(self.bed_rotation, dtype=np.float64)


_CLAMP: Final = ("M4 x 20 bolt with nut", 1)
"""Screw that closes a clamp around a tube, and its number."""

_CAMERA_SCREWS: Final = 4
"""Screws of a camera module, one in each hole of its board."""

_MAST: Final = (
    PartEntry(
        "mast-foot",
        "mast foot, clamp",
        "mast_foot",
        "mast_foot",
        bed_rotation=ON_ITS_SIDE,
        fixed_by=(_CLAMP, ("M6 x 70 bolt with nut", 1)),
    ),
    PartEntry(
        "mast-flange",
        "mast foot, screwed",
        "mast_foot",
        "mast_flange",
        instead_of="mast-foot",
        fixed_by=(_CLAMP, ("4 x 20 wood screw, countersunk", 4)),
    ),
    PartEntry(
        "foot-pad", "pad of the mast foot", "mast_foot", "foot_pad", bed_rotation=UPSIDE_DOWN
    ),
    PartEntry("mast-elbow", "mast elbow", "mast_elbow", "mast_elbow", fixed_by=((_CLAMP[0], 2),)),
    PartEntry(
        "head-small",
        "head for Camera Module 2, 3, 3 Wide, AI Camera",
        "camera_heads",
        "small_head",
        bed_rotation=UPSIDE_DOWN,
        fixed_by=(_CLAMP, ("M2 x 8 screw", _CAMERA_SCREWS)),
    ),
    PartEntry(
        "head-large",
        "head for HQ and Global Shutter Camera",
        "camera_heads",
        "large_head",
        bed_rotation=UPSIDE_DOWN,
        fixed_by=(_CLAMP, ("M2.5 x 8 screw", _CAMERA_SCREWS)),
    ),
    PartEntry(
        "head-usb",
        "head for a webcam",
        "camera_heads",
        "usb_head",
        bed_rotation=UPSIDE_DOWN,
        fixed_by=(_CLAMP, ("photo screw, 1/4 inch x 12", 1)),
    ),
    PartEntry("head-phone", "head for a phone", "camera_heads", "phone_head", fixed_by=(_CLAMP,)),
    PartEntry(
        "phone-jaw",
        "jaw of the head for a phone",
        "camera_heads",
        "phone_jaw",
        fixed_by=(("M4 x 16 bolt with wing nut", 1),),
    ),
)
"""Parts of the mast, with a foot for each way to fix it and a head for each kind of camera."""

_SHEETS: Final = (
    ("base", "base plate", "base_plate", "plywood or acrylic, 4 mm", ""),
    ("opal", "opal top", "opal_top", "opal acrylic, 3 mm", "square_lines"),
)
"""Sheets of a glowing board: name, title, function, material, and function of the lines to be
scored."""


def _boards(game: str, squares: int) -> tuple[PartEntry, ...]:
    """Returns the parts of a glowing board with some squares along a side."""
    title, quarter = game.capitalize(), squares // 2
    grid, frame = "light_grid", "board_frame"
    return (
        PartEntry(
            f"light-grid-{game}-a",
            f"quarter of the light grid with seams, {title}",
            grid,
            "quarter_a",
            (quarter,),
            UPSIDE_DOWN,
        ),
        PartEntry(
            f"light-grid-{game}-b",
            f"quarter of the light grid without seams, {title}",
            grid,
            "quarter_b",
            (quarter,),
            UPSIDE_DOWN,
        ),
        PartEntry(
            f"frame-corner-{game}",
            f"corner of the frame, {title}",
            frame,
            "frame_corner",
            (squares,),
            UPSIDE_DOWN,
            fixed_by=(("M3 x 12 screw", 3),),
        ),
        *(
            PartEntry(
                f"{name}-{game}",
                f"{what}, {title}",
                "flat_parts",
                function,
                (squares,),
                material=material,
                is_cut=True,
                scored=scored,
            )
            for name, what, function, material, scored in _SHEETS
        ),
    )


_GLOWING: Final = (
    *_boards("duo", 14),
    *_boards("classic", 20),
    PartEntry(
        "marker-seat", "seat of a marker", "board_frame", "marker_seat", bed_rotation=UPSIDE_DOWN
    ),
)
"""Parts of the glowing boards of both games."""

_BUTTONS: Final = tuple(
    PartEntry(
        f"button-{what}-{count}",
        f"{title} {count}",
        "button_box",
        function,
        (count,),
        bed_rotation,
        instead_of=f"button-{what}-1" if count > 1 else "",
        fixed_by=fixed_by,
    )
    for count in (1, 2)
    for what, title, function, bed_rotation, fixed_by in (
        ("box", "button box for", "button_box", UPSIDE_DOWN, ()),
        ("lid", "lid of the button box for", "button_lid", AS_USED, (("M3 x 10 screw", 4),)),
    )
)
"""Boxes of buttons and their lids; those for two may be taken in place of those for one."""

_OPAL: Final = "opal acrylic, 3 mm"
"""Material of the sheets above panels."""

_SUNK: Final = "M3 x 10 screw, countersunk"
"""Screw of a holder on its foot; its head is sunk into the floor on which the panel lies."""

_PANEL: Final = (
    PartEntry(
        "panel-tray",
        "holder of one panel",
        "panel_holder",
        "panel_tray",
        fixed_by=((_SUNK, 4),),
    ),
    PartEntry(
        "panel-corner",
        "holder of one of four panels",
        "panel_holder",
        "panel_corner",
        fixed_by=((_SUNK, 2),),
    ),
    PartEntry(
        "panel-wedge", "wedge below one panel", "panel_holder", "panel_wedge", (), ON_ITS_SIDE
    ),
    PartEntry("panel-block", "block below four panels", "panel_holder", "panel_block"),
    *(
        PartEntry(
            f"panel-opal-{panels}",
            f"opal sheet over {panels}",
            "panel_holder",
            "panel_opal",
            (side,),
            material=_OPAL,
            is_cut=True,
        )
        for panels, side in (("one", 1), ("four", 2))
    ),
)
"""Parts that hold the panels of a club table: one panel for Duo, four for Classic."""

_PIECES: Final = tuple(
    PartEntry(
        f"piece-{piece.name.lower()}",
        f"piece {piece.name}",
        "pieces",
        "piece",
        (piece.name, STRIP_PITCH),
        material="translucent PETG or PLA, in the player's colour",
    )
    for piece in PIECES
)
"""The pieces of a glowing board, at the pitch of its LEDs."""

_TOOLS: Final = tuple(
    PartEntry(f"pitch-sheet-{name}", f"pitch sheet, {title}", "pitch_sheet", f"{name}_sheet")
    for name, title in (("small", "13 to 16.5 mm"), ("large", "16.67 to 20 mm"))
)
"""Sheets that measure the pitch of bought pieces; a title names the pitches of its slots."""

PARTS: Final = {
    part.name: part for part in (*_MAST, *_GLOWING, *_BUTTONS, *_PANEL, *_PIECES, *_TOOLS)
}
"""The parts by name."""


@cache
def triangles_of(name: str) -> Triangles:
    """Returns the triangles (N, 3, 3) of a part in the place that it has when used.

    Raises:
        FileNotFoundError: its STL file is missing; `make hardware` generates it.
    """
    part = PARTS[name]
    placed: Triangles = read_stl(part.file(".stl")) @ part.turn
    return placed


def grams_of(name: str) -> float:
    """Returns the weight of a printed part that is filled wholly."""
    return float(volume(triangles_of(name))) * _DENSITY
