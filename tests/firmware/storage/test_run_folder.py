"""The folder of one run: removed at its end, or at the next start after a kill."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from firmware.errors import UnreadableError
from firmware.storage import run_folder as run_folder_module
from firmware.storage.run_folder import lock_file, run_folder, takes_files
from tests.conftest import ROOT
from tests.support.disk import MountError, fill, remount, small_disk

_RUN = """
import sys, time
from firmware.storage.run_folder import run_folder
with run_folder() as folder:
    (folder / "file").write_text("state")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder in which folders of runs are created."""
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return place


def running() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _RUN], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def folder_of(run: subprocess.Popen[str]) -> Path:
    assert run.stdout is not None
    return Path(run.stdout.readline().strip())


def test_a_folder_is_private_and_gone_at_the_end(place: Path) -> None:
    with run_folder() as folder:
        assert folder.parent == place
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "file").write_text("state")
    assert list(place.iterdir()) == []


def test_folders_of_killed_runs_are_removed_and_those_of_living_ones_are_not(place: Path) -> None:
    (place / "cornerlight-of-somebody-else").mkdir()
    with running() as alive, running() as killed:
        living, abandoned = folder_of(alive), folder_of(killed)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert abandoned.exists()
        with run_folder() as folder:
            assert not abandoned.exists()
            assert (living / "file").exists()
            assert {path.name for path in place.iterdir()} == {
                "cornerlight-of-somebody-else",
                folder.name,
                living.name,
            }
        alive.kill()


def test_kills_do_not_add_up(place: Path) -> None:
    for _ in range(4):
        with running() as run:
            folder_of(run)
            run.kill()
    assert len(list(place.iterdir())) == 1


@pytest.mark.parametrize("how", ["full", "ro"])
def test_where_the_usual_place_takes_no_files_the_folder_is_in_memory(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        with small_disk(tmp_path / "disk", "40k") as disk:
            monkeypatch.setattr(tempfile, "tempdir", str(disk))
            if how == "full":
                fill(disk)
            else:
                remount(disk, "ro")
            assert not takes_files(disk)
            assert not takes_files(disk / "none")
            with run_folder() as folder:
                assert folder.parent == Path("/dev/shm")  # noqa: S108
                assert takes_files(folder)
            assert not folder.exists()
            monkeypatch.setattr(run_folder_module, "_IN_MEMORY", disk)
            with pytest.raises(UnreadableError, match="TMPDIR"), run_folder():
                pass
    except MountError as error:
        pytest.skip(str(error))


def test_a_folder_that_is_not_there_is_made_private(tmp_path: Path) -> None:
    assert takes_files(tmp_path / "new" / "folder")
    assert stat.S_IMODE((tmp_path / "new" / "folder").stat().st_mode) == 0o700
    assert list((tmp_path / "new" / "folder").iterdir()) == []


def test_a_file_is_locked_once_until_it_is_closed(tmp_path: Path) -> None:
    first = lock_file(tmp_path / "lock")
    assert first is not None
    assert lock_file(tmp_path / "lock") is None
    os.close(first)
    again = lock_file(tmp_path / "lock")
    assert again is not None
    os.close(again)
    assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o600
    with pytest.raises(OSError, match="No such file"):
        lock_file(tmp_path / "none" / "lock")
