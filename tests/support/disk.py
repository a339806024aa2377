"""Disks that are small, full or read-only, for tests and trials. They need root."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BALLAST = "ballast"


class MountError(Exception):
    """Error of a machine on which disks cannot be mounted."""


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Mounts a separate disk at a folder, for example of `200k`.

    Raises:
        MountError: it cannot be mounted.
    """
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "cornerlight", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MountError(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Fills a disk."""
    with suppress(OSError), (disk / BALLAST).open("wb", 0) as file:
        while True:
            file.write(bytes(1024))


def empty(disk: Path) -> None:
    """Frees the filled space."""
    (disk / BALLAST).unlink(missing_ok=True)


def remount(disk: Path, how: str) -> None:
    """Makes a disk read-only (`ro`) or writable (`rw`)."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)
