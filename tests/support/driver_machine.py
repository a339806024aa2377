"""Real drivers over simulated hardware, each with its LEDs."""

import importlib.util
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware.drivers.interfaces import DeviceError, LedStrip
from firmware.simulator.spi_line import CLOCKS, V1, SpiLine, TimingWindows
from firmware.simulator.ws2812_chain import Ws2812Chain
from tests.conftest import ROOT
from tests.support.wled_controller import WledController

ZERO_2_W = "902120"
PI_5 = "d04170"


def compiled(folder: Path) -> Path:
    """Compiles the simulated machine; skips the test if that is not possible."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler on Linux to make the pretended machine with")
    library = folder / "fakepi.so"
    words = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library)]
    source = Path(__file__).parent / "fakepi.c"
    subprocess.run([compiler, *words, str(source), "-ldl"], check=True)
    return library


def needs_rpi_ws281x() -> None:
    """Skips the test if the library is not installed."""
    if importlib.util.find_spec("rpi_ws281x") is None:
        pytest.skip("rpi-ws281x is not installed: pip install rpi-ws281x (needs a C compiler)")


@dataclass
class DriverProcess:
    """A driver in a process of its own, whose SPI messages go to a chain of LEDs.

    Attributes:
        process: process of the driver.
        sent: file of its messages.
        chain: simulated LEDs that show them.
        length: number of LEDs that the driver expects.
    """

    process: "subprocess.Popen[str]"
    sent: Path
    chain: Ws2812Chain
    windows: TimingWindows
    clock: Callable[[int], float]
    length: int
    read: int = field(default=0)

    @classmethod
    def start(
        cls,
        kind: str,
        length: int,
        library: Path,
        *,
        order: str = "GRB",
        windows: TimingWindows = V1,
        clock: str = "core 400 MHz",
        machine: dict[str, str] | None = None,
    ) -> "DriverProcess":
        """Starts a driver.

        Raises:
            DeviceError: the driver refused to start; the message is its own.
        """
        sent = library.parent / f"sent-{os.urandom(4).hex()}"
        settings = {"FAKEPI_REVISION": ZERO_2_W, "FAKEPI_SENT": str(sent), **(machine or {})}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.driver_worker", kind, str(length), order],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "LD_PRELOAD": str(library), **settings},
        )
        chain = Ws2812Chain(length, lambda: 0.0)
        found = cls(process, sent, chain, windows, CLOCKS[clock], length)
        try:
            found._heard()
        except DeviceError:
            found.kill()
            raise
        return found

    def write(self, pixels: bytes) -> None:
        """Shows a frame with the driver."""
        self._say(pixels.hex())
        data = self.sent.read_bytes()[self.read :] if self.sent.exists() else b""
        while data:
            size, hz = struct.unpack("<II", data[:8])
            wire = SpiLine(self.chain, self.windows, self.clock, largest=1 << 20)
            wire.open(hz)
            wire.send(data[8 : 8 + size])
            self.read += 8 + size
            data = data[8 + size :]

    def close(self) -> None:
        """Closes the driver."""
        self._say("close")

    def kill(self) -> None:
        """Ends the process at once."""
        self.process.kill()
        self.process.communicate()

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self._heard()

    def _heard(self) -> None:
        assert self.process.stdout is not None
        # The library also prints its errors to standard output.
        answer = self.process.stdout.readline().strip()
        if answer != "ok":
            raise DeviceError(answer or f"the driver crashed with status {self.process.wait()}")


@dataclass
class StripUnderTest:
    """A strip with its simulated LEDs.

    Attributes:
        strip: strip that takes frames.
        chain: LEDs that show them.
    """

    strip: LedStrip | DriverProcess
    chain: Ws2812Chain | WledController
