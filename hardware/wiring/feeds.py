"""Places along the chain where power enters: at both ends, and between lines in between."""

from dataclasses import dataclass
from math import ceil

from firmware.codes import ChainDirection
from firmware.errors import SettingsError
from firmware.lights.led_layout import LedLayout
from hardware.wiring.builds import Build


@dataclass(frozen=True, slots=True)
class Feed:
    """A place where power enters.

    Attributes:
        led: the LED at which it enters, from 0.
        row: its row, seen from above.
        column: its column.
    """

    led: int
    row: int
    column: int


def line_length(layout: LedLayout) -> int:
    """Number of LEDs in a line of the chain."""
    if layout.along is ChainDirection.ROWS:
        return layout.columns // layout.panels_across
    return layout.rows // layout.panels_down


def pieces_of(layout: LedLayout, build: Build) -> list[range]:
    """Returns the LEDs of each piece to buy or to cut: a line of strip, or a panel."""
    panels = layout.panels_across * layout.panels_down
    length = line_length(layout) if build.is_cut else layout.length // panels
    return [range(start, start + length) for start in range(0, layout.length, length)]


def feeds_of(layout: LedLayout, build: Build) -> tuple[Feed, ...]:
    """Returns the places where power enters, in the order of the chain.

    Those between the ends are at the beginning of a line, where wires can be soldered.

    Raises:
        SettingsError: the supply has too few clamps for so many LEDs.
    """
    length = line_length(layout)
    lines = layout.length // length
    spans = ceil(lines / (build.most_between // length))
    if spans + 1 > build.most_feeds:
        raise SettingsError(
            f"{layout.length} LEDs need power at {spans + 1} places, every {build.most_between} "
            f"LEDs and at both ends, and this build has {build.most_feeds}; "
            "use fewer LEDs, see lights.columns and lights.rows"
        )
    starts = [round(span * lines / spans) * length for span in range(spans)]
    return tuple(Feed(led, *layout.place(led)) for led in (*starts, layout.length - 1))
