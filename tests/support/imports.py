"""Imports of modules, read from their syntax."""

import ast
from collections.abc import Iterator
from pathlib import Path


def imported(nodes: Iterator[ast.AST], path: Path) -> Iterator[str]:
    """Yields the names that the imports among the nodes of a module name.

    Args:
        nodes: the nodes.
        path: the module, for whoever writes a relative import in it.
    """
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide who imports whom"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """Yields all nodes except those under `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"):
            yield child
            yield from at_run_time(child)


def within(name: str, parts: set[str] | tuple[str, ...]) -> bool:
    """True for a module that is one of the parts, or lies in one."""
    return any(name == part or name.startswith(part + ".") for part in parts)
