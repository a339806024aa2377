"""Writes the pictures of all builds, and compares them with those of the repository."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hardware.drawings import club_table, glowing_board, twenty_minutes
from hardware.drawings.drawing import Drawing

_BUILDS: Final[dict[str, Callable[[], dict[str, Drawing]]]] = {
    "twenty_minutes": twenty_minutes.pictures,
    "club_table": club_table.pictures,
    "glowing_board": glowing_board.pictures,
}
"""Functions that return the pictures of a build, by its folder."""


def write(folder: Path) -> None:
    """Writes the pictures into the folders of the builds below a folder."""
    for path, text in _files(folder):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def differences(folder: Path) -> list[str]:
    """Returns a sentence for each picture that is missing below a folder, or is another one."""
    found = []
    for path, text in _files(folder):
        if not path.exists():
            found.append(f"{path} is missing")
        elif path.read_text(encoding="utf-8") != text:
            found.append(f"{path} is not the picture that its program draws")
    return found


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    for build, pictures in _BUILDS.items():
        for name, drawing in pictures().items():
            yield folder / build / f"{name}.svg", drawing.svg()
