"""A table of a hall that is rendered and read, in a process of its own.

Run it with `python -m tests.support.rendered_club_table FOLDER`; it plays until it is interrupted.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from firmware.assembly.game_config import config_from_settings
from firmware.assembly.services import ComposedTable
from firmware.assembly.simulated import SimulatedTableFactory, Simulation, SimulationOptions
from firmware.assembly.table_places import TablePlaces
from firmware.codes import GameKey
from firmware.hall.verbs.plain_table import PlainPeople
from firmware.settings import GameSettings, Settings
from firmware.simulator.clock import ManualClock

FRAME_S = 0.35
"""Seconds of the table's time between two frames."""

PLAYS_S = 0.02
"""Least seconds between two frames, so that phones are answered while nothing happens."""


def play(folder: Path) -> None:
    """Plays game after game, as fast as the pictures are read."""
    places = TablePlaces.within(folder)
    with composed(places) as table:
        table.feed.start()
        people = PlainPeople(places.socket)
        asking: Iterator[None] = iter(())
        while True:
            if next(asking, asking) is asking:
                action = people.next_action(table.feed.club)
                asking = people.ask(*action) if action is not None else iter(())
            table.step(FRAME_S, time.monotonic())
            time.sleep(PLAYS_S)


def composed(places: TablePlaces) -> Simulation:
    """Composes the table; its seats are taken by phones, as at a real one."""
    settings, clock = Settings(game=GameSettings(game=GameKey.DUO)), ManualClock()
    stage = SimulatedTableFactory(settings, SimulationOptions(7, autoplay=True), clock)
    table = ComposedTable(settings, places, stage)
    config = config_from_settings(settings)
    return Simulation(clock, stage, table.begin(config, None, fresh=False), table)


def main(words: Sequence[str]) -> None:
    with suppress(KeyboardInterrupt):
        play(Path(words[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
