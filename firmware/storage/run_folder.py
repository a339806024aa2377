"""Folders for one run of the program: removed at its end, or by the next run after a kill.

The run locks a file in its folder. The system releases the lock at any end of the run, so a folder
whose lock is free belongs to a run that was killed.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from firmware.errors import UnreadableError
from firmware.storage.atomic_file import PRIVATE

_PREFIX: Final = "cornerlight-"
"""Beginning of the names of the folders."""

RUN_LOCK: Final = "cornerlight-run.lock"
"""Name of the lock file, which no other program uses: its folder may be removed."""

_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - the folder made there is private
"""A file system in memory, independent of all disks, see shm_overview(7)."""

_PROBE_BYTES: Final = 4096
"""Bytes of a block of most disks; a full disk refuses to write it."""


@contextmanager
def run_folder() -> Iterator[Path]:
    """Creates a private folder of this run, in the system's usual place or in memory.

    Folders of killed runs of the same user are removed first.

    Raises:
        UnreadableError: a folder cannot be created anywhere.
    """
    places = _places()
    for place in places:
        _remove_abandoned(place)
    made = next((one for one in map(_made, places) if one is not None), None)
    if made is None:
        names = " or ".join(map(str, places))
        raise UnreadableError(f"cannot make a folder in {names}; name one that can with TMPDIR")
    folder, lock = made
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def lock_file(path: Path) -> int | None:
    """Locks a file, which is created if it is missing, until it is closed or the process ends.

    Returns:
        The file descriptor; None if another process has locked it.

    Raises:
        OSError: the disk refuses.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def takes_files(folder: Path) -> bool:
    """True if files can be written in a folder, which is created if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
            return probe.write(bytes(_PROBE_BYTES)) == _PROBE_BYTES
    except OSError:
        return False


def _places() -> list[Path]:
    """Returns the places for a folder, the usual one first."""
    places = [_IN_MEMORY]
    if "XDG_RUNTIME_DIR" in os.environ:
        places.insert(0, Path(os.environ["XDG_RUNTIME_DIR"]))
    with suppress(FileNotFoundError):  # no usual place takes files
        places.insert(0, Path(tempfile.gettempdir()))
    return places


def _made(place: Path) -> tuple[Path, int] | None:
    """Creates a folder and its lock; None if no files can be written there."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    except OSError:
        return None
    if not takes_files(folder):
        shutil.rmtree(folder, ignore_errors=True)
        return None
    lock = os.open(folder / RUN_LOCK, os.O_RDWR | os.O_CREAT, PRIVATE)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if (folder / RUN_LOCK).exists():
        return folder, lock
    # Before it was locked, another run took it for an abandoned one.
    os.close(lock)
    return _made(place)


def _remove_abandoned(place: Path) -> None:
    """Removes the folders of runs that were killed."""
    with suppress(OSError):
        for folder in place.glob(f"{_PREFIX}*"):
            if not folder.is_symlink() and folder.stat().st_uid == os.geteuid():
                _remove_if_unlocked(folder)


def _remove_if_unlocked(folder: Path) -> None:
    try:
        lock = os.open(folder / RUN_LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return  # it was never locked, so it may be somebody else's
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)
