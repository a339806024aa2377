"""Progress of the start of a service: its functions are compiled once, then loaded.

Machine code appears in the cache function by function, always in nearly the same order, whichever
process compiles. The seconds left follow from the share of the work done since the start.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

_EVERY_S: Final = 0.5
"""Seconds between two messages."""

_ENOUGH: Final = 0.03
"""Share of the work from which on its speed is known."""

_EXACT_S: Final = 30.0
"""Seconds left from which on tens are told."""

MODULES: Final = {
    "position": "chance endgame_bound endgame_moves endgame_search endgame_table features kernels"
    " network nodes playout scoring tree",
    "puzzle": "chance exact_cover laying",
}
"""Modules whose functions a service needs, by its word."""

_COURSE: Final = {
    "position": (0, 0.06, 0.13, 0.24, 0.49, 0.6, 0.75, 0.81, 0.86, 0.9, 1),
    "puzzle": (0, 0.05, 0.12, 0.19, 0.3, 0.4, 0.49, 0.55, 0.64, 0.72, 1),
}
"""Share of the time that has passed after each tenth of its functions: the median of 25
compilations, which took 10 to 220 s."""


@contextmanager
def telling(
    key: str,
    kept_share: Callable[[Collection[str]], float],
    send: Callable[[dict[str, Any]], None],
) -> Iterator[None]:
    """Sends how far a service has come, again and again until it is ready.

    Args:
        key: its word.
        kept_share: returns the share of the functions of modules that are compiled.
        send: takes the percent of its functions that are compiled, and the seconds left or None.
    """
    begun, ready = time.monotonic(), threading.Event()

    def spent(share: float) -> float:
        return float(np.interp(share, np.linspace(0, 1, len(_COURSE[key])), _COURSE[key]))

    before = spent(kept_share(MODULES[key].split()))

    def tell() -> None:
        while not ready.wait(_EVERY_S):
            share = kept_share(MODULES[key].split())
            gained, passed = spent(share) - before, time.monotonic() - begun
            left = passed * (1 - spent(share)) / gained if gained >= _ENOUGH else None
            step = 10 if left is not None and left > _EXACT_S else 1
            send({"start": (int(100 * share), None if left is None else step * round(left / step))})

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ready.set()
        teller.join()
