"""Waits for an effect of another thread or process."""

import time
from collections.abc import Callable


def eventually(holds: Callable[[], object], within_s: float = 10.0) -> None:
    until = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.005)
