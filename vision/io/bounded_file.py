"""Reading of files from outside, up to a length."""

import os
from pathlib import Path

from vision.errors import SourceError


def read_bounded(path: Path, longest: int, what: str) -> bytes:
    """Reads a file.

    Args:
        path: path of the file; the limit holds for a device or a pipe, too. A named pipe into
            which nobody writes is empty.
        longest: largest length in bytes.
        what: name of its kind in error messages, for example `picture`.

    Raises:
        SourceError: it cannot be read, or is longer.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            data = file.read(longest + 1)
    except OSError as error:
        raise SourceError(f"cannot read the {what} {path}: {error.strerror}") from error
    if len(data) > longest:
        raise SourceError(
            f"{path} is larger than {longest / 1e6:g} MB, which no {what} is; name another file"
        )
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Opens a file without a wait for a writer, see fifo(7)."""
    if os.name != "posix":
        return os.open(path, flags)
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor
