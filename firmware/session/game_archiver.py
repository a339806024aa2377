"""Transfers one game to the archive: its events and its pictures."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from firmware.game.events import (
    Disturbed,
    Event,
    MoveAccepted,
    MoveRefused,
    Overruled,
    PositionSet,
    Undone,
    Unsure,
)
from firmware.game.state import GameState
from firmware.referee.phase import Phase
from firmware.session.tracker import GameTracker
from firmware.storage.archive import ArchiveFolder, BoardCrop, FinishedGame, folder_name
from firmware.storage.board_crop import crop
from firmware.storage.game_files import ReplayedGame, evidence_label, export_files
from firmware.storage.journal import StoredGame
from vision.camera import Frame
from vision.reading import Reading

_WITNESSED: Final = (MoveAccepted, MoveRefused, Undone, Overruled, PositionSet, Disturbed, Unsure)
"""Decisions of which pictures are stored."""

_CALM: Final = (Phase.WAITING, Phase.ACCEPTED, Phase.REFUSED, Phase.UNSURE, Phase.GAME_OVER)
"""Phases in which a frame shows the decided board, without a hand."""


class GameArchiver:
    """Transfer of one game to the archive.

    Args:
        archive: the archive; None if games are not stored as files.
        game: the game so far.
    """

    def __init__(self, archive: ArchiveFolder | None, game: StoredGame) -> None:
        self._archive: Final = archive
        self._game: Final = game
        self._events = list(game.events)
        self._filed = game.filed
        self._calm: tuple[Frame, Reading] | None = None

    @property
    def name(self) -> str:
        """Name of the game's folder; empty if games are not stored as files."""
        if self._archive is None:
            return ""
        return folder_name(self._game.number, self._game.config, self._game.begun)

    def add(self, events: Sequence[Event], state: GameState) -> None:
        """Adds events; files the game if it is over."""
        self._events += events
        if state.over:
            self.close(state)

    def close(self, state: GameState) -> None:
        """Files the game, if a piece was laid in it and it has events that are not filed."""
        if self._archive is None or len(self._events) == self._filed or not state.plies:
            return
        self._filed = len(self._events)
        game = self._game
        replayed = ReplayedGame(self.name, game.config, game.begun, tuple(self._events))
        write = partial(export_files, replayed)
        self._archive.finish(FinishedGame(game.number, self._filed, self.name, write))

    def capture_decision(self, frame: Frame, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Stores pictures of the board before and after the decisions on a frame."""
        reading = tracker.reading
        if self._archive is None or not isinstance(reading, Reading):
            return
        for label in _labels(events, tracker.state):
            self._store(f"{label}-before", self._calm, tracker.turned)
            self._store(f"{label}-after", (frame, reading), tracker.turned)
        if tracker.phase in _CALM:
            self._calm = frame, reading

    def capture_ruling(self, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Stores a picture of the board on which a person ruled."""
        for label in _labels(events, tracker.state):
            self._store(f"{label}-after", self._calm, tracker.turned)

    def _store(self, label: str, picture: tuple[Frame, Reading] | None, turned: int) -> None:
        if self._archive is not None and picture is not None:
            frame, reading = picture
            image = crop(frame.image, reading, turned)
            self._archive.keep(BoardCrop(self.name, label, image))


def _labels(events: Sequence[Event], state: GameState) -> list[str]:
    """Returns the names of the pictures of each decision."""
    return [evidence_label(event, state.plies) for event in events if isinstance(event, _WITNESSED)]
