"""Games that the board in view decides: its size says what is played on it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.referee.referee import Phase
from firmware.session.devices import in_pixels
from firmware.session.game_session import GameSession
from vision.camera import Frame
from vision.detection.board_detector import locate
from vision.errors import BoardFailure
from vision.geometry.lens import Lens
from vision.reader import SEARCH_S

if TYPE_CHECKING:
    from firmware.storage.camera_memory import Corners

GameForSize = Callable[[int], GameConfig]
"""Function that returns the terms of a game on a board, by squares along a side."""


class BoardFinder:
    """Looks for a board, at first in each frame, later every `SEARCH_S`.

    Args:
        lens: lens of the camera, if it was measured.

    Attributes:
        size: squares along a side of the board in view; None until one was found.
        failure: reason that none was found yet.
        corners: corners of the board that a person has given; empty to detect them.
    """

    def __init__(self, lens: Lens | None = None) -> None:
        self._lens: Final = lens
        self.size: int | None = None
        self.failure: BoardFailure = BoardFailure.NO_BOARD
        self.corners: Corners = ()
        self._other: int | None = None
        self._searched_s = float("-inf")

    def see(self, frame: Frame) -> None:
        """Takes a frame. Another size than that known counts once it was found twice."""
        search = not 0 <= frame.time_s - self._searched_s < SEARCH_S
        if not search and self.size is not None:
            return
        height, width = frame.image.shape[:2]
        corners = in_pixels(self.corners, (width, height))
        found = locate(frame.image, None, corners, search=search, lens=self._lens)
        if search:
            self._searched_s = frame.time_s
        if isinstance(found, BoardFailure):
            self._other = None
            if search:
                self.failure = found
            return
        if self.size is None or self._other == found.grid.size:
            self.size = found.grid.size
        self._other = found.grid.size


class GamesByBoard:
    """Looks for a board, and says which game is played on it.

    Args:
        game_for_size: returns the terms of a game on a board; None if only the board is looked
            for, because the games are those of a recording.
    """

    def __init__(self, game_for_size: GameForSize | None) -> None:
        self._game_for_size: Final = game_for_size
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
        session.is_open = finder.size is None and not state.piece_count
        ended = state.over or not state.piece_count
        if finder.size in (None, size) or state.paused or not ended or self._game_for_size is None:
            return None
        return self._game_for_size(finder.size)

    def fits(self, session: GameSession) -> bool:
        """True if a board of the size of the present game is in view."""
        return self._finder.size == session.config.game.size

    def judge_unread(self, session: GameSession, frame: Frame) -> list[Event]:
        """Passes a frame without a board of its size to the present game."""
        finder = self._finder
        events = session.judge(finder.failure, frame)
        goes_on = session.state.piece_count and not session.state.over
        return events + session.ask_anew(finder.size) if finder.size and goes_on else events

    def anew(self, session: GameSession) -> GameConfig | None:
        """Returns the terms of the game that people are asked for; None for those of before."""
        size = session.state.anew_size
        if self._game_for_size is None or size in (None, session.config.game.size):
            return None
        return self._game_for_size(size)

    def set_corners(self, corners: "Corners") -> None:
        """Takes corners of the board that a person has given; empty to detect them."""
        self._finder.corners = corners
