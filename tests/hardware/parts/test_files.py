"""Fresh files equal the committed ones. Needs the CAD kernel: `make hardware` has it."""

from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest

pytest.importorskip("build123d", reason="the CAD kernel is missing: run `make hardware`")

from build123d import import_step

from hardware.parts import files, mesh
from hardware.parts.catalogue import FILES, PARTS, PartEntry


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fresh")
    files.write(folder, PARTS.values())
    return folder


@pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))
def test_fresh_files_equal_the_committed_ones(part: PartEntry, fresh: Path) -> None:
    assert files.differences(part, FILES, fresh) == []


@pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))
def test_a_part_is_one_valid_solid(part: PartEntry, fresh: Path) -> None:
    shape = import_step(fresh / part.file(".step").name)
    assert shape.is_valid
    assert len(shape.solids()) == 1


def test_a_part_that_changed_is_named_with_what_changed() -> None:
    old = files.measure(files.draw(PARTS["base-duo"]))
    radius, x, *rest = old.holes[0]
    moved = replace(old, holes=((radius, x + 0.02, *rest), *old.holes[1:]))
    larger = replace(old, volume=old.volume * 1.001, faces=old.faces + 1)
    grown = replace(old, corners=(old.corners[0] - 0.02, *old.corners[1:]))
    assert files.compare("base", old, old) == []
    assert files.compare("base", old, moved) == ["base: a hole moved or changed its radius"]
    assert len(files.compare("base", old, larger)) == 2
    assert "bounding box" in files.compare("base", old, grown)[0]


def test_files_that_differ_are_replaced_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: PARTS[name] for name in ("piece-1", "piece-o", "mast-foot", "opal-duo")}
    monkeypatch.setattr(files, "PARTS", few)
    for part in few.values():
        for suffix in part.suffixes:
            copyfile(part.file(suffix), tmp_path / part.file(suffix).name)
    copyfile(PARTS["piece-2"].file(".step"), tmp_path / "piece-1.step")
    (tmp_path / "piece-o.stl").unlink()
    (tmp_path / "old.stl").touch()
    before = (tmp_path / "mast-foot.step").stat().st_mtime_ns
    found = files.renew(tmp_path)
    assert any(sentence.startswith("piece-1.step: its volume") for sentence in found)
    assert "piece-o.stl is missing" in found
    assert "old.stl belongs to no part" in found
    assert {sentence.split(".")[0] for sentence in found} == {"piece-1", "piece-o", "old"}
    assert (tmp_path / "mast-foot.step").stat().st_mtime_ns == before
    assert files.differences(PARTS["piece-o"], FILES, tmp_path) == []


@pytest.mark.parametrize("pitch", [8.0, 18.0, 40.0])
def test_pieces_are_drawn_at_any_pitch(pitch: float, tmp_path: Path) -> None:
    assert len(files.write_pieces(tmp_path, pitch)) == 42
    triangles = mesh.read_stl(tmp_path / "piece-w.stl")
    least, most = mesh.bounds(triangles)
    assert mesh.open_edges(triangles) == 0
    assert (most - least)[:2] == pytest.approx(3 * pitch - 0.3, abs=0.01)


def test_a_pitch_of_no_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="7 mm is not between 8 and 40"):
        files.write_pieces(tmp_path, 7.0)
