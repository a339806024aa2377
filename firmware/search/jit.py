"""How the kernels are compiled, and where the machine code is kept between runs.

Numba decides by the date of one source file whether its copy on disk is still right, so a
kernel whose callee changed in another file would keep the old callee. The folder is therefore
named after the contents of every source with kernels and of their tables, whose order and
constants are compiled into them: other sources, other folder.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar, cast

try:
    import numba
    from numba.extending import intrinsic
except ImportError as error:
    sentence = "the player needs numba; install it with: pip install 'cornerlight[player]'"
    raise ImportError(sentence) from error

F = TypeVar("F", bound=Callable[..., object])

_KEPT: Final = "player-"
"""How the folders of machine code begin."""

_TABLES: Final = "tables.py"
"""A source without kernels whose names and numbers stand in their machine code."""

_FORGOTTEN_S: Final = 30 * 24 * 3600.0
"""How long a folder that nobody uses is kept."""


def cache_folder() -> Path | None:
    """Where machine code is kept, made if it is not there; None where nothing can be written.

    It is `cornerlight` in the user's cache folder (`XDG_CACHE_HOME`, else `~/.cache`), unless
    `NUMBA_CACHE_DIR` says otherwise. Folders of other versions of the player that nobody has
    used for a month are removed.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    try:
        usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cornerlight"
        home = Path(chosen) if chosen else usual
        folder = home / f"{_KEPT}{_fingerprint()}"
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except (OSError, RuntimeError):
        return None
    if not os.access(folder, os.W_OK | os.X_OK):
        return None
    _forget_unused(home)
    return folder


def _forget_unused(home: Path) -> None:
    long_ago = time.time() - _FORGOTTEN_S
    for folder in home.glob(f"{_KEPT}*"):
        # Another process may be removing it at this moment.
        with suppress(OSError):
            if folder.stat().st_mtime < long_ago:
                shutil.rmtree(folder, ignore_errors=True)


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        code = source.read_bytes()
        if b"@compiled" in code or source.name == _TABLES:
            digest.update(code)
    return digest.hexdigest()[:16]


_FOLDER: Final = cache_folder()
if _FOLDER is not None:
    setattr(numba.config, "CACHE_DIR", str(_FOLDER))  # noqa: B010 -- made at run time, unknown to types


_OPTIONS: Final[dict[str, Any]] = {
    "nogil": True,
    "cache": _FOLDER is not None,
    "error_model": "numpy",
}

_LENT: Final[dict[str, Any]] = {"_nrt": False}
"""Arrays are not counted: to count each slice that a kernel takes of one costs half its time."""


def compiled(function: F) -> F:
    """Compiles a function without objects of Python, to run beside others in threads.

    It may not make arrays, only use and slice those it is given. Where nothing can be kept on
    disk each process compiles anew, which takes a minute.
    """
    return cast("F", numba.njit(**_OPTIONS, **_LENT)(function))


def inlined(function: F) -> F:
    """Compiles a function into those that call it.

    What stands on a board is some thirty arrays; to hand them over takes longer than most
    small kernels do.
    """
    return cast("F", numba.njit(forceinline=True, **_OPTIONS, **_LENT)(function))


def adding(function: F) -> F:
    """The same as `inlined`, where sums may be added up in any order and so many at once."""
    fast = {"reassoc", "contract", "nsz"}
    return cast("F", numba.njit(forceinline=True, fastmath=fast, **_OPTIONS, **_LENT)(function))


def _count_ones(typing: Any, word: Any) -> Any:  # noqa: ARG001 -- numba hands it over
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return numba.types.int64(numba.types.int64), generate


ones: Final = cast("Callable[[int], int]", intrinsic(_count_ones))
"""How many bits of a word are set, by the one instruction that processors have for it."""
