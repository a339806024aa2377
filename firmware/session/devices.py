"""Devices of a game, and the interface that opens them: real ones, or a simulated table."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from firmware.codes import LightPlace, Translucency
from firmware.drivers.interfaces import ButtonPress, Buttons, DeviceError, LedStrip
from firmware.game.config import GameConfig
from firmware.game.state import GameState
from firmware.lights.led_display import LedDisplay
from firmware.lights.light_test import LightTest
from firmware.session.tracker import GameTracker
from firmware.storage.camera_memory import Corners
from firmware.storage.session_inputs import BoardGeometry
from vision.camera import FrameSource

_AGAIN_S: Final = 2.0
"""Seconds until failed buttons are tried again."""

_log = logging.getLogger(__name__)


def in_pixels(corners: Corners | None, size: tuple[int, int] | None) -> NDArray[np.float64] | None:
    """(4, 2) corners in pixels of a picture; None to detect the board.

    Args:
        corners: the corners, if they are given.
        size: width and height of the picture; None if there was none yet.
    """
    if not corners or size is None:
        return None
    return np.array(corners, np.float64) * size - 0.5


def in_shares(corners: NDArray[np.float64] | None, size: tuple[int, int]) -> Corners:
    """Returns corners in pixels as shares of a picture, the inverse of `in_pixels`.

    Corners of a board that is cut off lie outside, and are moved to the edge of the picture.

    Args:
        corners: (4, 2), if they are known.
        size: width and height of the picture.
    """
    if corners is None:
        return ()
    shares = np.clip((corners + 0.5) / size, 0.0, 1.0)
    return tuple((float(x), float(y)) for x, y in shares)


@dataclass(frozen=True, slots=True)
class LedChain:
    """The LEDs of a table, for the search for their layout and for their test.

    Attributes:
        strip: the LEDs.
        place: their place.
        test: a test by the settings, before its first step; it has their wiring.
    """

    strip: LedStrip
    place: LightPlace
    test: LightTest


class FaultTolerantButtons:
    """The buttons of the players: a failure is reported and retried, and ends no game.

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


@dataclass(frozen=True, slots=True)
class TableDevices:
    """Devices of a game.

    Attributes:
        camera: the source of frames.
        tracker: reader and referee.
        lights: the LEDs under the board or beside it, if there are any.
        buttons: the buttons of the players, if there are any.
        pieces: translucency of the pieces.
        place: place of the LEDs.
        chain: the LEDs of the lights, if there are any.
        camera_name: returns the name of the camera, for the values that are kept for it.
        geometry: returns corners and lens with which the newest frame was read, another object
            for each reader; None if none was read yet, or nobody knows.
        clears_board: True if the board is empty as soon as a game begins, as at the simulated
            table; elsewhere people have to clear it first.
        is_live: returns True if frames that come while one is read are dropped; False if each is
            waited for, as in a recording.
        is_cropped: returns True if the camera leaves out a part of what its lens shows.
        sees_lights: returns False if the pictures cannot show these lights, as in a recording.
    """

    camera: FrameSource
    tracker: GameTracker
    lights: LedDisplay | None = None
    buttons: FaultTolerantButtons | None = None
    pieces: Translucency = Translucency.OPAQUE
    place: LightPlace = LightPlace.UNDER
    chain: LedChain | None = None
    camera_name: Callable[[], str] = str
    geometry: Callable[[], BoardGeometry | None] = lambda: None
    clears_board: bool = False
    is_live: Callable[[], bool] = lambda: False
    is_cropped: Callable[[], bool] = lambda: False
    sees_lights: Callable[[], bool] = lambda: True

    def close(self) -> None:
        """Closes all devices."""
        self.camera.close()
        if self.lights is not None:
            self.lights.close()
        if self.buttons is not None:
            self.buttons.close()


class TableFactory(Protocol):
    """Opens the devices of a table, for one game after another."""

    def open(self, config: GameConfig, state: GameState) -> TableDevices:
        """Returns the devices for a game.

        Args:
            config: settings of the game.
            state: the state from which it begins or continues.

        Raises:
            CornerlightError: such a game cannot be played at this table.
        """
        ...

    def look_again(
        self, config: GameConfig, state: GameState, corners: Corners | None = None
    ) -> TableDevices:
        """Returns the devices of the present game with a tracker that looks for the board anew.

        Args:
            config: settings of the game.
            state: the state of the game.
            corners: corners of the board, from 0 to 1 of the picture; none to detect them, None
                for those found so far.
        """
        ...
