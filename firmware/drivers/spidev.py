"""The SPI bus of Linux through `spidev`.

A write is one message; the kernel refuses one longer than the driver's buffer, which has 4096
bytes unless `spidev.bufsiz` on the kernel's command line sets another size.
"""

import errno
import fcntl
import os
import struct
from pathlib import Path
from typing import Final

from firmware.drivers.interfaces import DeviceError

_WRITE_MODE: Final = 0x40016B01
"""Request for the phase of clock and data: `_IOW('k', 1, __u8)` of <linux/spi/spidev.h>."""

_WRITE_BITS: Final = 0x40016B03
"""Request for the bits of a word: `_IOW('k', 3, __u8)` of <linux/spi/spidev.h>."""

_WRITE_SPEED: Final = 0x40046B04
"""Request for the clock in hertz: `_IOW('k', 4, __u32)` of <linux/spi/spidev.h>."""

_BUFFER: Final = Path("/sys/module/spidev/parameters/bufsiz")
"""File with the size of the driver's buffer in bytes."""

_USUAL_BUFFER: Final = 4096
"""Bytes of the driver's buffer by default."""

GOOD_BUFFER: Final = 32768
"""Bytes that an installation asks for; the colours of 400 LEDs take 5,056."""

MORE_BUFFER: Final = (
    f"add spidev.bufsiz={GOOD_BUFFER} to the line in /boot/firmware/cmdline.txt and start again"
)
"""Remedy for messages that are too long."""


def buffer_size() -> int:
    """Bytes of the largest SPI message of this machine."""
    try:
        return int(_BUFFER.read_text())
    except (OSError, ValueError):
        return _USUAL_BUFFER


class Spidev:
    """One SPI device.

    Args:
        path: the device; `/dev/spidev0.0` has its data on GPIO10, pin 19 of the header.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._file: int | None = None

    @property
    def largest(self) -> int:
        """Bytes of the largest message."""
        return buffer_size()

    def open(self, clock_hz: int) -> None:
        """Opens it in mode 0 with words of eight bits.

        Raises:
            DeviceError: it is missing, or there is no permission to use it.
        """
        try:
            self._file = os.open(self._path, os.O_RDWR)
            fcntl.ioctl(self._file, _WRITE_MODE, bytes([0]))
            fcntl.ioctl(self._file, _WRITE_BITS, bytes([8]))
            fcntl.ioctl(self._file, _WRITE_SPEED, struct.pack("I", clock_hz))
        except FileNotFoundError as error:
            raise DeviceError(
                f"there is no {self._path}; switch SPI on with dtparam=spi=on in "
                "/boot/firmware/config.txt and start again"
            ) from error
        except PermissionError as error:
            raise DeviceError(
                f"{self._path} may not be used; put this user into the group spi"
            ) from error
        except OSError as error:
            self.close()
            raise DeviceError(
                f"{self._path} is no SPI device: {error.strerror}; "
                "name one of /dev/spidev* in lights.device"
            ) from error

    def send(self, message: bytes) -> None:
        """Sends one message; returns after its transmission.

        Raises:
            DeviceError: it is closed, or the message is longer than the buffer.
        """
        if self._file is None:
            raise DeviceError(f"{self._path} is closed; open it again to send")
        try:
            sent = os.write(self._file, message)
        except OSError as error:
            if error.errno == errno.EMSGSIZE:
                raise DeviceError(too_long(len(message), self.largest)) from error
            raise DeviceError(f"{self._path} cannot send: {error.strerror}") from error
        if sent != len(message):
            raise DeviceError(f"{self._path} took {sent} of {len(message)} bytes")

    def close(self) -> None:
        """Closes the device; further calls do nothing."""
        if self._file is not None:
            file, self._file = self._file, None
            os.close(file)


def too_long(length: int, largest: int) -> str:
    """The error message for a message longer than the buffer."""
    return f"a frame of {length} bytes is over the {largest} of the SPI driver; {MORE_BUFFER}"
