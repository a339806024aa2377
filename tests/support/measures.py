"""Measures of how much there is to hold in the head, over all modules of the product.

A room is a folder with modules. An arrow is a pair of rooms of which one imports the other. Code
lines are without docstrings, comments and blank lines.
"""

import ast
import io
import tokenize
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.conftest import ROOT

PRODUCT: Final = ("firmware", "vision", "web")
"""Folders that are measured."""

_NO_CODE: Final = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)
"""Kinds of tokens that make no line a line of code."""

_RECORDS: Final = frozenset({"dataclass", "NamedTuple", "TypedDict", "Struct"})
"""Decorators and bases of classes that only hold named values."""


@dataclass(frozen=True)
class SourceFile:
    """A module of the product.

    Attributes:
        tree: its syntax.
        code: number of lines with code.
        imports: the modules of the product that it imports, wherever the import stands.
    """

    tree: ast.Module
    code: int
    imports: frozenset[Path]

    @property
    def records(self) -> int:
        """Number of classes that only hold named values."""
        classes = [node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]
        return sum(not _RECORDS.isdisjoint(_marks(one)) for one in classes)


def source_files() -> dict[Path, SourceFile]:
    """Returns all modules of the product by their paths."""
    paths = [path for top in PRODUCT for path in sorted((ROOT / top).rglob("*.py"))]
    names = {_name(path): path for path in paths}
    files = {}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        files[path] = SourceFile(tree, code_lines(text, tree), frozenset(_imports(tree, names)))
    return files


def measures() -> dict[str, int]:
    """Returns each measure by its name."""
    files = source_files()
    rooms: dict[Path, list[SourceFile]] = {}
    for path, one in files.items():
        rooms.setdefault(path.parent, []).append(one)
    arrows = {
        (path.parent, other.parent)
        for path, one in files.items()
        for other in one.imports
        if other.parent != path.parent
    }
    out = Counter(room.relative_to(ROOT).as_posix() for room, _ in arrows)
    table = _reached(files, ROOT / "firmware" / "commands" / "run.py")
    return {
        "code lines": sum(one.code for one in files.values()),
        "records": sum(one.records for one in files.values()),
        "rooms": len(rooms),
        "arrows": len(arrows),
        "files of a room": max(map(len, rooms.values())),
        "code lines of a room": max(sum(one.code for one in room) for room in rooms.values()),
        "arrows out of commands": out.pop("firmware/commands"),
        "arrows out of assembly": out.pop("firmware/assembly", 0),
        "arrows out of another room": max(out.values()),
        "files over 350 lines": sum(one.code > 350 for one in files.values()),
        "files of a table": len(table),
        "code lines of a table": sum(files[path].code for path in table),
    }


def code_lines(text: str, tree: ast.Module) -> int:
    """Returns the number of lines with code of a module."""
    texts: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()), end_lineno=int(last)):
                texts.update(range(node.lineno, last + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - texts)


def _marks(node: ast.ClassDef) -> set[str]:
    marks = [ast.unparse(one) for one in (*node.decorator_list, *node.bases)]
    return {mark.partition("(")[0].rpartition(".")[2] for mark in marks}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imports(tree: ast.Module, names: dict[str, Path]) -> set[Path]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {names[alias.name] for alias in node.names if alias.name in names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules = {f"{node.module}.{alias.name}" for alias in node.names} & names.keys()
            modules |= {node.module} & names.keys() if not modules else set()
            found |= {names[module] for module in modules}
    return found


def _reached(files: dict[Path, SourceFile], start: Path) -> set[Path]:
    """Returns the modules that a module imports, directly or by others."""
    reached: set[Path] = set()
    ahead = [start]
    while ahead:
        path = ahead.pop()
        if path not in reached:
            reached.add(path)
            ahead += files[path].imports
    return reached
