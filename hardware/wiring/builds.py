"""Facts of a build that no setting has: its LEDs, lengths of its cables, and its clamps."""

from dataclasses import dataclass
from typing import Final

from firmware.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Build:
    """One of the builds.

    Attributes:
        title: name of the build.
        leds: the LEDs to buy.
        pitch_mm: distance between neighbouring LEDs.
        is_cut: True if each line of LEDs is a piece of strip, joined to the next by wires.
        most_between: greatest number of LEDs between two places where power enters.
        most_feeds: number of places where power can enter, by clamps or by the leads of a panel.
        pi_ma: current of the Raspberry Pi at the supply of the LEDs; 0 if it has its own.
        supply_mm: length of the wires from the supply to the clamps.
        feed_mm: from the clamps to the nearest corner of the LEDs.
        shifter_mm: from the clamps to the level shifter.
        header_mm: from the header to the level shifter.
        data_mm: from the level shifter to the first LED.
        button_mm: from the header to a button.
        pi_mm: from the supply to the USB socket of the Raspberry Pi.
    """

    title: str
    leds: str
    pitch_mm: float
    is_cut: bool
    most_between: int
    most_feeds: int
    pi_ma: float
    supply_mm: int
    feed_mm: int
    shifter_mm: int
    header_mm: int
    data_mm: int
    button_mm: int
    pi_mm: int


BUILDS: Final = {
    "club_table": Build(
        title="Club table",
        leds="WS2812B panels of 256 LEDs, 5 V, pitch 10 mm, leads at start, middle and end",
        pitch_mm=10.0,
        is_cut=False,
        # A panel of 256 LEDs has three pairs of leads, so 128 LEDs between two of them.
        most_between=128,
        # Those of four panels; where one is plugged into the next, they share a place.
        most_feeds=9,
        # Raspberry Pi 4: 5 V, 3 A (Raspberry Pi documentation, "Power supply").
        pi_ma=3000.0,
        supply_mm=300,
        feed_mm=250,
        shifter_mm=1000,
        header_mm=100,
        data_mm=1200,
        button_mm=1400,
        pi_mm=1200,
    ),
    "glowing_board": Build(
        title="Glowing board",
        leds="WS2812B strip, 5 V, 60 LEDs a metre",
        pitch_mm=50 / 3,
        is_cut=True,
        most_between=100,
        most_feeds=5,
        pi_ma=0.0,
        supply_mm=300,
        feed_mm=150,
        shifter_mm=1000,
        header_mm=100,
        data_mm=1100,
        button_mm=1300,
        pi_mm=0,
    ),
}
"""The builds with wires of their own, by the names of their folders."""


def build_of(folder: str) -> Build:
    """Returns the build of a folder.

    Raises:
        SettingsError: there is none.
    """
    if folder not in BUILDS:
        raise SettingsError(f"{folder} has no wiring; those that have are {', '.join(BUILDS)}")
    return BUILDS[folder]
