"""The solver behind `firmware.player.solver_client`: the answers to its requests."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from firmware.player.search.solver import SolverResult, solve
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
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
        begun = sent = time.perf_counter()

        def row(result: SolverResult, *, done: bool) -> dict[str, Any]:
            return {
                "request": message["request"],
                "puzzle": message["puzzle"],
                "answer": result.answer,
                "moves": [_words(one) for one in result.moves],
                "culprit": None if result.culprit is None else _words(result.culprit),
                "seconds": round(time.perf_counter() - begun, 3),
                "tried": result.tried,
                "done": done,
            }

        def report(result: SolverResult) -> None:
            nonlocal sent
            if time.perf_counter() - sent > _REPORT_S:
                sent = time.perf_counter()
                send(row(result, done=False))

        send(row(SolverResult(None), done=False))
        order = [(c, Move.parse(text, position.game.size)) for c, text in message["order"]]
        result = solve(
            position,
            seed=message["seed"],
            seconds=message["seconds"],
            order=order,
            stopped=stopped,
            report=report,
        )
        send(row(result, done=True))


def _words(one: LaidPiece) -> tuple[int, str]:
    return one[0], str(one[1])
