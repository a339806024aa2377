"""The boot configuration of a Raspberry Pi against the kernel that runs."""

import subprocess
from dataclasses import replace
from pathlib import Path

import boot_config
import pytest

from firmware.commands.checks.boot import check_boot, check_limits
from firmware.commands.checks.check import Check, fine
from firmware.machine.boot_configuration import SPI_ON
from firmware.settings import LightsSettings
from tests.support.stand_in_computer import StandInComputer

SPI = LightsSettings(driver="spi")
CONFIG, CMDLINE = "boot/firmware/config.txt", "boot/firmware/cmdline.txt"
CONTROLLERS = "sys/fs/cgroup/cgroup.controllers"
RUNNING = "sys/module/spidev/parameters/bufsiz"


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path)


def boot(pi: StandInComputer, lights: LightsSettings = SPI) -> Check:
    found = check_boot(pi.computer, lights)
    assert found is not None
    return found


def test_what_an_installation_writes_is_fine_after_a_restart(pi: StandInComputer) -> None:
    pi.write(CONFIG, boot_config.with_block("dtoverlay=vc4-kms-v3d\n[pi4]\ndtparam=audio=off\n"))
    pi.write(CMDLINE, boot_config.with_words("console=tty1 root=/dev/mmcblk0p2\n"))
    assert boot(pi) == fine("boot", "SPI is on, and sends up to 32768 bytes at once")
    pi.remove("dev/spidev0.0")
    assert (boot(pi).fine, boot(pi).remedy) == (False, "sudo reboot")


def test_spi_that_is_off_is_switched_on(pi: StandInComputer) -> None:
    pi.remove("dev/spidev0.0")
    for text in ("", "#dtparam=spi=on\n", "[pi5]\ndtparam=spi=on\n", f"{SPI_ON}\ndtparam=spi=off"):
        pi.write(CONFIG, text)
        assert boot(pi).remedy == "sudo raspi-config nonint do_spi 0"
    pi.write(CONFIG, "[pi5]\nfoo=1\n[all]\ndtparam=i2c_arm=on,spi=on # lights\n")
    assert boot(pi).remedy == "sudo reboot"


MODELS = {
    "Raspberry Pi 3 Model B Plus Rev 1.3": (400, 250, "[pi3]", 250),
    "Raspberry Pi Zero 2 W Rev 1.0": (400, 250, "[pi02]", 250),
    "Raspberry Pi 4 Model B Rev 1.4": (500, 200, "[pi4]", 500),
    "Raspberry Pi 400 Rev 1.0": (500, 200, "[pi4]", 500),
}


@pytest.mark.parametrize("model", MODELS)
def test_a_core_clock_that_slows_spi_down_is_fixed_by_the_remedy(
    pi: StandInComputer, model: str
) -> None:
    highest, lowest, section, steady = MODELS[model]
    pi.write("proc/device-tree/model", f"{model}\0")
    for text in (f"{SPI_ON}\n", f"{SPI_ON}\n[pi5]\ncore_freq={steady}\n[all]\n#force_turbo=1\n"):
        pi.write(CONFIG, text)
        found = boot(pi)
        assert (found.fine, f"from {highest} to {lowest} MHz" in found.found) == (False, True)
        command = found.remedy.removesuffix(" && sudo reboot").replace("sudo tee -a /", "tee -a ")
        subprocess.run(["sh", "-c", command], cwd=pi.root, check=True, capture_output=True)
        assert pi.computer.at(f"/{CONFIG}").read_text() == (
            f"{text}\n{section}\ncore_freq={steady}\ncore_freq_min={steady}\n[all]\n"
        )
        assert boot(pi).fine is True
    for fixed in ("force_turbo=1\n", boot_config.with_block("")):
        pi.write(CONFIG, SPI_ON + "\n" + fixed)
        assert boot(pi).fine is True


def test_a_raspberry_pi_5_has_a_clock_for_spi_alone(pi: StandInComputer) -> None:
    pi.write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    pi.write(CONFIG, f"{SPI_ON}\n")
    assert boot(pi).fine is True


def test_messages_that_are_too_short_need_a_word_on_the_command_line(pi: StandInComputer) -> None:
    pi.write(CMDLINE, "root=/dev/mmcblk0p2\n")
    pi.write(RUNNING, "4096\n")
    assert boot(pi).fine is False
    assert boot(pi).remedy == (
        "sudo sed -i '1s/$/ spidev.bufsiz=32768/' /boot/firmware/cmdline.txt && sudo reboot"
    )


def test_a_command_line_that_has_changed_needs_a_restart(pi: StandInComputer) -> None:
    pi.write(RUNNING, "4096\n")
    assert (boot(pi).fine, boot(pi).remedy) == (False, "sudo reboot")
    pi.write(CMDLINE, "spidev.bufsiz=4096\n")
    assert boot(pi).fine is True, "somebody has chosen it"


def test_what_cannot_be_read_is_not_known(pi: StandInComputer) -> None:
    pi.remove(RUNNING)
    assert boot(pi).fine is None
    pi.remove(CONFIG)
    assert boot(pi).fine is None
    assert "no config.txt" in boot(pi).found


def test_lights_that_need_no_spi_are_fine_without(pi: StandInComputer) -> None:
    pi.remove("dev/spidev0.0")
    pi.remove(CONFIG)
    for lights in (
        LightsSettings(),
        LightsSettings(driver="ws2812-pio"),
        replace(SPI, driver="rpi-ws281x", bus="pwm"),
    ):
        assert boot(pi, lights).fine is True


def test_another_computer_has_no_boot_configuration(pi: StandInComputer) -> None:
    pi.remove("proc/device-tree/model")
    assert check_boot(pi.computer, SPI) is None


def limits(pi: StandInComputer) -> Check:
    found = check_limits(pi.computer)
    assert found is not None
    return found


def test_memory_that_the_kernel_does_not_limit_is_told_with_the_word_that_is_missing(
    pi: StandInComputer,
) -> None:
    assert limits(pi).fine is True
    pi.write(CONTROLLERS, "cpuset cpu io pids\n")
    found = limits(pi)
    assert (found.fine, "page, player and share" in found.found) == (False, True)
    command = found.remedy.removesuffix(" && sudo reboot").replace("sudo ", "")
    subprocess.run(["sh", "-c", command.replace(" /boot", " boot")], cwd=pi.root, check=True)
    line = (pi.root / CMDLINE).read_text()
    assert line == "root=/dev/mmcblk0p2 spidev.bufsiz=32768 cgroup_enable=memory\n"
    assert limits(pi).remedy == "sudo reboot"
    pi.write(CMDLINE, boot_config.with_words("root=/dev/mmcblk0p2\n"))
    assert limits(pi).remedy == "sudo reboot", "an installation adds the same word"
    pi.remove(CONFIG)
    assert limits(pi).remedy.startswith("add cgroup_enable=memory")
    pi.remove(CONTROLLERS)
    assert limits(pi).fine is None
    pi.write("run/systemd/container", "")
    assert check_limits(pi.computer) is None
