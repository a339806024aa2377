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

WORDS: Final = {
    "spidev.bufsiz=32768": ("spidev.bufsiz=",),
    "cgroup_enable=memory": ("cgroup_enable=memory", "cgroup_disable=memory"),
}
"""Words for cmdline.txt, each with the beginnings of words by which somebody has chosen before.

They are the bytes of an SPI transfer, as the colours of 400 LEDs take 5,056, and limits of memory,
which the firmware of a Raspberry Pi switches off: `MemoryMax=` of a unit has no effect then."""

_ADDED: Final = "cornerlight.added="
"""Beginning of a word in cmdline.txt that lists those that are ours. It never changes. The kernel
passes over it, as it does over a parameter of a module that is not there."""


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


def with_words(text: str) -> str:
    """Returns a cmdline.txt, which is one line, with those of `WORDS` that nobody chose before."""
    words = without_words(text).split()
    ours = [
        one for one, chosen in WORDS.items() if not any(word.startswith(chosen) for word in words)
    ]
    return " ".join((*words, *ours, _ADDED + ",".join(ours))) + "\n" if ours else text


def without_words(text: str) -> str:
    """Returns a cmdline.txt without the words that `with_words` added."""
    words = text.split()
    mark = next((word for word in words if word.startswith(_ADDED)), None)
    if mark is None:
        return text
    for one in (mark, *mark.removeprefix(_ADDED).split(",")):
        if one in words:
            # A later one is somebody's: before ours there was none.
            words.remove(one)
    return " ".join(words) + "\n"
