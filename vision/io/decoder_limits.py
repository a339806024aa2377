"""Limits around code that decodes a file from outside.

The header of a file tells how much memory it takes, but not for sure: a WebP of one million pixels
can name 65,536 code tables and take 360 MB. So while a decoder runs, the kernel refuses it more
than it is allowed (`setrlimit(2)`, RLIMIT_DATA); decoders then say that memory ran out.
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
"""The limit and what is printed belong to the process, so two decoders would undo each other's."""

_STATM: Final = Path("/proc/self/statm")

_STANDARD_ERROR: Final = 2
"""File descriptor of standard error (POSIX, stdio.h)."""


@contextmanager
def decoder_limits(memory: int) -> Iterator[None]:
    """Runs what it encloses in one thread, with little memory, and in silence.

    Other threads of the process share the limit meanwhile. Libraries print what is wrong with a
    file on standard error; whoever asked for it is told in one sentence instead.

    Args:
        memory: bytes that the process may take in addition to those it has. Not limited where
            the system does not tell how many it has, that is, beyond Linux.
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
    """Bytes of memory that this process has now; 0 where the system does not tell."""
    return _statm(1)


def _statm(field: int) -> int:
    """Bytes told in a field of `/proc/self/statm` (proc(5)): 1 is resident, 5 is data and stack."""
    if not _STATM.exists():
        return 0
    return int(_STATM.read_text(encoding="ascii").split()[field]) * resource.getpagesize()


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Keeps OpenCV from starting threads, whose stacks count as data."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


@contextmanager
def _silenced() -> Iterator[None]:
    """Leads standard error to nowhere; libraries write to it past Python."""
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
