"""The checksums of a release."""

import subprocess
from pathlib import Path

import pytest
from checksums import damaged, put_checksums

TempFolders = pytest.TempPathFactory


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


def test_what_is_changed_missing_or_more_is_named(folder: Path) -> None:
    (folder / "wheels" / "a wheel").write_bytes(b"three")
    (folder / "Makefile").unlink()
    (folder / "wheels" / "another.whl").write_bytes(b"two")
    (folder / "link").symlink_to("/etc")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "a.pyc").touch()
    assert damaged(folder) == ["Makefile", "link", "wheels/a wheel", "wheels/another.whl"]


def test_a_file_that_became_a_link_is_named(folder: Path, tmp_path_factory: TempFolders) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "Makefile"
    (folder / "Makefile").rename(elsewhere)
    (folder / "Makefile").symlink_to(elsewhere)
    assert damaged(folder) == ["Makefile"]


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"# a comment\n", b"0" * 64 + b"\n"])
def test_a_list_that_is_none_is_named_first(folder: Path, content: bytes) -> None:
    (folder / "SHA256SUMS").write_bytes(content)
    assert damaged(folder)[0] == "SHA256SUMS"


def test_a_list_that_was_cut_off_is_named(folder: Path) -> None:
    whole = (folder / "SHA256SUMS").read_bytes()
    for length in range(len(whole) - 1):
        (folder / "SHA256SUMS").write_bytes(whole[:length])
        assert damaged(folder), length
    (folder / "SHA256SUMS").unlink()
    with pytest.raises(FileNotFoundError):
        damaged(folder)
