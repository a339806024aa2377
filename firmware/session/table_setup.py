"""The set-up of a table: the board in the picture, checks, the lens, the layout of the LEDs.

All of it is shown as what holds now, so a person can leave the set-up at any point and come back,
and the program can be killed in between; `CameraMemory` keeps what was measured.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import PHONE_CAMERA, LightPlace
from firmware.game.state import GameState
from firmware.lights.led_display import LedDisplay
from firmware.lights.led_exposure import CameraDelay
from firmware.session.devices import in_pixels, in_shares
from firmware.session.lens_measurement import LensMeasurement
from firmware.session.light_probing import LightProbing
from firmware.session.light_testing import LightTesting
from firmware.session.service import ServiceStatus, TableService
from firmware.session.setup_inspector import SetupInspector
from firmware.storage.camera_memory import CameraMemory, Corners, StoredCamera
from firmware.storage.page_builder import Squares, page_squares
from firmware.storage.session_inputs import LookAgain
from vision.camera import Frame
from vision.reading import Reading
from vision.setup.rating import Rating
from vision.setup.report import SetupReport
from web.contract import (
    MOST_VIEWS,
    CheckLights,
    Command,
    FindingEntry,
    Inspect,
    LensEntry,
    MeasureLens,
    MeasurementCode,
    ProbeEntry,
    ProbeLights,
    SetupEntry,
)

_SAME: Final = 0.004
"""Share of the picture by which corners have to move until they are published again."""

_AGAIN_S: Final = 5.0
"""Seconds from a check that found a fault to the next one, while a phone is being mounted."""

_STILL_S: Final = 60.0
"""The same after a check that found none."""

_CROPPED: Final = FindingEntry("view", Rating.FAIR, "cropped")
"""Finding about a camera that leaves out a part of what its lens shows."""


class TableSetup(TableService):
    """The set-up of a table.

    Args:
        cameras: the values that are stored for each camera.
    """

    def __init__(self, cameras: CameraMemory) -> None:
        self._cameras: Final = cameras
        self._inspector: Final = SetupInspector()
        self._lens: LensMeasurement | None = None
        self._probing: LightProbing | None = None
        self._test: LightTesting | None = None
        self._size: tuple[int, int] | None = None
        self._corners: Corners = ()
        self._checked_s = float("-inf")

    @property
    def is_busy(self) -> bool:
        """True while frames are for a measurement, in which the board or the lights change."""
        return self._running is not None

    @property
    def _running(self) -> LensMeasurement | LightProbing | LightTesting | None:
        """The measurement that is going on: one at a time."""
        for one in (self._lens, self._probing, self._test):
            if one is not None and one.is_running:
                return one
        return None

    def begin(self) -> None:
        """Ends a test of the LEDs, which the game needs."""
        self._test = None

    def executes(self, command: Command) -> bool:
        """True for checks and measurements."""
        return isinstance(command, Inspect | MeasureLens | ProbeLights | CheckLights)

    def execute(self, command: Command) -> None:
        """Begins a check, or begins or stops a measurement, whose frames are no part of the game.

        Raises:
            ValueError: a game is going on, or the measurement is not possible.
        """
        if isinstance(command, Inspect):
            self._inspector.ask()
            return
        assert isinstance(command, MeasureLens | ProbeLights | CheckLights), "it is for the set-up"
        state, stop = self.table.session.state, command.stop
        if state.piece_count and not state.over and not stop:
            raise ValueError("pieces lie on the board; measure before a game or after it")
        was_busy = self.is_busy
        if isinstance(command, MeasureLens):
            self._measure_lens(stop=stop)
        elif isinstance(command, CheckLights):
            self._test_lights(right=command.right, stop=stop)
        else:
            self._probe_lights(stop=stop)
        if was_busy and not self.is_busy:
            self.table.enter(LookAgain())

    def takes_lights(self) -> bool:
        """Goes on with the pictures of a test; True while the LEDs are probed or tested."""
        if isinstance(self._running, LightTesting):
            self._running.show()
        return isinstance(self._running, LightProbing | LightTesting)

    def see(self, frame: Frame) -> None:
        """Goes on with checks and measurements; has the board looked for again after them."""
        self._size = frame.image.shape[1], frame.image.shape[0]
        stored, was_busy = self._stored_camera, self.is_busy
        if self._lens is not None:
            self._lens.see(frame.image)
            measured = self._lens.calibration
            if measured is not None:
                self._change(lambda now: replace(now, lens=measured))
                self._lens = None
        if self._probing is not None:
            self._probing.see(frame)
            self._keep_probed(stored, self._probing)
        lights = self.table.devices.lights
        if lights is not None:
            _use_probed(lights, stored)
        self._inspect(frame, stored)
        if was_busy and not self.is_busy:
            self.table.enter(LookAgain())

    def show(self, status: ServiceStatus) -> None:
        """Adds the set-up."""
        devices, session = self.table.devices, self.table.session
        inspector, state, stored = self._inspector, session.state, self._stored_camera
        reading, framed = devices.tracker.reading, state.candidates_frame
        status.setup = SetupEntry(
            build_findings(
                state,
                inspector.report,
                devices.tracker.turned,
                is_cropped=devices.is_cropped(),
            ),
            inspector.looking,
            self._shown_corners(reading.corners if isinstance(reading, Reading) else None),
            turned=devices.tracker.turned if framed is None else framed[0],
            camera=self._size is not None and session.camera_fault is None,
            board=isinstance(reading, Reading) and not self.is_busy,
            by_hand=state.position.game.size in stored.boards,
            dropped=self._cameras.has_dropped,
            checked=stored.checked,
            stored=not self._cameras.trouble,
            lens=self._lens_entry(stored),
            lights=self._lights_entry(),
            light_test=None if self._test is None else self._test.entry,
        )

    @property
    def _board(self) -> int:
        """Squares along a side of the board."""
        return self.table.session.config.game.size

    def _inspect(self, frame: Frame, stored: StoredCamera) -> None:
        """Goes on with a check, and keeps if it found a fault."""
        before, corners = self._inspector.report, stored.boards.get(self._board)
        self._check_phone(frame)
        self._inspector.see(
            frame,
            self._board,
            self.table.session.state.edition,
            in_pixels(corners.corners, self._size) if corners else None,
            stored.lens.lens if stored.lens else None,
        )
        report = self._inspector.report
        if report is not None and report is not before and stored.checked != report.is_fine:
            self._change(lambda now: replace(now, checked=report.is_fine))

    def _check_phone(self, frame: Frame) -> None:
        """Asks for checks of a phone that is being mounted, while it sees an empty board."""
        is_mounted = bool(self.table.session.state.piece_count)
        report, is_seen = self._inspector.report, self.table.devices.tracker.reading is not None
        if self._inspector.looking or is_mounted:
            self._checked_s = frame.time_s
        elif is_seen and self.table.devices.camera_name() == PHONE_CAMERA:
            pause_s = _STILL_S if report is not None and report.is_fine else _AGAIN_S
            if frame.time_s - self._checked_s > pause_s:
                self._inspector.ask()

    def _measure_lens(self, *, stop: bool) -> None:
        """Begins or stops the measurement of the lens; see `_probe_lights`."""
        if self._running not in (None, self._lens):
            raise ValueError("the lights are being probed or tested")
        self._lens = None if stop else LensMeasurement(self._board)

    def _probe_lights(self, *, stop: bool) -> None:
        """Begins or stops the search for the layout of the LEDs.

        Raises:
            ValueError: there are no LEDs, or another measurement is going on.
        """
        chain = self.table.devices.chain
        if isinstance(self._running, LensMeasurement) or chain is None:
            raise ValueError("there are no lights, or the lens is being measured")
        self._test = None
        if self._probing is not None:
            self._probing.close()
        stored = self._stored_camera.boards.get(self._board)
        corners = in_pixels(stored.corners, self._size) if stored else None
        self._probing = None if stop else LightProbing(chain, self._board, corners)

    def _test_lights(self, *, right: bool | None, stop: bool) -> None:
        """Begins or stops a test of the LEDs by a person, or takes an answer; see `_probe_lights`.

        Args:
            right: True or False if the present picture looks right or not; None to begin.
            stop: True to stop.
        """
        chain = self.table.devices.chain
        if isinstance(self._running, LensMeasurement | LightProbing) or chain is None:
            raise ValueError("there are no lights, or something is being measured")
        if stop:
            self._test = None
        elif right is None:
            self._test = LightTesting(chain)
        elif self._test is None or not self._test.is_running:
            raise ValueError("no picture is shown")
        else:
            self._test.answer(right=right)

    def close(self) -> None:
        """Ends all that is going on, within a second or two."""
        self._inspector.close()
        for running in (self._lens, self._probing):
            if running is not None:
                running.close()

    @property
    def _stored_camera(self) -> StoredCamera:
        if self._size is None:
            return StoredCamera()
        return self._cameras.of(self.table.devices.camera_name(), self._size)

    def _change(self, change: Callable[[StoredCamera], StoredCamera]) -> None:
        if self._size is not None:
            self._cameras.change(self.table.devices.camera_name(), self._size, change)

    def _keep_probed(self, stored: StoredCamera, probing: LightProbing) -> None:
        """Keeps what has just been measured: delay of the camera, light of a panel on the board."""
        delay, lights_board = probing.delay, probing.lights_board
        if delay is not None and stored.dark_s != delay.seconds:
            self._change(lambda now: replace(now, dark_frames=delay.frames, dark_s=delay.seconds))
        if lights_board is not None and stored.lights_board != lights_board:
            self._change(lambda now: replace(now, lights_board=lights_board))

    def _shown_corners(self, pixels: NDArray[np.float64] | None) -> Corners:
        """Returns corners to publish: those of before if they have hardly moved."""
        if pixels is None or self._size is None:
            # Without a reading the last check may have found the board, as after a game.
            return self._inspector.corners
        corners = in_shares(pixels, self._size)
        before = self._corners or ((2.0, 2.0),) * 4
        if np.abs(np.subtract(corners, before)).max() > _SAME:
            self._corners = corners
        return self._corners

    def _lens_entry(self, stored: StoredCamera) -> LensEntry:
        if self._lens is not None:
            return self._lens.entry
        if stored.lens is None:
            return LensEntry()
        views = min(max(stored.lens.pictures, 0), MOST_VIEWS)  # a person may have given more
        return LensEntry(MeasurementCode.DONE, views, views)

    def _lights_entry(self) -> ProbeEntry | None:
        chain = self.table.devices.chain
        if chain is None:
            return None
        if self._probing is not None:
            return self._probing.entry
        return ProbeEntry(beside=chain.place is LightPlace.BESIDE)


def _use_probed(lights: LedDisplay, stored: StoredCamera) -> None:
    """Tells the lights for how long pictures lag behind, and if a panel lights the board."""
    if stored.dark_frames is not None:
        lights.set_delay(CameraDelay(stored.dark_frames, stored.dark_s))
    lights.set_lights_board(stored.lights_board is True)


def build_findings(
    state: GameState, report: SetupReport | None, turned: int, *, is_cropped: bool
) -> tuple[FindingEntry, ...]:
    """Returns the findings of the newest check of the set-up.

    Args:
        state: the state of the game.
        report: the findings; None before the first check.
        turned: the clockwise turn from the camera's frame to the game's, in degrees.
        is_cropped: True if the camera leaves out a part of what its lens shows.
    """
    if report is None:
        return ()
    position, quarters = state.position, turned // 90
    of_this_board = report.size == position.game.size

    def squares(found: tuple[int, ...]) -> Squares:
        turned_squares = [position.board.turn(square, quarters) for square in found]
        return page_squares(position, turned_squares) if of_this_board else ()

    found = tuple(
        FindingEntry(one.code, one.level, one.fault, one.remedy, squares(one.squares))
        for one in report.points
    )
    return (*found, *([_CROPPED] if found and is_cropped else []))
