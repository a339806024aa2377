"""Who may import whom, as a table. `vision` and `web` are libraries that import nothing of ours."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("firmware", "vision", "web")

RULES_AND_READING = {"firmware.rules", "firmware.events", "firmware.game", "vision.reading"}
MAY_IMPORT: dict[str, set[str]] = {
    "vision": set(),
    "web": set(),
    "firmware.rules": set(),
    "firmware.errors": set(),
    "firmware.devices": set(),
    "firmware.settings": {"firmware.errors"},
    "firmware.search": {"firmware.rules"},
    "firmware.search.roles": {"firmware.__version__", "firmware.rules", "firmware.search"},
    "firmware.puzzles": {"firmware.rules"},
    "firmware.clock": set(),
    "firmware.dating": {"vision.camera"},
    "firmware.hints": {
        "firmware.rules",
        "firmware.events",
        "firmware.game",
        "firmware.seats",
        "firmware.terms",
    },
    "firmware.advice": {"firmware.rules", "firmware.errors", "firmware.player_link"},
    "firmware.checkup": {
        "vision.camera",
        "vision.errors",
        "vision.report",
        "vision.setup_check",
    },
    "firmware.events": {"firmware.rules"},
    "firmware.event_json": {"firmware.rules", "firmware.events"},
    "firmware.game": {"firmware.rules", "firmware.events"},
    "firmware.guiding": {"firmware.rules", "firmware.events", "firmware.game"},
    "firmware.referee": RULES_AND_READING,
    "firmware.terms": {"firmware.rules", "firmware.clock"},
    "firmware.wallclock": set(),
    "firmware.atomic_file": set(),
    "firmware.run_folder": {"firmware.atomic_file", "firmware.errors"},
    "firmware.journal_rows": set(),
    "firmware.journal_copy": {"firmware.atomic_file", "firmware.journal_rows"},
    "firmware.shelf": {
        "firmware.atomic_file",
        "firmware.errors",
        "firmware.journal_rows",
        "firmware.run_folder",
    },
    "firmware.journal_files": {
        "firmware.atomic_file",
        "firmware.errors",
        "firmware.journal_copy",
        "firmware.journal_rows",
        "firmware.shelf",
    },
    "firmware.journal": {
        "firmware.rules",
        "firmware.events",
        "firmware.event_json",
        "firmware.game",
        "firmware.journal_files",
        "firmware.journal_rows",
        "firmware.terms",
        "firmware.wallclock",
    },
    "firmware.outcome": {"firmware.rules", "firmware.events", "firmware.game"},
    "firmware.transcript": {
        "firmware.rules",
        "firmware.events",
        "firmware.game",
        "firmware.seats",
    },
    "firmware.filing": {
        "firmware.__version__",
        "firmware.rules",
        "firmware.events",
        "firmware.event_json",
        "firmware.game",
        "firmware.outcome",
        "firmware.page",
        "firmware.terms",
        "firmware.transcript",
        "firmware.wallclock",
        "web.contract",
    },
    "firmware.archive": {
        "firmware.atomic_file",
        "firmware.filing",
        "firmware.terms",
        "firmware.wallclock",
        "vision.camera",
    },
    "firmware.evidence": {"vision.camera", "vision.reading"},
    "firmware.volume": {
        "firmware.archive",
        "firmware.events",
        "firmware.evidence",
        "firmware.filing",
        "firmware.follower",
        "firmware.game",
        "firmware.journal",
        "firmware.referee",
        "vision.camera",
        "vision.reading",
    },
    "firmware.pairing": {"firmware.atomic_file", "firmware.digits", "web.contract"},
    "firmware.arbiter": {
        "firmware.rules",
        "firmware.clock",
        "firmware.game",
        "firmware.hints",
        "firmware.pairing",
        "firmware.terms",
        "web.contract",
    },
    "firmware.play": {
        "firmware.rules",
        "firmware.arbiter",
        "firmware.clock",
        "firmware.events",
        "firmware.follower",
        "firmware.game",
        "firmware.hints",
        "firmware.referee",
        "firmware.seats",
        "firmware.terms",
        "vision.camera",
        "web.contract",
    },
    "firmware.seats": {"firmware.rules"},
    "firmware.rhythm": set(),
    "firmware.digits": set(),
    "firmware.scene": {
        "firmware.rules",
        "firmware.events",
        "firmware.game",
        "firmware.guiding",
        "firmware.hints",
        "firmware.outcome",
        "firmware.seats",
        "firmware.rhythm",
        "firmware.digits",
    },
    "firmware.fitting": {
        "firmware.devices",
        "firmware.drivers",
        "firmware.errors",
        "firmware.lights",
        "firmware.settings",
    },
    "firmware.lights": {"firmware.devices", "firmware.scene"},
    "firmware.probing": {"firmware.devices", "firmware.lights", "vision"},
    "firmware.panel": {"firmware.devices"},
    "firmware.merits": {"firmware.rules"},
    "firmware.terminal": {"firmware.rules"},
    "firmware.page": {
        "firmware.rules",
        "firmware.events",
        "firmware.game",
        "firmware.outcome",
        "firmware.seats",
        "firmware.guiding",
        "firmware.hints",
        "firmware.terms",
        "vision.report",
        "web.contract",
    },
    "firmware.stage": {
        "firmware.follower",
        "firmware.game",
        "firmware.lights",
        "firmware.panel",
        "firmware.scene",
        "firmware.terms",
        "vision.camera",
    },
    "firmware.display": {
        "firmware.arbiter",
        "firmware.feed",
        "firmware.hints",
        "firmware.page",
        "firmware.play",
        "firmware.referee",
        "firmware.scene",
        "firmware.stage",
        "vision.camera",
        "vision.reading",
        "web.contract",
    },
    "firmware.feed": {"firmware.errors", "web.contract"},
    "firmware.player_link": {"firmware.errors"},
    "firmware.drivers": {"firmware.devices", "firmware.errors", "vision.camera"},
    "firmware.simulator": {"firmware.rules", "firmware.seats", "firmware.devices", "vision"},
    "firmware.follower": RULES_AND_READING
    | {"firmware.errors", "firmware.referee", "vision.camera", "vision.reader", "vision.reading"},
    "firmware.recorder": {
        "firmware.rules",
        "firmware.event_json",
        "firmware.events",
        "firmware.devices",
        "vision.camera",
        "vision.recorded",
    },
    "firmware.snapshots": {
        "firmware.errors",
        "firmware.rules",
        "firmware.follower",
        "firmware.game",
        "firmware.page",
        "firmware.scene",
    },
    "firmware.controller": {
        "firmware.advice",
        "firmware.arbiter",
        "firmware.archive",
        "firmware.checkup",
        "firmware.clock",
        "firmware.dating",
        "firmware.devices",
        "firmware.display",
        "firmware.errors",
        "firmware.events",
        "firmware.feed",
        "firmware.game",
        "firmware.journal",
        "firmware.page",
        "firmware.pairing",
        "firmware.play",
        "firmware.referee",
        "firmware.rules",
        "firmware.seats",
        "firmware.stage",
        "firmware.terms",
        "firmware.volume",
        "firmware.wallclock",
        "web.contract",
    },
    "firmware.options": {"firmware.rules"},
    "firmware": set(),
    "firmware.cli": {
        "firmware.__version__",
        "firmware.devices",
        "firmware.errors",
        "firmware.rules.errors",
        "vision.errors",
    },
    "firmware.__main__": {"firmware.cli"},
}
UNRESTRICTED = (
    "firmware.assembly",
    "firmware.benchmarks",
    "firmware.commands",
    "firmware.search.__main__",
)
"""The composition root, the verbs, what is measured; but numba's player is imported by nobody."""

