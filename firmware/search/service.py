"""The process behind `firmware.player.search_process`: a line of JSON in, a line of JSON out.

A request is for the player or for the solver; a newer one, or `{"stop": true}`, ends the running
search. Answers are sent during a search, so killing the process loses little. Each of the two is
compiled when the first request for it comes.
"""

import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, TextIO

from firmware.rules.position import Position
from firmware.rules.scoring import Scoring
from firmware.rules.variants import Starts
from firmware.search.levels import begin_level, choose, highest_level
from firmware.search.player import SearchedMove, SearchLimits, SearchPlayer, SearchResult
from firmware.search.proving import PROVING_LEVEL, EndgameProver

_STEP_S: Final = 0.25
"""Seconds between two answers during a search."""

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
        service = next((one for one in services if one.key in message), None)
        if service is not None:
            stopped = threading.Event()
            requests.put((message, service, stopped))
    stopped.set()
    requests.put(None)
    worker.join()


def _work(requests: _Requests, out: TextIO) -> None:
    def send(row: dict[str, Any]) -> None:
        out.write(json.dumps(row) + "\n")
        out.flush()

    warm: set[str] = set()
    while (request := requests.get()) is not None:
        message, service, stopped = request
        if service.key not in warm:
            service.warm()
            warm.add(service.key)
        if requests.empty():
            service.answer(message, stopped, send)


class PlayerService:
    """Answers requests for the best moves of a position.

    Args:
        player: the player that searches.
    """

    key: Final = "position"

    def __init__(self, player: SearchPlayer) -> None:
        self._player: Final = player
        self._prover: Final = EndgameProver()

    def warm(self) -> None:
        """Compiles every kernel, or reads it from the cache, by making two moves."""
        player = SearchPlayer(memory_mb=1)
        position = Position.start("duo", Starts.FIXED)
        for _ in range(2):
            best = player.think(position, SearchLimits(simulations=10)).choices[0]
            position = position.play(best.move)
        self._prover.warm()

    def answer(self, message: dict[str, Any], stopped: threading.Event, send: Send) -> None:
        """Proves the result, or searches in steps and sends an answer after each."""
        position = Position.parse(message["position"])
        level, seed, seconds = message["level"], message["seed"], message["seconds"]
        remaining = message["simulations"]
        begun = time.perf_counter()
        if level is None or level >= PROVING_LEVEL:
            scoring = Scoring(message["scoring"])
            budget = SearchLimits(seconds, remaining)
            proof = self._prover.prove(position, budget, scoring, stopped)
            if proof is not None:
                send({**_row(message, proof, 0, proof.seconds), "done": True})
                return
        if level:
            remaining = begin_level(self._player, position, level, seed)
        proving_s = time.perf_counter() - begun
        simulations, spent = 0, proving_s
        while True:
            step = _STEP_S if seconds is None else min(_STEP_S, seconds - spent)
            result = self._player.think(position, SearchLimits(step, remaining), stopped)
            simulations += result.simulations
            spent += result.seconds
            if remaining is not None:
                remaining -= result.simulations // self._player.threads
            done = stopped.is_set() or not result.choices
            done = done or (remaining is not None and remaining <= 0)
            done = done or (seconds is not None and spent >= seconds)
            if level and result.choices:
                result = choose(self._player, position, result, level, seed)
            highest = highest_level(simulations, spent - proving_s)
            row = _row(message, result, simulations, spent)
            send({**row, "highest_level": highest, "done": done})
            if done:
                return


def _row(
    message: dict[str, Any], result: SearchResult, simulations: int, spent: float
) -> dict[str, Any]:
    choices = [_choice(one) for one in result.choices[: message["most"]]]
    return {
        "request": message["request"],
        "choices": choices,
        "simulations": simulations,
        "seconds": round(spent, 3),
        "proved": result.proved,
    }


def _choice(one: SearchedMove) -> dict[str, Any]:
    return {
        "cells": str(one.move).split(","),
        "piece": one.move.piece.name,
        "value": round(one.value, 4),
        "margin": round(one.margin, 2),
        "visits": one.visits,
        "proved": one.proved,
    }
