"""The checksums of a release."""

import subprocess
from pathlib import Path

import pytest
from checksums import damaged, put_checksums


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "a wheel").write_bytes(b"one")
    (tmp_path / "Makefile").write_bytes(b"two")
    put_checksums(tmp_path)
    return tmp_path


def test_the_list_is_that_of_sha256sum(folder: Path) -> None:
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True)
    assert damaged(folder) == []


def test_a_changed_file_is_named_and_a_missing_one_is_an_error(folder: Path) -> None:
    (folder / "wheels" / "a wheel").write_bytes(b"three")
    assert damaged(folder) == ["wheels/a wheel"]
    (folder / "wheels" / "a wheel").unlink()
    with pytest.raises(FileNotFoundError):
        damaged(folder)
