"""Real drivers over pretended hardware, each with the LEDs that hang on it."""

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

ZERO_2_W = "902120"
PI_5 = "d04170"


def compiled(folder: Path) -> Path:
    """The pretended machine, compiled; skips the test where that cannot be."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler on Linux to make the pretended machine with")
    library = folder / "fakepi.so"
    words = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library)]
    source = Path(__file__).parent / "fakepi.c"
    subprocess.run([compiler, *words, str(source), "-ldl"], check=True)
    return library


def needs_rpi_ws281x() -> None:
    """Skips the test where the library is not installed."""
    if importlib.util.find_spec("rpi_ws281x") is None:
        pytest.skip(
            "rpi-ws281x is not installed: pip install 'cornerlight[pi]' (needs a C compiler)"
        )


@dataclass
class DriverProcess:
    """A driver in a process of its own, whose SPI messages end in a chain of LEDs.

    Attributes:
        process: the driver's.
        sent: the file of its messages.
        chain: what they are shown on.
        length: how many LEDs the driver was told of.
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
            DeviceError: it refused to work, as it said.
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
        """Has the driver show a frame."""
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
        """Has the driver let go."""
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
        # The library prints to its standard output, too, when it is refused something.
        told = self.process.stdout.readline().strip()
        if told != "ok":
            raise DeviceError(told or f"the driver crashed with status {self.process.wait()}")


@dataclass
class StripUnderTest:
    """A strip and a way to look at its LEDs.

    Attributes:
        strip: takes frames.
        chain: shows them.
    """

    strip: LedStrip | DriverProcess
    chain: Ws2812Chain
