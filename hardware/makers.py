"""Makers of the generated files of the builds, in order, and their comparisons."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol

from hardware import page_tables, sheets, wiring
from hardware.drawings import files as drawings
from hardware.parts.catalogue import PARTS
from hardware.renders import files as renders
from hardware.wiring import builds as wired

FOLDER: Final = Path(__file__).parent
"""Folder of the builds."""


@dataclass(frozen=True, slots=True)
class Maker:
    """A maker of one kind of files.

    Attributes:
        name: what it makes.
        write: makes the files below a folder.
        differences: returns a sentence for each file that is another one.
        needs: library without which it makes nothing; empty if none.
    """

    name: str
    write: Callable[[Path], object]
    differences: Callable[[Path], list[str]]
    needs: str = ""

    @property
    def refusal(self) -> str:
        """Sentence on what it lacks; empty if it can work."""
        if not self.needs or find_spec(self.needs):
            return ""
        return f"{self.name}: left out, {self.needs} is not installed; make hardware installs it"


class BuildMaker(Protocol):
    """A module that makes the files of one build."""

    def write(self, build_folder: Path, /) -> object:
        """Makes the files in the folder of a build."""

    def differences(self, build_folder: Path, /) -> list[str]:
        """Returns a sentence for each file there that is another one."""


def make(makers: Iterable[Maker], folder: Path = FOLDER) -> Iterator[str]:
    """Makes all files below a folder; yields a sentence for each maker."""
    for maker in makers:
        if not maker.refusal:
            maker.write(folder)
        yield maker.refusal or f"{maker.name}: made"


def differences(makers: Iterable[Maker], folder: Path = FOLDER) -> Iterator[str]:
    """Compares all files below a folder; yields a sentence for each that is another one."""
    for maker in makers:
        if not maker.refusal:
            yield from maker.differences(folder)


def of_each(name: str, builds: Iterable[str], module: BuildMaker, needs: str = "") -> Maker:
    """Returns what makes the files of each build in its folder."""

    def write(folder: Path) -> None:
        for build in builds:
            module.write(folder / build)

    def found(folder: Path) -> list[str]:
        return [one for build in builds for one in module.differences(folder / build)]

    return Maker(name, write, found, needs)


def _write_parts(folder: Path) -> None:
    """Writes the files of the parts that differ; the CAD kernel is loaded here alone."""
    import_module("hardware.parts.files").renew(folder / "parts" / "files")


def _part_differences(folder: Path) -> list[str]:
    """Compares the files of the parts with fresh ones."""
    files, found = import_module("hardware.parts.files"), []
    with TemporaryDirectory() as name:
        files.write(Path(name))
        for part in PARTS.values():
            found += files.differences(part, folder / "parts" / "files", Path(name))
    return found


MAKERS: Final = (
    Maker("parts", _write_parts, _part_differences, "build123d"),
    of_each("wiring", wired.BUILDS, wiring, "schemdraw"),
    of_each("drawings", drawings.BUILDS, drawings),
    Maker("renders", renders.write, renders.differences, "mitsuba"),
    Maker("sheets", sheets.write, sheets.differences),
    Maker("tables", page_tables.write, page_tables.differences),
)
"""All makers; drawings and tables show the files of the parts, which come first."""
