"""Odd places under the names of files: pipes, devices, files without an end, links, no rights."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_SPARSE_BYTES = 20_000_000_000
"""Length of a file that is almost empty on the disk."""

_GROWN_BYTES = 150_000_000
"""Length at which a growing file stays; more than is read of any file."""


def _sparse(path: Path) -> None:
    os.truncate(path, _SPARSE_BYTES)


def _growing(path: Path) -> None:
    """Lets a file grow, until it is removed."""

    def grow() -> None:
        with suppress(FileNotFoundError):
            while path.stat().st_size < _GROWN_BYTES:
                os.truncate(path, path.stat().st_size + 1_000_000)

    threading.Thread(target=grow, daemon=True).start()


def _link(target: str) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        path.unlink()
        path.symlink_to(target)

    return link


def _outside(name: str) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        path.unlink()
        around = next(one for one in path.parents if (one / "outside").is_dir())
        path.symlink_to(around / "outside" / name)

    return link


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


PLACES: dict[str, Callable[[Path], None]] = {
    "pipe": _pipe,
    "folder": _folder,
    "sparse": _sparse,
    "growing": _growing,
    "closed": lambda path: path.chmod(0),
    "zeros": _link("/dev/zero"),
    "terminal": _link("/dev/tty"),
    "full": _link("/dev/full"),
    "endless": _link("/proc/self/pagemap"),
    "waiting": _link("/proc/kmsg"),
    "memory": _link("/proc/self/mem"),
    "loop": _link("odd"),
    "nowhere": _link("nowhere"),
    "outside": _outside("secret"),
    "outside folder": _outside(""),
    "outside record": _outside("record.blksgf"),
}
"""Functions that put an odd place in place of a file, by name. `loop` is a link to itself if the
file is named `odd`; a file of the kernel is a regular one that never ends, or waits."""
