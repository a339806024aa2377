"""Limits of wall time, measured on machines that others use at the same moment.

A machine that stands for a second makes every program in it late, and says nothing about one of
them. A test that fails because it was late is therefore measured again; a program that is always
late fails each time. Repetitions are listed in the summary of the run.
"""

from typing import Final

import pytest

REPETITIONS: Final = 2
"""Measurements after the first that a late test gets."""

WALL_CLOCK = pytest.mark.flaky(reruns=REPETITIONS, only_rerun=["AssertionError"])
