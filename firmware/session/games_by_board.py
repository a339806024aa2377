"""Games that the board in view decides: its size says what is played on it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.referee.referee import Phase
from firmware.session.board_finder import BoardFinder
from firmware.session.game_session import GameSession
from vision.camera import Frame

if TYPE_CHECKING:
    from firmware.storage.camera_memory import Corners

UsualGame = Callable[[int], GameConfig]
"""Function that returns the terms of a game on a board, by squares along a side."""


class GamesByBoard:
    """Looks for a board, and says which game is played on it.

    Args:
        usual: returns the terms of a game on a board; None if only the board is looked for,
            because the games are those of a recording.
    """

    def __init__(self, usual: UsualGame | None) -> None:
        self._usual: Final = usual
        self._finder: Final = BoardFinder()

    def looks(self, session: GameSession, phase: Phase) -> bool:
        """True if the next frame is searched for a board, see `look`.

        Args:
            session: the present game.
            phase: the phase of the table.
        """
        return not self.fits(session) or phase is Phase.BOARD_LOST

    def look(self, frame: Frame) -> None:
        """Looks for a board in the next frame; another thread may do it."""
        self._finder.see(frame)

    def suited(self, session: GameSession) -> GameConfig | None:
        """Returns the usual game on the board in view, unless the present one goes on."""
        finder = self._finder
        size, state = session.config.game.size, session.state
        session.is_open = finder.size is None and not state.plies
        ended = state.over or not state.plies
        if finder.size in (None, size) or state.paused or not ended or self._usual is None:
            return None
        return self._usual(finder.size)

    def fits(self, session: GameSession) -> bool:
        """True if a board of the size of the present game is in view."""
        return self._finder.size == session.config.game.size

    def judge_unread(self, session: GameSession, frame: Frame) -> list[Event]:
        """Passes a frame without a board of its size to the present game."""
        finder = self._finder
        events = session.judge(finder.failure, frame)
        goes_on = session.state.plies and not session.state.over
        return events + session.ask_anew(finder.size) if finder.size and goes_on else events

    def anew(self, session: GameSession) -> GameConfig | None:
        """Returns the terms of the game that people are asked for; None for those of before."""
        size = session.state.anew_size
        if self._usual is None or size in (None, session.config.game.size):
            return None
        return self._usual(size)

    def set_corners(self, corners: "Corners") -> None:
        """Takes corners of the board that a person has given; empty to detect them."""
        self._finder.corners = corners
