"""`replay` says of every record in the tests what it did."""

import json

import pytest

from tests.support.golden_replays import FILE, RECORDS, replayed


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_replayed_as_it_was(name: str) -> None:
    assert replayed(RECORDS[name]) == json.loads(FILE.read_text())[name]
