"""Follows the board: found or lost, moved, under a hand, in changed light."""

from typing import Final

import numpy as np

from firmware.game.events import (
    BoardFound,
    BoardLost,
    BoardMoved,
    CoveredBy,
    Event,
    HandEntered,
    HandLeft,
    LightChanged,
    Moment,
)
from vision.errors import BoardFailure
from vision.reading import Reading

_BLURRED_S: Final = 5.0
"""Seconds of blur without a hand until the board counts as lost."""

_LOST_S: Final = 1.0
"""Seconds without a board until it counts as lost."""

_MOVED_SQUARES: Final = 0.06
"""Squares by which the corners of a moved board shift."""

_LIGHT_FACTOR: Final = 1.12
"""Change of brightness, as a factor."""

_LIGHT_STILL: Final = 1.04
"""Change between frames below which light is steady."""

_LIGHT_PAUSE_S: Final = 3.0
"""Seconds that a camera takes to adapt to other light."""

_LIGHT_DRIFT: Final = 0.1
"""Share by which slow changes are followed, per frame."""


class BoardVisibility:
    """Follows the board from frame to frame.

    Corners and brightness are compared between clear frames only: a hand hides markers and
    darkens the board.

    Attributes:
        found: True if the board counts as in view.
        hand: True if a hand was over it in the newest frame that showed it.
    """

    def __init__(self) -> None:
        self.found = False
        self.hand = False
        self._seen_at: float | None = None
        self._blurred_since: float | None = None
        self._corners = np.empty((0, 2))
        self._bright: float | None = None
        self._bright_before = 0.0
        self._changing = False
        self._changed_at = float("-inf")

    def miss(self, lost: BoardFailure, moment: Moment) -> list[Event]:
        """Takes a frame without a board."""
        if self.found and self._seen_at is not None:
            self.found = moment.time - self._seen_at < _LOST_S
            if not self.found:
                return [BoardLost(*moment, lost.reason)]
        return []

    def see(self, reading: Reading, moment: Moment) -> list[Event]:
        """Takes a frame that shows the board."""
        if self._is_blurred(reading, moment.time):
            was_found, self.found = self.found, False
            reason = BoardFailure.BLURRED.reason
            return [BoardLost(*moment, reason)] if was_found else []
        events: list[Event] = []
        if not self.found:
            self.found = True
            events.append(BoardFound(*moment))
        self._seen_at = moment.time
        if reading.hand and not self.hand:
            events.append(HandEntered(*moment, CoveredBy.HAND))
        if not reading.blurred or reading.hand:
            if self.hand and not reading.hand:
                events.append(HandLeft(*moment))
            self.hand = reading.hand
        if not (reading.hand or reading.blurred):
            events += self._shift(reading, moment)
            events += self._light(reading, moment)
        return events

    def _is_blurred(self, reading: Reading, now: float) -> bool:
        """True if frames without a hand have been blurred for `_BLURRED_S`."""
        if not reading.blurred or reading.hand:
            self._blurred_since = None
            return False
        self._blurred_since = now if self._blurred_since is None else self._blurred_since
        return now - self._blurred_since >= _BLURRED_S

    def _shift(self, reading: Reading, moment: Moment) -> list[Event]:
        before, self._corners = self._corners, reading.corners
        if not len(before):
            return []
        side = np.linalg.norm(reading.corners - np.roll(reading.corners, 1, axis=0), axis=1).mean()
        shift = max(float(np.linalg.norm(reading.corners - before, axis=1).max()), reading.shift_px)
        if shift <= _MOVED_SQUARES * float(side) / reading.size:
            return []
        return [BoardMoved(*moment, round(shift, 2))]

    def _light(self, reading: Reading, moment: Moment) -> list[Event]:
        bright, self._bright_before, before = (
            max(reading.brightness, 1.0),
            max(reading.brightness, 1.0),
            self._bright_before,
        )
        if self._bright is None:
            self._bright = bright
            return []
        if self._changing or moment.time - self._changed_at < _LIGHT_PAUSE_S:
            # A cloud takes several frames, and then the camera adapts; this is one event.
            self._changing = _factor(bright, before) > _LIGHT_STILL
            self._bright = bright
            return []
        factor = bright / self._bright
        if _factor(bright, self._bright) < _LIGHT_FACTOR:
            self._bright += _LIGHT_DRIFT * (bright - self._bright)
            return []
        self._changing, self._bright, self._changed_at = True, bright, moment.time
        return [LightChanged(*moment, round(factor, 3))]


def _factor(one: float, other: float) -> float:
    return max(one, other) / min(one, other)
