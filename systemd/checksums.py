"""The checksums of a release: a line for each file, as `sha256sum` writes and checks them."""

import hashlib
import re
from pathlib import Path
from typing import Final

LIST: Final = "SHA256SUMS"
"""File of the checksums in a release, which `put_checksums` writes and `damaged` reads."""


_ROW: Final = re.compile(r"([0-9a-f]{64})  (.+)")
"""A line of the list: checksum and name."""


def put_checksums(folder: Path) -> None:
    """Writes the checksums of all files in a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != LIST)
    lines = [f"{sha256(path)}  {path.relative_to(folder)}" for path in files]
    (folder / LIST).write_text("\n".join(lines) + "\n", "utf-8")


def damaged(folder: Path) -> list[str]:
    """Returns the names of what is missing, changed, or not in the list; the list's own first.

    Raises:
        OSError: the list is missing, or a file cannot be read.
    """
    try:
        lines = (folder / LIST).read_text("ascii").splitlines()
    except UnicodeDecodeError:
        return [LIST]
    rows = [_ROW.fullmatch(line) for line in lines]
    wanted = {row[2]: row[1] for row in rows if row}
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if _counts(path)}
    changed = (
        name
        for name, digest in wanted.items()
        if name in found and ((folder / name).is_symlink() or sha256(folder / name) != digest)
    )
    wrong = [LIST] if not all(rows) or not wanted else []
    return [*wrong, *sorted({*changed, *found ^ wanted.keys()})]


def _counts(path: Path) -> bool:
    """True for what has to be in the list: all but folders, the list, and what Python leaves."""
    is_folder = path.is_dir() and not path.is_symlink()
    return not is_folder and path.name != LIST and "__pycache__" not in path.parts


def sha256(path: Path) -> str:
    """Returns the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
