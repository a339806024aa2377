"""One process of the player for all who ask it: the most urgent request is searched first.

A request that is more urgent than the running one ends it; the ended one is asked again later, from
its beginning. Nothing waits: requests are submitted and their answers polled by one thread.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.search_result import SearchResult
from web.contract import PlayerStart


class Use(IntEnum):
    """Uses of the player, the most urgent first."""

    OPPONENT = 0
    HINT = 1
    REVIEW = 2


class Ticket:
    """A submitted request.

    Args:
        use: its use.
        request: the request.

    Attributes:
        newest: the newest answer; None before the first.
        failure: the reason that it gets no answer; else None.
    """

    def __init__(self, use: Use, request: SearchRequest) -> None:
        self.use: Final = use
        self.request: Final = request
        self.newest: SearchResult | None = None
        self.failure: PlayerError | None = None


class EngineQueue:
    """Requests to one process of the player, which is started for the first of them.

    Args:
        start: starts the process; called again after a failure.
    """

    def __init__(self, start: Callable[[], EngineClient]) -> None:
        self._start: Final = start
        self._engine: EngineClient | None = None
        self._waiting: Final[list[Ticket]] = []
        self._running: tuple[Ticket, int] | None = None

    @property
    def is_running(self) -> bool:
        """True while there is a process, which may still load."""
        return self._engine is not None

    @property
    def starting(self) -> PlayerStart | None:
        """Progress of the start of the process; None if none starts."""
        return None if self._engine is None else self._engine.starting

    def submit(self, use: Use, request: SearchRequest) -> Ticket:
        """Submits a request; returns at once.

        Args:
            use: its use, which decides its turn; of the same use the oldest goes first.
            request: the request.
        """
        ticket = Ticket(use, request)
        self._waiting.append(ticket)
        self._go_on()
        return ticket

    def answer(self, ticket: Ticket) -> SearchResult | None:
        """Returns the newest answer to a request; None before the first.

        Raises:
            PlayerError: the player cannot answer it; the request is withdrawn.
        """
        self._go_on()
        if ticket.failure is not None:
            raise ticket.failure
        return ticket.newest

    def cancel(self, ticket: Ticket) -> None:
        """Withdraws a request; one that is answered already is of no further interest."""
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        if self._running is not None and self._running[0] is ticket:
            self._running = None

    def close(self) -> None:
        """Ends the process, and with it all requests; the next request starts another one."""
        tickets = [*self._waiting, *([] if self._running is None else [self._running[0]])]
        for ticket in tickets:
            ticket.failure = PlayerError(PlayerFailure.ENDED, "the player's process was ended")
        self._waiting.clear()
        self._end()

    def _go_on(self) -> None:
        """Takes the answer of the running request, and asks the most urgent one."""
        if self._running is not None:
            self._take()
        if not self._waiting:
            return
        first = min(self._waiting, key=lambda ticket: ticket.use)
        if self._running is None or first.use < self._running[0].use:
            self._ask(first)

    def _take(self) -> None:
        assert self._running is not None, "a request runs"
        assert self._engine is not None, "it runs in a process"
        ticket, number = self._running
        try:
            newest = self._engine.answer(number)
        except PlayerError as error:
            self._fail(ticket, error)
            return
        ticket.newest = newest or ticket.newest
        if newest is not None and newest.done:
            self._running = None

    def _ask(self, ticket: Ticket) -> None:
        self._waiting.remove(ticket)
        if self._running is not None:
            self._waiting.insert(0, self._running[0])
            self._running = None
        try:
            if self._engine is None:
                self._engine = self._start()
            self._running = ticket, self._engine.ask(ticket.request)
        except PlayerError as error:
            self._fail(ticket, error)

    def _fail(self, ticket: Ticket, error: PlayerError) -> None:
        ticket.failure = error
        self._end()

    def _end(self) -> None:
        engine, self._engine, self._running = self._engine, None, None
        if engine is not None:
            engine.close()
