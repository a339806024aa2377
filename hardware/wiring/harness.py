"""Every connection of a table, computed from its settings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from firmware.assembly.game_config import variant_from
from firmware.assembly.hardware import button_pins
from firmware.assembly.led_strip import build_led_layout
from firmware.drivers.ws281x import PINS
from firmware.errors import SettingsError
from firmware.lights.led_layout import LedLayout
from firmware.settings import LightsSettings, Settings
from hardware.wiring.builds import Build
from hardware.wiring.currents import Currents, currents_of
from hardware.wiring.feeds import Feed, feeds_of, pieces_of
from hardware.wiring.header import GROUNDS, PIN_OF_GPIO, ground_pins
from hardware.wiring.ratings import Ratings, feed_length, ratings_of

SIGNAL_MM2: Final = 0.25
"""Cross-section of wires that carry signals only, in mm²."""

FUSE_MM: Final = 100
"""Length of a wire from the supply to a fuse: what no fuse protects is short."""

JOINT_MM: Final = 25
"""Length of a wire between two pieces of LEDs beyond the distance of their LEDs."""

ON_BOARD_MM: Final = 15
"""Length of a wire on the board of the level shifter."""

BUTTON_COLOURS: Final = ("yellow", "blue", "violet", "orange", "brown", "white", "gray")
"""Colours of the wires of the buttons, in the order of play."""

FIVE_V: Final = "5V"
"""Signal of the wires at 5 V, and name of a contact for them."""

GROUND: Final = "GND"
"""Signal of the wires at ground, and name of a contact for them."""

_CLAMP: Final = "ferrule in clamp"
"""Connector of `Wire` at the supply and at its clamps X1."""

_SOLDER: Final = "soldered"
"""Connector of `Wire` on the level shifter, and at LEDs without a plug."""

_LEAD: Final = "lead of the part"
"""Connector of `Wire` if it is the lead of a capacitor or of the resistor R1."""

_SOCKET: Final = "socket 2.54 mm"
"""Connector of `Wire` at the header of the Raspberry Pi."""

_RECEPTACLE: Final = "receptacle 2.8 mm"
"""Connector of `Wire` at a button."""

_USB: Final = "USB-C plug with clamps"
"""Connector of `Wire` at the Raspberry Pi, for its power."""

_FUSE: Final = "blade fuse holder"
"""Connector of `Wire` at a fuse."""

_PLUG: Final = "plug of the panel"
"""Connector of `Wire` at a panel."""

_SPI0: Final = "/dev/spidev0."
"""Beginning of the names of the devices whose data line is GPIO10."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire, or several equal ones.

    Attributes:
        start: the part at which it begins, and its pin.
        end: the part at which it ends, and its pin.
        signal: what it carries.
        colour: colour of its insulation, by its name in CSS.
        length_mm: its length.
        section_mm2: cross-section of its copper; None if it is the lead of a part.
        connectors: what is at its start, and at its end.
        pin: its pin of the header, if it has one.
        gpio: its GPIO, if it has one.
        number: number of such wires.
        name: short name, in the table and in the drawing.
    """

    start: str
    end: str
    signal: str
    colour: str
    length_mm: int
    section_mm2: float | None
    connectors: tuple[str, str]
    pin: int | None = None
    gpio: int | None = None
    number: int = 1
    name: str = ""


@dataclass(frozen=True, slots=True)
class Harness:
    """The wiring of a table.

    Attributes:
        build: the build.
        driver: driver of the LEDs.
        layout: wiring of the LEDs.
        data: GPIO of their data.
        buttons: GPIO of the buttons, in the order of play.
        grounds: pins at ground, by the pins of signals.
        feeds: places where power enters.
        currents: of the LEDs.
        ratings: what carries the current.
        connections: all wires.
    """

    build: Build
    driver: str
    layout: LedLayout
    data: int
    buttons: tuple[int, ...]
    grounds: dict[int, int]
    feeds: tuple[Feed, ...]
    currents: Currents
    ratings: Ratings
    connections: tuple[Wire, ...] = ()


def harness_of(settings: Settings, build: Build) -> Harness:
    """Returns the wiring of a table.

    Raises:
        SettingsError: these settings cannot be wired; the message names cause and remedy.
    """
    data, buttons = _data_gpio(settings.lights), _button_gpios(settings)
    layout = build_led_layout(settings.lights, variant_from(settings).size)
    feeds = feeds_of(layout, build)
    currents = currents_of(settings.lights, layout.length)
    lengths = [feed_length(feed, layout, build) for feed in feeds]
    harness = Harness(
        build,
        settings.lights.driver,
        layout,
        data,
        buttons,
        ground_pins([PIN_OF_GPIO[gpio] for gpio in (data, *buttons)]),
        feeds,
        currents,
        ratings_of(currents.limited, lengths, build),
    )
    wires = (*_power(harness), *_data(harness), *_joints(harness), *_buttons(harness))
    named = (replace(wire, name=f"W{number}") for number, wire in enumerate(wires, 1))
    return replace(harness, connections=tuple(named))


def _data_gpio(lights: LightsSettings) -> int:
    """Returns the GPIO of the data of the LEDs."""
    if lights.driver in ("none", "wled"):
        raise SettingsError(
            f"lights.driver is '{lights.driver}', so there are no LEDs to wire; "
            "name spi, rpi-ws281x or ws2812-pio"
        )
    if lights.driver == "spi" and not (lights.device or _SPI0).startswith(_SPI0):
        raise SettingsError(
            f"the pin of {lights.device} is not known; leave lights.device empty for GPIO10"
        )
    # The kernel's overlay ws2812-pio takes any pin; GPIO10 serves every driver.
    return PINS[lights.bus] if lights.driver == "rpi-ws281x" else PINS["spi"]


def _button_gpios(settings: Settings) -> tuple[int, ...]:
    """Returns the GPIO of all buttons, also of those that not every game needs."""
    if settings.buttons.driver == "none":
        return ()
    pins = button_pins(settings.buttons, len(settings.buttons.pins), settings.lights)
    if len(pins) >= len(GROUNDS):
        raise SettingsError(
            f"buttons.pins has {len(pins)} pins, and the header has grounds for "
            f"{len(GROUNDS) - 1} buttons beside the LEDs; name fewer"
        )
    return pins


def _power(harness: Harness) -> Iterator[Wire]:
    """Yields the wires from the supply to the LEDs, and to the Raspberry Pi."""
    build, section = harness.build, harness.ratings.section_mm2
    in_clamps = _CLAMP, _CLAMP
    yield Wire("Supply +", "F1", FIVE_V, "red", FUSE_MM, section, (_CLAMP, _FUSE))
    to_block = build.supply_mm - FUSE_MM
    yield Wire("F1", "X1 +", FIVE_V, "red", to_block, section, (_FUSE, _CLAMP))
    yield Wire("Supply −", "X1 −", GROUND, "black", build.supply_mm, section, in_clamps)
    yield Wire("X1 +", "C1 +", FIVE_V, "red", ON_BOARD_MM, None, (_CLAMP, _LEAD))
    yield Wire("X1 −", "C1 −", GROUND, "black", ON_BOARD_MM, None, (_CLAMP, _LEAD))
    for feed in harness.feeds:
        end, length = f"LED {feed.led + 1}", feed_length(feed, harness.layout, build)
        ends = _CLAMP, _SOLDER if build.is_cut else _PLUG
        yield Wire("X1 +", f"{end} 5V", FIVE_V, "red", length, section, ends)
        yield Wire("X1 −", f"{end} GND", GROUND, "black", length, section, ends)
    if build.pi_ma:
        thin = harness.ratings.pi_section_mm2
        rest, ends = build.pi_mm - FUSE_MM, (_CLAMP, _USB)
        yield Wire("Supply +", "F2", FIVE_V, "red", FUSE_MM, thin, (_CLAMP, _FUSE))
        yield Wire("F2", "Pi USB-C 5V", FIVE_V, "red", rest, thin, (_FUSE, _USB))
        yield Wire("Supply −", "Pi USB-C GND", GROUND, "black", build.pi_mm, thin, ends)


def _data(harness: Harness) -> Iterator[Wire]:
    """Yields the wires of the level shifter, and of the data line."""
    build, section = harness.build, harness.ratings.section_mm2
    pin, ends, soldered = PIN_OF_GPIO[harness.data], (_SOCKET, _SOLDER), (_SOLDER, _SOLDER)
    short, leads = ON_BOARD_MM, (_SOLDER, _LEAD)
    for start, end, signal, colour in (
        ("X1 +", "U1 14", FIVE_V, "red"),
        ("X1 −", "U1 7", GROUND, "black"),
    ):
        wire = Wire(start, end, signal, colour, build.shifter_mm, section, (_CLAMP, _SOLDER))
        yield wire
    for start, end, signal, colour, number in (
        ("U1 14", "U1 4, 10, 13", FIVE_V, "red", 3),
        ("U1 7", "U1 1, 5, 9, 12", GROUND, "black", 4),
    ):
        yield Wire(start, end, signal, colour, short, SIGNAL_MM2, soldered, None, None, number)
    yield Wire("U1 14", "C2 +", FIVE_V, "red", short, None, leads)
    yield Wire("U1 7", "C2 −", GROUND, "black", short, None, leads)
    length, ground = build.header_mm, harness.grounds[pin]
    yield Wire(
        f"J8 {pin}", "U1 2", "DATA 3.3 V", "green", length, SIGNAL_MM2, ends, pin, harness.data
    )
    yield Wire(f"J8 {ground}", "U1 7", GROUND, "black", length, SIGNAL_MM2, ends, ground)
    yield Wire("U1 3", "R1", "DATA 5 V", "green", build.data_mm, SIGNAL_MM2, soldered)
    yield Wire("R1", "LED 1 DIN", "DATA 5 V", "green", short, None, (_LEAD, _SOLDER))


def _joints(harness: Harness) -> Iterator[Wire]:
    """Yields the wires from the end of each piece to the beginning of the next."""
    build, section = harness.build, harness.ratings.section_mm2
    pieces = pieces_of(harness.layout, build)
    if len(pieces) < 2:
        return
    steps = max(_steps(harness.layout, one[-1], after[0]) for one, after in pairwise(pieces))
    length = round(steps * build.pitch_mm) + JOINT_MM
    end, start = (f"LED {led + 1}" for led in (pieces[0][-1], pieces[1][0]))
    ends = (_SOLDER, _SOLDER) if build.is_cut else (_PLUG, _PLUG)
    for signal, colour, out, into, copper in (
        (FIVE_V, "red", FIVE_V, FIVE_V, section),
        ("DATA 5 V", "green", "DOUT", "DIN", SIGNAL_MM2),
        (GROUND, "black", GROUND, GROUND, section),
    ):
        yield Wire(
            f"{end} {out}",
            f"{start} {into}",
            signal,
            colour,
            length,
            copper,
            ends,
            number=len(pieces) - 1,
        )


def _steps(layout: LedLayout, led: int, other: int) -> int:
    """Number of LEDs from one to another, along rows and columns."""
    (row, column), (to_row, to_column) = layout.place(led), layout.place(other)
    return abs(row - to_row) + abs(column - to_column)


def _buttons(harness: Harness) -> Iterator[Wire]:
    """Yields both wires of each button."""
    length, ends = harness.build.button_mm, (_SOCKET, _RECEPTACLE)
    for number, (gpio, colour) in enumerate(zip(harness.buttons, BUTTON_COLOURS, strict=False), 1):
        pin = PIN_OF_GPIO[gpio]
        ground, button = harness.grounds[pin], f"Button {number}"
        signal = f"BUTTON {number}"
        yield Wire(f"J8 {pin}", f"{button} a", signal, colour, length, SIGNAL_MM2, ends, pin, gpio)
        yield Wire(f"J8 {ground}", f"{button} b", GROUND, "black", length, SIGNAL_MM2, ends, ground)
