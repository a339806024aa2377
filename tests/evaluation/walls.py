"""The program without a room that can be taken out: copies of the tree, and the tests that remain.

A test belongs to a room if it imports it, directly or by what it imports from `tests`. All other
tests pass in a copy without the room. The copies see the installed libraries, not this tree.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.conftest import ROOT
from tests.support.imports import at_run_time, imported, within

ROOMS: Final = {"hall": ("firmware/hall", "web/hall"), "player": ("firmware/player",)}
"""The folders of each room that can be taken out."""

COPIED: Final = (".github", "firmware", "hardware", "systemd", "tests", "vision", "web")
"""Folders of a copy; the files at the root are copied too."""


def tests_of(room: str) -> set[Path]:
    """Returns the modules of `tests`, relative to the root, that belong to a room."""
    wanted = {folder.replace("/", ".") for folder in ROOMS[room]}
    paths = [path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("*.py"))]
    names_of = {path: _imports(ROOT / path) for path in paths}
    found: set[Path] = set()
    while True:
        more = {
            path
            for path, names in names_of.items()
            if path not in found and any(within(name, wanted) for name in names)
        }
        if not more:
            return found
        found |= more
        wanted |= {".".join(path.with_suffix("").parts) for path in more}


def _imports(path: Path) -> set[str]:
    """Returns the names that a module imports when it runs."""
    return set(imported(at_run_time(ast.parse(path.read_text(encoding="utf-8"))), path))


def copy_without(room: str, folder: Path) -> Path:
    """Copies the tree without a room and its tests; returns the folder of the copy."""
    copy = folder / f"without-{room}"
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, copy)
    for path in tests_of(room):
        (copy / path).unlink()
    for gone in ROOMS[room]:
        shutil.rmtree(copy / gone)
        shutil.rmtree(copy / "tests" / gone, ignore_errors=True)
    venv.create(copy / ".venv")
    return copy


def run_in(copy: Path, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs Python in a copy, with the installed libraries.

    The copy has a virtual environment of its own: the editable installation in this tree's would
    find modules here where the copy has none.
    """
    libraries = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    return subprocess.run(
        [copy / ".venv" / "bin" / "python", *words],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(copy.absolute()), *libraries])},
        capture_output=True,
        text=True,
        check=False,
    )


def main(words: Sequence[str]) -> None:
    """Runs tests in a copy without each room, and prints their last lines."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation walls")
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], metavar="ROOM")
    parser.add_argument("--folder", type=Path, default=Path("build/walls"))
    parser.add_argument(
        "--pytest", default="-n 2", help="arguments of pytest; all tests by default"
    )
    arguments = parser.parse_args(words)
    for room in arguments.rooms or ROOMS:
        copy = copy_without(room, arguments.folder)
        done = run_in(copy, ["-m", "pytest", "-q", *arguments.pytest.split()])
        print(f"without {room}:", *done.stdout.splitlines()[-12:], sep="\n")  # noqa: T201
