"""A folder of pictures of a few moves, as `run --save` keeps it."""

from pathlib import Path

from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.settings import Settings
from firmware.simulator.mistakes import Mistake
from firmware.simulator.people import Habits

PLIES = 3


def record_moves(folder: Path, table_folder: Path, settings: Settings) -> Path:
    """Records two pictures a second of three moves and an illegal piece; returns the folder."""
    habits = Habits(mistakes={2: Mistake.NO_OWN_CORNER})
    options = SimulationOptions(2, autoplay=True, habits=habits, save=folder)
    with simulated(settings, table_folder, options) as table:
        while table.tracker.referee.state.piece_count < PLIES:
            table.step(0.5, table.clock.now_s)
        for _ in range(2):
            table.step(0.5, table.clock.now_s)
    return folder
