"""The solver behind `firmware.player.solver_client`: the answers to its requests."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from firmware.player.search.solver import solve
from firmware.player.solver_client import Solution, parse_laid, to_json
from firmware.rules.position import Position
from firmware.rules.variants import PUZZLES

_REPORT_S: Final = 0.25
"""Seconds between two messages during a search."""

_WARM: Final = ("puzzle-tetrominoes", "puzzle-all", "puzzle-all-by-size")
"""Puzzles that between them need every kernel."""


class SolverService:
    """Answers requests for solutions."""

    key: Final = "puzzle"

    def warm(self) -> None:
        """Compiles every kernel, or reads it from the cache."""
        for key in _WARM:
            solve(Position.start(PUZZLES[key]), seed=0, seconds=0.01)

    def answer(
        self,
        message: dict[str, Any],
        stopped: threading.Event,
        send: Callable[[dict[str, Any]], None],
    ) -> None:
        """Searches, and sends a message in steps and at the end."""
        position = Position.parse(message["puzzle"])
        sent = time.perf_counter()

        def send_state(state: Solution) -> None:
            send({"request": message["request"], **to_json(position, state)})

        def report(state: Solution) -> None:
            nonlocal sent
            if time.perf_counter() - sent > _REPORT_S:
                sent = time.perf_counter()
                send_state(state)

        send_state(Solution(None, done=False))
        result = solve(
            position,
            seed=message["seed"],
            seconds=message["seconds"],
            order=[parse_laid(one, position) for one in message["order"]],
            stopped=stopped,
            report=report,
        )
        send_state(result)
