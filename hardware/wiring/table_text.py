"""The connections of a table as Markdown, and the rows of such a file.

The text names no date and no program version, so that it changes with the settings alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hardware.wiring.currents import MOST_DROP_V, RESERVE
from hardware.wiring.harness import SIGNAL_MM2, Harness, Wire

HEADINGS: Final = (
    "wire",
    "number",
    "from",
    "to",
    "pin of J8",
    "GPIO",
    "signal",
    "colour",
    "length in mm",
    "mm²",
    "ends",
)
"""Columns of the table."""

_CELL: Final = re.compile(r"(?<!\\)\|")
"""Border of two cells."""

_OVERLAY: Final = "dtoverlay=ws2812-pio,gpio=10,num_leds="
"""Line of config.txt that gives a Raspberry Pi 5 the driver `ws2812-pio` on GPIO10; the number of
LEDs follows."""


def row_of(wire: Wire) -> tuple[str, ...]:
    """Returns the cells of a connection, in the order of `HEADINGS`."""
    return (
        wire.name,
        str(wire.number),
        wire.start,
        wire.end,
        "" if wire.pin is None else str(wire.pin),
        "" if wire.gpio is None else str(wire.gpio),
        wire.signal,
        wire.colour,
        str(wire.length_mm),
        "lead" if wire.section_mm2 is None else f"{wire.section_mm2:g}",
        " / ".join(wire.connectors),
    )


def words_of(wire: Wire) -> str:
    """Returns a connection in words, as the title of its drawing has it."""
    gpio = "" if wire.gpio is None else f" (GPIO{wire.gpio})"
    number = "" if wire.number == 1 else f", {wire.number} times"
    section = "" if wire.section_mm2 is None else f", {wire.section_mm2:g} mm²"
    return (
        f"{wire.name}: {wire.start}{gpio} to {wire.end}, {wire.signal}, {wire.colour}, "
        f"{wire.length_mm} mm{section}{number}"
    )


def rows_in(text: str) -> list[tuple[str, ...]]:
    """Returns the rows of the table of connections in a Markdown text."""
    rows = [
        tuple(cell.strip() for cell in _CELL.split(line.strip())[1:-1])
        for line in text.splitlines()
        if line.startswith("| W")
    ]
    return [row for row in rows if len(row) == len(HEADINGS)]


def facts_of(harness: Harness) -> list[tuple[str, str]]:
    """Returns the figures of a table as (name, value), which text and drawing both have."""
    ratings, currents, layout = harness.ratings, harness.currents, harness.layout
    facts = [
        ("LEDs", f"{layout.columns} x {layout.rows} = {layout.length}"),
        ("supply", f"5 V, {ratings.supply_a:g} A"),
        ("fuse F1", f"{ratings.fuse_a:g} A"),
        ("all white, limited", f"{currents.limited:.0f} mA"),
        ("all white, without limit", f"{currents.unlimited:.0f} mA"),
        ("all dark", f"{currents.standby:.0f} mA"),
        ("lost in the wires", f"{ratings.drop_v:.2f} V"),
    ]
    if harness.build.pi_ma:
        facts.insert(3, ("fuse F2, Raspberry Pi", f"{ratings.pi_fuse_a:g} A"))
    return facts


def markdown(harness: Harness, settings: str, drawing: str) -> str:
    """Returns the connections as a Markdown text.

    Args:
        harness: the wiring.
        settings: name of the file with the settings.
        drawing: name of the file with the drawing.
    """
    build = harness.build
    made = (
        f"Made from [{settings}]({settings}) by `python -m hardware`; change the settings, not "
        "this file."
    )
    lines = [f"# {build.title}: wiring", made, f"![Wiring]({drawing})", "## Figures"]
    lines.append(_table(("figure", "value"), facts_of(harness)))
    lines.append(_list(_notes(harness)))
    lines.append("## Connections")
    lines.append(_table(HEADINGS, [row_of(wire) for wire in harness.connections]))
    lines += ["## Parts", _list(_parts(harness))]
    return "\n\n".join(lines) + "\n"


def _table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = (headings, ("---",) * len(headings), *rows)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _notes(harness: Harness) -> Iterator[str]:
    """Yields the rules behind the figures."""
    build, ratings = harness.build, harness.ratings
    shared = f" and {build.pi_ma:.0f} mA of the Raspberry Pi" if build.pi_ma else ""
    yield (
        "The program dims a frame that needs more than `lights.limit_ma`. So the supply gives at "
        f"most {ratings.milliamps:.0f} mA: the LEDs all white, limited{shared}."
    )
    yield (
        f"Fuses and supply are the next standard ones above {RESERVE:g} times their current "
        "(National Electrical Code, 210.20(A); blade fuses of ISO 8820-3), the supply not weaker "
        "than a fuse."
    )
    yield (
        "Wires behind a fuse carry its rating (DIN VDE 0298-4, table 11) and lose at most "
        f"{MOST_DROP_V} V there and back, with all current at the farthest place: a frame may "
        "light LEDs at one end only. Holders, clamps and the copper of the LEDs are not counted."
    )
    yield (
        f"Power enters at both ends, and at least every {build.most_between} LEDs at the beginning "
        "of a line."
    )
    if build.pi_ma:
        yield (
            "The Raspberry Pi is a 4; a 3 and a Zero take a micro USB plug. A Raspberry Pi 5 wants "
            "5 A: leave out F2 with its wires and that to its ground, and use its own supply."
        )
    else:
        yield (
            "The Raspberry Pi has its own supply; switch both on together, or that of the LEDs "
            "first."
        )
    yield "Connect ground first, and all wires before a supply is switched on."
    if harness.driver == "ws2812-pio":
        yield f"`/boot/firmware/config.txt` needs `{_OVERLAY}{harness.layout.length}`."


def _parts(harness: Harness) -> Iterator[str]:
    """Yields what the names in the table mean."""
    build, ratings = harness.build, harness.ratings
    two = ", where two wires share a twin ferrule" if build.pi_ma else ""
    yield (
        f"Supply: closed, 5 V, {ratings.supply_a:g} A, with a plug of 5.5 x 2.1 mm, + inside; its "
        f"+ and − here are the clamps of an adapter on that plug{two}"
    )
    yield "J8: header of the Raspberry Pi, 40 pins"
    yield f"LED: {build.leds}; {harness.layout.length} LEDs"
    yield (
        "U1: level shifter SN74AHCT125N (DIP-14) in a socket on a piece of stripboard. Gate 1 is "
        "used (pins 1 to 3); the inputs of the others are at ground, and their outputs are off"
    )
    yield "R1: resistor 330 ohm, at the first LED"
    yield "C1: capacitor 1000 µF, 10 V, at the clamps; mind its polarity"
    yield "C2: capacitor 100 nF, ceramic, beside U1"
    yield f"F1: blade fuse {ratings.fuse_a:g} A in a holder, at the supply"
    if build.pi_ma:
        yield f"F2: blade fuse {ratings.pi_fuse_a:g} A in a holder, at the supply"
    yield (
        f"X1: clamps for wires of {SIGNAL_MM2:g} to {ratings.section_mm2:g} mm², "
        f"{_at_clamp(harness, 'X1 +')} for 5 V and {_at_clamp(harness, 'X1 −')} for ground"
    )
    if harness.buttons:
        yield (
            "Button: arcade button 30 mm with two blades of 2.8 mm; its contacts a and b are alike"
        )


def _at_clamp(harness: Harness, clamp: str) -> int:
    """Number of wires at a clamp."""
    return sum(clamp in (wire.start, wire.end) for wire in harness.connections)
