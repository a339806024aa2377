"""The lines that Cornerlight needs in the boot configuration of a Raspberry Pi. Pure."""

from typing import Final

_BEGIN: Final = "# begin cornerlight"
"""First line of our block in config.txt. It never changes: a later release replaces the block."""

_END: Final = "# end cornerlight"
"""Last line of our block in config.txt, which never changes either."""

CONFIG_LINES: Final = (
    "[pi3]",
    "core_freq=250",
    "[pi02]",
    "core_freq=250",
    "[pi4]",
    "core_freq=500",
    "core_freq_min=500",
    "[all]",
    "dtparam=spi=on",
)
"""Lines for config.txt: SPI, by which LEDs get their colours, on every model, and a core clock that
keeps its speed where SPI follows it: slowed down while idle, it makes all LEDs white. Source: the
documentation of rpi_ws281x, and of config.txt. A Raspberry Pi 5 has a clock for SPI alone."""

BUFFER: Final = "spidev.bufsiz=32768"
"""Word for cmdline.txt: bytes of an SPI transfer; the colours of 400 LEDs take 5,056."""

_NAME: Final = BUFFER.partition("=")[0] + "="
"""Beginning of the word for the size of SPI transfers, whoever chose the size."""


def with_block(text: str) -> str:
    """Returns a config.txt with our marked block at its end; a block that is there is replaced."""
    rest = without_block(text)
    between = "" if not rest or rest.endswith("\n") else "\n"
    return rest + between + "\n".join((_BEGIN, *CONFIG_LINES, _END)) + "\n"


def without_block(text: str) -> str:
    """Returns a config.txt without our marked block, and otherwise as it is."""
    rest, is_ours = [], False
    for line in text.splitlines(keepends=True):
        is_ours |= line.strip() == _BEGIN
        if not is_ours:
            rest.append(line)
        is_ours &= line.strip() != _END
    return "".join(rest)


def with_buffer(text: str) -> str:
    """Returns a cmdline.txt, which is one line, with the size of SPI transfers.

    A size that somebody chose before stays.
    """
    words = text.split()
    if any(word.startswith(_NAME) for word in words):
        return text
    return " ".join((*words, BUFFER)) + "\n"


def without_buffer(text: str) -> str:
    """Returns a cmdline.txt without the word of `with_buffer`."""
    words = text.split()
    if BUFFER not in words:
        return text
    return " ".join(word for word in words if word != BUFFER) + "\n"
