"""The time of a game: what its frames are dated by, whatever clock the camera has."""

from dataclasses import replace

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
        self.latest = (time_s, number)
        self._ahead: tuple[float, int] | None = None

    def dated(self, frame: Frame) -> Frame:
        """A frame by the time of its game."""
        if self._ahead is None:
            self._ahead = frame.time_s - self.latest[0], frame.number - self.latest[1] - 1
        self.latest = frame.time_s - self._ahead[0], frame.number - self._ahead[1]
        return replace(frame, time_s=self.latest[0], number=self.latest[1])
