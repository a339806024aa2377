"""Checks of the boot configuration of a Raspberry Pi, against what lights and services need."""

from typing import Final

from firmware.commands.checks.check import Check, fine, unknown, wrong
from firmware.drivers.spidev import GOOD_BUFFER
from firmware.machine.boot_configuration import (
    BUFFER,
    LIMITS,
    SPI_ON,
    BootConfiguration,
    boot_configuration,
)
from firmware.machine.computer import Computer
from firmware.machine.device_nodes import nodes
from firmware.machine.sysfs import text
from firmware.settings import LightsSettings

_RESTART: Final = "sudo reboot"
"""Remedy for a changed boot configuration, which the firmware reads at the start alone."""


def check_boot(computer: Computer, lights: LightsSettings) -> Check | None:
    """Checks SPI and the size of its messages; None on a computer that is no Raspberry Pi.

    Lights that are not on SPI need neither; then nothing is wrong.
    """
    if not computer.is_raspberry_pi:
        return None
    if not needs_spi(lights):
        return fine("boot", "the lights of the settings need no SPI")
    boot = boot_configuration(computer)
    if boot is None:
        return unknown("boot", "there is no config.txt in /boot/firmware or /boot")
    return _spi(computer, boot) or _clock(computer, boot) or _buffer(computer, boot)


def check_limits(computer: Computer) -> Check | None:
    """Checks that the kernel holds the services to the memory that their units allow.

    A container has its limits from the computer around it; then there is no check.
    """
    if computer.is_container:
        return None
    controllers = text(computer.sysfs / "fs" / "cgroup" / "cgroup.controllers")
    if controllers is None:
        return unknown("limits", "the kernel does not tell if it limits the memory of services")
    if "memory" in controllers.split():
        return fine("limits", "the kernel limits the memory of page, player and share")
    found = "the kernel limits no memory: page, player and share may take all there is"
    boot = boot_configuration(computer)
    if boot is None:
        return wrong("limits", found, f"add {LIMITS} to the command line of the kernel")
    return wrong("limits", found, _RESTART if boot.limits else _add_word(computer, boot, LIMITS))


def needs_spi(lights: LightsSettings) -> bool:
    """True if the lights of the settings are on SPI."""
    return lights.driver == "spi" or (lights.driver == "rpi-ws281x" and lights.bus == "spi")


def _spi(computer: Computer, boot: BootConfiguration) -> Check | None:
    """Checks that SPI is on; None if it is."""
    if nodes(computer, "spidev*"):
        return None
    if boot.spi:
        found = f"{SPI_ON} is in config.txt, but the kernel was started without it"
        return wrong("boot", found, _RESTART)
    if boot.spi is None:
        return unknown("boot", "config.txt cannot be read, and there is no /dev/spidev0.0")
    found = f"SPI, which the lights need, is off: {SPI_ON} is not in config.txt"
    return wrong("boot", found, "sudo raspi-config nonint do_spi 0")


def _clock(computer: Computer, boot: BootConfiguration) -> Check | None:
    """Checks that the clock of SPI keeps its speed; None if it does."""
    core = boot.core
    if core is None or core.lowest_mhz == core.highest_mhz:
        return None
    found = (
        f"the core clock falls from {core.highest_mhz} to {core.lowest_mhz} MHz while idle, and "
        "that of SPI with it, which can make all LEDs white"
    )
    place = f"/{boot.cmdline.relative_to(computer.root).with_name('config.txt')}"
    clocks = rf"core_freq={core.steady_mhz}\ncore_freq_min={core.steady_mhz}"
    lines = rf"\n{core.section}\n{clocks}\n[all]\n"
    return wrong("boot", found, f"printf '{lines}' | sudo tee -a {place} && {_RESTART}")


def _buffer(computer: Computer, boot: BootConfiguration) -> Check:
    """Checks the size of SPI messages."""
    running, asked = boot.running_buffer, boot.buffer
    if running is None:
        return unknown("boot", "SPI is on; the kernel does not tell the size of its messages")
    if asked is not None and running != asked:
        found = f"cmdline.txt has {BUFFER}={asked}, but the kernel was started with {running}"
        return wrong("boot", found, _RESTART)
    if asked is None and running < GOOD_BUFFER:
        word = f"{BUFFER}={GOOD_BUFFER}"
        found = f"SPI is on, but sends {running} bytes at once: {word} is not in cmdline.txt"
        return wrong("boot", found, _add_word(computer, boot, word))
    return fine("boot", f"SPI is on, and sends up to {running} bytes at once")


def _add_word(computer: Computer, boot: BootConfiguration, word: str) -> str:
    """Returns the command that gives the kernel a word."""
    place = f"/{boot.cmdline.relative_to(computer.root)}"
    return f"sudo sed -i '1s/$/ {word}/' {place} && {_RESTART}"
