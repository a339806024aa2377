"""Composes the services of a table around a factory of its devices.

Rooms with a module `table_services` add theirs, see `firmware.assembly.rooms`.
"""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from firmware.assembly.rooms import rooms_with
from firmware.assembly.table_places import TablePlaces
from firmware.errors import UnreadableError
from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.machine.sysfs import sysfs_folder
from firmware.session.console_screen import CONSOLE_VARIABLE, ConsoleScreen
from firmware.session.controller import Controller
from firmware.session.devices import TableFactory
from firmware.session.feed_server import FeedServer
from firmware.session.games_by_board import GameForSize, GamesByBoard
from firmware.session.machine_services import POWER_OFF_VARIABLE, HealthWatch, PowerSwitch
from firmware.session.pairing import Pairing
from firmware.session.play_desk import GestureTable, PlayDesk
from firmware.session.recording import Recording, Repetition
from firmware.session.seats import SeatDesk
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts
from firmware.session.table_setup import TableSetup
from firmware.settings import Settings
from firmware.storage.archive import ArchiveFolder
from firmware.storage.camera_memory import CameraMemory
from firmware.storage.journal import Journal
from firmware.storage.session_inputs import SessionInputs
from firmware.storage.session_recorder import SessionRecorder
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import time_of_day

_ROOM_SERVICES: Final = "table_services"
"""Name of the module of a room; its function of the same name makes the services."""

_RUNS: Final = 1 << 31
"""Number of ranges of revisions, one drawn by each run: two runs draw the same one once in two
thousand million restarts."""

_PAGES_A_RUN: Final = 1 << 20
"""Number of revisions in the range of a run."""

_KILOBYTE: Final = 1000
"""Bytes of a kilobyte in the settings."""


class ComposedTable:
    """A table, ready to run: journal, archive, server of the page, paired phones, and loop.

    Args:
        settings: settings of the table.
        places: places of its files and of its socket.
        factory: opens the devices of a game.
        cameras: the values that are kept for each camera; None to keep them for this run.
        recorder: records the session, if it is recorded; it is closed with the table.
        inputs: inputs of a recorded session that are repeated, if there are any.
        gestures: the table on which gestures are carried out, if it is simulated: then everybody
            may see all pictures, also numbers in them, see `TableParts`.

    Attributes:
        journal: the journal.
        archive: the archive of finished games.
        feed: the server of the page; the caller starts it.
        pairing: the paired phones.
    """

    def __init__(
        self,
        settings: Settings,
        places: TablePlaces,
        factory: TableFactory,
        cameras: CameraMemory | None = None,
        *,
        recorder: SessionRecorder | None = None,
        inputs: SessionInputs | None = None,
        gestures: GestureTable | None = None,
    ) -> None:
        self.archive: Final = ArchiveFolder(
            places.games,
            game_bytes=_KILOBYTE * settings.table.pictures_kb,
            all_bytes=_KILOBYTE * _KILOBYTE * settings.table.games_mb,
        )
        journal = places.folder / "journal.jsonl"
        self.journal: Final = Journal(journal, numbers_from=self.archive.newest)
        self.feed: Final = FeedServer(places.socket)
        self.pairing: Final = Pairing(places.paired)
        seats = (
            PlayDesk(gestures, self.pairing, self.feed)
            if gestures
            else SeatDesk(self.pairing, self.feed)
        )
        self._parts: Final = TableParts(
            places.folder,
            factory,
            self.journal,
            self.archive,
            self.feed,
            self.pairing,
            seats,
            stand_in=gestures.stand_in if gestures else None,
            is_simulated=gestures is not None,
            is_repeated=inputs is not None,
            everybody_sees_camera=gestures is not None or settings.page.camera == "everybody",
        )
        sysfs = sysfs_folder()
        self._recorder: Final = recorder
        self._inputs: Final = inputs
        self._services: Final = [
            *([] if recorder is None else [Recording(recorder)]),
            *([] if inputs is None else [Repetition(inputs)]),
            HealthWatch(sysfs),
            seats,
            TableSetup(cameras or CameraMemory(None)),
            *self._services_of_an_installation(settings, sysfs),
            *services_of_rooms(self._parts),
        ]

    def _services_of_an_installation(self, settings: Settings, sysfs: Path) -> list[TableService]:
        """Returns the services for which the unit of the table names files."""
        power_off, console = map(os.environ.get, (POWER_OFF_VARIABLE, CONSOLE_VARIABLE))
        services: list[TableService] = [PowerSwitch(Path(power_off))] if power_off else []
        if console:
            port = settings.page.port
            services.append(ConsoleScreen(Path(console), self.pairing, port, sysfs))
        return services

    def begin(
        self,
        config: GameConfig,
        on_event: Callable[[Event], None] | None,
        *,
        fresh: bool,
        goes_on: Callable[[GameConfig], bool] | None = None,
        game_for_size: GameForSize | None = None,
    ) -> Controller:
        """Returns the loop of a new game, or of the newest one if it is of the same variant.

        With the inputs of a recorded session it is the game of that session, as it was.

        Args:
            config: settings of a game that begins.
            on_event: function that gets each event.
            fresh: True to begin a game even if one could be resumed.
            goes_on: returns True for the settings of a stored game to resume; None for the same
                variant.
            game_for_size: returns the settings of a game by squares along a side of the board, if
                the board decides what is played; then the newest game is resumed whatever it is.
        """
        inputs, stored = self._inputs, None
        if inputs is not None and inputs.events:
            stored = self._adopted(config, inputs.events)
        elif inputs is None and not fresh:
            stored = self.journal.resume()
        goes_on = goes_on or (lambda old: bool(game_for_size) or old.game == config.game)
        stored = stored if stored and goes_on(stored.config) else None
        first = secrets.randbelow(_RUNS) * _PAGES_A_RUN
        is_by_board = game_for_size is not None if inputs is None else inputs.by_board
        by_board = GamesByBoard(game_for_size) if is_by_board else None
        return Controller(self._parts, self._services, stored or config, on_event, first, by_board)

    def _adopted(self, config: GameConfig, events: Sequence[Event]) -> StoredGame:
        """Returns the game that was on the table when a recording began."""
        try:
            return self.journal.adopt(config, events, time_of_day())
        except ValueError as error:
            raise UnreadableError(f"the recording's game cannot be resumed: {error}") from error

    def close(self) -> None:
        """Closes the services; the loop is closed first."""
        self.feed.close()
        if self._recorder is not None:
            self._recorder.close()
        self.archive.close()
        self.journal.close()


def services_of_rooms(table: TableParts, **arguments: Mapping[str, Any]) -> list[TableService]:
    """Returns the services of all rooms for a table that is being composed.

    Args:
        table: its parts.
        arguments: further arguments of a room's function, by room.
    """
    services: list[TableService] = []
    for room in rooms_with(_ROOM_SERVICES):
        make = import_module(f"firmware.{room}.{_ROOM_SERVICES}").table_services
        services += make(table, **arguments.get(room, {}))
    return services
