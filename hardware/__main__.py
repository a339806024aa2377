"""`python -m hardware`: makes every generated file of the builds anew, or compares them."""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from hardware import page_tables, sheets, wiring
from hardware.drawings import files as drawings
from hardware.parts.catalogue import PARTS
from hardware.wiring import builds as wired

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Maker:
    """What makes one kind of files.

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
    def is_ready(self) -> bool:
        """True if its library is installed."""
        return not self.needs or find_spec(self.needs) is not None


def _write_parts(folder: Path) -> None:
    """Writes the files of the parts; the kernel is loaded here alone."""
    import_module("hardware.parts.files").write(folder / "parts" / "files")


def _part_differences(_: Path) -> list[str]:
    """Compares the parts of the repository with fresh ones."""
    files = import_module("hardware.parts.files")
    return [one for part in PARTS.values() for one in files.differences(part, files.draw(part))]


def _of_each(name: str, builds: Iterable[str], maker: "BuildMaker", needs: str = "") -> Maker:
    """Returns what makes the files of each build in its folder."""

    def write(folder: Path) -> None:
        for build in builds:
            maker.write(folder / build)

    def differences(folder: Path) -> list[str]:
        return [one for build in builds for one in maker.differences(folder / build)]

    return Maker(name, write, differences, needs)


class BuildMaker(Protocol):
    """A module that makes the files of one build."""

    def write(self, build_folder: Path, /) -> object:
        """Makes the files in the folder of a build."""

    def differences(self, build_folder: Path, /) -> list[str]:
        """Returns a sentence for each file there that is another one."""


_MAKERS: Final = (
    Maker("parts", _write_parts, _part_differences, "build123d"),
    _of_each("wiring", wired.BUILDS, wiring, "schemdraw"),
    _of_each("drawings", drawings.BUILDS, drawings),
    Maker("sheets", sheets.write, sheets.differences),
    Maker("tables", page_tables.write, page_tables.differences),
)
"""All makers; drawings and tables show the files of the parts, which come first."""


def main(words: list[str] | None = None) -> int:
    """Makes the files, or compares them; returns the exit status.

    Args:
        words: words of the command line; None for those of this process.
    """
    parser = argparse.ArgumentParser(prog="python -m hardware", description=__doc__)
    parser.add_argument("--check", action="store_true", help="say which files differ; write none")
    check = parser.parse_args(words).check
    found: list[str] = []
    for maker in _MAKERS:
        if not maker.is_ready:
            print(f"{maker.name}: left out, {maker.needs} is not installed; see: make hardware")  # noqa: T201
            continue
        if check:
            found += maker.differences(FOLDER)
        else:
            maker.write(FOLDER)
        print(f"{maker.name}: {'compared' if check else 'made'}")  # noqa: T201
    print("\n".join(found) or "nothing differs" if check else "done")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
