"""Input that drivers refuse; and mutated drivers, which have to fail."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.drivers import spidev, ws281x, ws2812_pio, ws2812_spi
from firmware.drivers.interfaces import DeviceError
from firmware.drivers.spidev import Spidev
from firmware.drivers.ws281x import message_size
from firmware.drivers.ws2812_pio import KERNEL_GAMMA, Ws2812Pio
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.simulator.spi_line import CLOCKS, V1, V5, SpiLine
from firmware.simulator.ws2812_chain import ChainFaults, Ws2812Chain
from tests.conftest import ROOT
from tests.support.driver_machine import PI_5, ZERO_2_W, DriverProcess, needs_rpi_ws281x
from tests.support.pio_device import PioDevice

pytestmark = pytest.mark.slow

LENGTH = 60
FRAME = bytes(range(1, 181))


def shown(chain: Ws2812Chain) -> bytes:
    return bytes(level for one in chain.shown for level in one)


# WS2812 over SPI


@pytest.mark.parametrize("idle", [0, 1, 2, 8])
@pytest.mark.parametrize("clock", CLOCKS)
@settings(max_examples=10)
@given(data=st.binary(min_size=12, max_size=12))
def test_our_code_is_within_the_windows_of_v5_on_every_clock(
    clock: str, idle: int, data: bytes
) -> None:
    chain = Ws2812Chain(4, lambda: 0.0)
    Ws2812Spi(SpiLine(chain, V5, CLOCKS[clock], idle=idle), 4).write(data)
    assert shown(chain) == data


def test_a_line_that_idles_high_spoils_nothing() -> None:
    chain = Ws2812Chain(LENGTH, lambda: 0.0)
    Ws2812Spi(SpiLine(chain, idles_high=True), LENGTH).write(FRAME)
    assert shown(chain) == FRAME


def test_without_the_silence_before_it_a_line_that_idles_high_would_spoil_a_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = ws2812_spi.encode(FRAME, LENGTH, "GRB")
    monkeypatch.setattr(ws2812_spi, "encode", lambda *_: whole[len(ws2812_spi.SILENCE) :])
    with pytest.raises(DeviceError, match="neither a 0 nor a 1"):
        Ws2812Spi(SpiLine(Ws2812Chain(LENGTH, lambda: 0.0), idles_high=True), LENGTH).write(FRAME)


@pytest.mark.parametrize(
    ("hz", "message"), [(2_400_000, "a high of"), (4_000_000, "us after a frame")]
)
def test_another_frequency_is_refused(
    monkeypatch: pytest.MonkeyPatch, hz: int, message: str
) -> None:
    monkeypatch.setattr(ws2812_spi, "CLOCK_HZ", hz)
    with pytest.raises(DeviceError, match=message):
        Ws2812Spi(SpiLine(Ws2812Chain(LENGTH, lambda: 0.0)), LENGTH).write(FRAME)


def test_a_shorter_reset_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ws2812_spi, "SILENCE", bytes(100))
    with pytest.raises(DeviceError, match="after a frame"):
        Ws2812Spi(SpiLine(Ws2812Chain(LENGTH, lambda: 0.0)), LENGTH).write(FRAME)


@pytest.mark.parametrize("order", ["RGB", "BRG", "BGR", "RBG", "GBR"])
def test_every_order_is_shown_right_by_its_chips_and_wrong_by_others(order: str) -> None:
    chain = Ws2812Chain(LENGTH, lambda: 0.0, faults=ChainFaults(order=order))
    Ws2812Spi(SpiLine(chain), LENGTH, order).write(FRAME)  # type: ignore[arg-type]
    assert shown(chain) == FRAME
    Ws2812Spi(SpiLine(chain), LENGTH, "GRB").write(FRAME)
    assert shown(chain) != FRAME


def test_a_frame_over_the_buffer_is_refused_when_opened_with_the_remedy() -> None:
    with pytest.raises(DeviceError, match=r"5056 bytes is over the 4096 .* spidev.bufsiz=32768"):
        Ws2812Spi(SpiLine(Ws2812Chain(400, lambda: 0.0)), 400)


def test_a_bus_that_is_not_there_or_none_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="dtparam=spi=on"):
        Ws2812Spi(Spidev(tmp_path / "spidev0.0"), LENGTH)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DeviceError, match="is no SPI device"):
        Ws2812Spi(Spidev(tmp_path / "file"), LENGTH)


# The kernel of a Raspberry Pi 5


def pio(
    length: int = LENGTH, of: int = LENGTH, release: str = "6.12.62"
) -> tuple[Ws2812Pio, Ws2812Chain]:
    chain = Ws2812Chain(of, lambda: 0.0)
    device = PioDevice(chain, passes=release >= "6.12.56")
    return Ws2812Pio(Path("/dev/leds0"), length, opener=device.open, release=release), chain


def test_a_strip_longer_than_the_overlay_says_is_refused_with_the_remedy() -> None:
    strip, _ = pio(length=61)
    with pytest.raises(DeviceError, match="set num_leds=61"):
        strip.write(bytes(61 * 3))


def test_a_second_frame_between_open_and_close_finds_no_space() -> None:
    device = PioDevice(Ws2812Chain(4, lambda: 0.0))
    with device.open() as opened:
        opened.write(bytes(16))
        with pytest.raises(OSError, match="No space") as refused:
            opened.write(bytes(16))
    assert refused.value.errno == errno.ENOSPC


def test_a_single_byte_is_the_brightness_and_a_short_frame_leaves_the_rest_dark() -> None:
    chain = Ws2812Chain(4, lambda: 0.0)
    device = PioDevice(chain)
    for data in (bytes([0]), b"\x09" * 16, b"\x05" * 8):
        with device.open() as opened:
            opened.write(data)
    assert chain.shown == ((5, 5, 5), (5, 5, 5), (0, 0, 0), (0, 0, 0))


def test_on_an_older_kernel_passing_through_would_leave_all_dark() -> None:
    strip, chain = pio(release="6.6.51")
    strip.write(FRAME)
    assert all(any(one) for one in chain.shown)
    wrong = Ws2812Pio(
        Path("/dev/leds0"),
        LENGTH,
        opener=PioDevice(chain, passes=False).open,
        release="6.12.62",
    )
    wrong.write(FRAME)
    assert not any(map(any, chain.shown))


def test_undoing_the_kernels_gamma_never_draws_more_and_never_goes_dark() -> None:
    levels = KERNEL_GAMMA[ws2812_pio._inverse(KERNEL_GAMMA)]
    assert (levels <= np.arange(256)).all()
    assert (levels[1:] > 0).all()


def test_the_device_is_opened_written_and_closed_for_each_frame(tmp_path: Path) -> None:
    device = tmp_path / "leds0"
    with pytest.raises(DeviceError, match=r"no .*leds0; .*dtoverlay=ws2812-pio,gpio=10"):
        Ws2812Pio(device, LENGTH)
    assert not device.exists(), "a missing device is not made"
    device.write_bytes(b"")
    strip = Ws2812Pio(device, LENGTH, release="6.12.62")
    strip.write(FRAME)
    written = device.read_bytes()
    assert len(written) == 4 * LENGTH
    assert written[:8] == bytes([1, 2, 3, 0, 4, 5, 6, 0])


def test_a_device_that_takes_less_than_a_frame_is_reported() -> None:
    class Short:
        def write(self, data: bytes, /) -> int:
            return min(len(data), 3)

    @contextmanager
    def opener() -> Iterator[Short]:
        yield Short()

    strip = Ws2812Pio(Path("/dev/leds0"), LENGTH, opener=opener, release="6.12.62")
    with pytest.raises(DeviceError, match="took 3 of 240 bytes"):
        strip.write(FRAME)


# rpi-ws281x, the real library on a simulated machine


@pytest.fixture
def real(library: Path) -> Path:
    needs_rpi_ws281x()
    return library


@pytest.mark.parametrize("clock", ["core 250 MHz", "core 400 MHz", "core 500 MHz"])
def test_the_library_is_within_the_windows_of_v1(
    real: Path, machines: list[DriverProcess], clock: str
) -> None:
    machine = DriverProcess.start("ws281x-spi", LENGTH, real, clock=clock)
    machines.append(machine)
    machine.write(FRAME)
    assert shown(machine.chain) == FRAME


def test_the_library_does_not_know_every_machine_and_ends_in_peace(real: Path) -> None:
    with pytest.raises(DeviceError, match=r"choose lights\.driver = 'ws2812-pio'"):
        DriverProcess.start("ws281x-spi", LENGTH, real, machine={"FAKEPI_REVISION": PI_5})


@pytest.mark.parametrize(
    ("kind", "machine", "message"),
    [
        ("ws281x-spi", {"FAKEPI_WITHOUT": "/dev/spidev0.0"}, "spidev0.0: No .*dtparam=spi=on"),
        ("ws281x-spi", {"FAKEPI_WITHOUT": "/dev/gpiomem"}, "gpiomem: No .*group gpio"),
        ("spi", {"FAKEPI_WITHOUT": "/dev/spidev0.0"}, "dtparam=spi=on"),
        ("ws281x-spi", {"FAKEPI_BUFSIZ": "700"}, "spidev.bufsiz"),
        ("spi", {"FAKEPI_BUFSIZ": "700"}, "976 bytes is over the"),
    ],
)
def test_what_the_machine_lacks_is_reported_in_a_sentence(
    real: Path, machines: list[DriverProcess], kind: str, machine: dict[str, str], message: str
) -> None:
    def use() -> None:
        started = DriverProcess.start(kind, LENGTH, real, machine=machine)
        machines.append(started)
        started.write(FRAME)

    with pytest.raises(DeviceError, match=message):
        use()


@pytest.mark.parametrize("bus", ["pwm", "pcm"])
def test_other_buses_need_a_real_machine(real: Path, bus: str) -> None:
    with pytest.raises(DeviceError, match=r"run it as root, or choose lights\.bus = 'spi'"):
        DriverProcess.start(f"ws281x-{bus}", LENGTH, real)


@pytest.mark.parametrize("revision", [PI_5, ZERO_2_W])
def test_a_process_ends_well_after_a_refusal_as_after_work(real: Path, revision: str) -> None:
    words = [sys.executable, "-m", "tests.support.driver_worker", "ws281x-spi", str(LENGTH), "GRB"]
    environment = {**os.environ, "LD_PRELOAD": str(real), "FAKEPI_REVISION": revision}
    done = subprocess.run(
        words,
        check=False,
        input=FRAME.hex(),
        env=environment,
        cwd=ROOT,
        text=True,
        capture_output=True,
    )
    assert done.stdout.splitlines()[0].startswith("ok" if revision == ZERO_2_W else "rpi-ws281x")
    assert done.returncode == 0


def test_the_message_of_the_library_is_as_long_as_measured() -> None:
    assert [message_size(length) for length in (196, 256, 400)] == [2376, 3096, 4824]
    assert message_size(339) <= 4096 < message_size(340)


def test_the_pins_are_those_of_the_wiring_table() -> None:
    assert ws281x.PINS == {"spi": 10, "pwm": 18, "pcm": 21}
    assert ws281x.FREQUENCY_HZ == 800_000
    assert spidev.buffer_size() >= 4096


MUTANTS = {
    "pin": "ws281x.PINS['spi'] = 12",
    "frequency": "ws281x.FREQUENCY_HZ = 400_000",
    "order": "ws281x.for_sender = lambda frame, order: frame[:, ::-1]",
}


@pytest.mark.parametrize("changed", MUTANTS)
def test_a_driver_of_the_library_that_was_changed_does_not_pass(
    real: Path, machines: list[DriverProcess], monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setenv("DRIVER_CHANGED", MUTANTS[changed])

    def use() -> bytes:
        machine = DriverProcess.start("ws281x-spi", LENGTH, real, windows=V1)
        machines.append(machine)
        machine.write(FRAME)
        return shown(machine.chain)

    try:
        lit = use()
    except DeviceError:
        return
    assert lit != FRAME
