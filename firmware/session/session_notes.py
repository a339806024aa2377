"""Notes a session for its recording: frames, inputs and events, if it is recorded at all."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from firmware.game.events import Event
from firmware.session.devices import TableDevices
from firmware.session.game_session import GameSession
from firmware.storage.session_inputs import BegunGame, SessionInput
from firmware.storage.session_recorder import SessionRecorder
from vision.camera import Frame

if TYPE_CHECKING:
    from firmware.storage.board_geometry import BoardGeometry


class SessionNotes:
    """Passes on what a table takes in and decides, once the recording has begun.

    Args:
        recorder: the recorder; None if the session is not recorded.
    """

    def __init__(self, recorder: SessionRecorder | None) -> None:
        self._recorder: Final = recorder
        self._begun = False
        self._geometry: BoardGeometry | None = None

    @property
    def works(self) -> bool:
        """False if the session should be recorded and is not."""
        return self._recorder is None or self._recorder.works

    def begin(
        self,
        session: GameSession,
        devices: TableDevices,
        events: Sequence[Event],
        *,
        by_board: bool,
    ) -> None:
        """Begins with the game that is on the table.

        Args:
            session: the game.
            devices: its devices.
            events: its events so far.
            by_board: True if the board in view decides what is played.
        """
        if self._recorder:
            begun = begun_game(session, devices, by_board=by_board)
            self._recorder.begin(begun, events)
            self._begun = True

    def add(self, one: SessionInput) -> None:
        """Notes an input, done after the newest frame and before the next one."""
        if self._recorder and self._begun:
            self._recorder.add_input(one)

    def add_frame(self, frame: Frame, lit: frozenset[int], stuck: frozenset[int]) -> None:
        """Notes a frame that is refereed; `lit` and `stuck` as of `SessionRecorder`."""
        if self._recorder:
            self._recorder.add_frame(frame, lit, stuck)

    def add_geometry(self, devices: TableDevices) -> None:
        """Notes corners and lens with which the newest frame was read, if they are others."""
        geometry = devices.geometry()
        if self._recorder and geometry is not None and geometry is not self._geometry:
            self._geometry = geometry
            self._recorder.add_geometry(geometry)

    def add_event(self, event: Event, session: GameSession, devices: TableDevices) -> None:
        """Notes an event."""
        if self._recorder:
            size = session.config.game.size
            self._recorder.add_event(event, size, devices.tracker.edition)


def begun_game(session: GameSession, devices: TableDevices, *, by_board: bool) -> BegunGame:
    """Returns a game as it begins; `by_board` is True if the board decides what is played."""
    tracker = devices.tracker
    return BegunGame(tracker.agreed(session.config), tracker.referee.turned, by_board)
