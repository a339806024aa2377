"""What a game is played with, and who sets it up: real devices, or a simulated table."""

from dataclasses import dataclass
from typing import Protocol

from firmware.game.config import GameConfig
from firmware.game.state import GameState
from firmware.lights.led_display import LedDisplay
from firmware.lights.scene import Translucency
from firmware.session.buttons import FaultTolerantButtons
from firmware.session.tracker import GameTracker
from vision.camera import Camera

Corners = tuple[tuple[float, float], ...]
"""Where the board is in a picture, from 0 to 1 of its width and height; none to look for it."""


@dataclass(frozen=True, slots=True)
class TableDevices:
    """What a game is played with.

    Attributes:
        camera: where frames come from.
        tracker: eyes and referee.
        lights: under the board, if there are any.
        buttons: of the players, if there are any.
        pieces: whether light comes through them.
    """

    camera: Camera
    tracker: GameTracker
    lights: LedDisplay | None = None
    buttons: FaultTolerantButtons | None = None
    pieces: Translucency = Translucency.OPAQUE

    def close(self) -> None:
        """Lets go of all devices."""
        self.camera.close()
        if self.lights is not None:
            self.lights.close()
        if self.buttons is not None:
            self.buttons.close()


class TableFactory(Protocol):
    """Who sets a table for a game."""

    def begin(self, config: GameConfig) -> TableDevices:
        """Sets the table for a game that begins.

        Raises:
            CornerlightError: this table cannot be set for such a game.
        """
        ...

    def resume(
        self, config: GameConfig, state: GameState, corners: Corners | None = None
    ) -> TableDevices:
        """Sets the table for a game that goes on.

        Args:
            config: settings of the game.
            state: the game as it stands.
            corners: where the board is; None for where it was found so far.
        """
        ...
