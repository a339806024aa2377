"""The marked block in the boot configuration, and the words for the kernel."""

import pytest
from boot_config import CONFIG_LINES, WORDS, with_block, with_words, without_block, without_words
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
    assert {f"{boot_configuration.BUFFER}={GOOD_BUFFER}", boot_configuration.LIMITS} == set(WORDS)


@pytest.mark.parametrize(
    ("chosen", "added"),
    [
        ("rootwait", ["spidev.bufsiz=32768", "cgroup_enable=memory"]),
        ("cgroup_enable=cpuset", ["spidev.bufsiz=32768", "cgroup_enable=memory"]),
        ("spidev.bufsiz=65536", ["cgroup_enable=memory"]),
        ("cgroup_enable=memory cgroup_memory=1", ["spidev.bufsiz=32768"]),
        ("cgroup_disable=memory", ["spidev.bufsiz=32768"]),
        ("cgroup_enable=memory spidev.bufsiz=32768", []),
    ],
)
def test_only_words_that_nobody_chose_come_and_go(chosen: str, added: list[str]) -> None:
    before = f"console=tty1 root=PARTUUID=1 {chosen}\n"
    after = with_words(before)
    marked = [*added, f"cornerlight.added={','.join(added)}"] if added else []
    assert after.split() == [*before.split(), *marked]
    assert after.count("\n") == 1
    assert with_words(after) == after
    assert without_words(after) == before


def test_a_word_that_comes_later_stays() -> None:
    later = with_words("root=PARTUUID=1\n").strip() + " cgroup_enable=memory ds=nocloud\n"
    assert without_words(later) == "root=PARTUUID=1 cgroup_enable=memory ds=nocloud\n"
    assert without_words(with_words(later)) == without_words(later)
