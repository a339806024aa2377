"""Dates frames by the time of their game, independent of the camera's clock."""

from dataclasses import replace
from typing import Final

from firmware.game.events import Moment
from vision.camera import Frame

_DECIMALS: Final = 6
"""Decimals of a time in seconds: microseconds, so that a repeated session has the same times."""


class FrameClock:
    """Dates the frames of one game: times and numbers continue from its last event.

    The camera's own clock restarts with the machine, and continues when a game ends.

    Args:
        time_s: time of the last event in seconds; 0 for a game that begins.
        number: frame number of that event.

    Attributes:
        latest: time and number of the newest frame.
    """

    def __init__(self, time_s: float = 0.0, number: int = 0) -> None:
        self.latest = Moment(number, time_s)
        self._offset: Moment | None = None

    def dated(self, frame: Frame) -> Frame:
        """Returns a frame with time and number of the game; see `advance`."""
        if self._offset is None:
            frames = frame.number - self.latest.frame - 1
            self._offset = Moment(frames, frame.time_s - self.latest.time)
        time_s = round(frame.time_s - self._offset.time, _DECIMALS)
        return replace(frame, time_s=time_s, number=frame.number - self._offset.frame)

    def advance(self, frame: Frame) -> None:
        """Takes a frame that `dated` has returned as the newest one."""
        self.latest = Moment(frame.number, frame.time_s)

    def pass_over(self) -> None:
        """Leaves out a frame that is no part of the game, so that the next one takes its number."""
        if self._offset is not None:
            self._offset = self._offset._replace(frame=self._offset.frame + 1)
