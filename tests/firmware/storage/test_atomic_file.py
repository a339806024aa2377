"""A replaced file is the old one or the new one, whatever happens in between."""

import os
import stat
from pathlib import Path

import pytest

from firmware.storage.atomic_file import PRIVATE, sync_folder, write_whole
from tests.support.disk import MountError, fill, small_disk


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"old", b"new"):
        write_whole(path, content)
        sync_folder(tmp_path)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_the_content_is_on_disk_before_the_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "file", []
    path.write_bytes(b"old")

    def note(handle: int) -> None:
        synced.append((os.fstat(handle).st_size, path.read_bytes()))

    monkeypatch.setattr(os, "fsync", note)
    write_whole(path, b"newer")
    assert synced == [(5, b"old")]
    assert path.read_bytes() == b"newer"


def test_rights_are_those_that_are_asked_for_from_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"for all")
    write_whole(path, b"for one", PRIVATE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_a_killed_process_left_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / ".file.new").symlink_to(tmp_path / "victim")
    write_whole(path, b"content")
    assert not (tmp_path / "victim").exists()
    assert path.read_bytes() == b"content"


def test_a_disk_that_refuses_leaves_what_was_there(tmp_path: Path) -> None:
    try:
        with small_disk(tmp_path / "disk", "40k") as disk:
            path = disk / "file"
            write_whole(path, b"old")
            fill(disk)
            with pytest.raises(OSError, match="No space left"):
                write_whole(path, bytes(9000))
            assert path.read_bytes() == b"old"
            assert not (disk / ".file.new").exists()
    except MountError as error:
        pytest.skip(str(error))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes for others")
def test_root_writes_for_the_owner_of_the_folder(tmp_path: Path) -> None:
    os.chown(tmp_path, 1234, 5678)
    write_whole(tmp_path / "file", b"content", PRIVATE)
    found = (tmp_path / "file").stat()
    assert (found.st_uid, found.st_gid) == (1234, 5678)
