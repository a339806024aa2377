"""A folder for one run of the program: removed at its end, or by the next run after a kill.

The folder has a lock file that its run holds. The system lets go of the lock however the run
ends, so a folder whose lock is free was left by a run that was killed.
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
_LOCK: Final = "cornerlight-run.lock"
"""A name that nobody else gives: the folder that holds it may be removed."""

_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - the folder made there is private
"""A file system that lies in memory and takes files whatever the disks do, see shm_overview(7)."""

_PROBE_BYTES: Final = 4096
"""A block of most disks: a full one refuses it."""


@contextmanager
def run_folder() -> Iterator[Path]:
    """A private folder of this run, made where the system keeps such, or in memory.

    Folders that killed runs of the same user left are removed first.

    Raises:
        UnreadableError: no place takes a folder.
    """
    places = _places()
    for place in places:
        _remove_left(place)
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


def takes_files(folder: Path) -> bool:
    """True if files can be written in a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as probe:
            return probe.write(bytes(_PROBE_BYTES)) == _PROBE_BYTES
    except OSError:
        return False


def _places() -> list[Path]:
    """Where a folder may be made, the usual place first."""
    places = [_IN_MEMORY]
    if "XDG_RUNTIME_DIR" in os.environ:
        places.insert(0, Path(os.environ["XDG_RUNTIME_DIR"]))
    with suppress(FileNotFoundError):  # no usual place takes files
        places.insert(0, Path(tempfile.gettempdir()))
    return places


def _made(place: Path) -> tuple[Path, int] | None:
    """A new folder and its lock; None where none that takes files can be made."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    except OSError:
        return None
    if not takes_files(folder):
        shutil.rmtree(folder, ignore_errors=True)
        return None
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, PRIVATE)
    fcntl.flock(lock, fcntl.LOCK_EX)
    if (folder / _LOCK).exists():
        return folder, lock
    # Before it was locked, another run took it for one that was left.
    os.close(lock)
    return _made(place)


def _remove_left(place: Path) -> None:
    """Removes the folders of runs that were killed."""
    with suppress(OSError):
        for folder in place.glob(f"{_PREFIX}*"):
            if not folder.is_symlink() and folder.stat().st_uid == os.geteuid():
                _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return  # it was never locked, so it may be somebody else's
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)
