"""The boot configuration of a Raspberry Pi, and what of it the running kernel has."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from firmware.machine.computer import Computer
from firmware.machine.sysfs import number

SPI_ON: Final = "dtparam=spi=on"
"""Line of config.txt that switches SPI on."""

BUFFER: Final = "spidev.bufsiz"
"""Name in cmdline.txt of the bytes of the largest SPI message."""

LIMITS: Final = "cgroup_enable=memory"
"""Word of cmdline.txt that switches limits of memory on. The firmware switches them off."""

_FOLDERS: Final = ("boot/firmware", "boot")
"""Folders of the boot configuration of Raspberry Pi OS, the newer first."""


@dataclass(frozen=True, slots=True)
class CoreClock:
    """The clock of a model's core, from which SPI takes its own.

    Attributes:
        section: section of config.txt for the model.
        lowest_mhz, highest_mhz: the clock of an idle and of a busy core.
        steady_mhz: a clock at which SPI is known to work, idle and busy.
    """

    section: str
    lowest_mhz: int
    highest_mhz: int
    steady_mhz: int


_CORES: Final = {
    "Raspberry Pi 3": CoreClock("[pi3]", 250, 400, 250),
    "Raspberry Pi Zero 2": CoreClock("[pi02]", 250, 400, 250),
    "Raspberry Pi 4": CoreClock("[pi4]", 200, 500, 500),
}
"""The core of a model, by the beginning of its name. A Raspberry Pi 5 has a clock for SPI alone.

Source: the documentation of config.txt, and of rpi_ws281x for the steady clock."""


@dataclass(frozen=True, slots=True)
class BootConfiguration:
    """The lines that concern a table.

    Attributes:
        cmdline: path of cmdline.txt.
        spi: True if config.txt switches SPI on for every model; None if it cannot be read.
        core: the core as config.txt has it; None if SPI has a clock of its own, or config.txt
            cannot be read.
        buffer: bytes of the largest SPI message that cmdline.txt asks for; None if it asks for
            none, or cannot be read.
        running_buffer: the same of the running kernel; None if its driver is not loaded.
        limits: True if cmdline.txt switches limits of memory on.
    """

    cmdline: Path
    spi: bool | None
    core: CoreClock | None
    buffer: int | None
    running_buffer: int | None
    limits: bool


def boot_configuration(computer: Computer) -> BootConfiguration | None:
    """Reads the boot configuration; None if the computer has none of a Raspberry Pi."""
    folder = next(
        (one for name in _FOLDERS if ((one := computer.root / name) / "config.txt").exists()), None
    )
    if folder is None:
        return None
    config = _lines(folder / "config.txt")
    words = " ".join(_lines(folder / "cmdline.txt") or []).split()
    running = number(computer.sysfs / "module" / "spidev" / "parameters" / "bufsiz")
    return BootConfiguration(
        folder / "cmdline.txt",
        None if config is None else _switches_spi_on(config),
        None if config is None else _core_in(config, computer.model),
        _buffer_in(words),
        running,
        LIMITS in words,
    )


def _switches_spi_on(lines: list[str]) -> bool:
    """True if the last line on SPI that holds for every model switches it on."""
    is_on = False
    for line in _holding(lines, "[all]"):
        for word in line.partition("dtparam=")[2].split(","):
            if word == "spi" or word.startswith("spi="):
                is_on = word in {"spi", "spi=on", "spi=true", "spi=yes", "spi=1"}
    return is_on


def _core_in(lines: list[str], model: str) -> CoreClock | None:
    core = next((core for name, core in _CORES.items() if model.startswith(name)), None)
    if core is None:
        return None
    pairs = (line.partition("=") for line in _holding(lines, "[all]", core.section))
    asked = {name: int(value) for name, _, value in pairs if value.isdecimal()}
    highest = asked.get("core_freq", core.highest_mhz)
    lowest = highest if asked.get("force_turbo") else asked.get("core_freq_min", core.lowest_mhz)
    return replace(core, lowest_mhz=min(lowest, highest), highest_mhz=highest)


def _holding(lines: list[str], *sections: str) -> Iterator[str]:
    """Yields the lines of sections, without comments and spaces."""
    section = "[all]"
    for line in lines:
        if line.startswith("["):
            section = line
        elif section in sections:
            yield line.partition("#")[0].replace(" ", "")


def _buffer_in(words: list[str]) -> int | None:
    sizes = [word.partition("=")[2] for word in words if word.startswith(f"{BUFFER}=")]
    last = sizes[-1] if sizes else ""
    return int(last) if last.isdecimal() else None


def _lines(path: Path) -> list[str] | None:
    try:
        return [line.strip() for line in path.read_text("utf-8", "replace").splitlines()]
    except OSError:
        return None
