"""Requests frames exposed in the dark, so that no light hides a change for long.

The referee decides only from frames in which no LED glows. After a hand the lights are out until
the board is decided. At other times a request is needed: if a lit frame shows a change, or after a
while without dark frames, because a change right beside a glowing LED may be invisible. A piece
laid just as the lights come on again after a hand shows no later change, so the first request
after a hand comes soon.
"""

from typing import Final

HAND_S: Final = 3.0
"""Seconds after which a hand may be an effect of the LEDs."""

STEADY_S: Final = 7.0
"""Seconds without a dark frame until one is requested."""

SOON_S: Final = 4.0
"""The same for the first request after a hand."""

_BLINKING_S: Final = 4.0
"""The same while lights blink because a piece is wrong."""

_PAUSE_S: Final = 4.0
"""Least seconds from one dark window to the next."""

_SHARE: Final = 0.25
"""Share of the time that dark windows may take."""

_FRAMES: Final = 2
"""Dark frames in one window."""


class DarkFrames:
    """Decides when the lights have to be out although nobody touches the board.

    Attributes:
        requested: True while dark frames are requested.
    """

    def __init__(self) -> None:
        self.requested = False
        self._hand_since: float | None = None
        self._hand_lasts = self._dark_shows_hand = False
        self._since_hand = True
        self._requested_at = self._ended_at = float("-inf")
        self._not_before = float("-inf")
        self._seen = 0

    @property
    def wanted(self) -> bool:
        """True if the lights have to be out: for a request, or to verify a lasting hand."""
        return self.requested or self._hand_lasts

    def hand(self, now: float, *, dark: bool) -> None:
        """Takes a frame with a hand; if the hand stays, or was seen in the dark, wants the dark.

        Args:
            now: time of the frame in seconds.
            dark: True if no LED glowed in it. A hand right beside a glowing LED cannot be
                distinguished from its light, so lights that come on again would hide it.
        """
        if self._hand_since is None:
            self._hand_since, self._dark_shows_hand = now, dark
        self._hand_lasts = self._dark_shows_hand or now - self._hand_since > HAND_S

    def touched(self) -> None:
        """Cancels the request, because the board is touched and dark frames follow anyway."""
        self.requested, self._since_hand = False, True

    def lit(self, now: float, *, changed: bool, blinking: bool) -> bool:
        """Takes a lit frame without a hand.

        Args:
            now: time of the frame in seconds.
            changed: True if it differs from the frames before.
            blinking: True if the lights blink because somebody has to act.

        Returns:
            True if a request begins with this frame.
        """
        longest = SOON_S if self._since_hand else STEADY_S
        if blinking:
            longest = _BLINKING_S
        late = now - self._ended_at >= longest
        if self.requested or now < self._not_before or not (changed or late):
            return False
        self.requested, self._requested_at, self._seen = True, now, 0
        return True

    def dark(self, now: float) -> None:
        """Takes a dark frame without a hand."""
        self._ended_at = now
        self._seen += 1
        if self.requested and self._seen >= _FRAMES:
            self.requested = self._since_hand = False
            lasted = now - self._requested_at
            rest = max(_PAUSE_S, lasted * (1 / _SHARE - 1))
            self._not_before = now + rest

    def hand_left(self, *, dark: bool) -> None:
        """Notes a frame without a hand.

        Args:
            dark: True if no LED glowed in it, or if the board is out of view. After a lit frame
                the hand may come back with the light that is taken for one, again and again; so
                such a hand lasts until a dark frame has shown the board.
        """
        if dark:
            self._hand_since, self._hand_lasts = None, False
