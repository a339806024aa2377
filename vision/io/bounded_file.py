"""Files from outside, read up to a length."""

from pathlib import Path

from vision.errors import SourceError


def read_bounded(path: Path, longest: int, what: str) -> bytes:
    """The content of a file.

    Args:
        path: of the file; a device or a pipe is read no further than a file.
        longest: bytes that it may have.
        what: to call it in a sentence, as `picture`.

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
