"""Common behaviour of all strips, of every driver and of the simulation: one suite for all."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from firmware.drivers.interfaces import DeviceError
from firmware.drivers.wled import Wled
from firmware.drivers.ws2812_pio import Ws2812Pio
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.simulator.spi_line import V1, V5, SpiLine
from firmware.simulator.ws2812_chain import Ws2812Chain
from tests.support.driver_machine import DriverProcess, StripUnderTest, needs_rpi_ws281x
from tests.support.pio_device import PioDevice
from tests.support.waiting import eventually
from tests.support.wled_controller import WledController

LENGTH = 196
KINDS = ("spi", "spi-machine", "pio", "pio-old", "ws281x-spi", "wled")


@dataclass
class AwaitedStrip:
    """A strip in the network, whose frames are on their way for some time."""

    strip: Wled
    controller: WledController

    @property
    def length(self) -> int:
        return self.strip.length

    def write(self, pixels: bytes) -> None:
        before = self.controller.packets
        self.strip.write(pixels)
        eventually(lambda: self.controller.packets > before)

    def close(self) -> None:
        self.strip.close()


Fit = Callable[[int], StripUnderTest]


@pytest.fixture(params=KINDS)
def fit(request: pytest.FixtureRequest, machines: list[DriverProcess]) -> Fit:
    """Creates a strip of a given length."""
    kind: str = request.param

    def on_machine(length: int) -> StripUnderTest:
        if kind == "ws281x-spi":
            needs_rpi_ws281x()
        library: Path = request.getfixturevalue("library")
        windows = V1 if kind == "ws281x-spi" else V5
        name = kind.removesuffix("-machine")
        machine = DriverProcess.start(name, length, library, windows=windows)
        machines.append(machine)
        return StripUnderTest(machine, machine.chain)

    def in_the_network(length: int) -> StripUnderTest:
        controller = WledController(length)
        request.addfinalizer(controller.close)
        strip = Wled(controller.address, length, wait_s=6.0, ddp_port=controller.ddp_port)
        request.addfinalizer(strip.close)
        return StripUnderTest(AwaitedStrip(strip, controller), controller)

    def here(length: int) -> StripUnderTest:
        chain = Ws2812Chain(length, lambda: 0.0)
        if kind == "spi":
            return StripUnderTest(Ws2812Spi(SpiLine(chain), length), chain)
        device = PioDevice(chain, passes=kind == "pio")
        release = "6.12.62+rpt-rpi-2712" if kind == "pio" else "6.6.51+rpt-rpi-2712"
        path = Path("/dev/leds0")
        return StripUnderTest(Ws2812Pio(path, length, opener=device.open, release=release), chain)

    if kind == "wled":
        return in_the_network
    return here if kind in ("spi", "pio", "pio-old") else on_machine


def pixels(length: int, seed: int = 1) -> bytes:
    return bytes(np.random.default_rng(seed).integers(0, 256, 3 * length, np.uint8))


def shown(fitted: StripUnderTest) -> bytes:
    return bytes(level for one in fitted.chain.shown for level in one)


def test_every_led_shows_its_colour(fit: Fit, request: pytest.FixtureRequest) -> None:
    fitted = fit(LENGTH)
    assert fitted.strip.length == LENGTH
    # An older kernel has fewer levels; it never shows a level above the one written.
    coarse = request.node.callspec.params["fit"] == "pio-old"
    for seed in (1, 2):
        frame = pixels(LENGTH, seed)
        fitted.strip.write(frame)
        written, lit = np.frombuffer(frame, np.uint8), np.frombuffer(shown(fitted), np.uint8)
        assert (lit == written).all() or coarse
        assert (lit <= written).all()
        assert (written.astype(int) - lit).max() <= (3 if coarse else 0)


def test_one_frame_after_another_is_shown_and_dark_is_dark(fit: Fit) -> None:
    fitted = fit(LENGTH)
    for frame in (b"\xff" * 3 * LENGTH, bytes(3 * LENGTH), b"\x01\x02\x04" * LENGTH):
        fitted.strip.write(frame)
    assert all(fitted.chain.shown)
    fitted.strip.write(bytes(3 * LENGTH))
    assert not any(shown(fitted))


@pytest.mark.parametrize("length", [0, 195 * 3, 196 * 3 - 1, 196 * 3 + 1, 196 * 4])
def test_a_wrong_number_of_bytes_is_refused_and_nothing_changes(fit: Fit, length: int) -> None:
    fitted = fit(LENGTH)
    fitted.strip.write(b"\x09" * 3 * LENGTH)
    before = shown(fitted)
    with pytest.raises(DeviceError, match="588"):
        fitted.strip.write(b"\xff" * length)
    assert shown(fitted) == before


def test_nothing_is_written_to_a_closed_strip_and_it_stays_as_it_is(fit: Fit) -> None:
    fitted = fit(LENGTH)
    fitted.strip.write(b"\x09" * 3 * LENGTH)
    before = shown(fitted)
    fitted.strip.close()
    fitted.strip.close()
    with pytest.raises(DeviceError, match="closed"):
        fitted.strip.write(bytes(3 * LENGTH))
    assert shown(fitted) == before


def test_a_board_of_400_is_shown_or_refused_with_the_remedy(fit: Fit) -> None:
    try:
        fitted = fit(400)
    except DeviceError as error:
        assert "spidev.bufsiz=32768" in str(error)  # noqa: PT017
        return
    # Levels that an older kernel has, too.
    frame = b"\xfc\x00\xfc" * 400
    fitted.strip.write(frame)
    assert shown(fitted) == frame
