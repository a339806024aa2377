"""The files of a build: writes them, and names what in them is stale."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Final

from firmware.errors import SettingsError, report_unwritable
from firmware.settings import load
from hardware.wiring.builds import build_of
from hardware.wiring.drawn import differences_in
from hardware.wiring.harness import Harness, harness_of
from hardware.wiring.table_text import markdown, row_of, rows_in

REMEDY: Final = "make it anew with: python -m hardware"
"""End of a sentence about a file that is missing or stale."""


def write(build_folder: Path) -> list[Path]:
    """Makes the table and the drawing of each settings file of a build.

    Args:
        build_folder: its folder, with `table.toml` and perhaps `table-NAME.toml`.

    Returns:
        the files written.

    Raises:
        SettingsError: settings cannot be used, or cannot be wired.
        UnreadableError: a file cannot be read or written.
        ModuleNotFoundError: schemdraw is not installed.
    """
    from hardware.wiring.drawing import svg  # noqa: PLC0415, needs schemdraw

    written = []
    for settings in _settings_in(build_folder):
        harness, (table, drawing) = _harness(settings), _names(settings)
        for path, text in ((table, _markdown(harness, settings)), (drawing, svg(harness))):
            with report_unwritable(path):
                path.write_text(text, "utf-8", newline="\n")
            written.append(path)
    return written


def differences(build_folder: Path) -> list[str]:
    """Returns a sentence for each place where the settings and the files of a build disagree.

    Without schemdraw a drawing is compared by its wires, pins and figures; with it byte for byte
    too.

    Raises:
        SettingsError: settings cannot be used, or cannot be wired.
        UnreadableError: settings cannot be read.
    """
    found: list[str] = []
    expected: set[Path] = set()
    for settings in _settings_in(build_folder):
        expected.update(_names(settings))
        found += _stale(settings)
    for path in sorted({*build_folder.glob("wiring*.md"), *build_folder.glob("wiring*.svg")}):
        if path not in expected:
            found.append(f"{path} belongs to no settings; delete it")
    return found


def _settings_in(build_folder: Path) -> list[Path]:
    """Returns the settings files of a build."""
    found = sorted(build_folder.glob("table*.toml"))
    if not found:
        raise SettingsError(f"{build_folder} has no table.toml, from which its wiring is made")
    return found


def _names(settings: Path) -> tuple[Path, Path]:
    """Returns the files of the table and of the drawing of settings."""
    name = settings.stem.replace("table", "wiring", 1)
    return settings.with_name(f"{name}.md"), settings.with_name(f"{name}.svg")


def _harness(settings: Path) -> Harness:
    build = build_of(settings.absolute().parent.name)
    try:
        return harness_of(load(settings), build)
    except SettingsError as error:
        named = str(error)
        raise SettingsError(named if str(settings) in named else f"{settings}: {named}") from error


def _markdown(harness: Harness, settings: Path) -> str:
    return markdown(harness, settings.name, _names(settings)[1].name)


def _stale(settings: Path) -> Iterator[str]:
    """Yields what in the files of one settings file is stale."""
    harness, (table, drawing) = _harness(settings), _names(settings)
    for path in (table, drawing):
        if not path.exists():
            yield f"{path} is not there; {REMEDY}"
    if table.exists():
        text = table.read_text("utf-8", "replace")
        stored, wanted = rows_in(text), [row_of(wire) for wire in harness.connections]
        for old, new in zip_longest(stored, wanted, fillvalue=()):
            if old != new:
                yield f"{table} has {_row(old)} instead of {_row(new)}; {REMEDY}"
        if stored == wanted and text != _markdown(harness, settings):
            yield f"{table} is stale; {REMEDY}"
    if drawing.exists():
        text = drawing.read_text("utf-8", "replace")
        named = [f"{drawing} {one}; {REMEDY}" for one in differences_in(text, harness)]
        yield from named
        if not named and find_spec("schemdraw"):
            from hardware.wiring.drawing import svg  # noqa: PLC0415, needs schemdraw

            if text != svg(harness):
                yield f"{drawing} is stale; {REMEDY}"


def _row(cells: tuple[str, ...]) -> str:
    return " ".join(filter(None, cells)) or "nothing"
