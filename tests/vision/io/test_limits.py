"""Limits of a decoder's memory and output."""

import mmap
import os
import resource
import subprocess
import sys

import cv2
import numpy as np
import pytest

from vision.io.limits import decoder_limits, resident_bytes

pytestmark = pytest.mark.slow


ALLOCATING = """
import numpy as np
from vision.io.limits import decoder_limits

def fits(size):
    try:
        return bool(np.ones(size, np.uint8).all())
    except MemoryError:
        return False

with decoder_limits(50_000_000):
    print(fits(10_000_000), fits(100_000_000))
print(fits(100_000_000))
"""
"""Run in a process of its own: memory that other tests return meanwhile would count."""


def test_memory_beyond_the_limit_is_refused_and_allowed_again_afterwards() -> None:
    command = [sys.executable, "-c", ALLOCATING]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout.split() == ["True", "False", "True"]


def test_a_limit_that_is_there_already_stays_the_lower_one() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    with decoder_limits(100_000_000):
        lower = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, lower)
    try:
        with decoder_limits(1_000_000_000):
            assert resource.getrlimit(resource.RLIMIT_DATA) == lower
        assert resource.getrlimit(resource.RLIMIT_DATA) == lower
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def test_what_a_library_prints_is_not_seen_and_what_comes_after_is(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with decoder_limits(10_000_000):
        os.write(2, b"Corrupt JPEG data\n")
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"


def test_an_error_passes_through_and_leaves_everything_as_it_was() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA), cv2.getNumThreads()
    with pytest.raises(KeyError), decoder_limits(10_000_000):
        raise KeyError
    assert (resource.getrlimit(resource.RLIMIT_DATA), cv2.getNumThreads()) == before


def test_memory_is_measured() -> None:
    before = resident_bytes()
    # Memory of the system's own: an array may lie where another test's has been.
    with mmap.mmap(-1, 60_000_000) as held:
        np.frombuffer(held, np.uint8)[:] = 1
        grown = resident_bytes() - before
    assert 50_000_000 < grown < 90_000_000
