"""Compilation of the kernels, and the cache of their machine code.

Numba checks only the date of one source file before it uses its copy on disk, so a kernel would
still use the old version of a callee that changed in another file. The name of the cache folder
therefore depends on the content of every source with kernels and of their tables, whose order
and constants are compiled into them.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., object])

_PREFIX: Final = "player-"
"""Prefix of the folders of machine code."""

_TABLES: Final = "tables.py"
"""A source without kernels whose names and numbers are compiled into the kernels."""

_UNUSED_S: Final = 30 * 24 * 3600.0
"""Seconds after which an unused folder is removed."""


def cache_folder() -> Path | None:
    """The folder of machine code, created if it is missing; None if it cannot be written.

    It is in `cornerlight` in the user's cache folder (`XDG_CACHE_HOME`, else `~/.cache`), or in
    `NUMBA_CACHE_DIR` if that is set. Folders of other versions of the player that were not used
    for a month are removed.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    try:
        default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cornerlight"
        home = Path(chosen) if chosen else default
        folder = home / f"{_PREFIX}{_fingerprint()}"
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except (OSError, RuntimeError):
        return None
    if not os.access(folder, os.W_OK | os.X_OK):
        return None
    _remove_unused(home)
    return folder


def _remove_unused(home: Path) -> None:
    long_ago = time.time() - _UNUSED_S
    for folder in home.glob(f"{_PREFIX}*"):
        # Another process may be removing it at this moment.
        with suppress(OSError):
            if folder.stat().st_mtime < long_ago:
                shutil.rmtree(folder, ignore_errors=True)


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        code = source.read_bytes()
        if b"@compiled" in code or b"@inlined" in code or source.name == _TABLES:
            digest.update(code)
    return digest.hexdigest()[:16]


_FOLDER: Final = cache_folder()
"""Folder of the machine code of this version; None where it cannot be kept."""

if _FOLDER is not None:
    setattr(numba.config, "CACHE_DIR", str(_FOLDER))  # noqa: B010 -- made at run time, unknown to types


_OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,
    "cache": _FOLDER is not None,
    "error_model": "numpy",
}
"""Options of all kernels: run without Python's lock, kept on disk, no error if divided by zero."""

_LENT: Final[dict[str, Any]] = {"_nrt": False}
"""Option without reference counts of arrays: counting every slice takes half a kernel's time."""


_KERNELS: Final[list[Any]] = []
"""All kernels that were imported."""


def compiled(function: F) -> F:
    """Compiles a function without Python objects, so that threads run in parallel.

    It cannot create arrays, only use and slice its arguments. Without a cache folder each
    process compiles all functions, which takes a minute.
    """
    return _kernel(function)


def inlined(function: F) -> F:
    """Compiles a function into its callers.

    The state of a board is some thirty arrays; passing them takes longer than most small kernels.
    """
    return _kernel(function, forceinline=True)


def adding(function: F) -> F:
    """The same as `inlined`, with sums in any order, so that they can be vectorised."""
    return _kernel(function, forceinline=True, fastmath={"reassoc", "contract", "nsz"})


def _kernel(function: F, **options: Any) -> F:
    _KERNELS.append(numba.njit(**_OPTIONS, **_LENT, **options)(function))
    return cast("F", _KERNELS[-1])


def kept_share(modules: Collection[str]) -> float:
    """Returns the share of the kernels of some modules whose machine code is in the cache."""
    ours = [one for one in _KERNELS if one.__module__.rpartition(".")[2] in modules]
    folder = ours[0].stats.cache_path
    kept = () if folder is None else Path(folder).glob("*.nbi")
    return sum(file.name.partition(".")[0] in modules for file in kept) / len(ours)


def _count_ones(typing: Any, word: Any) -> Any:  # noqa: ARG001 -- numba hands it over
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return numba.types.int64(numba.types.int64), generate


ones: Final = cast("Callable[[int], int]", intrinsic(_count_ones))
"""Number of set bits of a word, by one instruction of the processor."""
