"""WS2812 by the kernel of a Raspberry Pi 5, through `/dev/leds0`.

`dtoverlay=ws2812-pio,gpio=10,num_leds=196` in config.txt creates the device. It accepts one frame
between open and close, four bytes an LED: red, green, blue, white. A single byte sets the
brightness instead, and with it the gamma: kernels from 6.12.56 on do not change levels if it is
0; older ones turn all LEDs off at 0 and otherwise raise each level to the power of 1/0.45
(drivers/misc/ws2812-pio-rp1.c). Our levels are corrected already, so the driver inverts this
table for older kernels.
"""

import errno
import os
import platform
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from io import FileIO
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from firmware.codes import Order
from firmware.drivers.interfaces import DeviceError
from firmware.drivers.pixel_order import for_sender, frame_of

_PASSES_SINCE: Final = (6, 12, 56)
"""First kernel that can leave levels unchanged."""

_FULL: Final = bytes([255])
"""Brightness byte for full brightness."""

_PASS_THROUGH: Final = bytes([0])
"""Brightness byte for unchanged levels."""

KERNEL_GAMMA: Final = np.array(
    [int(255 * (level / 255) ** (1 / 0.45)) for level in range(256)], np.uint8
)
"""Level that an older kernel sends for each level written."""


class Writable(Protocol):
    """An open device."""

    def write(self, data: bytes, /) -> int | None:
        """Writes bytes; returns the number of bytes accepted."""
        ...


Opener = Callable[[], AbstractContextManager[Writable]]
"""Opens the device for writing, unbuffered."""


class Ws2812Pio:
    """A chain of WS2812 that the kernel drives.

    Args:
        path: the device.
        length: number of LEDs, at most `num_leds` of the overlay.
        order: order of the bytes of an LED.
        opener: opens the device; by default the file at `path`.
        release: release of the kernel; by default the running one.

    Raises:
        DeviceError: it is missing, or there is no permission to use it.

    Attributes:
        length: number of LEDs.
    """

    def __init__(
        self,
        path: Path,
        length: int,
        order: Order = "GRB",
        *,
        opener: Opener | None = None,
        release: str | None = None,
    ) -> None:
        self._path: Final = path
        self.length: Final = length
        self._order: Final = order
        self._open: Final[Opener] = opener or (lambda: _opened(path))
        self._closed = False
        passes = _version(platform.release() if release is None else release) >= _PASSES_SINCE
        self._table: Final = None if passes else _inverse(KERNEL_GAMMA)
        self._send(_PASS_THROUGH if passes else _FULL)

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED.

        Raises:
            DeviceError: it is closed, the number of bytes is wrong, or the device failed.
        """
        if self._closed:
            raise DeviceError(f"{self._path} is closed; open it again to write")
        levels = for_sender(frame_of(pixels, self.length), self._order)
        levels = levels if self._table is None else self._table[levels]
        self._send(np.pad(levels, ((0, 0), (0, 1))).tobytes())

    def close(self) -> None:
        """Closes the chain; its LEDs do not change."""
        self._closed = True

    def _send(self, data: bytes) -> None:
        try:
            with self._open() as device:
                accepted = device.write(data)
        except FileNotFoundError as error:
            raise DeviceError(
                f"there is no {self._path}; a Raspberry Pi 5 has it with "
                f"dtoverlay=ws2812-pio,gpio=10,num_leds={self.length} in config.txt, and without "
                "dtparam=spi=on, which takes the same pin"
            ) from error
        except PermissionError as error:
            raise DeviceError(
                f"{self._path} may not be written; give its group the right by a udev rule"
            ) from error
        except OSError as error:
            raise DeviceError(self._refusal(error)) from error
        if accepted != len(data):
            raise DeviceError(f"{self._path} took {accepted} of {len(data)} bytes")

    def _refusal(self, error: OSError) -> str:
        if error.errno in (errno.EFBIG, errno.ENOSPC):
            return (
                f"{self._path} has fewer than {self.length} LEDs; "
                f"set num_leds={self.length} in config.txt"
            )
        return f"{self._path} failed: {error.strerror}"


def _opened(path: Path) -> FileIO:
    """Opens the device; one that is missing is not made, as opening a file for writing would."""
    return open(path, "wb", buffering=0, opener=lambda name, _: os.open(name, os.O_WRONLY))


def _version(release: str) -> tuple[int, ...]:
    """The version numbers at the start of a kernel's release."""
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", release)
    return tuple(int(number or 0) for number in found.groups()) if found else ()


def _inverse(table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """For each level the highest input for which a rising table is not above it, nor dark."""
    levels = np.searchsorted(table, np.arange(256), side="right") - 1
    first = int(np.flatnonzero(table)[0])
    levels[1:] = np.maximum(levels[1:], first)
    return levels.astype(np.uint8)
