"""Memory of processes, and a group of processes with a limit of it."""

import importlib.metadata
import os
import re
import subprocess
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MB: Final = 1_000_000
"""Bytes of a megabyte."""

_COMPILED: Final = ("numpy", "opencv-python-headless", "pillow", "pi-heif", "markupsafe")
"""Libraries of the program that have machine code."""

LARGE: Final = 1000 * MB
"""Bytes of a group in which nothing is to happen."""

_V1: Final = Path("/sys/fs/cgroup/memory")
"""Folder of groups in version 1 of control groups, where it has the control of memory."""

_V2: Final = Path("/sys/fs/cgroup")
"""Folder of groups in version 2."""

_LIMITS_V1: Final = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
"""Files of limits: of memory, and of memory and swap together."""

_LIMITS_V2: Final = ("memory.max", "memory.swap.max")
"""Files of limits: of memory, and of swap."""

_ENDS_S: Final = 5.0
"""Seconds in which the processes of a group have ended."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Memory of a process in bytes.

    Attributes:
        total: its share of all pages that it has mapped (PSS).
        private: pages of it alone.
        anonymous: its share of pages without a file: heap and stacks.
    """

    total: int = 0
    private: int = 0
    anonymous: int = 0

    def __add__(self, other: "MemoryUse") -> "MemoryUse":
        return MemoryUse(
            self.total + other.total,
            self.private + other.private,
            self.anonymous + other.anonymous,
        )


def memory_use(pid: int) -> MemoryUse:
    """Returns the memory of a process."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = {name: 1024 * int(kb) for name, kb in re.findall(r"(\w+): +(\d+) kB", text)}
    private = found["Private_Clean"] + found["Private_Dirty"]
    return MemoryUse(found["Pss"], private, found["Pss_Anon"])


def memory_by_file(pid: int) -> dict[str, int]:
    """Returns the memory of a process (PSS) by the name of what is mapped, largest first."""
    sums: dict[str, int] = {}
    name = ""
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        words = line.split()
        if "-" in words[0] and not words[0].endswith(":"):
            name = Path(words[5]).name if len(words) > 5 else "[anonymous]"
        elif words[0] == "Pss:":
            sums[name] = sums.get(name, 0) + 1024 * int(words[1])
    return dict(sorted(sums.items(), key=lambda one: -one[1]))


def own_libraries(folder: Path) -> Mapping[str, str]:
    """Copies the libraries with machine code; returns the environment in which they are used.

    Other processes of this machine use the same files, so that their pages would count as shared
    with them, and would be charged to the group that read them first. So the copies are not in
    memory either before they are used.
    """
    folder.mkdir()
    names = {Path(str(one.locate())).parents[len(one.parts) - 1] / one.parts[0] for one in _files()}
    python = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    copied = [*names, Path(*python)] if all(python) else [*names]
    subprocess.run(["cp", "-a", *map(str, filter(Path.exists, copied)), str(folder)], check=True)
    for file in filter(Path.is_file, folder.rglob("*")):
        with file.open("rb") as opened:
            os.fsync(opened)
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "LD_LIBRARY_PATH": str(folder),
    }


def _files() -> list[importlib.metadata.PackagePath]:
    """Returns the files of the libraries with machine code."""
    found = [file for name in _COMPILED for file in importlib.metadata.files(name) or ()]
    return [file for file in found if ".." not in file.parts]


class MemoryGroup:
    """A control group whose processes have a limit of memory together, and no swap."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._is_v1: Final = folder.is_relative_to(_V1)

    @property
    def starter(self) -> list[str]:
        """Words before a command, to start it in this group."""
        return ["sh", "-c", f'echo $$ >{self._folder}/cgroup.procs && exec "$@"', "sh"]

    @property
    def peak(self) -> int:
        """Most bytes so far, cached files included."""
        name = "memory.max_usage_in_bytes" if self._is_v1 else "memory.peak"
        return int((self._folder / name).read_text())

    @property
    def kills(self) -> int:
        """Number of processes that were killed because of the limit."""
        name = "memory.oom_control" if self._is_v1 else "memory.events"
        found = re.search(r"oom_kill (\d+)", (self._folder / name).read_text())
        return int(found[1]) if found else 0

    def account(self) -> str:
        """Returns the kernel's account of the group as a text."""
        lines = (self._folder / "memory.stat").read_text().splitlines()
        facts = {name: int(value) for name, value in map(str.split, lines)}
        names = ("total_rss", "total_mapped_file") if self._is_v1 else ("anon", "file_mapped")
        anonymous, mapped = (facts[name] / MB for name in names)
        return (
            f"the group had {self.peak / MB:.0f} MB at most, files that were read included; at "
            f"last {anonymous:.0f} MB without a file, {mapped:.0f} MB of mapped files; "
            f"{self.kills} killed"
        )


def no_group() -> str:
    """Returns the reason that no group can be made here; empty if one can."""
    try:
        with memory_group(LARGE):
            return ""
    except OSError as error:
        return f"no group with a limit of memory here: {error}"


@contextmanager
def memory_group(limit: int) -> Iterator[MemoryGroup]:
    """Makes a group with a limit in bytes; removes it when its processes have ended.

    Raises:
        OSError: no group can be made here.
    """
    is_v1 = (_V1 / "memory.limit_in_bytes").is_file()
    folder = (_V1 if is_v1 else _V2) / f"cornerlight-{os.getpid()}"
    if not is_v1 and "memory" not in (_V2 / "cgroup.subtree_control").read_text():
        raise OSError(f"{_V2} has no control of memory")
    folder.mkdir()
    try:
        for name in _LIMITS_V1 if is_v1 else _LIMITS_V2:
            # A kernel without swap may lack its limit.
            if (folder / name).is_file():
                (folder / name).write_text("0" if "swap" in name else str(limit))
        yield MemoryGroup(folder)
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Removes a group, in which a process that has just ended may still be."""
    until_s = time.monotonic() + _ENDS_S
    while True:
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.1)
        else:
            return
