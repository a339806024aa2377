"""The players' buttons while a game is played: a failure is said and tried again, never the end."""

import logging
from typing import Final

from firmware.drivers.interfaces import ButtonPress, Buttons, DeviceError

_AGAIN_S: Final = 2.0
"""How long buttons that have failed are left alone before they are tried again."""

_log = logging.getLogger(__name__)


class FaultTolerantButtons:
    """Buttons that may fail.

    Args:
        buttons: of the people.

    Attributes:
        trouble: why they do not work now, one sentence; empty if they do.
    """

    def __init__(self, buttons: Buttons) -> None:
        self._buttons: Final = buttons
        self._tried_s = float("-inf")
        self.trouble = ""

    def pressed(self, now: float) -> tuple[ButtonPress, ...]:
        """The presses since the last call; none while the buttons fail.

        Args:
            now: seconds, by which they are tried again.
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
        """Lets go of them; further calls do nothing."""
        self._buttons.close()
