"""Table and page with all that a table has, in the memory of a small computer."""

from pathlib import Path

import pytest

from tests.evaluation.memory import LIMIT, PHONES, MemorySetup, trial
from tests.support.process_memory import MB, no_group

PLIES = 8
GROWTH = 6 * MB
"""Bytes by which the least of both may differ between two times, as pages of files come and go."""


def test_table_and_page_play_and_rest_in_200_megabytes_without_swap(tmp_path: Path) -> None:
    reason = no_group()
    if reason:
        pytest.skip(reason)
    result = trial(tmp_path, MemorySetup(PLIES, rest_s=30.0))
    assert result.kills == 0
    assert result.most < LIMIT
    assert result.moves == PLIES
    assert result.pictures >= PLIES
    assert result.lit > 0
    assert result.failed == 0, f"requests of {PHONES} phones"
    first, rest = result.phases[-2:]
    assert rest.least < first.least + GROWTH
