"""Writes the files of the parts, and compares committed files with fresh ones. Needs the kernel.

The files have no date of their own, so that the same code makes equal files.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, Final

from build123d import (
    ExportDXF,
    GeomType,
    Location,
    Part,
    Plane,
    export_step,
    export_stl,
    import_step,
    section,
)
from ezdxf._options import options

from hardware.parts.catalogue import FILES, PARTS, PartEntry
from hardware.parts.dimensions import PITCHES
from hardware.parts.mesh import bounds, read_stl, volume

_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Date in the header of STEP files, always the same."""

_SAG: Final = 0.03
"""Distance in millimetres of triangles from the surface: less than a printer shows."""

_SAG_RAD: Final = 0.3
"""Angle in radians between neighbouring triangles: 21 a turn at least."""

SAME_MM: Final = 0.01
"""Distance within which bounding boxes and holes are equal."""

_SAME_SHARE: Final = 1e-5
"""Share within which volumes are equal."""


def draw(part: PartEntry) -> Part:
    """Returns a part as it lies on the print bed."""
    shape = _function(part, part.function)(*part.arguments)
    x_axis, _, z_axis = part.turn.T
    place = Plane((0, 0, 0), x_dir=tuple(x_axis), z_dir=tuple(z_axis))
    lying: Part = Location(place) * shape
    return lying


def write(folder: Path, parts: Iterable[PartEntry] = PARTS.values()) -> list[Path]:
    """Writes the files of parts into a folder, and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [path for part in parts for path in _write_part(part, folder)]


def write_pieces(folder: Path, pitch: float) -> list[Path]:
    """Writes the 21 pieces for squares of some pitch, and returns the paths of their files.

    Args:
        folder: folder that is made if it is missing.
        pitch: distance from square to square in millimetres.

    Raises:
        ValueError: the pitch is outside `PITCHES`.
    """
    least, most = PITCHES
    if not least <= pitch <= most:
        raise ValueError(f"a pitch of {pitch:g} mm is not between {least:g} and {most:g} mm")
    pieces = [part for part in PARTS.values() if part.module == "pieces"]
    return write(folder, [replace(part, arguments=(part.arguments[0], pitch)) for part in pieces])


def _write_part(part: PartEntry, folder: Path) -> list[Path]:
    """Writes the files of one part."""
    shape = draw(part)
    shape.label = part.name
    paths = [folder / f"{part.name}{suffix}" for suffix in part.suffixes]
    export_step(shape, paths[0], write_pcurves=False, timestamp=_DATE)
    export_stl(shape, paths[1], tolerance=_SAG, angular_tolerance=_SAG_RAD)
    if part.is_cut:
        _write_dxf(part, shape, paths[2])
    return paths


def _write_dxf(part: PartEntry, shape: Part, path: Path) -> None:
    """Writes the outline of a flat part, at half its thickness, and what is scored into it."""
    options.write_fixed_meta_data_for_testing = True
    box = shape.bounding_box()
    middle = Plane((0, 0, (box.min.Z + box.max.Z) / 2))
    exporter = ExportDXF()
    exporter.add_layer("cut")
    exporter.add_shape(middle.to_local_coords(section(shape, middle)), layer="cut")
    if part.scored:
        exporter.add_layer("score")
        exporter.add_shape(_function(part, part.scored)(*part.arguments), layer="score")
    exporter.write(path)


def _function(part: PartEntry, name: str) -> Callable[..., Any]:
    """Returns a function of the module that draws a part."""
    found: Callable[..., Any] = getattr(import_module(f"hardware.parts.{part.module}"), name)
    return found


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures that have to be equal for two shapes.

    Attributes:
        volume: in cubic millimetres.
        corners: least and greatest x, y, z.
        faces: number of faces.
        holes: radius of each round face and x, y, z of its middle, in any order.
    """

    volume: float
    corners: tuple[float, ...]
    faces: int
    holes: tuple[tuple[float, ...], ...]


def measure(shape: Part) -> Measures:
    """Returns the measures of a shape."""
    box = shape.bounding_box()
    round_faces = shape.faces().filter_by(GeomType.CYLINDER)
    holes = tuple((face.radius, *face.center()) for face in round_faces)
    return Measures(shape.volume, (*box.min, *box.max), len(shape.faces()), holes)


def renew(folder: Path = FILES) -> list[str]:
    """Generates all files anew, and returns a sentence for each difference from those of a folder.

    Files of parts without a difference stay as they are, byte for byte; those that differ or are
    missing are replaced; files of no part are named, and stay.
    """
    with TemporaryDirectory() as name:
        fresh = Path(name)
        wanted = {path.name for path in write(fresh, PARTS.values())}
        found = [
            sentence for part in PARTS.values() for sentence in _renew_part(part, folder, fresh)
        ]
    folder.mkdir(parents=True, exist_ok=True)
    unknown = sorted(path.name for path in folder.iterdir() if path.name not in wanted)
    return [*found, *(f"{name} belongs to no part" for name in unknown)]


def _renew_part(part: PartEntry, folder: Path, fresh: Path) -> list[str]:
    """Replaces the files of one part if they differ, and returns the differences."""
    found = differences(part, folder, fresh)
    if found:
        folder.mkdir(parents=True, exist_ok=True)
        for suffix in part.suffixes:
            copyfile(fresh / f"{part.name}{suffix}", folder / f"{part.name}{suffix}")
    return found


def differences(part: PartEntry, old: Path, new: Path) -> list[str]:
    """Returns a sentence for each thing in which the files of a part in two folders differ."""
    names = [f"{part.name}{suffix}" for suffix in part.suffixes]
    missing = [name for name in names if not (old / name).exists()]
    if missing:
        return [f"{name} is missing" for name in missing]
    step, mesh, *outlines = names
    found = compare(step, measure(import_step(old / step)), measure(import_step(new / step)))
    found += compare(mesh, measure_mesh(old / mesh), measure_mesh(new / mesh))
    return found + [
        f"{name}: its lines differ" for name in outlines if _lines(old / name) != _lines(new / name)
    ]


def _lines(path: Path) -> list[str]:
    """Returns the lines of a DXF file, sorted: ezdxf writes its classes in the order of a set."""
    return sorted(path.read_text(encoding="utf-8").splitlines())


def measure_mesh(path: Path) -> Measures:
    """Returns the measures of an STL file; its triangles count as no faces."""
    triangles = read_stl(path)
    least, greatest = bounds(triangles)
    return Measures(volume(triangles), (*least, *greatest), 0, ())


def compare(name: str, old: Measures, new: Measures) -> list[str]:
    """Returns a sentence for each thing in which two measures of a part differ."""
    found = []
    if abs(old.volume - new.volume) > _SAME_SHARE * new.volume:
        found.append(f"{name}: its volume was {old.volume:.1f}, is {new.volume:.1f} mm3")
    if _apart(old.corners, new.corners):
        found.append(f"{name}: its bounding box was {old.corners}, is {new.corners}")
    if old.faces != new.faces:
        found.append(f"{name}: it had {old.faces} faces, has {new.faces}")
    if len(old.holes) != len(new.holes) or not all(
        any(not _apart(hole, other) for other in new.holes) for hole in old.holes
    ):
        found.append(f"{name}: a hole moved or changed its radius")
    return found


def _apart(old: Iterable[float], new: Iterable[float]) -> bool:
    """Returns True if two values differ by more than `SAME_MM`."""
    return any(abs(one - other) > SAME_MM for one, other in zip(old, new, strict=True))
