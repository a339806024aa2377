"""`replay`, `watch` and `read` print of records and scripted games what they did."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.golden_verbs import FILE, RECORDS, SCRIPTS, alike, photographed, printed

GOLDEN: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text())


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_replayed_as_it_was(name: str) -> None:
    assert printed("replay", RECORDS[name]) == GOLDEN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_pictures_are_watched_and_read_as_they_were(name: str, tmp_path: Path) -> None:
    output = photographed(SCRIPTS[name], tmp_path)
    assert alike(output, GOLDEN[name]), output
