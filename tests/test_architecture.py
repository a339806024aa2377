"""Rules of imports, and how much there is to hold in the head.

`vision` imports no other package of this repository, and `web` only their words.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.imports import at_run_time, imported, within
from tests.support.measures import measures

OURS = ("firmware", "vision", "web", "hardware")

VERSION = "firmware.__version__"
"""The only name in `firmware` itself that other modules may import."""

LAYERS = (
    "firmware",
    "firmware.codes",
    "vision.errors",
    "vision.camera",
    "vision.reading",
    "vision.plastics",
    "vision.io",
    "vision.geometry",
    "vision.synthetic",
    "vision",
    "web.bounded_map",
    "web.compression",
    "firmware.rules",
    "web.listening",
    "web",
    "firmware.errors",
    "firmware.settings",
    "firmware.drivers",
    "firmware.machine",
    "firmware.cameras",
    "hardware",
    "vision.squares",
    "vision.detection",
    "vision.reader",
    "vision.setup",
    "firmware.codec",
    "firmware.game",
    "firmware.records",
    "firmware.referee",
    "web.contract",
    "web.i18n",
    "web.doubt_picture",
    "web.table_client",
    "web.game_archive",
    "web.people",
    "web.rate_limit",
    "web.known_phones",
    "web.request_guard",
    "web.presentation",
    "web.views",
    "web.app",
    "firmware.hall.tournament",
    "web.hall",
    "web.connections",
    "web.server",
    "firmware.lights",
    "firmware.simulator",
    "firmware.storage",
    "firmware.printing",
    "firmware.session",
    "firmware.player",
    "firmware.hall.link",
    "firmware.hall",
    "firmware.assembly",
    "firmware.commands",
    "firmware.player.verbs",
    "firmware.hall.verbs",
    "firmware.__main__",
    "hardware.parts",
    "hardware.wiring",
    "hardware.drawings",
    "hardware.renders",
    "hardware.sheets",
    "hardware.buying",
    "hardware.page_tables",
    "hardware.makers",
    "hardware.__main__",
)
"""Folders and modules at a root, each knowing only itself and those above it."""

ONLY = {
    "vision": {"vision"},
    "web": {
        "web",
        "firmware.codec",
        "firmware.codes",
        "firmware.game.levels",
        "vision.errors",
        "vision.setup",
    },
    "web.hall": {"web", "firmware.hall.tournament"},
}
"""All of ours that a part may import, for parts with a limit; the longest name counts."""

EXTRAS = {
    "firmware.hall": {"firmware.hall", "web.hall"},
    "web.hall": {"web.hall", "firmware.hall"},
    "firmware.player": {"firmware.player"},
}
"""The only parts that import a room that can be taken out, by that room."""

VERBS = ("firmware.commands", "firmware.player.verbs", "firmware.hall.verbs")
"""Packages with verbs of the command line."""

LIBRARIES = {
    "firmware.rules": {"numpy"},
    "web.contract": {
        "firmware.errors",
        "firmware.game",
        "firmware.rules",
        "vision.camera",
        "vision.reading",
        "vision.setup",
    },
    "web.i18n.texts": set(),
    "web.i18n.hall_wording": set(),
    "web.i18n.wording": set(),
    "vision": {"numpy", "cv2", "pi_heif"},
}
"""Third-party libraries that a part may use, for parts with a limit."""

MOST = {
    "code lines": 50_492,
    "records": 506,
    "rooms": 36,
    "arrows": 205,
    "files of a room": 34,
    "code lines of a room": 4_050,
    "arrows out of commands": 24,
    "arrows out of assembly": 13,
    "arrows out of another room": 14,
    "files over 350 lines": 8,
    "files of a table": 216,
    "code lines of a table": 24_477,
}
"""Greatest measures of the product. They fall; a commit that raises one says why."""

FINDING = (
    "board_detector",
    "board_extent",
    "board_network",
    "board_pose",
    "failure_reasons",
    "grid_fit",
    "markerless",
    "proposals",
)
"""Modules of `vision.detection` that find a board in a picture."""

MOST_NUMBERS = 86
"""Most constants with a number in them; they were 129 while the lattice of squares was searched."""

MOST_AT_ROOT = 6
"""Number of modules at the root of `firmware` and of `vision`."""

LAYERED = "each knowing only those above it"
"""Phrase in the docstring of a package that lists its modules in the order of their imports."""


CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")
"""Name of a constant; a single letter names a type variable."""


def modules(tops: tuple[str, ...] = OURS) -> list[tuple[str, Path]]:
    return [
        (".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), path)
        for top in tops
        for path in sorted((ROOT / top).rglob("*.py"))
    ]


def packages() -> list[tuple[str, Path]]:
    return [(module, path.parent) for module, path in modules() if path.stem == "__init__"]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(imported(ast.walk(parsed(path)), path))


def outside_definitions(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Yields each node that is in no function or class, and the one below it."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        children = list(ast.iter_child_nodes(node))
        yield from zip_longest(children, children[1:])
        for child in children:
            yield from outside_definitions(child)


def constants(assignment: ast.Assign | ast.AnnAssign) -> list[str]:
    """Returns the names of constants that an assignment makes."""
    targets = assignment.targets if isinstance(assignment, ast.Assign) else [assignment.target]
    names = [node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return [node.id for node in names if CONSTANT.fullmatch(node.id)]


def explains_itself(module: str, assignment: ast.Assign | ast.AnnAssign) -> bool:
    """True for sentences for people, alone or as values of a dict, and for a verb's example."""
    if within(module, VERBS) and constants(assignment) == ["EXAMPLE"]:
        return True
    value = assignment.value
    sentences = value.values if isinstance(value, ast.Dict) else [value]
    return bool(sentences) and all(
        isinstance(one, ast.Call) and getattr(one.func, "id", "") == "mark" for one in sentences
    )


