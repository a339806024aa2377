"""Limits for the code that decodes files from outside: its memory and its output.

The header of a file gives only an estimate of the memory it takes: a WebP of one million pixels
can name 65,536 code tables and take 360 MB. So while a decoder runs, the kernel limits its memory
(`setrlimit(2)`, RLIMIT_DATA); beyond it decoders report that memory ran out.
"""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

import cv2

_ONE_AT_A_TIME: Final = Lock()
"""Lock of the limit and of standard error: both belong to the process, not to a thread."""

_STATM: Final = Path("/proc/self/statm")
"""File with the memory of this process, on Linux (proc(5))."""

_STANDARD_ERROR: Final = 2
"""File descriptor of standard error (POSIX, stdio.h)."""


@contextmanager
def decoder_limits(memory: int) -> Iterator[None]:
    """Runs its body in one thread, with limited memory, and without output on standard error.

    Other threads of the process share the limit meanwhile. Libraries print errors of a file on
    standard error; the caller reports them in one sentence instead.

    Args:
        memory: bytes that the process may take in addition to those it has. Unlimited where the
            system does not report them, that is, except on Linux.
    """
    with _ONE_AT_A_TIME, _single_threaded(), _silenced():
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = _statm(5) + memory
        if _STATM.exists() and (soft == resource.RLIM_INFINITY or limit < soft):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def resident_bytes() -> int:
    """Bytes of memory that this process has; 0 if the system does not report it."""
    return _statm(1)


def _statm(field: int) -> int:
    """Bytes in a field of `/proc/self/statm` (proc(5)): 1 is resident, 5 is data and stack."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[field]) * resource.getpagesize()


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Prevents OpenCV from starting threads, whose stacks count as data."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


@contextmanager
def _silenced() -> Iterator[None]:
    """Discards standard error at the file descriptor, which libraries use without Python."""
    sys.stderr.flush()
    try:
        duplicate = os.dup(_STANDARD_ERROR)
    except OSError:  # it is closed, so nothing is printed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _STANDARD_ERROR)
        yield
    finally:
        os.dup2(duplicate, _STANDARD_ERROR)
        os.close(duplicate)
        os.close(nowhere)
