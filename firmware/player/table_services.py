"""The services of a table that need the player: hints, the computer's seats, puzzles, reviews."""

from collections.abc import Callable
from functools import partial

from firmware.player.client import EngineClient
from firmware.player.computer_service import ComputerService
from firmware.player.engine_queue import EngineQueue
from firmware.player.hint_service import HintService
from firmware.player.measured_level import MEASURED_LEVEL, MeasuredLevel
from firmware.player.puzzle_results import best_seconds
from firmware.player.puzzle_service import PuzzleService
from firmware.player.review_service import ReviewService
from firmware.player.solver_client import SolverClient
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts


def _player() -> EngineClient:
    """Starts the usual player."""
    return EngineClient()


def _solver() -> SolverClient:
    """Starts the usual solver."""
    return SolverClient()


def table_services(
    table: TableParts,
    player: Callable[[], EngineClient] | None = _player,
    solver: Callable[[], SolverClient] | None = _solver,
) -> list[TableService]:
    """Returns the services of a table that is being composed.

    Args:
        table: the table; while a recorded session is repeated nobody asks the player.
        player: starts the player; None if there is none.
        solver: starts the solver; None if there is none.
    """
    if table.is_repeated:
        player, solver = None, None
    engine = None if player is None else EngineQueue(player)
    games = table.archive.folder
    best = partial(best_seconds, games)
    services: list[TableService] = [PuzzleService(solver, best, engine)]
    if engine is not None:
        measured = MeasuredLevel(table.folder / MEASURED_LEVEL)
        computer = ComputerService(engine, table.stand_in, measured)
        services += [HintService(engine), computer]
    return [*services, ReviewService(games, engine)]
