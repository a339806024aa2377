"""The one reader of files from outside."""

import os
from pathlib import Path

import pytest

from vision.errors import SourceError, open_regular, read_bounded, read_regular


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert read_regular(path, 10) == b"0123456789"
    with pytest.raises(OSError, match=r"it is larger than 9e-06 MB"):
        read_regular(path, 9)


def test_no_more_is_read_of_a_file_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 20_000_000_000)
    with pytest.raises(SourceError, match=r"the list .*sparse: it is larger than 2 MB"):
        read_bounded(path, 2_000_000, "list")
    with pytest.raises(OSError, match="it is larger than 2 MB"):
        read_regular(Path("/proc/self/pagemap"), 2_000_000)


def test_pipes_and_devices_are_not_even_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    opened: list[str] = []
    monkeypatch.setattr(os, "open", lambda path, *_: opened.append(path))
    for name in ("pipe", "device"):
        with pytest.raises(SourceError, match=f"{name}: it is a pipe or a device, not a file"):
            read_bounded(tmp_path / name, 10, "list")
    assert opened == []


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.touch()
    at_first, stat = file.stat(), Path.stat
    monkeypatch.setattr(
        Path, "stat", lambda path, **how: at_first if path == pipe else stat(path, **how)
    )
    assert read_regular(pipe, 10) == b"", "nobody writes"
    writer = os.open(pipe, os.O_RDWR)
    assert read_regular(pipe, 10) == b"", "somebody may write later"
    os.close(writer)


@pytest.mark.parametrize(
    ("name", "why"),
    [("folder", "Is a directory"), ("none", "No such file"), ("loop", "Too many levels")],
)
def test_what_is_no_file_is_named_with_the_reason(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(SourceError, match=rf"the picture .*{name}: {why}"):
        read_bounded(tmp_path / name, 10, "picture")
    with pytest.raises(OSError, match=why):
        open_regular(tmp_path / name)
