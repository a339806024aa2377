"""Every reason for which the reader loses a board is translated into every language."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from firmware.referee.board_visibility import BLURRED
from tests.conftest import ROOT
from vision.detection.failure_reasons import REASONS
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.phrases import DETAILS, WHY_NO_HINT

pytestmark = pytest.mark.slow


def reasons() -> Iterator[str]:
    """Yields the reason of every `BoardNotFound`, from the source code, and that of blur."""
    yield BLURRED
    for folder in ("vision", "firmware"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text())):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "BoardNotFound":
                    yield from texts(call.args[0], path)


def texts(node: ast.expr, path: Path) -> list[str]:
    if isinstance(node, ast.IfExp):
        return texts(node.body, path) + texts(node.orelse, path)
    if isinstance(node, ast.BoolOp):
        return [text for value in node.values for text in texts(value, path)]
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if isinstance(node, ast.Name) and hasattr(module, node.id):
        return [getattr(module, node.id)]
    # A reason found for a single picture is one of these.
    assert path.name == "board_detector.py", f"{path}: a reason is a constant, or one of two"
    return list(REASONS)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_reason_for_a_lost_board_is_told_in_every_language(language: str) -> None:
    found = set(reasons())
    assert len(found) > 3
    assert found == set(DETAILS)
    for reason in found:
        assert wording_of(language).detail(reason) not in ("", reason)


def test_why_there_is_no_hint_is_told_as_the_table_says_it() -> None:
    source = (ROOT / "firmware" / "player" / "client.py").read_text()
    assert all(text in source for text in WHY_NO_HINT)
