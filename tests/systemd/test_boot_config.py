"""The marked block in the boot configuration, and the size of SPI transfers."""

import pytest
from boot_config import BUFFER, CONFIG_LINES, with_block, with_buffer, without_block, without_buffer
from hypothesis import given
from hypothesis import strategies as st

from firmware.drivers.spidev import GOOD_BUFFER
from firmware.machine import boot_configuration

PI = "dtparam=audio=on\n[pi4]\narm_boost=1\n"


def test_the_block_comes_last_and_ends_for_every_model() -> None:
    lines = with_block(PI).splitlines()
    assert lines[:3] == PI.splitlines()
    assert tuple(lines[4:-1]) == CONFIG_LINES
    assert CONFIG_LINES[0].startswith("["), "the file may end in a section of one model"
    assert [line for line in CONFIG_LINES if line.startswith("[")][-1] == "[all]"


@pytest.mark.parametrize("text", ["", PI, "dtparam=spi=on", "# begin cornerlight\nold=1\n"])
def test_a_block_is_put_once_and_taken_out_whole(text: str) -> None:
    once = with_block(text)
    assert with_block(once) == once
    assert once.count("dtparam=spi=on") == 1 + ("spi=on" in text)
    ended = text if not text or text.endswith("\n") else text + "\n"
    assert without_block(once) == without_block(ended)


@given(
    st.text(st.characters(codec="ascii", exclude_characters="\r\x0b\x0c\x1c\x1d\x1e"), max_size=60)
)
def test_other_lines_stay_as_they_are(text: str) -> None:
    assert without_block(text) == text
    assert without_block(with_block(text)).removesuffix("\n") == text.removesuffix("\n")


def test_the_doctor_looks_for_what_is_installed() -> None:
    assert boot_configuration.SPI_ON in CONFIG_LINES
    assert f"{boot_configuration.BUFFER}={GOOD_BUFFER}" == BUFFER


def test_a_size_that_somebody_chose_stays() -> None:
    assert with_buffer("root=/dev/x spidev.bufsiz=65536\n") == "root=/dev/x spidev.bufsiz=65536\n"
    assert without_buffer("root=/dev/x spidev.bufsiz=65536\n").split()[1] == "spidev.bufsiz=65536"
    changed = with_buffer("console=tty1 root=PARTUUID=1 rootwait\n")
    assert changed == f"console=tty1 root=PARTUUID=1 rootwait {BUFFER}\n"
    assert with_buffer(changed) == changed
    assert without_buffer(changed) == "console=tty1 root=PARTUUID=1 rootwait\n"
