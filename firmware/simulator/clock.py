"""The clock of a simulated table."""


class ManualClock:
    """A clock that is advanced by hand.

    Args:
        now_s: first time in seconds.

    Attributes:
        now_s: present time in seconds.
    """

    def __init__(self, now_s: float = 0.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        """Present time in seconds."""
        return self.now_s

    def pause(self, seconds: float) -> None:
        """Advances the clock."""
        self.now_s += seconds
