"""An area larger than the paper, in equal parts that are cut and taped together. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

from firmware.printing.paper import Paper
from firmware.printing.sheets import EDGE_MM, FOOT_MM

OVERLAP_MM: Final = 8.0
"""Width in millimetres of the strip under the next part."""


@dataclass(frozen=True, slots=True)
class MatPart:
    """A part of an area; lengths in millimetres.

    Attributes:
        name: letter of its row and number of its column.
        x, y: its top left corner in the area.
        width, height: its size without the strips for glue.
        has_right, has_below: True if a part follows there, so that it has a strip.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    has_right: bool
    has_below: bool


@dataclass(frozen=True, slots=True)
class Tiling:
    """An area, `width` by `height`, in `columns` by `rows` parts on sheets of `paper`."""

    paper: Paper
    width: float
    height: float
    columns: int
    rows: int

    @staticmethod
    def of(width: float, height: float, paper: Paper) -> "Tiling":
        """Divides an area into the fewest sheets, upright or turned."""
        tilings = []
        for turned in (paper, paper.landscape):
            across = turned.width_mm - 2 * EDGE_MM - OVERLAP_MM
            down = turned.height_mm - EDGE_MM - FOOT_MM - OVERLAP_MM
            columns = math.ceil((width - OVERLAP_MM) / across)
            rows = math.ceil((height - OVERLAP_MM) / down)
            tilings.append(Tiling(turned, width, height, columns, rows))
        return min(tilings, key=lambda tiling: tiling.columns * tiling.rows)

    def __iter__(self) -> Iterator[MatPart]:
        width, height = self.width / self.columns, self.height / self.rows
        for row in range(self.rows):
            for column in range(self.columns):
                yield MatPart(
                    f"{ascii_uppercase[row]}{column + 1}",
                    column * width,
                    row * height,
                    width,
                    height,
                    column + 1 < self.columns,
                    row + 1 < self.rows,
                )
