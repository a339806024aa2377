"""The processes that a process has started, read while they start and end."""

from collections.abc import Iterator
from pathlib import Path


def read_if_there(path: Path) -> str:
    """Returns what a file of /proc says; nothing if its process or thread has ended meanwhile."""
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(pid: int) -> set[int]:
    """Returns the ids of the processes that any thread of a process has started."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for one in found for child in read_if_there(one).split()}


def descendants(pid: int) -> Iterator[int]:
    """Yields the ids of the processes that a process has started, and those that these have."""
    for child in children(pid):
        yield child
        yield from descendants(child)
