"""Stores the game on the table: its events in the journal, and its files in the archive."""

from collections.abc import Sequence
from typing import Final

from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.session.game_archiver import GameArchiver
from firmware.session.game_session import PASSING
from firmware.session.tracker import GameTracker
from firmware.storage.archive import ArchiveFolder
from firmware.storage.journal import Journal, StoredGame
from firmware.storage.wall_clock import time_of_day
from vision.camera import Frame


class GameStorage:
    """Storage of one game after another.

    Args:
        journal: storage of events.
        archive: storage of finished games, if they are stored as files.
        game: a stored game that goes on; None if one begins.
    """

    def __init__(
        self, journal: Journal, archive: ArchiveFolder | None, game: StoredGame | None = None
    ) -> None:
        self._journal: Final = journal
        self._archive: Final = archive
        self._archiver = None if game is None else GameArchiver(archive, game)

    @property
    def name(self) -> str:
        """Name of the folder of the game's files; empty if there is none."""
        return "" if self._archiver is None else self._archiver.name

    def begin(
        self, config: GameConfig, state: GameState, replaced: GameState | None = None
    ) -> None:
        """Begins a game, and files the one that it replaces.

        Args:
            config: its settings.
            state: its state.
            replaced: the state of the game before it, if there was one.
        """
        before, number, begun = self._archiver, self._journal.number, time_of_day()
        self._journal.begin(config, begun)
        stored = StoredGame(self._journal.number, config, begun, state, ())
        self._archiver = GameArchiver(self._archive, stored)
        if before is not None and replaced is not None:
            self._leave(before, replaced, number)

    def record(self, events: Sequence[Event], state: GameState) -> None:
        """Stores events of the game; files it if it is over.

        Args:
            events: the events; those that are no part of a game are not stored.
            state: the state after them.
        """
        lasting = [event for event in events if not isinstance(event, PASSING)]
        if lasting and self._archiver is not None:
            self._journal.record(lasting)
            self._archiver.add(lasting, state)
        if self._archive is not None:
            for number, count in self._archive.filed():
                self._journal.filed(number, count)

    def close(self, state: GameState) -> None:
        """Files the game, if it has events that are not filed."""
        if self._archiver is not None:
            self._archiver.close(state)

    def file_older(self) -> None:
        """Files games that ended before they could be filed."""
        for stored in self._journal.unfiled():
            self._leave(GameArchiver(self._archive, stored), stored.state, stored.number)

    def capture_decision(self, frame: Frame, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Stores pictures of the board before and after the decisions on a frame."""
        if self._archiver is not None:
            self._archiver.capture_decision(frame, tracker, events)

    def capture_ruling(self, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Stores a picture of the board on which a person ruled."""
        if self._archiver is not None:
            self._archiver.capture_ruling(tracker, events)

    def _leave(self, archiver: GameArchiver, state: GameState, number: int) -> None:
        """Files a game that is replaced; without pieces it is only marked as filed."""
        if state.plies:
            archiver.close(state)
        else:
            self._journal.filed(number)
