"""Measures solids along lines through their triangles, and reads the lines of DXF files."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware.parts.mesh import Triangles, crossings

Interval = tuple[float, float]


def solid_along(
    triangles: Triangles, origin: tuple[float, float, float], axis: int
) -> list[Interval]:
    """Returns where a line parallel to an axis runs within a solid, in rising order."""
    found = crossings(triangles, origin, axis)
    assert len(found) % 2 == 0, "the line meets an edge, or the solid is open"
    return list(zip(found[::2].tolist(), found[1::2].tolist(), strict=True))


def hollow_along(
    triangles: Triangles, origin: tuple[float, float, float], axis: int
) -> list[Interval]:
    """Returns the gaps between those intervals."""
    solid = solid_along(triangles, origin, axis)
    return [(one[1], other[0]) for one, other in pairwise(solid)]


def lengths(intervals: list[Interval]) -> list[float]:
    return [end - start for start, end in intervals]


def middles(intervals: list[Interval]) -> list[float]:
    return [(start + end) / 2 for start, end in intervals]


@dataclass(frozen=True)
class DxfEntity:
    """A line, arc or circle of a DXF file, with its values by group code."""

    kind: str
    layer: str
    values: dict[int, float]

    @property
    def points(self) -> NDArray[np.float64]:
        """Ends of a line (2, 2), or middle of an arc or circle (1, 2)."""
        pairs = [(10, 20), (11, 21)] if self.kind == "LINE" else [(10, 20)]
        return np.array([[self.values[x], self.values[y]] for x, y in pairs])


def read_dxf(path: Path) -> list[DxfEntity]:
    """Returns the entities of a DXF file."""
    words = path.read_text(encoding="utf-8").splitlines()
    groups = [
        (int(code), value.strip()) for code, value in zip(words[::2], words[1::2], strict=True)
    ]
    start = groups.index((2, "ENTITIES")) + 1
    end = groups.index((0, "ENDSEC"), start)
    starts = [k for k in range(start, end) if groups[k][0] == 0]
    return [_entity(groups[k:last]) for k, last in zip(starts, [*starts[1:], end], strict=True)]


def _entity(groups: list[tuple[int, str]]) -> DxfEntity:
    layer = next(value for code, value in groups if code == 8)
    values = {code: float(value) for code, value in groups if 10 <= code < 60}
    return DxfEntity(groups[0][1], layer, values)
