"""Stores the game on the table: events in the journal, files and pictures in the archive."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from firmware.game.config import GameConfig
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
from firmware.referee.referee import Phase
from firmware.session.game_session import PASSING
from firmware.session.tracker import GameTracker
from firmware.storage.archive import ArchiveFolder
from firmware.storage.game_files import evidence_label
from firmware.storage.journal import Journal
from firmware.storage.stored_game import StoredGame, names_without
from firmware.storage.wall_clock import time_of_day
from vision.camera import Frame, Image
from vision.reading import Reading

SIDE_PX: Final = 448
"""Side of a picture in pixels: 32 a square of Duo, 22 of Classic, which shows an askew piece."""

_WITNESSED: Final = (MoveAccepted, MoveRefused, Undone, Overruled, PositionSet, Disturbed, Unsure)
"""Decisions of which pictures are stored."""

_CALM: Final = (Phase.WAITING, Phase.ACCEPTED, Phase.REFUSED, Phase.UNSURE, Phase.GAME_OVER)
"""Phases in which a frame shows the decided board, without a hand."""


class GameStorage:
    """Storage of one game after another.

    Args:
        journal: storage of events.
        archive: storage of finished games as files.

    Attributes:
        name: name of the folder of the game's files, once there is a game.
    """

    def __init__(self, journal: Journal, archive: ArchiveFolder) -> None:
        self._journal: Final = journal
        self._archive: Final = archive
        self._calm: tuple[Frame, Reading] | None = None
        self._game: StoredGame
        self.name: str

    def resume(self, game: StoredGame) -> None:
        """Goes on with a stored game."""
        self._game, self._calm, self.name = game, None, game.name

    def begin(self, config: GameConfig, replaced: GameState | None = None) -> None:
        """Begins a game, and files the one that it replaces.

        Args:
            config: its settings.
            replaced: the state of the game before it, if there was one.
        """
        before = None if replaced is None else (self._game, replaced)
        begun = time_of_day()
        self._journal.begin(config, begun)
        self.resume(StoredGame(self._journal.number, config, begun))
        if before is not None:
            self._leave(*before)

    def record(self, events: Sequence[Event], state: GameState) -> None:
        """Stores events of the game; files it if it is over.

        Args:
            events: the events; those that are no part of a game are not stored.
            state: the state after them.
        """
        lasting = [event for event in events if not isinstance(event, PASSING)]
        if not lasting:
            return
        self._journal.record(lasting)
        self._game = replace(self._game, events=(*self._game.events, *lasting))
        if state.over:
            self.close(state)

    def close(self, state: GameState) -> None:
        """Files the game, if a piece was laid in it and it has events that are not filed."""
        if self._file(self._game, state):
            self._game = replace(self._game, filed=len(self._game.events))

    def forget(self, person: str) -> tuple[GameConfig, bool]:
        """Removes the name of a person from all games.

        Returns:
            The settings of the present game, and False if the disk refuses.
        """
        config, before = self._game.config, self._game.config.names
        config = replace(config, names=names_without(before, person))
        is_stored = self._journal.forget(person)
        self._game = replace(self._game, config=config)
        self._archive.forget(person, self.name if config.names != before else "")
        return config, is_stored

    def file_older(self) -> None:
        """Files games that ended before they could be filed."""
        for stored in self._journal.unfiled():
            self._leave(stored, stored.state)

    def capture_decision(self, frame: Frame, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Stores pictures of the board before and after the decisions on a frame."""
        reading = tracker.reading
        if not isinstance(reading, Reading):
            return
        for label in _labels(events, tracker.referee.state):
            self._capture(f"{label}-before", self._calm, tracker.turned)
            self._capture(f"{label}-after", (frame, reading), tracker.turned)
        if tracker.referee.phase in _CALM:
            self._calm = frame, reading

    def capture_ruling(self, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Stores a picture of the board on which a person ruled."""
        for label in _labels(events, tracker.referee.state):
            self._capture(f"{label}-after", self._calm, tracker.turned)

    def _file(self, game: StoredGame, state: GameState) -> bool:
        """Files a game, if there is something to file; returns True if there was."""
        if len(game.events) == game.filed or not state.piece_count:
            return False
        self._archive.finish(game, self._journal.filed)
        return True

    def _leave(self, game: StoredGame, state: GameState) -> None:
        """Files a game that is replaced; without pieces it is only marked as filed."""
        if state.piece_count:
            self._file(game, state)
        else:
            self._journal.filed(game.number)

    def _capture(self, label: str, shown: tuple[Frame, Reading] | None, turned: int) -> None:
        if shown is not None:
            frame, reading = shown
            self._archive.keep(self._game.name, label, crop(frame.image, reading, turned))


def crop(image: Image, reading: Reading, turned: int) -> Image:
    """Rectifies the field of squares.

    Args:
        image: the frame.
        reading: reading of the frame; only its corners are used.
        turned: the clockwise turn in degrees from the reader's frame to the game's.

    Returns:
        (448, 448, 3) uint8, in the frame of the game.
    """
    end = SIDE_PX - 0.5
    # The middle of the first pixel is 0, 0, so the outer corners lie half a pixel outside.
    corners = np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)
    homography = cv2.getPerspectiveTransform(reading.corners.astype(np.float32), corners)
    board = cv2.warpPerspective(image, homography, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(board, -turned // 90)).astype(np.uint8, copy=False)


def _labels(events: Sequence[Event], state: GameState) -> list[str]:
    """Returns the names of the pictures of each decision."""
    return [
        evidence_label(event, state.piece_count)
        for event in events
        if isinstance(event, _WITNESSED)
    ]