LIBRARIES = {
    "firmware.rules": {"numpy"},
    "web.contract": set(),
    "web.phrases": set(),
    "web.wording": set(),
    "vision": {"numpy", "cv2", "pi_heif"},
}
"""Third-party libraries a part may use, where that is limited."""


def modules() -> list[tuple[str, Path]]:
    return [
        (".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path)
        for top in OURS
        for path in sorted((ROOT / top).rglob("*.py"))
    ]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide who imports whom"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, parts: set[str] | tuple[str, ...]) -> bool:
    return any(name == part or name.startswith(part + ".") for part in parts)


def part_of(module: str) -> str:
    """The row of the table that a module falls under."""
    rows = [row for row in MAY_IMPORT if within(module, (row,))]
    assert rows, f"{module} has no row in the import table; give it one"
    return max(rows, key=len)


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_a_module_imports_only_what_the_table_allows(module: str, path: Path) -> None:
    if within(module, UNRESTRICTED):
        return
    row = part_of(module)
    for name in imports(path):
        if within(name, OURS):
            assert within(name, MAY_IMPORT[row] | {row}), f"{module} may not import {name}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_only_the_player_knows_numba_and_nobody_imports_the_player(module: str, path: Path) -> None:
    if within(module, ("firmware.search",)):
        return
    for name in imports(path):
        assert not within(name, ("numba", "firmware.search")), f"{module} imports {name}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_a_pure_part_uses_no_library_beyond_its_own(module: str, path: Path) -> None:
    for part, libraries in LIBRARIES.items():
        if within(module, (part,)):
            for name in imports(path):
                top = name.partition(".")[0]
                known = top in sys.stdlib_module_names or top in OURS or top in libraries
                assert known, f"{module} imports {name}"
