"""Records a session, and repeats a recorded one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from firmware.game.events import Event
from firmware.session.service import ServiceStatus, TableService, TableView
from firmware.storage.session_inputs import BegunGame, SessionInput, SessionInputs
from firmware.storage.session_recorder import SessionRecorder
from vision.camera import Frame
from web.contract import (
    BeginAnew,
    CheckLights,
    Inspect,
    MeasureLens,
    NewGame,
    ProbeLights,
    Rematch,
)

if TYPE_CHECKING:
    from firmware.storage.session_inputs import BoardGeometry

_FOLLOWED: Final = (
    NewGame,
    BeginAnew,
    Rematch,
    Inspect,
    MeasureLens,
    ProbeLights,
    CheckLights,
)
"""Commands that are not repeated: what followed for the game is an input as well."""


class Recording(TableService):
    """Passes on to a recorder what a table takes in and decides.

    Args:
        recorder: the recorder.
    """

    def __init__(self, recorder: SessionRecorder) -> None:
        self._recorder: Final = recorder
        self._begun = False
        self._geometry: BoardGeometry | None = None

    def begin(self) -> None:
        """Begins with the game that is on the table; those after it are inputs."""
        if not self._begun:
            begun = begun_game(self.table)
            self._recorder.begin(begun, self.table.past)
            self._begun = True

    def take(self, one: SessionInput) -> None:
        """Records an input."""
        if self._begun:
            self._recorder.add_input(one)

    def judged(self, frame: Frame) -> None:
        """Records a frame, and corners and lens if they are others."""
        self._recorder.add_frame(frame, frame.lit, frame.stuck)
        geometry = self.table.devices.geometry()
        if geometry is not None and geometry is not self._geometry:
            self._geometry = geometry
            self._recorder.add_geometry(geometry)

    def happened(self, events: Sequence[Event]) -> None:
        """Records events."""
        size = self.table.session.config.game.size
        edition = self.table.devices.tracker.referee.edition
        for event in events:
            self._recorder.add_event(event, size, edition)

    def show(self, status: ServiceStatus) -> None:
        """Says if the disk has ended the recording."""
        status.recording = self._recorder.works


class Repetition(TableService):
    """Repeats the inputs of a recorded session at their frames.

    Args:
        inputs: the inputs.
    """

    def __init__(self, inputs: SessionInputs) -> None:
        self._inputs: Final = inputs

    def before(self, frame: Frame | None) -> None:
        """Repeats the inputs before a frame, or after the last one."""
        for one in self._inputs.before(None if frame is None else frame.number):
            if not isinstance(one, _FOLLOWED):
                self.table.enter(one)


def begun_game(table: TableView) -> BegunGame:
    """Returns the game on the table as it begins."""
    tracker = table.devices.tracker
    config = tracker.agreed(table.session.config)
    return BegunGame(config, tracker.referee.turned, table.is_by_board)
