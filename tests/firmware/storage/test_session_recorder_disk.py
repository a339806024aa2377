"""Files written by a thread, until the disk refuses."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from firmware.storage import session_recorder
from firmware.storage.atomic_file import PRIVATE
from firmware.storage.session_recorder import FolderWriter
from tests.support.waiting import eventually


@contextmanager
def stalled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk that answers no more, until the end of the context."""
    answers = threading.Event()

    def waiting(path: str, flags: int) -> int:
        answers.wait(20)
        return os.open(path, flags, PRIVATE)

    with monkeypatch.context() as patched:
        patched.setattr(session_recorder, "_private", waiting)
        try:
            yield
        finally:
            answers.set()


def test_everything_is_written_in_order(tmp_path: Path) -> None:
    writer = FolderWriter(tmp_path, 0)
    for number in range(50):
        writer.append("lines.txt", str(number))
        writer.write(f"{number}.bin", bytes([number]))
    writer.close()
    assert (tmp_path / "lines.txt").read_text().split() == [str(number) for number in range(50)]
    assert (tmp_path / "49.bin").read_bytes() == bytes([49])
    assert not writer.fault


def test_a_stalled_disk_holds_nobody_up_and_is_caught_up_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = FolderWriter(tmp_path, 0)
    with stalled(monkeypatch):
        for number in range(10):
            writer.write(f"{number}.bin", b"x" * 300_000)
        assert list(tmp_path.iterdir()) == []
    writer.close()
    assert len(list(tmp_path.iterdir())) == 10
    assert not writer.fault


def test_a_disk_that_is_too_slow_for_too_long_ends_the_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(session_recorder, "_MOST_WAITING", 1_000_000)
    writer = FolderWriter(tmp_path, 0)
    with stalled(monkeypatch):
        for number in range(4):
            writer.write(f"{number}.bin", b"x" * 300_000)
        assert writer.fault == "the disk is too slow"
        writer.write("later.bin", b"x")
    writer.close()
    assert caplog.text.count("nothing more is recorded") == 1
    assert not (tmp_path / "later.bin").exists()


@pytest.mark.slow
def test_a_patient_caller_waits_for_a_slow_disk(tmp_path: Path) -> None:
    writer = FolderWriter(tmp_path, 0, patience_s=20.0)
    picture = np.zeros((2000, 2000, 3), np.uint8)
    for number in range(12):
        writer.write(f"{number}.png", picture)
    writer.close()
    assert not writer.fault
    assert len(list(tmp_path.iterdir())) == 12


def test_a_folder_that_is_gone_ends_the_writing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writer = FolderWriter(tmp_path / "gone", 0)
    writer.write("a.bin", b"x")
    eventually(lambda: bool(writer.fault))
    writer.close()
    writer.close()
    assert "No such file or directory; the game goes on" in caplog.text