def is_docstring(node: ast.AST | None) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def part_of(module: str) -> str:
    """Returns the layer of a module."""
    rows = [row for row in LAYERS if row not in OURS and within(module, (row,))]
    assert rows or module in OURS, f"{module} is in no layer; give it one"
    return max(rows, key=len, default=module)


def children(folder: Path) -> set[str]:
    """Returns the modules and packages that a package's docstring has to list."""
    return {
        path.stem
        for path in folder.iterdir()
        if (path.suffix == ".py" and not path.stem.startswith("__"))
        or (path / "__init__.py").exists()
    }


def listed(folder: Path) -> list[str]:
    """Returns the names that a package's docstring lists, one at the start of each line."""
    text = ast.get_docstring(parsed(folder / "__init__.py")) or ""
    return re.findall(r"^ *(\w+)  +\S", text, re.MULTILINE)


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_a_module_imports_only_itself_and_layers_above(module: str, path: Path) -> None:
    row = part_of(module)
    above = LAYERS[: LAYERS.index(row) + 1]
    for name in imports(path):
        if within(name, OURS) and name != VERSION:
            assert part_of(name) in above, f"{module} may not import {name}, which is below it"


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_a_part_with_a_limit_imports_nothing_else_of_ours(module: str, path: Path) -> None:
    part = max((one for one in ONLY if within(module, (one,))), key=len, default=None)
    for name in imports(path):
        if part is not None and within(name, OURS):
            assert within(name, ONLY[part]), f"{module} may not import {name}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_a_room_that_can_be_taken_out_is_imported_by_few(module: str, path: Path) -> None:
    for room, users in EXTRAS.items():
        for name in imports(path):
            alone = not within(name, (room,)) or within(module, users)
            assert alone, f"{module} may not import {name}"


def test_every_layer_is_a_folder_or_a_module_at_a_root() -> None:
    existing = {module for module, _ in modules()}
    assert set(LAYERS) <= existing
    assert len(set(LAYERS)) == len(LAYERS)
    assert {part_of(module) for module in existing} == set(LAYERS)


@pytest.mark.parametrize(("package", "folder"), packages(), ids=str)
def test_a_packages_docstring_is_a_true_map_of_its_modules(package: str, folder: Path) -> None:
    names = listed(folder)
    assert len(names) == len(set(names))
    assert set(names) == children(folder), package


@pytest.mark.parametrize(("package", "folder"), packages(), ids=str)
def test_layers_are_listed_in_the_order_of_their_imports(package: str, folder: Path) -> None:
    text = " ".join((folder / "__init__.py").read_text(encoding="utf-8").split())
    if LAYERED not in text:
        return
    names = listed(folder)
    for k, name in enumerate(names):
        one = folder / f"{name}.py"
        for path in [one] if one.exists() else sorted((folder / name).rglob("*.py")):
            for other in imported(at_run_time(parsed(path)), path):
                below = tuple(f"{package}.{later}" for later in names[k + 1 :])
                assert not within(other, below), f"{package}.{name} imports {other}"


