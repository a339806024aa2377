"""The delay of a camera is measured by lights that it sees."""

from collections import deque
from collections.abc import Callable

import numpy as np
import pytest

from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.lights.delay_probe import DelayProbe
from firmware.lights.flash_limiter import MOST, SECOND
from firmware.lights.led_exposure import CameraDelay
from firmware.rules.variants import GAMES, default_edition
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.clock import ManualClock
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.table import VirtualTable
from firmware.simulator.ws2812_chain import Ws2812Chain, under
from vision.camera import Frame
from vision.errors import SourceError
from vision.synthetic.renderer import Renderer

PERIOD_S = 0.1


class Probed:
    """A board with an LED under each square, and pictures that come late.

    Args:
        late: number of pictures that are held back.
        change: changes pictures, by their number.
    """

    def __init__(
        self, late: int, change: Callable[[int, np.ndarray], None] = lambda *_: None
    ) -> None:
        game = GAMES["duo"]
        self.clock = ManualClock()
        self.table = VirtualTable(game)
        self.chain = Ws2812Chain(196, self.clock, under(self.table, tuple(range(196))))
        strip = Ws2812Spi(SpiLine(self.chain), 196)
        self._camera = SimulatedCamera(
            self.table, default_edition(game), self.clock, Renderer(2), (320, 240)
        )
        self._waiting: deque[np.ndarray] = deque()
        self._late, self._change, self._number = late, change, 0
        self.probe = DelayProbe(strip, self.clock)

    def measure(self, limit_s: float = 200.0) -> CameraDelay | None:
        while self.clock() < limit_s:
            self.clock.pause(PERIOD_S)
            self._number += 1
            frame = self._camera.read()
            assert frame is not None
            self._change(self._number, frame.image)
            self._waiting.append(frame.image)
            if len(self._waiting) <= self._late:
                continue
            found = self.probe.see(Frame(self._waiting.popleft(), self.clock(), self._number))
            if found is not None:
                return found
        return None


@pytest.mark.parametrize("late", [0, 1, 4, 12])
def test_the_delay_is_that_of_the_buffers(late: int) -> None:
    probed = Probed(late)
    found = probed.measure()
    assert found is not None
    assert late <= found.frames <= late + 2
    assert PERIOD_S * late <= found.seconds <= PERIOD_S * (late + 2)
    assert not any(map(any, probed.chain.shown))


@pytest.mark.slow
@pytest.mark.parametrize("late", [14, 15, 29, 30, 31, 45, 60])
def test_a_camera_that_is_seconds_late_is_measured_with_longer_phases(late: int) -> None:
    found = Probed(late).measure()
    assert found is not None
    assert PERIOD_S * late <= found.seconds <= PERIOD_S * (late + 2)


def test_lights_never_flash_faster_than_allowed() -> None:
    probed = Probed(0)
    probed.measure()
    times = [at for at, _ in probed.chain.written]
    assert all(b - a >= SECOND for a, b in zip(times, times[MOST:], strict=False))


def test_lights_out_of_view_are_said() -> None:
    probed = Probed(0)
    probed.table.bump_camera(dx_mm=5000.0)
    with pytest.raises(SourceError, match="does not see the lights"):
        probed.measure()
    assert not any(map(any, probed.chain.shown))


@pytest.mark.slow
def test_a_hand_that_moves_in_view_gives_no_delay() -> None:
    dice = np.random.default_rng(3)

    def wave(_: int, image: np.ndarray) -> None:
        image[:] = np.clip(image * dice.uniform(0.4, 1.6), 0, 255)

    probed = Probed(0, wave)
    with pytest.raises(SourceError, match="moves in its view"):
        probed.measure()
    assert not any(map(any, probed.chain.shown))


def test_pictures_that_change_in_size_are_said() -> None:
    probed = Probed(0)
    probed.clock.pause(PERIOD_S)
    probed.probe.see(Frame(np.zeros((240, 320, 3), np.uint8), probed.clock(), 1))
    with pytest.raises(SourceError, match="changed in size"):
        probed.probe.see(Frame(np.zeros((320, 240, 3), np.uint8), probed.clock(), 2))
