"""The checksums of a release: a line for each file, as `sha256sum` writes and checks them."""

import hashlib
from pathlib import Path
from typing import Final

LIST: Final = "SHA256SUMS"
"""File of the checksums in a release, which `put_checksums` writes and `damaged` reads."""


def put_checksums(folder: Path) -> None:
    """Writes the checksums of all files in a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != LIST)
    lines = [f"{sha256(path)}  {path.relative_to(folder)}" for path in files]
    (folder / LIST).write_text("\n".join(lines) + "\n", "utf-8")


def damaged(folder: Path) -> list[str]:
    """Returns the names of the files that are not as they were written.

    Raises:
        OSError: a file is missing or cannot be read.
    """
    rows = [line.partition("  ") for line in (folder / LIST).read_text("utf-8").splitlines()]
    return [name for wanted, _, name in rows if sha256(folder / name) != wanted]


def sha256(path: Path) -> str:
    """Returns the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
