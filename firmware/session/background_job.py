"""Runs one piece of work at a time in a thread, so that no turn of the loop waits for it."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, Generic, TypeVar

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class BackgroundJob(Generic[Result]):
    """One piece of work at a time, in a thread of its own.

    Args:
        name: name of the thread.
        raises: True if `take` raises an error of the work; by default it is logged, and the work
            has no result.
    """

    def __init__(self, name: str, *, raises: bool = False) -> None:
        self._name: Final = name
        self._raises: Final = raises
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._work: Future[Result | None] | None = None

    @property
    def is_running(self) -> bool:
        """True until the work is done."""
        return self._work is not None and not self._work.done()

    def start(self, work: Callable[[], Result]) -> bool:
        """Starts work, unless some is running; returns False if it was not started."""
        if self.is_running:
            return False
        try:
            self._work = self._pool.submit(self._done, work)
        except RuntimeError as error:
            _log.warning("there is no thread for %s: %s", self._name, error)
            # The pool keeps work whose thread could not be started.
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = ThreadPoolExecutor(1, thread_name_prefix=self._name)
            return False
        return True

    def wait(self, patience_s: float) -> bool:
        """Waits for running work for some seconds; returns True if none is running then."""
        return self._work is None or bool(wait([self._work], patience_s).done)

    def take(self) -> Result | None:
        """Returns the result of the last work, once; None while it runs, and if it failed."""
        if self._work is None or self.is_running:
            return None
        work, self._work = self._work, None
        return work.result()

    def close(self) -> None:
        """Waits until running work is done, and ends the thread."""
        self._pool.shutdown(cancel_futures=True)

    def _done(self, work: Callable[[], Result]) -> Result | None:
        try:
            return work()
        except Exception:
            if self._raises:
                raise
            _log.exception("%s has failed", self._name)
            return None
