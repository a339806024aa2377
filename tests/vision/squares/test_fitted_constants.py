"""The table of fitted constants is complete, and the code uses all of it as the fit expects."""

import ast
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from vision.squares import tile_colours
from vision.squares.fitted_constants import fitted_constants

MODULES = sorted((ROOT / "vision").rglob("*.py"))


@pytest.mark.parametrize("name", fitted_constants())
def test_an_entry_has_value_unit_data_and_date(name: str) -> None:
    entry = fitted_constants()[name]
    assert type(entry.value) is float
    assert entry.unit
    assert entry.data
    assert "/" not in entry.data, "the data are described in words, not by a path"
    assert date(2026, 1, 1) < entry.date


def test_each_entry_is_that_of_one_constant_with_its_name() -> None:
    entries = []
    for path in MODULES:
        module = ".".join(path.relative_to(ROOT / "vision").with_suffix("").parts)
        for constant, entry in declared(path).items():
            assert entry == f"{module}.{constant.lower().lstrip('_')}"
            entries.append(entry)
    assert sorted(entries) == sorted(fitted_constants())


def test_a_constant_has_the_value_of_the_table() -> None:
    entry = fitted_constants()["squares.tile_colours.along"]
    assert entry.value == tile_colours._ALONG


def test_no_fitted_constant_is_used_while_modules_are_loaded() -> None:
    """A value derived from it would stay the same while another one is tried."""
    public = {name for path in MODULES for name in declared(path) if not name.startswith("_")}
    for path in MODULES:
        fixed = public | set(declared(path))
        for node in while_loading(parsed(path)):
            used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            assert not used & fixed, path


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def declared(path: Path) -> dict[str, str]:
    """Returns the constants that a module takes from the table, and the entry of each."""
    return {
        node.target.id: ast.literal_eval(node.value.args[0])
        for node in parsed(path).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "fitted"
    }


def while_loading(module: ast.Module) -> Iterator[ast.expr]:
    """Yields the values of constants, and the defaults of arguments."""
    for statement in module.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield statement.value
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            yield from (one for one in node.args.defaults + node.args.kw_defaults if one)
