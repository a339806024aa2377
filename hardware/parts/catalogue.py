"""Every part: its files, the function that draws it, how it lies on the print bed."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.parts.mesh import Triangles, read_stl

FILES: Final = Path(__file__).parent / "files"
"""Folder of the generated files."""

AS_USED: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
UPSIDE_DOWN: Final = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
ON_ITS_SIDE: Final = ((0, 0, -1), (0, 1, 0), (1, 0, 0))
"""Rotations from use to print bed: turned about x, and with -x below."""

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
        lies: rotation from its place in use to its place on the print bed.
        material: what it is made of.
        is_cut: True for a flat part that is cut from a sheet, and has a DXF file.
    """

    name: str
    title: str
    module: str
    function: str
    arguments: tuple[float | str, ...] = ()
    lies: Rotation = AS_USED
    material: str = "PETG or PLA"
    is_cut: bool = False

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
        return np.array(self.lies, dtype=np.float64)


_MAST: Final = (
    PartEntry("mast-foot", "mast foot, clamp", "mast_foot", "mast_foot", lies=ON_ITS_SIDE),
    PartEntry("mast-flange", "mast foot, screwed", "mast_foot", "mast_flange"),
    PartEntry("mast-elbow", "mast elbow", "mast_elbow", "mast_elbow"),
    PartEntry(
        "head-small",
        "head for Camera Module 2, 3, 3 Wide, AI Camera",
        "camera_heads",
        "small_head",
        lies=UPSIDE_DOWN,
    ),
    PartEntry(
        "head-large",
        "head for HQ and Global Shutter Camera",
        "camera_heads",
        "large_head",
        lies=UPSIDE_DOWN,
    ),
    PartEntry("head-usb", "head for a webcam", "camera_heads", "usb_head", lies=UPSIDE_DOWN),
    PartEntry("head-phone", "head for a phone", "camera_heads", "phone_head"),
    PartEntry("phone-jaw", "jaw of the head for a phone", "camera_heads", "phone_jaw"),
)

PARTS: Final = {part.name: part for part in (*_MAST,)}
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
