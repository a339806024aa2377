"""The real table: a camera, and the lights and buttons of the settings."""

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from firmware.assembly.hardware import (
    build_buttons,
    build_led_chain,
    build_led_display,
    button_pins,
)
from firmware.assembly.led_strip import build_led_layout, build_reopened_strip
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.network_address import is_in_network
from firmware.game.config import GameConfig
from firmware.game.state import GameState
from firmware.lights.led_display import LedDisplay
from firmware.lights.led_exposure import NETWORK_DELAY
from firmware.rules.variants import Edition, Variant
from firmware.session.camera_reader import CameraReader
from firmware.session.devices import FaultTolerantButtons, LedChain, TableDevices
from firmware.session.recorded_reader import RecordedReader
from firmware.session.tracker import FrameReader, GameTracker
from firmware.settings import Settings
from firmware.storage.camera_memory import CameraMemory, Corners, StoredCorners
from firmware.storage.session_inputs import BoardGeometry, SessionInputs
from vision.reader import Reader

if TYPE_CHECKING:
    from firmware.drivers.interfaces import Buttons, LedStrip


class RealTableFactory:
    """Opens the devices of a real table. All are opened once, and used by one game after another.

    Args:
        settings: settings of lights and buttons.
        camera: the camera, which stays open.
        cameras: the values that are kept for each camera.
        inputs: inputs of a recorded session that are repeated, if there are any.
    """

    def __init__(
        self,
        settings: Settings,
        camera: LiveCamera,
        cameras: CameraMemory,
        inputs: SessionInputs | None = None,
    ) -> None:
        self._inputs: Final = inputs
        self._settings: Final = settings
        self._camera: Final = camera
        self._cameras: Final = cameras
        self._strip: LedStrip | None = None
        self._buttons: Buttons | None = None
        self._people = 0
        self._reader: CameraReader | None = None
        self._devices: TableDevices

    def open(self, config: GameConfig, state: GameState) -> TableDevices:
        """Opens the devices for a game. See `TableFactory`.

        Raises:
            SettingsError: lights or buttons of the settings do not fit the game.
            DeviceError: the buttons do not work.
        """
        # A game that does not fit is refused before the devices of the present one are closed.
        lights, people = self._settings.lights, config.game.people
        build_led_layout(lights, config.game.size)
        if self._settings.buttons.driver != "none":
            button_pins(self._settings.buttons, people, lights)
        is_trusted = self._reader is not None and self._reader.trusts(config.game.size)
        self._devices = TableDevices(
            self._camera,
            self._tracker(config, state, is_trusted=is_trusted),
            self._lights(config.game),
            self._player_buttons(people),
            lights.pieces,
            lights.place,
            self._chain(config.game.size),
            lambda: self._camera.name,
            self._geometry,
            is_live=lambda: not self._camera.is_recording,
            is_cropped=lambda: self._camera.is_cropped,
            sees_lights=lambda: not self._camera.is_recording,
        )
        return self._devices

    def look_again(
        self, config: GameConfig, state: GameState, corners: Corners | None = None
    ) -> TableDevices:
        """Returns the present devices with a new tracker. See `TableFactory`."""
        is_set = self._keep_corners(config.game.size, corners)
        tracker = self._tracker(config, state, is_set=is_set)
        self._devices = replace(self._devices, tracker=tracker)
        return self._devices

    def _keep_corners(self, board: int, corners: Corners | None) -> bool:
        """Keeps corners that a person has set; returns False if there are none."""
        if corners is None or self._camera.size is None or self._inputs is not None:
            return False
        stored = StoredCorners(corners) if corners else None
        self._cameras.keep_corners(self._camera.name, self._camera.size, board, stored)
        return bool(corners)

    def _tracker(
        self,
        config: GameConfig,
        state: GameState,
        *,
        is_set: bool = False,
        is_trusted: bool = False,
    ) -> GameTracker:
        edition = config.edition or state.edition
        return GameTracker.of_game(
            self._frame_reader(config.game.size, edition, is_set=is_set, is_trusted=is_trusted),
            config,
            state,
            turned=None if self._inputs is None else self._inputs.turned,
        )

    def _frame_reader(
        self, board: int, edition: Edition | None, *, is_set: bool, is_trusted: bool
    ) -> FrameReader:
        """Returns a reader of the camera, or of a recording of one."""
        if self._inputs is not None:
            return RecordedReader(self._inputs, partial(Reader, board, edition))
        self._reader = CameraReader(
            board,
            edition,
            self._cameras,
            lambda: self._camera.name,
            is_set=is_set,
            is_trusted=is_trusted,
        )
        return self._reader

    def _geometry(self) -> BoardGeometry | None:
        """Returns corners and lens of the newest frame."""
        if self._inputs is not None:
            return self._inputs.geometry
        return None if self._reader is None else self._reader.geometry

    def _lights(self, game: Variant) -> LedDisplay | None:
        settings = self._settings.lights
        length = build_led_layout(settings, game.size).length
        if self._strip is not None and self._strip.length != length:
            self._strip.close()
            self._strip = None
        if self._strip is None:
            self._strip = build_reopened_strip(settings, length)
        if self._strip is None:
            return None
        display = build_led_display(settings, self._strip, game.size, time.monotonic)
        # Lights that are late are as old in a picture that has waited as a picture from afar.
        if settings.driver == "wled" or is_in_network(self._settings.camera.source):
            display.set_delay(NETWORK_DELAY)  # until set-up has measured it
        return display

    def _chain(self, board: int) -> LedChain | None:
        if self._strip is None:
            return None
        return build_led_chain(self._settings.lights, self._strip, board)

    def _player_buttons(self, people: int) -> FaultTolerantButtons | None:
        if self._buttons is not None and self._people != people:
            self._buttons.close()
            self._buttons = None
        if self._buttons is None:
            self._buttons = build_buttons(self._settings.buttons, people, self._settings.lights)
            self._people = people
        return None if self._buttons is None else FaultTolerantButtons(self._buttons)
