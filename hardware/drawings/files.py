"""Writes the pictures of a build, and compares them with those of the repository."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hardware.drawings import club_table, glowing_board, twenty_minutes
from hardware.drawings.drawing import Drawing

BUILDS: Final[dict[str, Callable[[], dict[str, Drawing]]]] = {
    "twenty_minutes": twenty_minutes.pictures,
    "club_table": club_table.pictures,
    "glowing_board": glowing_board.pictures,
}
"""Functions that return the pictures of a build, by the name of its folder."""


def write(build_folder: Path) -> None:
    """Writes the pictures of a build into its folder."""
    for path, text in _files(build_folder):
        path.write_text(text, encoding="utf-8", newline="\n")


def differences(build_folder: Path) -> list[str]:
    """Returns a sentence for each picture of a build that is missing, too many or another one."""
    found, drawn = [], set()
    for path, text in _files(build_folder):
        drawn.add(path)
        if not path.exists():
            found.append(f"{path} is missing")
        elif path.read_text(encoding="utf-8") != text:
            found.append(f"{path} is not the picture that its program draws")
    extra = sorted(set(build_folder.glob("step-*.svg")) - drawn)
    return found + [f"{path} is drawn by no program; delete it" for path in extra]


def _files(build_folder: Path) -> Iterator[tuple[Path, str]]:
    for name, drawing in BUILDS[build_folder.name]().items():
        yield build_folder / f"{name}.svg", drawing.svg()
