"""Games that the board in view decides: its size says what is played on it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.referee.phase import Phase
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

    def suited(self, frame: Frame, session: GameSession, phase: Phase) -> GameConfig | None:
        """Looks for a board; returns the usual game on it unless the present one goes on.

        Args:
            frame: the next frame.
            session: the present game.
            phase: the phase of the table.
        """
        finder = self._finder
        size, state = session.config.game.size, session.state
        if finder.size != size or phase is Phase.BOARD_LOST:
            finder.see(frame)
        session.is_open = finder.size is None and not state.plies
        ended = state.over or not state.plies
        if finder.size in (None, size) or state.paused or not ended or self._usual is None:
            return None
        return self._usual(finder.size)

    def seen(
        self, session: GameSession, frame: Frame, lit: frozenset[int], stuck: frozenset[int]
    ) -> list[Event]:
        """Passes a frame to the game, unless no board of its size is in view.

        Args:
            session: the present game.
            frame: the frame, dated by the game.
            lit: squares whose LEDs may have been lit in it.
            stuck: squares whose LEDs cannot be put out.
        """
        finder = self._finder
        if finder.size == session.config.game.size:
            return session.see(frame, lit, stuck)
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
