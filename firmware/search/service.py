"""The player behind `firmware.player.client`: a line of JSON in, a line of JSON out.

A request has a position and the limits of its search; a newer one, or `{"stop": true}`, ends the
running search. Answers are sent during a search, so killing the process loses little.
"""

import json
import queue
import threading
from collections.abc import Iterable
from typing import Any, Final, TextIO

from firmware.rules.position import Position
from firmware.search.player import LEVELS, SearchedMove, SearchLimits, SearchPlayer, SearchResult

_STEP_S: Final = 0.25
"""Seconds between two answers during a search."""

_Requests = queue.SimpleQueue[tuple[dict[str, Any], threading.Event] | None]
"""Messages with the event that ends their search; None at the end of the input."""


def serve(player: SearchPlayer, source: Iterable[str], out: TextIO) -> None:
    """Answers requests until the input ends."""
    requests: _Requests = queue.SimpleQueue()
    worker = threading.Thread(target=_work, args=(player, requests, out), daemon=True)
    worker.start()
    stopped = threading.Event()
    for line in source:
        message = json.loads(line)
        stopped.set()
        if "position" in message:
            stopped = threading.Event()
            requests.put((message, stopped))
    stopped.set()
    requests.put(None)
    worker.join()


def _work(player: SearchPlayer, requests: _Requests, out: TextIO) -> None:
    while (request := requests.get()) is not None:
        if requests.empty():
            _think(player, *request, out)


def _think(
    player: SearchPlayer, message: dict[str, Any], stopped: threading.Event, out: TextIO
) -> None:
    """Searches in steps and writes an answer after each."""
    position = Position.parse(message["position"])
    seconds, level = message["seconds"], message["level"]
    remaining = LEVELS[level] if level else None
    simulations, spent = 0, 0.0
    while True:
        step = _STEP_S if seconds is None else min(_STEP_S, seconds - spent)
        result = player.think(position, SearchLimits(step, remaining), stopped)
        simulations += result.simulations
        spent += result.seconds
        remaining = None if remaining is None else remaining - result.simulations
        done = stopped.is_set() or not result.choices
        done = done or (remaining is not None and remaining <= 0)
        done = done or (seconds is not None and spent >= seconds)
        row = _row(message, result, simulations, spent)
        out.write(json.dumps({**row, "done": done}) + "\n")
        out.flush()
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
    }


def _choice(one: SearchedMove) -> dict[str, Any]:
    return {
        "cells": str(one.move).split(","),
        "piece": one.move.piece.name,
        "value": round(one.value, 4),
        "margin": round(one.margin, 2),
        "visits": one.visits,
    }
