"""What is cut, measured in the DXF files."""

import numpy as np
import pytest

from hardware.parts.catalogue import PARTS
from hardware.parts.mesh import bounds, read_stl
from hardware.parts.placement import SQUARES
from tests.support.solids import DxfEntity, read_dxf

PITCH = 50 / 3


def entities(name: str) -> list[DxfEntity]:
    return read_dxf(PARTS[name].file(".dxf"))


@pytest.mark.parametrize("name", [part.name for part in PARTS.values() if part.is_cut])
def test_outline_and_solid_have_one_size(name: str) -> None:
    points = np.concatenate([one.points for one in entities(name) if one.kind == "LINE"])
    least, most = bounds(read_stl(PARTS[name].file(".stl")))
    assert points.min(axis=0) == pytest.approx(least[:2], abs=0.01)
    assert points.max(axis=0) == pytest.approx(most[:2], abs=0.01)


@pytest.mark.parametrize("name", [part.name for part in PARTS.values() if part.is_cut])
def test_an_outline_is_closed(name: str) -> None:
    kinds = [one.kind for one in entities(name) if one.layer == "cut"]
    assert kinds.count("LINE") == kinds.count("ARC") == 4
    assert set(kinds) <= {"LINE", "ARC", "CIRCLE"}


@pytest.mark.parametrize("game", SQUARES)
def test_a_base_plate_has_holes_for_m3(game: str) -> None:
    radii = [one.values[40] for one in entities(f"base-{game}") if one.kind == "CIRCLE"]
    assert radii == pytest.approx([1.7] * 12)


@pytest.mark.parametrize("game", SQUARES)
def test_the_squares_are_scored_into_the_opal_top(game: str) -> None:
    squares = SQUARES[game]
    scored = [one.points for one in entities(f"opal-{game}") if one.layer == "score"]
    half = squares * PITCH / 2
    expected = [k * PITCH - half for k in range(squares + 1)]
    upright = sorted(one[0, 0] for one in scored if one[0, 0] == one[1, 0])
    level = sorted(one[0, 1] for one in scored if one[0, 1] == one[1, 1])
    assert upright == pytest.approx(expected, abs=1e-4)
    assert level == pytest.approx(expected, abs=1e-4)
    assert len(scored) == 2 * (squares + 1)
