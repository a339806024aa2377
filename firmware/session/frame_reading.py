"""A frame on its way from the camera to the referee: its time in the game, and its reading.

It is read in a thread: requests, buttons and lights wait for no reading.

One frame is read at a time. At a live table the frames that come meanwhile are dropped: the next
one that is read is the newest. Of a recording every frame is waited for, so that the same frames
give the same events on any machine.
"""

from dataclasses import dataclass, replace
from typing import Final

from firmware.game.events import Event, Moment
from firmware.session.game_session import GameSession, ReadingTerms
from vision.camera import Frame
from vision.errors import BoardFailure
from vision.reading import Reading

PATIENCE_S: Final = 0.03
"""Seconds for which the loop of a live table waits for a reading before it goes on. With 0.05 the
longest step was 0.11 s in 60 frames of each of two recorded games on two busy PC cores; without a
thread it was 1.2 s. Most readings of a tracked board take less, and are judged at once."""

_DECIMALS: Final = 6
"""Decimals of a time in seconds: microseconds, so that a repeated session has the same times."""

FrameReading = Reading | BoardFailure | None
"""Reading of a frame; None if it was not read."""


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


@dataclass(frozen=True, slots=True)
class PendingFrame:
    """A frame that is being read.

    Attributes:
        frame: the frame as it came from the camera, with the squares whose LEDs may have been lit
            in it, and those whose LEDs cannot be put out.
        of_game: the same, dated by the game.
        session: the game that it is read for.
        terms: the terms of `session` on which it is read.
        events: events that are recorded already, and are shown with those of the frame.
    """

    frame: Frame
    of_game: Frame
    session: GameSession
    terms: ReadingTerms
    events: list[Event]
