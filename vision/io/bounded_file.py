"""Reading of files from outside, up to a length."""

from pathlib import Path

from vision.errors import SourceError


def read_bounded(path: Path, longest: int, what: str) -> bytes:
    """Reads a file.

    Args:
        path: path of the file; the limit holds for a device or a pipe, too.
        longest: largest length in bytes.
        what: name of its kind in error messages, for example `picture`.

    Raises:
        SourceError: it cannot be read, or is longer.
    """
    try:
        with path.open("rb") as file:
            data = file.read(longest + 1)
    except OSError as error:
        raise SourceError(f"cannot read the {what} {path}: {error.strerror}") from error
    if len(data) > longest:
        raise SourceError(
            f"{path} is larger than {longest / 1e6:g} MB, which no {what} is; name another file"
        )
    return data
