"""One game on its way to the archive: its events, its pictures, and when it is to be filed."""

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
from firmware.storage.game_files import ReplayedGame, export_files
from firmware.storage.journal import StoredGame
from vision.camera import Frame
from vision.reading import Reading

_WITNESSED: Final = (MoveAccepted, MoveRefused, Undone, Overruled, PositionSet, Disturbed, Unsure)
"""Decisions of which pictures are kept."""

_CALM: Final = (Phase.WAITING, Phase.ACCEPTED, Phase.REFUSED, Phase.UNSURE, Phase.GAME_OVER)
"""Phases in which a frame shows what was decided on, and nothing else."""


class GameArchiver:
    """One game.

    Args:
        archive: where it goes; None where games are not kept as files.
        kept: the game so far.
    """

    def __init__(self, archive: ArchiveFolder | None, kept: StoredGame) -> None:
        self._archive: Final = archive
        self._game: Final = kept
        self._events = list(kept.events)
        self._filed = kept.filed
        self._calm: tuple[Frame, Reading] | None = None

    @property
    def name(self) -> str:
        """Name of the game's folder; empty where games are not kept as files."""
        if self._archive is None:
            return ""
        return folder_name(self._game.number, self._game.config, self._game.begun)

    def add(self, events: Sequence[Event], state: GameState) -> None:
        """Takes more events; the game as it stands is filed once it is over."""
        self._events += events
        if state.over:
            self.close(state)

    def close(self, state: GameState) -> None:
        """Files the game as it stands, if a piece was laid in it and it was not filed so."""
        if self._archive is None or len(self._events) == self._filed or not state.plies:
            return
        self._filed = len(self._events)
        kept = self._game
        told = ReplayedGame(self.name, kept.config, kept.begun, tuple(self._events))
        write = partial(export_files, told)
        self._archive.finish(FinishedGame(kept.number, self._filed, self.name, write))

    def capture_decision(self, frame: Frame, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Keeps pictures of the board before and after what was decided on a frame."""
        reading = tracker.reading
        if self._archive is None or not isinstance(reading, Reading):
            return
        for label in _labels(events, tracker.state):
            self._keep(f"{label}-before", self._calm, tracker.turned)
            self._keep(f"{label}-after", (frame, reading), tracker.turned)
        if tracker.phase in _CALM:
            self._calm = frame, reading

    def capture_ruling(self, tracker: GameTracker, events: Sequence[Event]) -> None:
        """Keeps a picture of the board on which a person decided."""
        for label in _labels(events, tracker.state):
            self._keep(f"{label}-after", self._calm, tracker.turned)

    def _keep(self, label: str, seen: tuple[Frame, Reading] | None, turned: int) -> None:
        if self._archive is not None and seen is not None:
            frame, reading = seen
            image = crop(frame.image, reading, turned)
            self._archive.keep(BoardCrop(self.name, label, image))


def _labels(events: Sequence[Event], state: GameState) -> list[str]:
    """For each decision a placement's number, or that of the one before, what, and when."""
    return [
        f"{event.ply:04}"
        if isinstance(event, MoveAccepted | Overruled)
        else f"{state.plies:04}-{event.name}-{event.frame:06}"
        for event in events
        if isinstance(event, _WITNESSED)
    ]
