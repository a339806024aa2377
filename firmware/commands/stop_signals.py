"""Ends a program that runs until it is stopped, at SIGTERM as at Control-C."""

import signal
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
"""Signals that end a program: of systemd or `kill`, and of Control-C."""


class StopSignals:
    """Raises KeyboardInterrupt in the main thread at the first signal, as Python does for SIGINT.

    The interpreter drops an exception that arises while a weak reference's callback or a
    finaliser runs (Python documentation, `weakref.ref` and `object.__del__`); a program would then
    run on. So the signal is remembered, and `check` raises again in each turn of a loop. SIGINT
    counts even if the shell that starts the program in the background has it ignored.

    Attributes:
        on_stop: called at a signal, before the exception; returns at once and takes no lock.
    """

    def __init__(self) -> None:
        self.on_stop: Callable[[], None] = lambda: None
        self._arrived = False
        for number in _SIGNALS:
            signal.signal(number, self._stop)

    def check(self) -> None:
        """Raises KeyboardInterrupt if a signal has arrived."""
        if self._arrived:
            raise KeyboardInterrupt

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._arrived = True
        self.on_stop()
        raise KeyboardInterrupt
