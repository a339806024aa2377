"""`replay` says of every record in the tests what it did."""

import json
from pathlib import Path

import pytest

from firmware.commands.main import main
from tests.conftest import ROOT

GOLDEN = ROOT / "tests" / "golden" / "replays.json"
RECORDS = sorted((ROOT / "tests" / "records").glob("*.blksgf")) + sorted(
    (ROOT / "tests" / "stored_games").glob("*/record.blksgf")
)


def name_of(record: Path) -> str:
    return f"{record.parent.name}/{record.name}"


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_a_record_is_replayed_as_it_was(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden = json.loads(GOLDEN.read_text())
    main(["replay", str(record), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == golden[name_of(record)]
