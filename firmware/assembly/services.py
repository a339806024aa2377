"""Composes the services of a table around a factory of its devices."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from firmware.assembly.table_places import TablePlaces
from firmware.errors import UnreadableError
from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.machine.sysfs import sysfs_folder
from firmware.player.client import EngineClient
from firmware.player.engine_queue import EngineQueue
from firmware.player.solver_client import SolverClient
from firmware.publishing.feed_server import FeedServer
from firmware.session.club_desk import ClubDesk
from firmware.session.computer_service import ComputerService
from firmware.session.controller import Controller
from firmware.session.devices import TableFactory
from firmware.session.games_by_board import GamesByBoard
from firmware.session.health_watch import HealthWatch
from firmware.session.hint_service import HintService
from firmware.session.invitation_watch import InvitationWatch
from firmware.session.pairing import Pairing
from firmware.session.play_desk import GestureTable, PlayDesk
from firmware.session.puzzle_service import PuzzleService
from firmware.session.recording import Recording, Repetition
from firmware.session.review_service import ReviewService
from firmware.session.seat_desk import SeatDesk
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts
from firmware.session.table_setup import TableSetup
from firmware.settings import Settings
from firmware.storage.archive import ArchiveFolder, StorageQuota
from firmware.storage.camera_memory import CameraMemory
from firmware.storage.journal import Journal, StoredGame
from firmware.storage.measured_level import MEASURED_LEVEL, MeasuredLevel
from firmware.storage.puzzle_results import best_seconds
from firmware.storage.session_inputs import SessionInputs
from firmware.storage.session_recorder import SessionRecorder
from firmware.storage.share_token import ShareToken
from firmware.storage.wall_clock import time_of_day

_RUNS: Final = 1 << 31
"""Number of ranges of revisions, one drawn by each run: two runs draw the same one once in two
thousand million restarts."""

_PAGES_A_RUN: Final = 1 << 20
"""Number of revisions in the range of a run."""

_PLAYED_PX: Final = 800
"""Width in pixels of the pictures by which people play at a simulated table."""

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
        budget = StorageQuota(
            _KILOBYTE * settings.table.pictures_kb,
            _KILOBYTE * _KILOBYTE * settings.table.games_mb,
        )
        self.archive: Final = ArchiveFolder(places.games, budget)
        journal = places.folder / "journal.jsonl"
        self.journal: Final = Journal(journal, numbers_from=self.archive.newest)
        self.feed: Final = FeedServer(places.socket)
        self.pairing: Final = Pairing(places.paired)
        self._parts: Final = TableParts(
            factory,
            self.journal,
            self.feed,
            self.archive,
            self.pairing,
            shows_numbers=gestures is not None,
            everybody_sees_camera=gestures is not None or settings.page.camera == "everybody",
            picture_width=_PLAYED_PX if gestures else None,
        )
        self._recorder: Final = recorder
        self._inputs: Final = inputs
        self._services: Final[list[TableService]] = [
            *([] if recorder is None else [Recording(recorder)]),
            *([] if inputs is None else [Repetition(inputs)]),
            HealthWatch(sysfs_folder()),
            *self._of_player(places, gestures),
            TableSetup(cameras or CameraMemory(None)),
            *([] if gestures or inputs else [InvitationWatch(places.folder)]),
        ]

    def _of_player(self, places: TablePlaces, gestures: GestureTable | None) -> list[TableService]:
        """Returns the services that need the player, and the seats, which the computer may play.

        Hints and choices of a recorded session are its inputs.
        """
        engine = None if self._inputs else EngineQueue(EngineClient)
        solver = None if self._inputs else SolverClient
        best = partial(best_seconds, self.archive.folder)
        services: list[TableService] = [PuzzleService(solver, best, engine)]
        readiness = None
        if engine is not None:
            measured = MeasuredLevel(places.folder / MEASURED_LEVEL)
            stand_in = None if gestures is None else gestures.stand_in
            computer = ComputerService(engine, stand_in, measured)
            readiness = partial(getattr, computer, "readiness")
            services += [HintService(engine), computer]
        services.append(ReviewService(self.archive.folder, engine))
        seats = SeatDesk(self.pairing)
        if gestures is not None:
            seats = PlayDesk(gestures, self.pairing, self.feed, readiness)
        share = ShareToken(places.share_token)
        return [*services, seats, ClubDesk(self.feed, seats, self.pairing, share)]

    def begin(
        self,
        config: GameConfig,
        on_event: Callable[[Event], None] | None,
        *,
        fresh: bool,
        usual: Callable[[int], GameConfig] | None = None,
    ) -> Controller:
        """Returns the loop of a new game, or of the newest one if it is of the same variant.

        With the inputs of a recorded session it is the game of that session, as it was.

        Args:
            config: settings of a game that begins.
            on_event: function that gets each event.
            fresh: True to begin a game even if one could be resumed.
            usual: returns the settings of a game by squares along a side of the board, if the
                board decides what is played; then the newest game is resumed whatever it is.
        """
        inputs = self._inputs
        if inputs is not None:
            stored = self._adopted(config, inputs.events) if inputs.events else None
        else:
            stored = None if fresh else self.journal.resume()
        resumes = stored is not None and (usual is not None or stored.config.game == config.game)
        revision = secrets.randbelow(_RUNS) * _PAGES_A_RUN
        game = stored if stored and resumes else config
        is_by_board = usual is not None if inputs is None else inputs.by_board
        by_board = GamesByBoard(usual) if is_by_board else None
        return Controller(self._parts, self._services, game, on_event, revision, by_board)

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
