"""Waits for an effect of another thread or process."""

import time
from collections.abc import Callable


def eventually(holds: Callable[[], object], within_s: float = 10.0, every_s: float = 0.005) -> None:
    until = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until, "it did not come about"
        time.sleep(every_s)
