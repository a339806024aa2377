"""Asks for frames exposed in the dark, so that no light hides a change for long.

The referee decides only from frames in which no LED glows. After a hand they come by themselves,
because the lights go out while it looks. At other times something has to ask for them: a lit
frame that shows a change, or a while without any dark frame, since a change right beside a glowing
LED may show nothing at all. A piece laid just as the lights come on again after a hand shows none
later, so that there is one look soon.
"""

from dataclasses import dataclass
from typing import Annotated, Final


@dataclass(frozen=True, slots=True)
class DarkSettings:
    """When the referee asks for dark frames."""

    hand_s: Annotated[float, "seconds of a hand, which may be the light of the board itself"] = 3.0
    steady_s: Annotated[float, "seconds without a dark frame while nothing is to be done"] = 20.0
    soon_s: Annotated[float, "the same for the first time after a hand"] = 4.0
    blinking_s: Annotated[float, "the same while lights blink, because a piece lies wrong"] = 4.0
    pause_s: Annotated[float, "seconds from one dark window to the next one, at least"] = 4.0
    share: Annotated[float, "share of the time that dark windows may take"] = 0.25
    frames: Annotated[int, "dark frames that are enough"] = 2


class DarkFrames:
    """Decides when the lights have to be out although nobody touches the board.

    Args:
        settings: when to ask.

    Attributes:
        asked: whether dark frames are asked for now.
    """

    def __init__(self, settings: DarkSettings) -> None:
        self._settings: Final = settings
        self.asked = False
        self._hand_since: float | None = None
        self._hand_lasts = self._dark_shows_hand = False
        self._since_hand = True
        self._asked_at = self._ended_at = float("-inf")
        self._not_before = float("-inf")
        self._seen = 0

    @property
    def wanted(self) -> bool:
        """Whether the lights have to be out for one of the reasons known here."""
        return self.asked or self._hand_lasts

    def hand(self, now: float, *, dark: bool) -> None:
        """A frame with a hand; where it stays, or the dark has shown it, the dark is wanted.

        Args:
            now: when it was taken, in seconds.
            dark: whether no LED glowed in it. A hand right beside a glowing LED cannot be told
                from its light, so lights that come on again would hide it.
        """
        if self._hand_since is None:
            self._hand_since, self._dark_shows_hand = now, dark
        self._hand_lasts = self._dark_shows_hand or now - self._hand_since > self._settings.hand_s

    def touched(self) -> None:
        """The board is being touched: it will be looked at in the dark afterwards anyway."""
        self.asked, self._since_hand = False, True

    def lit(self, now: float, *, changed: bool, blinking: bool) -> bool:
        """Takes a lit frame without a hand.

        Args:
            now: when it was taken, in seconds.
            changed: whether it shows something else than the frames before.
            blinking: whether the lights say that something is to be done.

        Returns:
            Whether dark frames are asked for from now on.
        """
        settings = self._settings
        longest = settings.soon_s if self._since_hand else settings.steady_s
        if blinking:
            longest = settings.blinking_s
        late = now - self._ended_at >= longest
        if self.asked or now < self._not_before or not (changed or late):
            return False
        self.asked, self._asked_at, self._seen = True, now, 0
        return True

    def dark(self, now: float) -> None:
        """Takes a dark frame without a hand."""
        self._ended_at = now
        self._seen += 1
        if self.asked and self._seen >= self._settings.frames:
            self.asked = self._since_hand = False
            lasted = now - self._asked_at
            rest = max(self._settings.pause_s, lasted * (1 / self._settings.share - 1))
            self._not_before = now + rest

    def hand_left(self) -> None:
        """A frame without a hand."""
        self._hand_since, self._hand_lasts = None, False
