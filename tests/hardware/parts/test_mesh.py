from pathlib import Path

import numpy as np
import pytest

from hardware.parts import bought, mesh
from hardware.parts.catalogue import PARTS

BLOCK = bought.box((0, 0, 0), (2, 3, 4))


def test_a_box_is_closed_and_has_its_volume() -> None:
    assert mesh.open_edges(BLOCK) == 0
    assert mesh.volume(BLOCK) == pytest.approx(24)
    assert [list(corner) for corner in mesh.bounds(BLOCK)] == [[0, 0, 0], [2, 3, 4]]


def test_a_missing_triangle_opens_three_edges() -> None:
    assert mesh.open_edges(BLOCK[1:]) == 3


def test_a_triangle_turned_inside_out_is_noticed() -> None:
    turned = BLOCK.copy()
    turned[0] = turned[0, ::-1]
    assert mesh.open_edges(turned) > 0
    assert mesh.volume(BLOCK[:, ::-1]) == pytest.approx(-24)


@pytest.mark.parametrize("end", [(0, 0, 5), (3, 4, 0), (-1, 2, 2)])
def test_a_cylinder_is_closed_in_every_direction(end: tuple[float, float, float]) -> None:
    cylinder = bought.cylinder(2.0, (0, 0, 0), end)
    assert mesh.open_edges(cylinder) == 0
    long = float(np.linalg.norm(end))
    assert mesh.volume(cylinder) == pytest.approx(np.pi * 4 * long, rel=0.01)


def test_a_line_goes_in_and_out() -> None:
    two = np.concatenate([BLOCK, BLOCK + np.array((0, 0, 10))])
    assert mesh.crossings(two, (0.9, 1.1, 0), 2) == pytest.approx([0, 4, 10, 14])
    assert len(mesh.crossings(two, (2.1, 1.1, 0), 2)) == 0


def test_a_file_that_is_cut_off_is_refused_in_a_sentence(tmp_path: Path) -> None:
    whole = PARTS["phone-jaw"].file(".stl").read_bytes()
    cut = tmp_path / "cut.stl"
    cut.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=r"cut\.stl is not a whole binary STL file; generate"):
        mesh.read_stl(cut)
