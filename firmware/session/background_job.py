"""Runs one piece of work at a time in a thread, so that no frame waits for it."""

import logging
import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class BackgroundJob(Generic[Result]):
    """One piece of work at a time, in a thread of its own.

    Args:
        name: name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._thread: threading.Thread | None = None
        self._result: Result | None = None

    @property
    def is_running(self) -> bool:
        """True until the work is done."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, work: Callable[[], Result]) -> bool:
        """Starts work, unless some is running; returns False if it was not started.

        Args:
            work: function that raises nothing; its result waits for `take`.
        """
        if self.is_running:
            return False

        def run() -> None:
            self._result = work()

        thread = threading.Thread(target=run, name=self._name)
        try:
            thread.start()
        except RuntimeError as error:
            _log.warning("there is no thread for %s: %s", self._name, error)
            return False
        self._thread = thread
        return True

    def take(self) -> Result | None:
        """Returns the result of the last work, once; None while it is running."""
        if self.is_running:
            return None
        result, self._result = self._result, None
        return result

    def close(self) -> None:
        """Waits until running work is done."""
        if self._thread is not None:
            self._thread.join()
