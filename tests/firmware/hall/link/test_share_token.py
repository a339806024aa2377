"""The token of a hall's program: private, kept, and never guessed from an empty file."""

from pathlib import Path

import pytest

from firmware.hall.link.share_token import ShareToken, read_share_token


def test_the_table_creates_a_token_that_only_its_owner_reads(tmp_path: Path) -> None:
    path = tmp_path / "share-token"
    made = ShareToken(path)
    token = read_share_token(path)
    assert len(token) == 43
    assert made.is_right(token)
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_token_stays_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "share-token"
    ShareToken(path)
    token = read_share_token(path)
    assert ShareToken(path).is_right(token)


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe", b"x" * 65])
def test_a_file_without_a_token_is_replaced(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "share-token"
    if content is not None:
        path.write_bytes(content)
    assert read_share_token(path) == ""
    made = ShareToken(path)
    assert not made.is_right("")
    assert made.is_right(read_share_token(path))


def test_a_table_that_cannot_write_runs_and_takes_nobody_for_a_hall(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = ShareToken(tmp_path / "missing" / "share-token")
    assert not made.is_right("")
    assert "joins no hall" in caplog.text
