"""The boot configuration of a Raspberry Pi, and what of it the running kernel has."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.machine.computer import Computer
from firmware.machine.sysfs import number

SPI_ON: Final = "dtparam=spi=on"
"""Line of config.txt that switches SPI on."""

BUFFER: Final = "spidev.bufsiz"
"""Name in cmdline.txt of the bytes of the largest SPI message."""

_FOLDERS: Final = ("boot/firmware", "boot")
"""Folders of the boot configuration of Raspberry Pi OS, the newer first."""


@dataclass(frozen=True, slots=True)
class BootConfiguration:
    """The lines that concern a table.

    Attributes:
        cmdline: path of cmdline.txt.
        spi: True if config.txt switches SPI on for every model; None if it cannot be read.
        buffer: bytes of the largest SPI message that cmdline.txt asks for; None if it asks for
            none, or cannot be read.
        running_buffer: the same of the running kernel; None if its driver is not loaded.
    """

    cmdline: Path
    spi: bool | None
    buffer: int | None
    running_buffer: int | None


def boot_configuration(computer: Computer) -> BootConfiguration | None:
    """Reads the boot configuration; None if the computer has none of a Raspberry Pi."""
    folder = next(
        (one for name in _FOLDERS if ((one := computer.root / name) / "config.txt").exists()), None
    )
    if folder is None:
        return None
    config = _lines(folder / "config.txt")
    running = number(computer.sysfs / "module" / "spidev" / "parameters" / "bufsiz")
    return BootConfiguration(
        folder / "cmdline.txt",
        None if config is None else _switches_spi_on(config),
        _buffer_in(_lines(folder / "cmdline.txt") or []),
        running,
    )


def _switches_spi_on(lines: list[str]) -> bool:
    """True if the last line on SPI that holds for every model switches it on."""
    is_on, for_all = False, True
    for line in lines:
        if line.startswith("["):
            for_all = line == "[all]"
        words = line.partition("#")[0].partition("dtparam=")[2].replace(" ", "").split(",")
        for word in words if for_all else ():
            if word == "spi" or word.startswith("spi="):
                is_on = word in {"spi", "spi=on", "spi=true", "spi=yes", "spi=1"}
    return is_on


def _buffer_in(lines: list[str]) -> int | None:
    words = [word for line in lines for word in line.split() if word.startswith(f"{BUFFER}=")]
    last = words[-1].partition("=")[2] if words else ""
    return int(last) if last.isdecimal() else None


def _lines(path: Path) -> list[str] | None:
    try:
        return [line.strip() for line in path.read_text("utf-8", "replace").splitlines()]
    except OSError:
        return None