def test_there_is_no_more_to_hold_in_the_head_than_before() -> None:
    now = measures()
    assert now.keys() == MOST.keys()
    assert {name: value for name, value in now.items() if value > MOST[name]} == {}


def numbers(path: Path) -> int:
    """Number of constants of a module with a number in them."""
    values = [
        node.value
        for node in parsed(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
    ]
    return sum(
        any(isinstance(one, ast.Constant) and type(one.value) in (int, float) for one in each)
        for each in map(ast.walk, values)
    )


def test_a_board_is_found_by_few_numbers() -> None:
    folder = ROOT / "vision/detection"
    assert sum(numbers(folder / f"{name}.py") for name in FINDING) <= MOST_NUMBERS


@pytest.mark.parametrize("top", ["firmware", "vision"])
def test_few_modules_lie_at_a_root(top: str) -> None:
    assert len(list((ROOT / top).glob("*.py"))) <= MOST_AT_ROOT


@pytest.mark.parametrize("top", OURS)
def test_tests_mirror_the_modules(top: str) -> None:
    """A test file has the name of its module, optionally with an aspect of it."""
    for path in sorted((ROOT / "tests" / top).rglob("test_*.py")):
        folder = ROOT / path.parent.relative_to(ROOT / "tests")
        name = path.stem.removeprefix("test_")
        existing = children(folder)
        assert any(name == one or name.startswith(one + "_") for one in existing), path


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_only_the_player_knows_numba_and_nobody_imports_it(module: str, path: Path) -> None:
    if within(module, ("firmware.player.search",)):
        return
    for name in imports(path):
        assert not within(name, ("numba", "firmware.player.search")), f"{module} imports {name}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_a_pure_part_uses_no_library_beyond_its_own(module: str, path: Path) -> None:
    for part, libraries in LIBRARIES.items():
        if within(module, (part,)):
            for name in imports(path):
                top = name.partition(".")[0]
                known = top in sys.stdlib_module_names or top in OURS or top in libraries
                assert known, f"{module} imports {name}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=str)
def test_no_docstring_begins_with_a_question(module: str, path: Path) -> None:
    """It says what a thing is or does; a constant's docstring is one too."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            begins = re.match(r"(What|Whether|How|Why|Who|Where)\b", str(node.value.value))
            assert begins is None, f"{module}:{node.lineno}"


@pytest.mark.parametrize(("module", "path"), modules((*OURS, "systemd")), ids=str)
def test_every_constant_has_a_docstring_of_its_own(module: str, path: Path) -> None:
    """It is right below the assignment, which makes no other constant."""
    for node, below in outside_definitions(parsed(path)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and not explains_itself(module, node):
            names = constants(node)
            own, where = is_docstring(below) and len(names) == 1, f"{module}:{node.lineno}"
            assert own or not names, f"{where}: no docstring of its own: {', '.join(names)}"


def test_a_class_name_means_one_thing_in_the_whole_tree() -> None:
    homes: dict[str, list[str]] = {}
    for top in (*OURS, "tests"):
        for path in (ROOT / top).rglob("*.py"):
            for name in re.findall(
                r"^class ([A-Z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE
            ):
                homes.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def word_lists(path: Path) -> Iterator[tuple[int, frozenset[str]]]:
    """Yields the words of each enumeration and each choice in a module, with its line."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ClassDef) and "StrEnum" in {ast.unparse(one) for one in node.bases}:
            values = [one.value for one in node.body if isinstance(one, ast.Assign)]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            values = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        else:
            continue
        words = [one.value for one in values if isinstance(one, ast.Constant)]
        yield node.lineno, frozenset(word for word in words if isinstance(word, str))


def test_no_list_of_words_stands_twice() -> None:
    places: dict[frozenset[str], str] = {}
    for module, path in modules():
        for line, words in word_lists(path):
            if len(words) > 1:
                assert words not in places, f"{module}:{line} says what {places[words]} says"
                places[words] = f"{module}:{line}"
