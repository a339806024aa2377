"""The process behind `firmware.player.search_process`: a line of JSON in, a line of JSON out.

A request is for the player or for the solver; a newer one ends the running search. Answers are
sent during a search, so killing the process loses little. Each of the two is compiled when the
first request for it comes.
"""

import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol, TextIO

from firmware.codes import Scoring
from firmware.player import search_result, solver_client
from firmware.player.client import SearchRequest
from firmware.player.readiness import telling
from firmware.player.search.endgame import EndgameSolver, proof_seconds
from firmware.player.search.jit import kept_share
from firmware.player.search.levels import PROVING_LEVEL, begin_level, choose, highest_level
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search.reasons import WISH_FROM_S, MoveReasons, wish_of
from firmware.player.search.solver import solve
from firmware.player.search_result import SearchResult
from firmware.player.solver_client import Solution, parse_laid
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import PUZZLES, Starts

_STEP_S: Final = 0.25
"""Seconds between two answers during a search."""

_WARM_PUZZLES: Final = ("puzzle-tetrominoes", "puzzle-all", "puzzle-all-by-size")
"""Puzzles that between them need every kernel of the solver."""

Send = Callable[[dict[str, Any]], None]
"""Writes a message as a line."""


class Service(Protocol):
    """Answers requests of one sort."""

    @property
    def key(self) -> str:
        """The word that only these requests have."""
        ...

    def warm(self) -> None:
        """Compiles its kernels, or reads them from the cache."""
        ...

    def answer(self, message: dict[str, Any], stopped: threading.Event, send: Send) -> None:
        """Sends answers until it has the last one, or another thread sets `stopped`."""
        ...


_Requests = queue.SimpleQueue[tuple[dict[str, Any], Service, threading.Event] | None]
"""Messages with their service and the event that ends the search; None at the end of the input."""


def serve(services: Sequence[Service], source: Iterable[str], out: TextIO) -> None:
    """Answers requests until the input ends."""
    requests: _Requests = queue.SimpleQueue()
    worker = threading.Thread(target=_work, args=(requests, out), daemon=True)
    worker.start()
    stopped = threading.Event()
    for line in source:
        message = json.loads(line)
        stopped.set()
        stopped = threading.Event()
        service = next(one for one in services if one.key in message)
        requests.put((message, service, stopped))
    stopped.set()
    requests.put(None)
    worker.join()


def _work(requests: _Requests, out: TextIO) -> None:
    def send(number: int, row: dict[str, Any]) -> None:
        out.write(json.dumps({"request": number, **row}) + "\n")
        out.flush()

    warm: set[str] = set()
    while (request := requests.get()) is not None:
        message, service, stopped = request
        if service.key not in warm:
            with telling(service.key, kept_share, partial(send, message["request"])):
                service.warm()
            warm.add(service.key)
        if requests.empty():
            service.answer(message, stopped, partial(send, message.pop("request")))


class PlayerService:
    """Answers requests for the best moves of a position.

    Args:
        player: the player that searches.
    """

    key: Final = "position"

    def __init__(self, player: SearchPlayer) -> None:
        self._player: Final = player
        self._solver: Final = EndgameSolver()

    def warm(self) -> None:
        """Compiles every kernel, or reads it from the cache, by making two moves."""
        player = SearchPlayer(memory_mb=1)
        position = Position.start("duo", Starts.FIXED)
        for _ in range(2):
            best = player.think(position, SearchLimits(simulations=10)).choices[0]
            position = position.play(best.move)
        self._solver.warm()

    def answer(self, message: dict[str, Any], stopped: threading.Event, send: Send) -> None:
        """Sends each result of a request."""
        request = SearchRequest(**message)
        for result in self.results(request, stopped):
            choices = result.choices[: request.most]
            send(search_result.to_json(replace(result, choices=choices)))

    def results(self, request: SearchRequest, stopped: threading.Event) -> Iterator[SearchResult]:
        """Proves the result, or searches in steps and yields a result after each."""
        position, level, seconds = Position.parse(request.position), request.level, request.seconds
        remaining = request.simulations
        only = frozenset(Move.parse(text, position.game.size) for text in request.only)
        begun = time.perf_counter()
        if not only and (level is None or level >= PROVING_LEVEL):
            scoring = Scoring(request.scoring)
            proof = self._solver.solve(position, scoring, stopped, seconds=proof_seconds(seconds))
            if proof is not None:
                yield _reasoned(request, position, proof, stopped)
                return
        if level:
            remaining = begin_level(self._player, position, level, request.seed)
        simulations, spent = 0, time.perf_counter() - begun
        proving_s, done = spent, False
        while not done:
            step = _STEP_S if seconds is None else min(_STEP_S, seconds - spent)
            result = self._player.think(position, SearchLimits(step, remaining, only), stopped)
            simulations += result.simulations
            spent += result.seconds
            if remaining is not None:
                remaining -= result.simulations // self._player.threads
            done = stopped.is_set() or not result.choices
            done = done or (remaining is not None and remaining <= 0)
            done = done or (seconds is not None and spent >= seconds)
            if level and result.choices:
                result = choose(self._player, position, result, level, request.seed)
            if done and not stopped.is_set():
                result = _reasoned(request, position, result, stopped)
            highest = highest_level(simulations, spent - proving_s)
            yield replace(
                result, simulations=simulations, seconds=spent, done=done, highest_level=highest
            )


def _reasoned(
    request: SearchRequest, position: Position, result: SearchResult, stopped: threading.Event
) -> SearchResult:
    """The same result; as many choices as the request names have their reasons."""
    first, rest = result.choices[: request.reasons], result.choices[request.reasons :]
    if not first:
        return result
    has_time = request.seconds is None or request.seconds >= WISH_FROM_S
    reasons = MoveReasons(position, wish_of(position, stopped) if has_time else None)
    given = zip(first, reasons.give([one.move for one in first], result), strict=True)
    return replace(result, choices=(*(replace(one, reasons=why) for one, why in given), *rest))


class SolverService:
    """Answers requests for solutions of puzzles."""

    key: Final = "puzzle"

    def warm(self) -> None:
        """Compiles every kernel, or reads it from the cache."""
        for key in _WARM_PUZZLES:
            solve(Position.start(PUZZLES[key]), seed=0, seconds=0.01)

    def answer(self, message: dict[str, Any], stopped: threading.Event, send: Send) -> None:
        """Searches, and sends a message in steps and at the end."""
        position = Position.parse(message["puzzle"])
        sent = float("-inf")

        def report(state: Solution) -> None:
            nonlocal sent
            now = time.perf_counter()
            if state.done or now - sent > _STEP_S:
                sent = now
                send(solver_client.to_json(position, state))

        report(Solution(None, done=False))
        result = solve(
            position,
            seed=message["seed"],
            seconds=message["seconds"],
            order=[parse_laid(one, position) for one in message["order"]],
            stopped=stopped,
            report=report,
        )
        report(result)
