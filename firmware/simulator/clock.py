"""The time of a simulated table."""


class ManualClock:
    """Goes only as it is told.

    Args:
        now_s: seconds that it shows at first.

    Attributes:
        now_s: seconds that it shows.
    """

    def __init__(self, now_s: float = 0.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        """Seconds that it shows."""
        return self.now_s

    def pause(self, seconds: float) -> None:
        """Lets so many seconds pass."""
        self.now_s += seconds
