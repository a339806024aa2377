"""Ends a program that runs until it is stopped, at SIGTERM as at Control-C."""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from firmware.commands.live_output import drain

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
"""Signals that end a program: of systemd or `kill`, and of Control-C."""

_ENDS_S: Final = 3.0
"""Seconds after a signal in which a table has to end; with the last output that is under 5 s."""

_log = logging.getLogger(__name__)


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

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Ends the process `_ENDS_S` after a signal if its body has not ended until then.

        A driver or a decoder may never return. Then the main thread cannot even learn of the
        signal, so a thread waits for the byte that the interpreter writes at once
        (`signal.set_wakeup_fd`). Nothing is lost: events are on disk before they are shown.
        """
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        is_over = threading.Event()

        def limit() -> None:
            with os.fdopen(reader, "rb", 0) as signals:
                if signals.read(1) and not is_over.wait(_ENDS_S):
                    _log.error("a part of the table did not end in time; it is left as it is")
                    drain()
                    os._exit(0)  # it was stopped, and that is no fault

        threading.Thread(target=limit, name="end", daemon=True).start()
        try:
            yield
        finally:
            is_over.set()
            signal.set_wakeup_fd(-1)
            os.close(writer)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._arrived = True
        self.on_stop()
        raise KeyboardInterrupt
