"""Replaces files atomically: after a crash a file has the old content or the new one."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
"""Permissions of a file that only its owner may read."""

_SHARED: Final = 0o666
"""Permissions of any other file, before the process's umask."""


def keep_private() -> None:
    """Makes all further files of this process their owner's only: pictures show people.

    A umask that keeps strangers out already, as that of a service, stays: it says who may read.
    """
    mask = os.umask(0o077)
    if mask & stat.S_IROTH:
        os.umask(mask)


def write_whole(path: Path, content: bytes, mode: int = _SHARED) -> None:
    """Writes a file under another name, syncs it and renames it.

    The name itself is safe once the folder is synced, see `sync_folder`. Root writes for the owner
    of the folder, who has to read the file: `sudo cornerlight pair` is for the table's service.

    Args:
        path: the file; an existing one is replaced.
        content: the whole content.
        mode: permissions, for example `PRIVATE`.

    Raises:
        OSError: it cannot be written; an existing file is unchanged.
    """
    aside = path.with_name(f".{path.name}.new")
    aside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            if os.name == "posix" and os.geteuid() == 0:
                owner = path.parent.stat()
                os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError:
        with suppress(OSError):
            aside.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Syncs the names in a folder, not only the contents of its files.

    Raises:
        OSError: the disk refuses.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
