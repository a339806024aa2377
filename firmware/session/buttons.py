"""The players' buttons during a game: a failure is reported and retried, and ends no game."""

import logging
from typing import Final

from firmware.drivers.interfaces import ButtonPress, Buttons, DeviceError

_AGAIN_S: Final = 2.0
"""Seconds until failed buttons are tried again."""

_log = logging.getLogger(__name__)


class FaultTolerantButtons:
    """Buttons that may fail.

    Args:
        buttons: the buttons of the players.

    Attributes:
        trouble: reason of the present failure, one sentence; empty if they work.
    """

    def __init__(self, buttons: Buttons) -> None:
        self._buttons: Final = buttons
        self._tried_s = float("-inf")
        self.trouble = ""

    def pressed(self, now: float) -> tuple[ButtonPress, ...]:
        """Returns the presses since the last call; none while the buttons fail.

        Args:
            now: time in seconds, for the interval of retries.
        """
        if self.trouble and now - self._tried_s < _AGAIN_S:
            return ()
        self._tried_s = now
        try:
            pressed = self._buttons.pressed()
        except DeviceError as error:
            if not self.trouble:
                _log.error("the buttons do not work: %s; the game goes on", error)
            self.trouble = str(error)
            return ()
        if self.trouble:
            _log.warning("the buttons work again")
            self.trouble = ""
        return pressed

    def close(self) -> None:
        """Closes the buttons; further calls do nothing."""
        self._buttons.close()
