"""The level that this machine reaches: kept, and measured again after damage."""

from pathlib import Path

import pytest

from firmware.player.measured_level import MeasuredLevel


def test_the_newest_level_stays_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "player.json"
    assert MeasuredLevel(path).level is None
    for level in (9, 10):
        MeasuredLevel(path).keep(level)
        assert MeasuredLevel(path).level == level
    written = path.stat()
    MeasuredLevel(path).keep(10)
    assert path.stat().st_ino == written.st_ino, "the same level is not written again"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff", b"{}", b'{"highest_level": 13}', b"9" * 1001]
    + [b'{"highest_level": %s}' % value for value in (b"0", b"true", b"9.5", b'"9"', b"null")],
)
def test_a_damaged_file_counts_as_none_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "player.json"
    path.write_bytes(content)
    damaged = MeasuredLevel(path)
    assert damaged.level is None
    damaged.keep(9)
    assert MeasuredLevel(path).level == 9


def test_a_disk_that_refuses_it_keeps_it_for_this_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    level = MeasuredLevel(tmp_path / "missing" / "player.json")
    level.keep(9)
    assert level.level == 9
    assert "cannot be kept" in caplog.text
