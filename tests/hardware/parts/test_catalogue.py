"""Every part has its files, every file its part; all are closed and fit on the print bed."""

import ast
from pathlib import Path

import numpy as np
import pytest

import hardware.parts
from firmware.cameras.mounting import MODELS
from firmware.rules.pieces import PIECES
from hardware.parts import catalogue, mesh, placement
from hardware.parts.catalogue import FILES, PARTS, PartEntry
from hardware.parts.dimensions import LARGEST

MOST_BYTES = 12_000_000
MOST_LEVEL_MM2 = 100
"""Level area that hangs. The most is 43, mouths of 6 and 9 in the wall of the frame; the slit of a
clamp that lay on its side was 600."""

FOLDER = Path(hardware.parts.__path__[0])
SHAPES_OF_PARTS = {"clamp", "joint", "solids"}
"""Modules of geometry that parts share."""

each_part = pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))


def drawing_functions() -> set[tuple[str, str]]:
    """Returns the public functions that draw a part, by module."""
    return {
        (path.stem, node.name)
        for path in FOLDER.glob("*.py")
        if path.stem not in SHAPES_OF_PARTS
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and isinstance(node.returns, ast.Name)
        and node.returns.id == "Part"
    } - {("files", "draw")}


def test_every_function_that_draws_a_part_is_used_and_every_part_has_one() -> None:
    assert {(part.module, part.function) for part in PARTS.values()} == drawing_functions()


def test_every_file_belongs_to_a_part_and_every_part_has_its_files() -> None:
    wanted = {part.file(suffix).name for part in PARTS.values() for suffix in part.suffixes}
    assert {path.name for path in FILES.iterdir()} == wanted


def test_the_files_are_not_large() -> None:
    assert sum(path.stat().st_size for path in FILES.iterdir()) <= MOST_BYTES


def test_titles_are_different() -> None:
    assert len({part.title for part in PARTS.values()}) == len(PARTS)


def test_there_is_a_piece_for_every_piece_of_the_game() -> None:
    drawn = {part.arguments[0] for part in PARTS.values() if part.module == "pieces"}
    assert drawn == {piece.name for piece in PIECES}


def test_every_part_is_in_a_build_or_instead_of_one_that_is() -> None:
    used = {
        name
        for build in placement.BUILDS
        for game in placement.SQUARES
        for camera in MODELS
        for name in placement.quantities(build, game, camera)
    }
    for part in PARTS.values():
        assert part.module == "pitch_sheet" or (part.instead_of or part.name) in used, part.name


@each_part
def test_its_surface_is_closed_and_right_side_out(part: PartEntry) -> None:
    triangles = mesh.read_stl(part.file(".stl"))
    assert mesh.open_edges(triangles) == 0
    assert mesh.volume(triangles) > 500


@each_part
def test_it_fits_on_the_print_bed_or_is_flat_and_cut(part: PartEntry) -> None:
    least, most = mesh.bounds(mesh.read_stl(part.file(".stl")))
    if part.is_cut:
        assert most[2] - least[2] <= 4
    else:
        assert max(most - least) <= LARGEST


@each_part
def test_it_lies_flat_on_the_bed(part: PartEntry) -> None:
    """A part that stood on an edge or on a point would not stick to the bed."""
    triangles = mesh.read_stl(part.file(".stl"))
    bottom = triangles[:, :, 2].min()
    lying = triangles[(triangles[:, :, 2] < bottom + 1e-4).all(axis=1)]
    sides = lying[:, 1:, :2] - lying[:, :1, :2]
    area = abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]).sum() / 2
    assert area > 100


@each_part
def test_nothing_of_it_is_printed_in_the_air(part: PartEntry) -> None:
    """What hangs level is small, or bridges a gap that a printer bridges without support."""
    triangles = mesh.read_stl(part.file(".stl"))
    sides = triangles[:, 1:] - triangles[:, :1]
    normals = np.cross(sides[:, 0], sides[:, 1])
    areas = np.linalg.norm(normals, axis=1) / 2
    above = triangles[:, :, 2].min(axis=1) > triangles[:, :, 2].min() + 0.5
    level = -normals[:, 2] > 2 * 0.99 * areas
    assert areas[level & above].sum() < MOST_LEVEL_MM2


@each_part
def test_a_turn_to_the_bed_is_a_rotation(part: PartEntry) -> None:
    assert (part.turn @ part.turn.T == catalogue.AS_USED).all()


def test_a_part_whose_file_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "FILES", tmp_path)
    catalogue.triangles_of.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"mast-foot\.stl"):
        catalogue.triangles_of("mast-foot")
