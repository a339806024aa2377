"""The time of a game: what its frames are dated by, whatever clock the camera has."""

from dataclasses import replace

from firmware.game.events import Moment
from vision.camera import Frame


class FrameClock:
    """Dates the frames of one game: seconds and numbers go on from its last event.

    A camera's own clock begins anew when the machine does, and goes on when a game ends.

    Args:
        time_s: of the last event; 0 for a game that begins.
        number: of its frame.

    Attributes:
        latest: time and number of the newest frame.
    """

    def __init__(self, time_s: float = 0.0, number: int = 0) -> None:
        self.latest = Moment(number, time_s)
        self._ahead: Moment | None = None

    def dated(self, frame: Frame) -> Frame:
        """A frame by the time of its game."""
        if self._ahead is None:
            frames = frame.number - self.latest.frame - 1
            self._ahead = Moment(frames, frame.time_s - self.latest.time)
        self.latest = Moment(frame.number - self._ahead.frame, frame.time_s - self._ahead.time)
        return replace(frame, time_s=self.latest.time, number=self.latest.frame)
